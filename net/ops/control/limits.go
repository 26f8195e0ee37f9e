package control

import (
	"muster/internal/limit"
	"muster/net/replication/frame"
)

// Limits lists what a control bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "body of an operation", Value: limit.Bytes(maxBody), Breach: "refused", Counter: refused("malformed"), Test: "net/ops/control TestRequests"},
		{Name: "creatures of an answer", Value: maxCreatures, Breach: "refused", Counter: refused("malformed"), Test: "cmd/muster TestRuns"},
		{Name: "time that a world has to answer an operation", Value: commandTime, Breach: "refused", Counter: refused("world_silent"), Test: "net/ops/control TestSilentWorlds"},
		{Name: "happenings that are kept", Value: maxHappenings, Breach: "the oldest are forgotten, and the gap is told", Test: "net/ops/control TestHappenings"},
		{Name: "happenings of a tick", Value: frame.MaxHappenings, Breach: "counted in a happening of type missed", Test: "net/ops/control TestHappenings"},
		{Name: "text of a happening", Value: limit.Bytes(maxHappeningText), Breach: "cut off", Test: "net/ops/control TestHappenings"},
		{Name: "happenings of an answer", Value: maxTold, Breach: "refused", Counter: refused("malformed"), Test: "cmd/muster TestHappenings"},
		{Name: "time to wait for happenings", Value: maxWait, Breach: "refused", Counter: refused("malformed"), Test: "cmd/muster TestHappenings"},
		{Name: "requests that wait for happenings", Value: maxWatchers, Breach: "refused", Counter: refused("busy"), Test: "cmd/muster TestHappenings"},
		{Name: "runs that wait for a condition", Value: maxRuns, Breach: "refused", Counter: refused("busy"), Test: "cmd/muster TestRuns"},
		{Name: "time of the worlds that a run may take", Value: maxLimit, Breach: "refused", Counter: refused("malformed"), Test: "cmd/muster TestRuns"},
		{Name: "condition of a run", Value: limit.Bytes(maxCondition), Breach: "refused", Counter: refused("malformed"), Test: "net/ops/control TestConditions"},
		{Name: "depth of a condition", Value: maxDepth, Breach: "refused", Counter: refused("malformed"), Test: "net/ops/control TestConditions"},
		{Name: "values that a condition names", Value: maxOperands, Breach: "refused", Counter: refused("malformed"), Test: "net/ops/control TestConditions"},
	}
}
