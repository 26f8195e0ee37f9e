package rules

import (
	"time"

	"muster/components/defs"
)

// GameEvents is the date, and which game events are on: a resource. System gameevents writes it.
type GameEvents struct {
	DateMs int64            // Unix milliseconds; 0 while no date is known
	AtMs   uint32           // the time of the world then
	All    []GameEventState // by index into defs.World.GameEvents; none before the first tick
}

// A GameEventState is what an event does, and when: game masters change its calendar.
type GameEventState struct {
	ID       uint32
	On       bool
	Calendar defs.Calendar
}

// Date is the date at a time of the world, Unix seconds. It means nothing while none is known.
func (g *GameEvents) Date(nowMs uint32) int64 {
	return (g.DateMs + int64(nowMs-g.AtMs)) / int64(time.Second/time.Millisecond)
}

// A SetGameEvent asks for an event to begin or to end now, whatever its calendar says. System gameevents takes it.
type SetGameEvent struct {
	Event uint32 // index into defs.World.GameEvents
	On    bool
}

// A GameEventChanged is an event that has begun or ended. One that is Replaced is about all of them: they are others now, of which those are on
// that follow.
type GameEventChanged struct {
	Event    uint32 // index into defs.World.GameEvents
	On       bool
	Replaced bool
}
