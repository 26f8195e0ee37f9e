package ai

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Victims chooses which unit a creature attacks, by threat.
type Victims struct {
	rules.Units
	rules.Reach
	threats rules.Threats
	attacks ecs.Read[components.Attack]
	steps   ecs.Events[step]
	fights  ecs.Emit[fight]

	own ecs.Prefetch[fighterParts] // of a creature,
	foe ecs.Prefetch[victimParts]  // and of its victim
}

// A fight is a step of a creature that fights, with the victim that is chosen for it: zero if there is none. System
// fights takes it.
type fight struct {
	entity, victim ecs.Entity
	turn           uint32
}

type fighterParts struct{}

// Components implements ecs.Bundle.
func (fighterParts) Components() []ecs.Type {
	return ecs.Of4[components.Attack, components.ThreatState, components.Unit, components.Position]()
}

type victimParts struct{}

// Components implements ecs.Bundle.
func (victimParts) Components() []ecs.Type {
	return ecs.Of4[components.VitalsState, components.Vitals, components.Unit, components.Position]()
}

// OnEvents implements sched.Handler.
func (s *Victims) OnEvents(sched.Tick) {
	steps := s.steps.All()
	for i := range steps {
		s.fetch(ecs.PrefetchNext(steps, i))
		if it := &steps[i]; it.task == toFight {
			s.fights.Emit(fight{it.entity, s.choose(it.entity), it.turn})
		}
	}
}

// fetch prefetches what the next choices read.
func (s *Victims) fetch(next []step) {
	for i := range next {
		if next[i].task == toFight {
			s.own.Of(next[i].entity)
		}
	}
	for i := range next {
		if next[i].task == toFight {
			s.foe.Of(s.attacks.Get(next[i].entity).Victim)
		}
	}
}

// How much more threat than the victim's makes a creature change its victim: within its melee reach, and beyond.
//
// Source: ThreatContainer::SelectNextVictim, AzerothCore (110 % in melee range, 130 % beyond it).
const (
	overtakeNear = 1.1
	overtakeFar  = 1.3
)

// choose returns the unit that a creature is to attack: its victim, unless another has enough more threat. It is zero
// if there is none. Units that it cannot attack now are not chosen.
func (s *Victims) choose(e ecs.Entity) ecs.Entity {
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
