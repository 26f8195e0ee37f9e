package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptFights executes the effects on fights: threat, attacks, evasion, flight, death.
type ScriptFights struct {
	rules.Living
	rules.Threats
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	changes  ecs.Emit[rules.ThreatChange]
	orders   ecs.Emit[rules.AIOrder]
	leaves   ecs.Emit[rules.LeaveCombat]
	kills    ecs.Emit[rules.Kill]
	restores ecs.Emit[rules.SetVitals]
	health   ecs.Read[components.Vitals]
}

// React implements sched.Reactor.
func (s *ScriptFights) React(sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if !s.entities.Exists(it.entity) {
			continue
		}
		row := it.at.in(s.defs.Get())
		s.own(it, row)
		if it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.Unit(it.target) && s.Present(it.target) {
			s.fight(it, row)
		}
	}
}

// own executes what the creature itself does, once for an act.
func (s *ScriptFights) own(it *effect, row *defs.ScriptRow) {
	if it.number != 0 || !s.Alive(it.entity) {
		return
	}
	switch row.Action {
	case defs.ScriptEvadeNow:
		s.orders.Emit(rules.AIOrder{Entity: it.entity, Kind: rules.OrderEvade})
	case defs.ScriptFleeForAssist:
		s.orders.Emit(rules.AIOrder{Entity: it.entity, Kind: rules.OrderFlee})
	case defs.ScriptCallForHelp:
		s.orders.Emit(rules.AIOrder{Entity: it.entity, Kind: rules.OrderCall, Yards: float32(min(row.Do[0], maxSearch))})
	case defs.ScriptThreatAll:
		for _, h := range s.Threats.List(it.entity) {
			s.threaten(it.entity, h.Entity, h.Amount, row)
		}
	}
}

// fight executes an effect on a unit.
func (s *ScriptFights) fight(it *effect, row *defs.ScriptRow) {
	e, target := it.entity, it.target
	switch row.Action {
	case defs.ScriptThreatOne:
		for _, h := range s.Threats.List(e) {
			if h.Entity == target {
				s.threaten(e, target, h.Amount, row)
			}
		}
	case defs.ScriptAddThreat:
		s.changes.Emit(rules.ThreatChange{Entity: e, By: target, Amount: float32(row.Do[0]) - float32(row.Do[1]), Raw: true})
	case defs.ScriptAttackStart:
		s.orders.Emit(rules.AIOrder{Entity: e, Kind: rules.OrderAttack, Foe: target})
	case defs.ScriptCombatStop:
		s.leaves.Emit(rules.LeaveCombat{Entity: target})
	case defs.ScriptSetReact:
		s.orders.Emit(rules.AIOrder{Entity: target, Kind: rules.OrderReact, Value: uint32(reacts[row.Do[0]])})
	case defs.ScriptKillUnit:
		if s.Alive(target) {
			s.kills.Emit(rules.Kill{Entity: target, By: e})
		}
	case defs.ScriptSetHealth:
		health := uint64(s.health.Get(target).MaxHealth) * uint64(row.Do[0]) / 100
		s.restores.Emit(rules.SetVitals{Entity: target, Kind: rules.SetHealth, Health: uint32(max(health, 1))})
	}
}

// reacts are the react states of the states that a row sets.
//
// Source: ReactStates, UnitDefines.h, AzerothCore.
var reacts = [...]defs.ReactState{defs.Passive, defs.Neutral, defs.Aggressive}

// threaten changes threat by percent.
//
// Source: SMART_ACTION_THREAT_SINGLE_PCT and _ALL_PCT, SmartScript.cpp, AzerothCore.
func (s *ScriptFights) threaten(e, by ecs.Entity, amount float32, row *defs.ScriptRow) {
	percent := float32(row.Do[0])
	if row.Do[0] == 0 {
		percent = -float32(row.Do[1])
	}
	s.changes.Emit(rules.ThreatChange{Entity: e, By: by, Amount: amount * percent / 100, Raw: true})
}
