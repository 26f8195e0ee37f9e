package components

import "muster/ecs"

// MaxScriptRows is how many rows a script has at most, as defs.MaxScriptRows says.
const MaxScriptRows = 64

// Scripted is the state of a creature's script. System scripts alone writes it.
type Scripted struct {
	Block  uint32 `block:"ScriptState"` // in the world's slab of ScriptState; 0 it has no script
	Number uint32 // of its timer; one with another number is stale
}

// Limits of what a script keeps, our own choices.
const (
	MaxScriptTimers   = 8 // events of numbers that it has created
	MaxScriptCounters = 8
	MaxScriptLists    = 4 // lists of targets that it has stored
	MaxScriptTargets  = 8 // units of each
	MaxScriptTexts    = 8 // groups of which it knows what it has said
)

// ScriptState is what a script knows.
type ScriptState struct {
	Owner   ecs.Entity
	Invoker ecs.Entity // the last unit that something happened by
	Script  uint32     // index into defs.World.Scripts
	Phase   uint32     // 0 none
	DueMs   uint32     // world time of its timer, if it has one
	Armed   uint16     // 1 while it has one
	Dead    uint8      // 1 once its creature has died
	Keeps   uint8      // 1 if its phase outlasts a reset
	List    ScriptListState
	Rows    [MaxScriptRows]ScriptRowState

	Timers   [MaxScriptTimers]ScriptTimer
	Counters [MaxScriptCounters]ScriptCounter
	Stored   [MaxScriptLists]ScriptTargets
	Said     [MaxScriptTexts]ScriptSaid
	Over     ScriptOver
	Escort   ScriptTargets // players that it is escorted by; Number is that of its timer
}

// ScriptRowState is the state of a row.
type ScriptRowState struct {
	Ms   uint32 // of a timed event: while it runs the world time at which it is due, else how long it has left; of others, until when it cannot happen again
	Runs uint16 // 1 while its time goes on
	Once uint16 // 1 once it has happened
}

// ScriptListState is the timed action list that goes on. The zero ScriptListState is none.
type ScriptListState struct {
	List    uint32 // one more than its index into defs.World.ScriptLists
	Row     uint32 // that comes next
	DueMs   uint32 // world time of it
	When    uint16 // 0 its time goes on out of combat, 1 in combat, 2 always
	Ends    uint16 // 1 if it ends with the combat
	Invoker ecs.Entity
}

// ScriptTimer is an event that a script has created. The zero ScriptTimer is none.
type ScriptTimer struct {
	Number      uint32 // one more than the event's
	DueMs       uint32 // world time
	Least, Most uint32 // until it happens again; 0 it does not
	Chance      uint32 // percent
}

// ScriptCounter is a number that a script counts. One whose number is 0 is none.
type ScriptCounter struct{ Number, Value uint32 } // Number is one more than the counter's

// ScriptTargets is a list of units that a script has stored.
type ScriptTargets struct {
	Number uint32 // one more than the list's; 0 none
	Count  uint32
	Units  [MaxScriptTargets]ecs.Entity
}

// ScriptSaid is which lines of a group have been said. The others come first.
type ScriptSaid struct {
	Group uint32 // one more than the group's number; 0 none
	Lines uint32 // a bit each
}

// ScriptOver is a text that is being said.
type ScriptOver struct {
	Group uint32 // one more than the group's number; 0 none
	DueMs uint32 // world time at which it is over
}
