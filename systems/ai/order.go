package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// Orders has creatures do what their scripts say.
type Orders struct {
	callingStarter
	space   ecs.ResMut[space.Space]
	turns   ecs.Events[turn]
	orders  ecs.Requests[rules.AIOrder]
	steps   ecs.Emit[step]
	calls   ecs.Emit[call]
	engages ecs.Emit[rules.Engage]
	attacks ecs.Read[components.Attack]
	auras   ecs.Read[components.UnitAuras]
}

// OnEvents implements sched.Handler.
func (s *Orders) OnEvents(t sched.Tick) {
	for _, it := range s.orders.Take() {
		if s.Alive(it.Entity) && !s.Player(it.Entity) {
			s.obey(t, it)
		}
	}
}

func (s *Orders) obey(t sched.Tick, it rules.AIOrder) {
	e, state := it.Entity, s.aiStates.Get(it.Entity)
	fights := state.Mode == components.Fighting
	foe := s.attacks.Get(e).Victim
	next := step{entity: e, foe: foe, turn: uint32(len(s.turns.All()))} // after what it would have done of itself
	switch it.Kind {
	case rules.OrderAttack:
		if s.Attackable(e, it.Foe) && state.Mode != components.Returning {
			s.engages.Emit(rules.Engage{By: e, To: it.Foe})
			s.beginCalling(t, e, it.Foe, false)
		}
	case rules.OrderEvade:
		if fights || state.Mode == components.Fleeing {
			next.task = toEvade
			s.steps.Emit(next)
		}
	case rules.OrderFlee:
		if fights && foe != (ecs.Entity{}) && !held(s.auras.Get(e).States) {
			next.task = toFlee
			s.steps.Emit(next)
		}
	case rules.OrderCall:
		if fights && foe != (ecs.Entity{}) {
			s.calls.Emit(call{e, foe, it.Yards})
		}
	case rules.OrderReact:
		state.React = uint8(it.Value) + 1
		s.space.Get().Hunt(e, defs.ReactState(it.Value) == defs.Aggressive)
	case rules.OrderMelee:
		limit(state, components.AINoMelee, it.Value == 0)
	case rules.OrderChase:
		limit(state, components.AINoChase, it.Value == 0)
	case rules.OrderEvades:
		limit(state, components.AINoEvade, it.Value == 0)
	}
}

// limit sets what a creature does not do.
func limit(state *components.AIState, bit uint8, on bool) {
	if state.Limits &^= bit; on {
		state.Limits |= bit
	}
}
