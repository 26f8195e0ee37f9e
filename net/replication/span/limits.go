package span

import "muster/internal/limit"

// Limits lists what is bounded of traces.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "movements of a tick that are traced", Value: maxPerTick, Breach: "not traced", Test: "net/replication/span TestFraction"},
		{Name: "movements that an event loop follows at a time", Value: maxFound, Breach: "not followed", Counter: Dropped, Test: "net/replication/span TestFraction"},
		{Name: "time of an export", Value: exportTime, Breach: "its spans are lost", Counter: Failed, Test: "net/replication/span TestReceiverAway"},
	}
}
