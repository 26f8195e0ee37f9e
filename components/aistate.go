package components

import "muster/ecs"

// SpawnInfo is where a creature spawns and what it does there.
type SpawnInfo struct {
	At     Position
	Wander float32 // radius in yards of the circle that it wanders in; 0 stays
	Path   int32   // number of the path that it goes, -1 none
	Way    uint32  // one more than the number of the path that a game master has given it; 0: it has that of its spawn point
	Point  uint32  // one more than the index of its spawn point among the map's; 0: it was summoned

	Owner ecs.Entity // its summoner, which it serves; zero if none

	Summoner ecs.Entity // whose script has summoned it; zero if none has
	Prey     ecs.Entity // what it was summoned to attack; zero if nothing
}

// MaxCreatureSpells is the number of its template's spells that a creature casts at most.
const MaxCreatureSpells = 8

// AIState is what a creature does in combat, in one cache line.
type AIState struct {
	Mode         AIMode
	Limits       uint8    // AINoMelee and following
	Fled         uint8    // 1 if it has fled in this fight
	React        uint8    // one more than the defs.ReactState that its script has given it; 0 that of its template
	SinceMs      uint32   // world time at which its mode began
	ReachedMs    uint32   // world time at which its victim was last in reach
	HomePosition Position // its position when the fight began, to which it returns
	VictimPos    Vec      // position of its victim, or of another goal, when it last set out for it
	Claim        Vec      // place around its victim that it has last taken
	Victim       ecs.Entity
	ClaimMs      uint32 // world time at which it took that
}

// StepTimer is when a creature takes its next step.
type StepTimer struct {
	Number uint32 // of the step; a timer with another number is stale. 0: it has never had one
	DueMs  uint32 // world time
}

// SpellTimers is the world time from which a creature casts each of its template's spells.
type SpellTimers struct{ Ms [MaxCreatureSpells]uint32 }

// Errand is what a creature does out of combat.
type Errand struct{ BusyMs uint32 } // world time until which it takes

// Route is how far a creature is on its path.
type Route struct {
	Node   uint32 // number of nodes that it has set out for
	Rested uint32 // 1 if it has paused at the last of them
}

// The bits of AIState.Limits: what its script has a creature not do.
const (
	AINoMelee = 1 << iota // swing at what it fights
	AINoChase             // go after it
	AINoEvade             // evade
)

// An AIMode is what a creature is doing.
type AIMode uint8

// The modes.
const (
	Idle AIMode = iota
	Fighting
	Fleeing   // from a fight, and comes back to it
	Returning // from a fight, to where it was
)
