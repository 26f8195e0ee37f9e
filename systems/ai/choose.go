package ai

import "muster/ecs"

// How much more threat than the victim's makes a creature change its victim: within its melee reach, and beyond.
//
// Source: ThreatContainer::SelectNextVictim, AzerothCore (110 % in melee range, 130 % beyond it).
const (
	overtakeNear = 1.1
	overtakeFar  = 1.3
)

// choose returns the unit that a creature is to attack: its victim, unless another has enough more threat. It is zero
// if there is none. Units that it cannot attack now are not chosen.
func (s *System) choose(e ecs.Entity) ecs.Entity {
	victim := s.attacks.Get(e).Victim
	var best ecs.Entity
	most, have, still := float32(-1), float32(0), false
	for _, h := range s.threats.List(e) {
		switch {
		case !s.Attackable(e, h.Entity):
		case h.Entity == victim:
			have, still = h.Amount, true
		case h.Amount > most:
			best, most = h.Entity, h.Amount
		}
	}
	if !still || most > float32(overtakeFar*have) || most > float32(overtakeNear*have) && s.InReach(e, best) {
		if best != (ecs.Entity{}) {
			return best
		}
	}
	if still {
		return victim
	}
	return ecs.Entity{}
}
