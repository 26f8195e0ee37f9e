package orchestrator

import (
	"muster/internal/limit"
	"muster/internal/scaler"
	"muster/loaders/registry"
)

// Limits lists what is bounded of the workers that an orchestrator starts or has started. The settings are its own.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "workers that an orchestrator starts on its machine", Value: MaxSpawn, Breach: "refused, as a setting and by `cluster scale`", Test: "cmd/muster TestScaleFlags"},
		{Name: "standbys of a world", Value: MaxStandbys, Breach: "refused as a setting", Test: "cmd/muster TestStreamFlags"},
		{Name: "time of a call that scales workers", Value: scaler.Timeout, Breach: "given up, and made again", Test: "internal/scaler TestExec"},
		{Name: "bytes that such a call is answered", Value: limit.Bytes(scaler.MaxAnswer), Breach: "the rest is not read", Test: "internal/scaler TestKubernetesRefuses"},
		{Name: "time between two such calls with one number", Value: scaleAgain, Breach: "not made sooner", Test: "cmd/muster TestScaleExec"},
		{Name: "time for the worlds of a worker that is one too many to be given to others", Value: retireTime, Breach: "it ends with them", Test: "cmd/muster TestScale"},
		{Name: "time for which loads are such that a world is moved", Value: registry.HoldTime, Breach: "it is moved; --rebalance-after says another time", Test: "loaders/registry TestBalancer"},
		{Name: "time between two such moves", Value: registry.MovePause, Breach: "none is moved sooner", Test: "loaders/registry TestBalancer"},
		{Name: "time for which a world that was moved stays", Value: registry.StayTime, Breach: "it is not moved sooner, but by an operator", Test: "loaders/registry TestMoved"},
		{Name: "time in which the session of a leader may be silent", Value: registry.Silence, Breach: "another orchestrator leads", Test: "loaders/registry TestLeader"},
	}
}
