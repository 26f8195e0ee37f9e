package components

import "muster/ecs"

// Post is where a creature belongs and what it does there.
type Post struct {
	At     Position
	Wander float32 // radius in yards of the circle it strolls in; 0 stays
	Path   int32   // number of its path among the map's, -1 none
	Point  uint32  // one more than the number of its spawn point among the map's; 0: it was summoned
}

// MaxCreatureSpells is how many of its template's spells a creature casts.
const MaxCreatureSpells = 8

// Mind is what a creature is about to do.
type Mind struct {
	Turn      uint32 // number of its next step; a timer with another number is stale
	DueMs     uint32 // world time of its next step
	SleptAtMs uint32 // world time at which its cell went to sleep

	BusyMs uint32 // world time until which what it does at peace takes
	Node   uint32 // how many nodes of its path it has set out for
	Rested uint32 // 1 if it has rested at the last of them

	Mood    Mood
	Fled    uint32   // 1 if it has run away in this fight
	SinceMs uint32   // world time at which its mood began
	NearMs  uint32   // world time at which it could last reach its victim
	From    Position // where it was when the fight began, and goes when it ends
	Aim     Vec      // where its victim was when it last set out for it
	SpellMs [MaxCreatureSpells]uint32

	Leader   ecs.Entity // whom it walks with; zero nobody
	Follower ecs.Entity // the first who walks with it
	Next     ecs.Entity // the next who walks with its leader
}

// A Mood is what a creature is busy with.
type Mood uint32

// The moods.
const (
	Idle Mood = iota
	Fighting
	Fleeing   // from a fight, and comes back to it
	Returning // from a fight, to where it was
)
