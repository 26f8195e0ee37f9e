package rules

import (
	"testing"

	"muster/components"
)

// Melee reaches as far as both units and 4/3 yards, and five yards at least; shots from five yards to 35 and as far as both units.
// Height counts.
//
// Source: Unit::GetMeleeRange and NOMINAL_MELEE_RANGE, AzerothCore; Auto Shot of build 12340, SpellRange.dbc (5 to 35).
func TestReach(t *testing.T) {
	for _, c := range []struct {
		mine, its   float32 // combat reaches
		at          components.Position
		melee, shot bool
	}{
		{1.5, 1.5, components.Position{X: 5}, true, true},
		{1.5, 1.5, components.Position{X: 5.1}, false, true},
		{1.5, 1.5, components.Position{X: 4.9}, true, false},
		{2, 3, components.Position{X: 6.3}, true, true},
		{2, 3, components.Position{X: 6.4}, false, true},
		{2, 3, components.Position{X: -6.3}, true, true},
		{0, 0, components.Position{X: 3, Y: 4}, true, true},
		{0, 0, components.Position{X: 3, Y: -4}, true, true},
		{0, 0, components.Position{X: 3, Z: -4.1}, false, true},
		{0, 0, components.Position{X: 2, Y: 2, Z: 2}, true, false},
		{2, 3, components.Position{Y: 40}, false, true},
		{2, 3, components.Position{Z: 40}, false, true},
		{2, 3, components.Position{Y: 40.1}, false, false},
		{2, 3, components.Position{X: 24, Y: 32.1}, false, false},
	} {
		s := newStage(people())
		e, other := s.addPlayer(1), s.addBeast(2)
		from := components.Position{X: 100, Y: 200, Z: 50}
		*s.positions.Get(e) = from
		*s.positions.Get(other) = components.Position{X: from.X + c.at.X, Y: from.Y + c.at.Y, Z: from.Z + c.at.Z}
		s.unitParts.Get(e).CombatReach, s.unitParts.Get(other).CombatReach = c.mine, c.its
		if melee, shot := s.InReach(e, other), s.InShot(e, other); melee != c.melee || shot != c.shot {
			t.Errorf("reaches of %v and %v, at %+v: melee %v, shot %v, want %v, %v", c.mine, c.its, c.at, melee, shot, c.melee, c.shot)
		}
	}
}
