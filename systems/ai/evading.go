package ai

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// atHome is the distance within which a creature counts as arrived, yards.
const atHome = 0.5

// Evading has creatures evade, and return to where their fights began.
type Evading struct {
	steps        ecs.Events[step]
	next         ecs.Emit[step]
	stops        ecs.Emit[rules.StopAttack]
	evades       ecs.Emit[rules.Evade]
	forgets      ecs.Emit[rules.ClearThreat]
	auraRemovals ecs.Emit[rules.RemoveAuras]
	restores     ecs.Emit[rules.SetVitals]
	orders       ecs.Emit[walkOrder]
	rests        ecs.Emit[rest]
	busy         ecs.Emit[busy]

	positions  ecs.Read[components.Position]
	speeds     ecs.Read[components.Speeds]
	spawnInfos ecs.Read[components.SpawnInfo]
	walks      ecs.ReadRef[components.Walk]
	unitAuras  ecs.Read[components.UnitAuras]
	aiStates   ecs.Write[components.AIState]

	evading sched.Counter `name:"ai.evade"`
	home    sched.Counter `name:"ai.home"`
	stuck   sched.Counter `name:"ai.stuck"`
}

// OnEvents implements sched.Handler.
func (s *Evading) OnEvents(t sched.Tick) {
	for _, it := range s.steps.All() {
		switch {
		case it.task == toReturn:
			s.goHome(t, it)
		case it.task != toEvade:
		case s.spawnInfos.Get(it.entity).Owner != ecs.Entity{}:
			s.returnToOwner(t, it)
		default:
			s.evade(t, it)
		}
	}
}

// evade ends a fight: the creature clears its threat list and runs to where the fight began. Until it is there, it
// cannot be attacked.
//
// Source: CreatureAI::EnterEvadeMode, AzerothCore.
func (s *Evading) evade(t sched.Tick, it step) {
	s.stops.Emit(rules.StopAttack{Entity: it.entity})
	s.evades.Emit(rules.Evade{Entity: it.entity, On: true})
	s.auraRemovals.Emit(rules.RemoveAuras{From: it.entity})
	state := s.aiStates.Get(it.entity)
	state.Mode, state.SinceMs = components.Returning, t.NowMs
	s.goHome(t, it)
}

// returnToOwner ends a servant's fight. It runs to its owner, and is not healed.
func (s *Evading) returnToOwner(t sched.Tick, it step) {
	s.stops.Emit(rules.StopAttack{Entity: it.entity})
	s.forgets.Emit(rules.ClearThreat{Entity: it.entity})
	state := s.aiStates.Get(it.entity)
	state.Mode, state.SinceMs = components.Idle, t.NowMs
	it.task = toServe
	s.next.Emit(it)
}

// goHome runs to where the fight began, and ends the return there.
func (s *Evading) goHome(t sched.Tick, it step) {
	state, here := s.aiStates.Get(it.entity), s.positions.Get(it.entity).Vec()
	home, speed := state.HomePosition.Vec(), s.speeds.Get(it.entity)[components.SpeedRun]
	_, leftMs := s.walks.Get(it.entity).Remaining(t.NowMs)
	switch {
	case leftMs > 0 && state.VictimPos == home:
		s.rest(it, time.Duration(leftMs)*time.Millisecond, &s.home)
	case flat(here, home) <= atHome:
		s.settle(t, it)
	case held(s.unitAuras.Get(it.entity).States) || !(speed > 0):
		state.VictimPos = home
		s.rest(it, meleePace, &s.stuck) // the auras that hold it are being removed
	default:
		state.VictimPos = home
		s.orders.Emit(walkOrder{entity: it.entity, to: home, speed: speed, turn: it.turn})
		s.rest(it, walkTime(here, home, speed), &s.evading)
	}
}

func (s *Evading) rest(it step, delay time.Duration, reason *sched.Counter) {
	if reason.Count(); !it.last {
		s.rests.Emit(rest{it.entity, delay})
	}
}

// settle restores a creature after its fight: idle, at full health and mana. Nothing of what it was busy with before is left;
// one that sleeps goes on when it wakes.
//
// Source: HomeMovementGenerator::DoFinalize, AzerothCore.
func (s *Evading) settle(t sched.Tick, it step) {
	state := s.aiStates.Get(it.entity)
	state.Mode, state.SinceMs = components.Idle, t.NowMs
	s.evades.Emit(rules.Evade{Entity: it.entity})
	s.restores.Emit(rules.SetVitals{Entity: it.entity, Kind: rules.Restore})
	if s.home.Count(); it.last {
		s.busy.Emit(busy{entity: it.entity})
		return
	}
	it.task, it.now = toIdle, true
	s.next.Emit(it)
}
