package movement

import (
	"time"

	"muster/internal/limit"
)

// kicked counts players that are closed for their strikes.
const kicked = "anticheat_kicked"

// Bounds lists what movement bounds.
func Bounds() []limit.Limit {
	l := new(Limits)
	return []limit.Limit{
		{Name: "movements that cannot be, of a player in " + (strikesMs * time.Millisecond).String(), Value: int(l.strikes()), Setting: "strikes",
			Breach: "closed", Counter: kicked, Test: "internal/scenario TestScenarios"},
	}
}
