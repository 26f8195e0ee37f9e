// Package ai decides what creatures do. A creature acts in steps: a step starts an action, and the next one is due after
// it. A creature that stands at its spawn point takes no steps until an event concerns it, and one in a sleeping cell
// takes none at all. Only servants check on their owners periodically.
//
// A system has one kind of action each; systems/tick.go has their order, in which the last rest that a creature is given counts:
//
//	scripts     Orders has creatures do what their scripts say, Posts changes where they are when idle.
//	when        AITimers has the steps that are due, and Wakes the creatures whose cells wake. AIDispatch gives each step to
//	            the systems that follow.
//	fighting    Victims chooses victims, Fights whether to go on, CreatureSpells what to cast, and Chases moves to the
//	            victim. Fleeing has creatures run from a fight or in fear, Evading return from it.
//	beginning   Defenses has a creature fight that was attacked, Aggro one that notices prey, OwnerDefenses a servant,
//	            Guards and Assistance those that help others. Engagements has in common what follows.
//	idle        Servants and Follows are for those with an owner; Idles decides for all others, Wanders, Waypoints and
//	            ScriptWalks move them, Followers their formations. Errands notes until when they are busy.
//	moving      CreatureWalks begins and ends the walks that all these order.
package ai

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// AIDispatch gives each step that is due to the system that takes it.
type AIDispatch struct {
	entities   ecs.Entities
	space      ecs.Res[space.Space]
	deaths     ecs.EventReader[rules.Death]
	turns      ecs.Events[turn]
	steps      ecs.Emit[step]
	rests      ecs.Emit[rest]
	orders     ecs.Emit[walkOrder]
	aiStates   ecs.Write[components.AIState]
	spawnInfos ecs.Read[components.SpawnInfo]
	homeCells  ecs.Read[components.HomeCell]
	vitals     ecs.Read[components.Vitals]
	walks      ecs.ReadRef[components.Walk]
	unitAuras  ecs.Read[components.UnitAuras]

	stuck  sched.Counter `name:"ai.stuck"`
	thrown sched.Counter `name:"ai.thrown"`

	own ecs.Prefetch[ownParts]
}

// ownParts are what AIDispatch reads of a creature.
type ownParts struct{}

// Components implements ecs.Bundle.
func (ownParts) Components() []ecs.Type {
	return append(ecs.Of4[components.AIState, components.HomeCell, components.Vitals, components.Walk](),
		ecs.Of2[components.UnitAuras, components.SpawnInfo]()...)
}

// reactState is how a creature reacts to others: as its template says, or its script.
func reactState(template *defs.Creature, set uint8) defs.ReactState {
	if set != 0 {
		return defs.ReactState(set - 1)
	}
	return template.ReactState
}

// OnEvents implements sched.Handler.
func (s *AIDispatch) OnEvents(t sched.Tick) {
	for _, death := range s.deaths.Next() {
		s.die(death.Entity)
	}
	turns := s.turns.All()
	for i, it := range turns {
		for _, next := range ecs.PrefetchNext(turns, i) {
			s.own.Of(next.entity)
		}
		s.dispatch(t, step{entity: it.entity, turn: uint32(i)})
	}
}

// dispatch gives a step to its system. Rules of single creatures belong here, before the mode decides.
func (s *AIDispatch) dispatch(t sched.Tick, next step) {
	e := next.entity
	state, states := s.aiStates.Get(e), s.unitAuras.Get(e).States
	serves := s.spawnInfos.Get(e).Owner != ecs.Entity{}
	leftMs, forced := s.walks.Get(e).Forced(t.NowMs)
	const held = components.StateStunned | components.StateRooted
	switch {
	case !s.space.Get().Awake(s.homeCells.Get(e).Cell):
		s.abandonFight(next, state.Mode, serves)
		return
	case s.vitals.Get(e).Health == 0:
		s.rests.Emit(rest{e, longestRest})
		s.stuck.Count()
		return
	case forced:
		s.rests.Emit(rest{e, time.Duration(leftMs) * time.Millisecond})
		s.thrown.Count()
		return
	case states&(components.StateFeared|components.StateConfused) != 0 && states&held == 0:
		next.task = toPanic
	case state.Mode == components.Fighting, state.Mode == components.Fleeing:
		next.task = toFight
	case state.Mode == components.Returning:
		next.task = toReturn
	case serves:
		next.task = toServe
	default:
		next.task = toIdle
	}
	s.steps.Emit(next)
}

// abandonFight ends the fight of a creature whose cell has fallen asleep: its opponents are far away, and would stay
// in combat for as long as no observer came by. A servant has lost its owner.
func (s *AIDispatch) abandonFight(next step, mode components.AIMode, serves bool) {
	next.last = true
	switch {
	case serves:
		next.task = toLeave
	case mode == components.Fighting, mode == components.Fleeing:
		next.task = toEvade
	default:
		return
	}
	s.steps.Emit(next)
}

// die stops a dead creature.
func (s *AIDispatch) die(e ecs.Entity) {
	if s.entities.Exists(e) && s.aiStates.Has(e) {
		s.aiStates.Get(e).Mode = components.Idle
		s.orders.Emit(walkOrder{entity: e, halt: true})
	}
}
