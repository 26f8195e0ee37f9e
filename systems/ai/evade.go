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

// The distance that creatures flee, for how long at most, and within which distance they call for assistance
// afterwards.
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

// flee runs away from a target.
func (s *System) flee(e, from ecs.Entity) (time.Duration, sched.Counter) {
	state := s.aiStates.Get(e)
	state.Mode, state.Fled, state.SinceMs = components.Fleeing, 1, s.tick.NowMs
	s.stops.Emit(rules.StopAttack{Entity: e})
	here, there := s.positions.Get(e).Vec(), s.positions.Get(from).Vec()
	dice := s.dice("ai.flee", e)
	away := float32(math.Atan2(float64(here.Y-there.Y), float64(here.X-there.X))) + dice.Between(-0.5, 0.5)
	took := s.runTo(e, s.beside(here, away, fleeYards))
	return min(max(took, meleePace), fleeMs*time.Millisecond), s.why.flee
}

// fleeOn returns to the fight and calls for assistance. A timid creature keeps fleeing, and evades if it has not been
// hit lately.
func (s *System) fleeOn(e ecs.Entity) (time.Duration, sched.Counter) {
	state := s.aiStates.Get(e)
	state.Mode, state.ReachedMs = components.Fighting, s.tick.NowMs
	if s.template(e).Temper == defs.Timid {
		if s.tick.NowMs-s.vitalsStates.Get(e).LastHitMs > fleeMs {
			return s.evade(e)
		}
		return s.fight(e)
	}
	s.call(e, s.choose(e), fleeHelpYards)
	return s.fight(e)
}

// evade ends a fight: the creature clears its threat list and runs to where the fight began. Until it is there, it
// cannot be attacked. A servant returns to its owner.
//
// Source: CreatureAI::EnterEvadeMode, AzerothCore.
func (s *System) evade(e ecs.Entity) (time.Duration, sched.Counter) {
	if s.serves(e) {
		return s.returnToOwner(e)
	}
	s.stops.Emit(rules.StopAttack{Entity: e})
	s.evades.Emit(rules.Evade{Entity: e, On: true})
	s.auraRemovals.Emit(rules.RemoveAuras{From: e})
	state := s.aiStates.Get(e)
	state.Mode, state.SinceMs = components.Returning, s.tick.NowMs
	delay, _ := s.goHome(e)
	return delay, s.why.evade
}

// atHome is the distance within which a creature counts as arrived, yards.
const atHome = 0.5

// goHome runs to where the fight began, and ends the return there.
func (s *System) goHome(e ecs.Entity) (time.Duration, sched.Counter) {
	state := s.aiStates.Get(e)
	if _, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs); leftMs > 0 && state.VictimPos == state.HomePosition.Vec() {
		return time.Duration(leftMs) * time.Millisecond, s.why.home
	}
	if flat(s.positions.Get(e).Vec(), state.HomePosition.Vec()) > atHome {
		state.VictimPos = state.HomePosition.Vec()
		if s.held(e) || !(s.speeds.Get(e)[components.SpeedRun] > 0) {
			return meleePace, s.why.stuck // the auras that hold it are being removed
		}
		return s.runTo(e, state.VictimPos), s.why.evade
	}
	s.settle(e)
	delay, _ := s.idle(e)
	return delay, s.why.home
}

// settle restores a creature after its fight: idle, at full health and mana.
//
// Source: HomeMovementGenerator::DoFinalize, AzerothCore.
func (s *System) settle(e ecs.Entity) {
	state := s.aiStates.Get(e)
	state.Mode, state.SinceMs, state.BusyMs = components.Idle, s.tick.NowMs, s.tick.NowMs
	s.evades.Emit(rules.Evade{Entity: e})
	s.restores.Emit(rules.SetVitals{Entity: e, Kind: rules.Restore})
}
