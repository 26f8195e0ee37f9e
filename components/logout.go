package components

// Logout is a player's request to leave the world, or the loss of its client.
type Logout struct {
	Number   uint32 // of the last request; a timer with another number is stale
	Waiting  uint32 // 1 while it sits and waits
	LinkDead uint32 // LeavesInPeace or Stays while it is in the world without a client
	UntilMs  uint32 // time at which it leaves, if it is link-dead
	Gone     uint32 // 1 once it has left at its own request, which fanout sends its client last
}

// What Logout.LinkDead is.
const (
	LeavesInPeace = 1 + iota // it leaves when its combat ends
	Stays                    // it leaves at UntilMs: its gateway has ended
)
