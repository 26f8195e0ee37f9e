package components

import "muster/ecs"

// Casting is what a unit's spells are about: the one that it casts or channels, what waits for its next blow or
// shot, and until when it can cast nothing. The zero Casting is of nothing. What others ask of it, and whether it may
// cast, lies in one line of cache.
type Casting struct {
	Number         uint32 // of the last cast among the unit's; a timer with another is stale
	GlobalUntilMs  uint32 // world time until which it begins no other cast
	LockUntilMs    uint32 // world time until which it casts nothing of
	LockSchools    uint32 // these schools
	NextSwing      uint32 // the spell that takes the place of its next blow; 0 none
	NextSwingCount uint32 // the client's number for it
	Repeat         uint32 // the spell that it shoots again and again; 0 none
	Shot           uint32 // number of its next shot; a timer with another is stale

	Cast     Cast
	RepeatAt ecs.Entity // whom it shoots
	_        [6]uint32  // to whole lines
}

// A Cast is a spell on its way. The zero Cast is of nothing.
type Cast struct {
	Spell   uint32     // 0: nothing
	Channel uint32     // 1 while it is channelled
	Pushed  uint32     // how often blows have pushed it back
	EndMs   uint32     // world time
	StartMs uint32     // world time
	Target  ecs.Entity // of the units; zero none
	Count   uint32     // the client's number for it

	PulseMs    uint32 // world time of a channel's next pulse
	Item       uint32 // counter of the item that casts it; 0 none
	TargetGUID uint64
	To         Vec    // the place, of those spells that have one
	Placed     uint32 // 1 if there is a place
}
