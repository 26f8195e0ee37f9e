package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// How creatures run away: so far, for so long at most, and then with the help of those so near.
//
// Source: CreatureFamilyFleeDelay and CreatureFamilyFleeAssistanceRadius, worldserver.conf.dist, AzerothCore; the
// distance is our own choice.
const (
	fleeYards     = 20
	fleeMs        = 7000
	fleeHelpYards = 30
)

// scared reports whether a creature runs away now.
func (s *System) scared(e ecs.Entity, template *defs.Creature) bool {
	v := s.vitals.Get(e)
	return template.FleeBelow > 0 && s.aiStates.Get(e).Fled == 0 && !s.held(e) &&
		uint64(v.Health)*100 < uint64(v.MaxHealth)*uint64(template.FleeBelow)
}

// flee runs away from somebody.
func (s *System) flee(e, from ecs.Entity) (time.Duration, sched.Counter) {
	mind := s.aiStates.Get(e)
	mind.Mode, mind.Fled, mind.SinceMs = components.Fleeing, 1, s.tick.NowMs
	s.book.Stop(e)
	here, there := s.positions.Get(e).Vec(), s.positions.Get(from).Vec()
	dice := s.dice("ai.flee", e)
	away := float32(math.Atan2(float64(here.Y-there.Y), float64(here.X-there.X))) + dice.Between(-0.5, 0.5)
	took := s.runTo(e, s.beside(here, away, fleeYards))
	return min(max(took, meleePace), fleeMs*time.Millisecond), s.why.flee
}

// fleeOn comes back to the fight, with help. Who is timid by nature does not, and is forgotten.
func (s *System) fleeOn(e ecs.Entity) (time.Duration, sched.Counter) {
	mind := s.aiStates.Get(e)
	mind.Mode, mind.ReachedMs = components.Fighting, s.tick.NowMs
	if s.template(e).Temper == defs.Timid {
		if s.tick.NowMs-s.combats.Get(e).LastHitMs > fleeMs {
			return s.evade(e)
		}
		return s.fight(e)
	}
	s.call(e, fleeHelpYards)
	return s.fight(e)
}

// evade ends a fight: the creature forgives everybody and runs to where it was when the fight began. Until it is
// there, nothing can be done to it. A servant comes to heel.
//
// Source: CreatureAI::EnterEvadeMode, AzerothCore.
func (s *System) evade(e ecs.Entity) (time.Duration, sched.Counter) {
	if s.serves(e) {
		return s.heel(e)
	}
	s.book.Stop(e)
	s.book.ClearThreat(e)
	s.combats.Get(e).Evading = 1
	s.auraRemovals.Emit(rules.RemoveAuras{From: e})
	mind := s.aiStates.Get(e)
	mind.Mode, mind.SinceMs = components.Returning, s.tick.NowMs
	delay, _ := s.goHome(e)
	return delay, s.why.evade
}

// atHome is how near is near enough, yards.
const atHome = 0.5

// goHome runs on to where the fight began, and ends the return there.
func (s *System) goHome(e ecs.Entity) (time.Duration, sched.Counter) {
	mind := s.aiStates.Get(e)
	if _, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs); leftMs > 0 && mind.VictimPos == mind.HomePosition.Vec() {
		return time.Duration(leftMs) * time.Millisecond, s.why.home
	}
	if flat(s.positions.Get(e).Vec(), mind.HomePosition.Vec()) > atHome {
		mind.VictimPos = mind.HomePosition.Vec()
		if s.held(e) || !(s.speeds.Get(e)[components.SpeedRun] > 0) {
			return meleePace, s.why.stuck // the auras that hold it are being taken off
		}
		return s.runTo(e, mind.VictimPos), s.why.evade
	}
	s.settle(e)
	delay, _ := s.idle(e)
	return delay, s.why.home
}

// settle makes a creature as it was before its fight.
//
// Source: HomeMovementGenerator::DoFinalize, AzerothCore.
func (s *System) settle(e ecs.Entity) {
	mind, bout, v := s.aiStates.Get(e), s.combats.Get(e), s.vitals.Get(e)
	mind.Mode, mind.SinceMs, mind.BusyMs = components.Idle, s.tick.NowMs, s.tick.NowMs
	bout.Evading = 0
	if v.Health != v.MaxHealth || v.Power[components.PowerMana] != v.MaxPower[components.PowerMana] {
		v.Health, v.Power[components.PowerMana] = v.MaxHealth, v.MaxPower[components.PowerMana]
		s.dirty.Mark(e, components.DirtyVitals)
	}
}
