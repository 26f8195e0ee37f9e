package components

// Clock relates a player's own milliseconds to those of the world.
type Clock struct {
	Counter  uint32 // of the last time request
	AskedMs  uint32 // world time of the last time request
	OffsetMs uint32 // world minus client, good if Known
	Known    uint32 // 1 after the first answer
}
