package console

import (
	"muster/internal/limit"
	"muster/net/verb"
)

// Limits lists what a console bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "line of a verb", Value: limit.Bytes(verb.MaxLine), Breach: "refused", Test: "net/console TestSocket"},
		{Name: "arguments of a verb", Value: verb.MaxArgs, Breach: "refused", Test: "net/verb TestArgs"},
		{Name: "callers at the socket", Value: maxCallers, Breach: "refused", Test: "net/console TestCallersAreBounded"},
	}
}
