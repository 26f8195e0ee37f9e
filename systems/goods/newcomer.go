package goods

import "muster/ecs"

// A Newcomer is a player who has never been in a world: intake says so, and system loot gives it what its class
// begins with.
type Newcomer struct{ Entity ecs.Entity }
