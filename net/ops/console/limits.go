package console

import (
	"muster/internal/limit"
	"muster/net/protocol/command"
)

// Limits lists what a console bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "line of a verb", Value: limit.Bytes(command.MaxLine), Breach: "refused", Test: "net/ops/console TestSocket"},
		{Name: "arguments of a verb", Value: command.MaxArgs, Breach: "refused", Test: "net/protocol/command TestArgs"},
		{Name: "workers that an operator can want", Value: MaxWorkers, Breach: "refused", Test: "net/ops/console TestClusterLimits"},
		{Name: "players that an operator can have a realm let in", Value: MaxRealmPlayers, Breach: "refused", Test: "net/ops/console TestClusterLimits"},
		{Name: "callers at the socket", Value: maxCallers, Breach: "refused", Test: "net/ops/console TestCallersAreBounded"},
	}
}
