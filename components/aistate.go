package components

import "muster/ecs"

// SpawnInfo is where a creature belongs and what it does there.
type SpawnInfo struct {
	At     Position
	Wander float32 // radius in yards of the circle it strolls in; 0 stays
	Path   int32   // number of its path among the map's, -1 none
	Point  uint32  // one more than the number of its spawn point among the map's; 0: it was summoned

	Owner ecs.Entity // who summoned it, and whom it serves; zero nobody
}

// MaxCreatureSpells is how many of its template's spells a creature casts.
const MaxCreatureSpells = 8

// AIState is what a creature is about to do. What a step in a fight asks lies first, in one line of cache; what matters at
// peace and at the beginning and end of a fight, in a second.
type AIState struct {
	StepNumber   uint32 // number of its next step; a timer with another number is stale
	DueMs        uint32 // world time of its next step
	Mode         AIMode
	ReachedMs    uint32                    // world time at which it could last reach its victim
	HomePosition Position                  // where it was when the fight began, and goes when it ends
	SpellMs      [MaxCreatureSpells]uint32 // world time from which it casts each of its template's spells

	SinceMs   uint32 // world time at which its mood began
	Fled      uint32 // 1 if it has run away in this fight
	VictimPos Vec    // where its victim was when it last set out for it
	SleptAtMs uint32 // world time at which its cell went to sleep
	BusyMs    uint32 // world time until which what it does at peace takes
	Node      uint32 // how many nodes of its path it has set out for
	Rested    uint32 // 1 if it has rested at the last of them

	Leader   ecs.Entity // whom it walks with; zero nobody
	Follower ecs.Entity // the first who walks with it
	Next     ecs.Entity // the next who walks with its leader
	_        uint32     // to whole lines
}

// An AIMode is what a creature is busy with.
type AIMode uint32

// The moods.
const (
	Idle AIMode = iota
	Fighting
	Fleeing   // from a fight, and comes back to it
	Returning // from a fight, to where it was
)
