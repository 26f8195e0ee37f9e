package flight

import "muster/internal/limit"

// Limits lists what a recorder bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "logs of worlds in a bundle of the flight recorder, together", Value: limit.Bytes(maxExcerpts), Breach: "the bundle does not have that of the world, and says so", Test: "net/ops/flight TestRoomOfLogs"},
		{Name: "worlds of which a bundle of the flight recorder has all ticks of ten seconds", Value: maxWhole, Breach: "it has the 10 slowest ticks of each other world", Test: "net/ops/flight TestBundleOfManyWorlds"},
		{Name: "time to copy the logs of worlds for a bundle", Value: excerptsTime, Breach: "the bundle does not have those that are not copied, and says so", Test: "net/ops/flight TestLogsAreCopiedLast"},
	}
}
