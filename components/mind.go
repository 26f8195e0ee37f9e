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
	Node      uint32 // the node of its path that it walks to next
	DueMs     uint32 // world time of its next step
	SleptAtMs uint32 // world time at which its cell went to sleep
}
