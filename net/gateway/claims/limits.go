package claims

import "muster/internal/limit"

// Limits lists what is bounded between gateways.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "accounts of an earlier process that other gateways want", Value: maxStale, Breach: "dropped, and asked for again", Counter: WantDropped, Test: "net/gateway/claims TestWantsAreBounded"},
	}
}
