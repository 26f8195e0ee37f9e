package components

// Logout is a player's wish to leave the world, or the loss of its client.
type Logout struct {
	Number   uint32 // of the last wish; a timer with another number is stale
	Waiting  uint32 // 1 while it sits and waits
	LinkDead uint32 // 1 while it is there without a client
	UntilMs  uint32 // then it goes, if it is adrift
	Gone     uint32 // 1 once it is out at its own wish, which fanout tells its client when nothing else is to follow
}
