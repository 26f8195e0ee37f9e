package components

// Post is where a creature belongs and what it does there.
type Post struct {
	At     Position
	Wander float32 // radius in yards of the circle it strolls in; 0 stays
	Path   int32   // number of its path among the map's, -1 none
}

// Mind is what a creature is about to do.
type Mind struct {
	Turn      uint32 // number of its next step; a timer with another number is stale
	DueMs     uint32 // world time of its next step
	SleptAtMs uint32 // world time at which its cell went to sleep
	Node      uint32 // how many nodes of its path it has set out for
	Rested    uint32 // 1 if it has rested at the last of them
}
