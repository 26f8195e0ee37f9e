package rules

import (
	"muster/components"
	"muster/ecs"
)

// A Summon asks respawn for a creature at no spawn point. One whose Entry is no creature is refused and counted
// as respawn.bad_summon.
type Summon struct {
	By    ecs.Entity // whose side it is on; zero: its template's
	Entry uint32
	At    components.Position
	ForMs uint32 // it goes after that; 0: with the body that it leaves
}

// A Looted is a body with nothing left in it: it decays soon. Who empties bodies says so, once for each.
type Looted struct{ Entity ecs.Entity }
