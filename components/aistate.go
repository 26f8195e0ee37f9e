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
}

// MaxCreatureSpells is the number of its template's spells that a creature casts at most.
const MaxCreatureSpells = 8

// AIState is the state of a creature's AI. What a step in a fight reads comes first, in one cache line; what matters
// out of combat and at the beginning and end of a fight, in a second.
type AIState struct {
	StepNumber   uint32 // of its next step; a timer with another number is stale
	DueMs        uint32 // world time of its next step
	Mode         AIMode
	ReachedMs    uint32                    // world time at which its victim was last in reach
	HomePosition Position                  // its position when the fight began, to which it returns
	SpellMs      [MaxCreatureSpells]uint32 // world time from which it casts each of its template's spells

	SinceMs   uint32 // world time at which its mode began
	Fled      uint32 // 1 if it has fled in this fight
	VictimPos Vec    // position of its victim when it last set out for it
	BusyMs    uint32 // world time until which its action out of combat takes
	Node      uint32 // number of nodes of its path that it has set out for
	Rested    uint32 // 1 if it has paused at the last of them
}

// An AIMode is what a creature is doing.
type AIMode uint32

// The modes.
const (
	Idle AIMode = iota
	Fighting
	Fleeing   // from a fight, and comes back to it
	Returning // from a fight, to where it was
)
