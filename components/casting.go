package components

import "muster/ecs"

// Casting is the state of a unit's spell casts: the one in progress, the spells that wait for its next swing or shot,
// and until when it can cast nothing. The zero Casting has none. What other systems read, and whether it can cast, is
// in one cache line.
type Casting struct {
	Number         uint32 // of the unit's last cast; a timer with another number is stale
	GlobalUntilMs  uint32 // end of the global cooldown, world time
	LockUntilMs    uint32 // world time until which it casts nothing of
	LockSchools    uint32 // these schools
	NextSwing      uint32 // the spell that replaces its next swing; 0 none
	NextSwingCount uint32 // the client's number for it
	Repeat         uint32 // the spell that it repeats automatically; 0 none
	Shot           uint32 // number of its next shot; a timer with another number is stale

	Cast      Cast
	RepeatAt  ecs.Entity // target of Repeat
	PaidTick  uint32     // the last tick in which it paid for a cast,
	PaidPower uint32     // with this power,
	Paid      uint32     // and how much: system vitals takes it at the end of the stage
	_         [3]uint32  // pads to whole cache lines
}

// A Cast is a spell cast in progress. The zero Cast is none.
type Cast struct {
	Spell   uint32     // 0: none
	Channel uint32     // 1 while it is channelled
	Pushed  uint32     // how often damage has pushed it back
	EndMs   uint32     // world time
	StartMs uint32     // world time
	Target  ecs.Entity // a unit; zero none
	Count   uint32     // the client's number for it

	PulseMs    uint32 // world time of a channel's next pulse
	Item       uint32 // counter of the item that casts it; 0 none
	TargetGUID uint64
	To         Vec    // the target point, of spells that have one
	Placed     uint32 // 1 if To is set
}
