package goods

import "muster/ecs"

// A Newcomer is a player that has never been in a world: intake emits it, and system loot gives it the outfit of its
// class.
type Newcomer struct{ Entity ecs.Entity }
