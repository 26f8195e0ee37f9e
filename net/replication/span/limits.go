package span

import "muster/internal/limit"

// Limits lists what is bounded of traces.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "movements of a tick that are traced", Value: maxPerTick, Breach: "not traced", Test: "net/replication/span TestFraction"},
		{Name: "movements that an event loop follows at a time", Value: maxFound, Breach: "not followed", Counter: Dropped, Test: "net/replication/span TestFraction"},
		{Name: "movements that an event loop remembers to have received", Value: maxHeard, Breach: "the eldest is forgotten: its trace has no span of the gateway", Test: "net/replication/span TestHeardIsBounded"},
		{Name: "spans of a world that wait until the log has their ticks", Value: maxHeld, Breach: "not traced", Counter: Dropped, Test: "net/replication/span TestHeldIsBounded"},
		{Name: "spans that wait to be exported", Value: maxQueue, Breach: "lost", Test: "net/replication/span TestQueueIsBounded"},
		{Name: "time of an export", Value: exportTime, Breach: "its spans are lost", Counter: Failed, Test: "net/replication/span TestReceiverAway"},
	}
}
