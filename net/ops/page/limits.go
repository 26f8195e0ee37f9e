package page

import (
	"muster/internal/limit"
	"muster/net/replication/inspect"
	"muster/sched"
)

// Limits lists what a page bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "watchers of the live page", Value: MaxWatchers, Breach: "refused", Counter: "page.full", Test: "net/ops/page TestWatchersAreLimited"},
		{Name: "time to take an event of it in", Value: writeTime, Breach: "closed", Counter: "page.slow", Test: "net/ops/page TestSlowWatchersAreSentAway"},
		{Name: "size of an event", Value: limit.Bytes(MaxEvent), Breach: "counted in blocks, where things are too many", Test: "net/ops/page TestEventsAreBounded"},
		{Name: "processes that are asked for an entity at a time", Value: maxAsked, Breach: "asked later, within the time of the question", Test: "net/ops/page TestProcessesAreAskedTogether"},
		{Name: "players of a cluster that a search of the live page finds", Value: maxFound, Breach: "the first by name are shown, and all are counted", Test: "net/ops/page TestPlayersAreFound"},
		{Name: "callers that wait for an answer of a world", Value: inspect.MaxAskers, Breach: "refused", Test: "net/replication/inspect TestEveryCallerIsAnswered"},
		{Name: "speed of a virtual clock", Value: sched.MaxSpeed, Breach: "refused", Test: "sched TestClockDriverSteps"},
		{Name: "pending steps of it", Value: sched.MaxSteps, Breach: "refused, and the pending ones stay", Test: "sched TestPendingStepsAreBounded"},
	}
}
