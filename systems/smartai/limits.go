package smartai

import (
	"muster/components"
	"muster/internal/limit"
)

// Names of counters: of what had to wait for another tick, and of triggers that were too many to wait.
const (
	Late    = "smartai.late"
	Dropped = "smartai.dropped"
)

// Limits lists the limits of package smartai.
func Limits() []limit.Limit {
	const leaves = "systems TestScriptsHaveFewLeave"
	const bounded, kept, answers = "systems TestScriptsAreBounded", "systems TestScriptsHaveLittleRoom", "systems TestScriptsThatAnswerEachOther"
	return []limit.Limit{
		{Name: "actions of all scripts of a map in a tick", Value: maxActs, Breach: "wait for the next tick", Counter: Late, Test: bounded},
		{Name: "rows of scripts looked at in a tick", Value: maxRows, Breach: "wait for the next tick", Counter: Late, Test: bounded},
		{Name: "triggers that wait", Value: maxBacklog, Breach: "dropped", Counter: Dropped, Test: kept},
		{Name: "steps at nodes of paths that wait", Value: maxSteps, Breach: "do not happen, nor do those after them", Counter: "smartai.full", Test: "systems/smartai TestNodeSteps"},
		{Name: "creatures that wait to leave or die by scripts", Value: maxLeaving, Breach: "do so at once", Counter: "smartai.full", Test: leaves},
		{Name: "answers of scripts to each other in a tick", Value: maxRounds, Breach: "wait for the next tick", Test: answers},
		{Name: "targets of an action", Value: maxTargets, Breach: "the nearest are kept", Counter: "smartai.targets", Test: kept},
		{Name: "timed events of a script", Value: components.MaxScriptTimers, Breach: "not created", Counter: "smartai.full", Test: kept},
		{Name: "players that escort a creature", Value: components.MaxScriptTargets, Breach: "the nearest are escorts", Counter: "smartai.full", Test: kept},
		{Name: "counters of a script", Value: components.MaxScriptCounters, Breach: "not counted", Counter: "smartai.full", Test: kept},
	}
}
