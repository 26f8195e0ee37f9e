package components

import "muster/ecs"

// Casting is what a unit casts: the spell in progress, and the one that waits for its next swing. The zero Casting has
// none.
type Casting struct {
	Number         uint32 // of the unit's last cast; a timer with another number is stale
	NextSwing      uint32 // the spell that replaces its next swing; 0 none
	NextSwingCount uint32 // the client's number for it
	_              uint32

	Cast Cast
}

// AutoRepeat is the spell that a unit repeats automatically: its shots. The zero AutoRepeat is none.
type AutoRepeat struct {
	Spell  uint32 // 0 none
	Number uint32 // of its next shot; a timer with another number is stale
	Target ecs.Entity
	Tried  uint32 // tick of the last shot that was attempted
}

// CastLimits is until when a unit can cast nothing, or nothing of some schools, and what it has spent in this tick.
type CastLimits struct {
	GlobalUntilMs uint32 // end of the global cooldown, world time
	LockUntilMs   uint32 // world time until which it casts nothing of
	LockSchools   uint32 // these schools
	PaidTick      uint32 // the last tick in which it paid for a cast,
	PaidPower     uint32 // with this power,
	Paid          uint32 // and how much: system vitals takes it at the end of the stage
	BusyTick      uint32 // the last tick in which it began what takes time, which system casts has in Casting after the stage, or, as a player, ended that
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
