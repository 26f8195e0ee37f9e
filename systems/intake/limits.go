package intake

import "muster/internal/limit"

// Limits lists the limits of package intake.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "hand-overs that a world remembers, to take none twice", Value: rememberedArrivals, Breach: "the oldest is forgotten", Test: "systems/intake TestArrivals"},
	}
}
