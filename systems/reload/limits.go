package reload

import (
	"muster/components/defs"
	"muster/internal/limit"
)

// Limits lists the limits of package reload.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "a part of the definitions that is replaced", Value: limit.Bytes(defs.MaxPatch), Breach: "refused", Counter: "reload.refused", Test: "components/defs TestPatchSize"},
		{Name: "parts that are read beside the ticks of a world", Value: maxWaiting, Breach: "refused", Counter: "reload.refused", Test: "systems TestPartsAreReadBesideTheTick"},
		{Name: "parts that wait for each other", Value: 1, Breach: "refused", Test: "cmd/internal/worldreload TestOneAtATime"},
	}
}
