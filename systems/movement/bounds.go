package movement

import (
	"time"

	"muster/internal/limit"
)

// kicked counts players whose connection is closed for their violations.
const kicked = "anticheat_kicked"

// Bounds lists the limits of package movement.
func Bounds() []limit.Limit {
	l := new(Limits)
	return []limit.Limit{
		{Name: "movements that cannot be, of a player in " + (violationsMs * time.Millisecond).String(), Value: int(l.violations()), Setting: "strikes",
			Breach: "closed", Counter: kicked, Test: "internal/scenario TestScenarios"},
	}
}
