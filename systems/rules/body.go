package rules

import (
	"muster/components"
	"muster/ecs"
)

// A Summon asks system summons for a creature without a spawn point. One whose Entry is no creature is refused and counted
// as respawn.bad_summon.
type Summon struct {
	By    ecs.Entity // its owner, with the owner's faction; zero: its template's
	Entry uint32
	At    components.Position
	ForMs uint32 // it despawns after that; 0: with its corpse

	Summoner ecs.Entity // whose script summons it, and which it does not serve; zero: none
	Prey     ecs.Entity // what it attacks; zero: nothing
	Peace    bool       // ForMs is a time out of combat

	Command uint64 // of an operator that is answered with its GUID; 0 none
}

// A Summoned is the result of a Summon with a Command.
type Summoned struct {
	Command uint64
	GUID    uint64 // 0: there is no room for another creature
}

// A Looted is a corpse or chest with no loot left: a corpse decays soon. It is emitted once for each, and for a chest once more
// when no player has it open: it despawns then.
type Looted struct {
	Entity ecs.Entity
	By     ecs.Entity // the player that took the last of it; zero if there was never any
	Left   bool       // no player has the chest open any more
}
