// Package smartai runs the scripts of SmartAI that imported worlds bring. What a script is, definitions say (defs.Script); what it
// knows is a block of its creature (components.ScriptState).
//
//	scriptevents   what happens to creatures and game objects with scripts, each a trigger
//	scripts        which rows happen by it, and when the timers of rows are due; it emits an act for each row
//	scriptsenses   whether what some events need is so
//	scriptfoes     what an act happens to, if that is a matter of the creature's fight
//	scripttargets  what else an act happens to; it emits an effect for each target
//	talks          what is said, and speeches which units hear it
//	scriptmoves    where it has creatures go
//	scriptlooks, scriptshapes, scriptcasts, scriptfights, scriptpowers, scriptsteps, scriptsummons, scriptobjects, scriptgossips, scriptstates
//	               all other effects, each of which asks the system that can
//
// Areas have scripts, too: the player that enters one does what its rows say, and nothing of the script outlasts that. So does a creature at a
// node of its path.
//
// A script costs nothing while nothing happens to its creature, and nothing while its creature sleeps: its timers wait. What scripts do
// in a tick is bounded (maxRows, maxActs).
package smartai

import (
	"muster/components/defs"
	"muster/ecs"
)

// Limits of what all scripts of a map do in a tick, our own choices. What is left waits for the next tick.
const (
	maxRows    = 1 << 14 // rows of scripts that are looked at
	maxActs    = 1 << 11 // actions
	maxBacklog = 1 << 13 // triggers that wait; more are dropped
	maxSteps   = 1 << 13 // steps at nodes of paths that wait; the rest of one more does not happen
	maxLeaving = 1 << 13 // creatures that wait to leave or to die, those of escorts by themselves; more do so at once
	maxRounds  = 5       // times that scripts may answer each other; fewer than sched.MaxRounds, so that no answer is left over
)

// A trigger is something that has happened to a creature with a script, or to a player in an area, or is to be done with the script. System scripts
// takes it.
type trigger struct {
	entity, by ecs.Entity
	kind       triggerKind
	event      defs.ScriptEvent
	a, b       uint32 // what the event has besides
}

// A triggerKind is what a trigger is for.
type triggerKind uint8

const (
	happens   triggerKind = iota // event
	begins                       // the creature is new, on map b, and has script a
	restarts                     // scripts have been replaced, and it has script a-1 now, or none; on map b
	starts                       // and has its script
	wakes                        // it has slept for a milliseconds
	evades                       // its fight is over
	comesHome                    // and it is where it was
	dies                         // it is dead
	callList                     // the timed action list of index a begins; b is When, and 0x100 if it ends with the combat
	talks                        // it says group a for b milliseconds
	counts                       // counter a is b more, and counterSets: is b
	counterSets
	meets   // the conditions of row a hold, which is timed if b is not 0
	senses  // what row a needs is so
	enters  // a player has entered area b, which has script a
	permits // the conditions of row a of script b of an area hold for a player
)

// An act is a row that happens. System scriptfoes takes it.
type act struct {
	entity, by ecs.Entity
	at         rowAt
}

// A rowAt is where a row is: in a script, in a timed action list, or among what happens at a node of a path.
type rowAt struct {
	script, list, node uint32 // one more than the index; one of them is not 0
	row                uint32
}

// row is the row in definitions.
func (a rowAt) in(w *defs.World) *defs.ScriptRow {
	switch {
	case a.list != 0:
		return &w.ScriptLists[a.list-1].Rows[a.row]
	case a.node != 0:
		return &w.NodeScripts[a.node-1].Rows[a.row]
	}
	return &w.Scripts[a.script-1].Rows[a.row]
}

// An effect is an act on one of its targets. The systems that execute effects take it, each those of its actions.
type effect struct {
	act
	target ecs.Entity // zero if its target is none or a position
	number uint32     // of the target, from 0
}
