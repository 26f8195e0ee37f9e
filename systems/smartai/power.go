package smartai

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptPowers executes the effects on health and power, and on how creatures fight.
type ScriptPowers struct {
	rules.Living
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	settings ecs.Emit[rules.SetVitals]
	powers   ecs.Emit[rules.PowerChange]
	orders   ecs.Emit[rules.AIOrder]
	stops    ecs.Emit[rules.StopAttack]

	health     ecs.Read[components.Vitals]
	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]
}

// React implements sched.Reactor.
func (s *ScriptPowers) React(sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if !s.entities.Exists(it.entity) {
			continue
		}
		row := it.at.in(s.defs.Get())
		if it.number == 0 {
			s.own(it.entity, row)
		}
		if it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.Alive(it.target) {
			s.change(it.target, row)
		}
	}
}

// own executes what is done once for an act, whatever its targets are.
//
// Source: SmartScript::ProcessAction, AzerothCore.
func (s *ScriptPowers) own(e ecs.Entity, row *defs.ScriptRow) {
	o := rules.AIOrder{Entity: e, Value: row.Do[0]}
	switch row.Action {
	case defs.ScriptAutoAttack:
		o.Kind = rules.OrderMelee
	case defs.ScriptCombatMove:
		o.Kind = rules.OrderChase
	case defs.ScriptDisableEvade:
		o.Kind, o.Value = rules.OrderEvades, 1-min(row.Do[0], 1)
	default:
		return
	}
	if s.spawnInfos.Has(e) {
		s.orders.Emit(o)
	}
}

// change executes an effect on a living unit.
func (s *ScriptPowers) change(e ecs.Entity, row *defs.ScriptRow) {
	switch row.Action {
	case defs.ScriptAttackStop:
		s.stops.Emit(rules.StopAttack{Entity: e})
	case defs.ScriptSetPower:
		s.power(e, row, int64(row.Do[1])-int64(s.health.Get(e).Power[row.Do[0]]))
	case defs.ScriptAddPower:
		s.power(e, row, int64(row.Do[1]))
	case defs.ScriptRemovePower:
		s.power(e, row, -int64(row.Do[1]))
	}
	if !s.spawnInfos.Has(e) {
		return
	}
	o := rules.SetVitals{Entity: e}
	switch row.Action {
	case defs.ScriptSetLeastHealth:
		if o.Kind, o.Health = rules.SetLeastHealth, row.Do[0]; row.Do[1] != 0 {
			o.Health = uint32(uint64(s.health.Get(e).MaxHealth) * uint64(row.Do[1]) / 100)
		}
	case defs.ScriptSetHealthRegen:
		o.Kind, o.Health = rules.SetRegeneration, min(row.Do[0], 1)
	default:
		return
	}
	s.settings.Emit(o)
}

// power changes a power of a unit.
func (s *ScriptPowers) power(e ecs.Entity, row *defs.ScriptRow, delta int64) {
	s.powers.Emit(rules.PowerChange{
		To: e, Caster: s.objects.Get(e).GUID, Power: uint8(row.Do[0]), Kind: rules.NoReport, Delta: int32(min(max(delta, math.MinInt32), math.MaxInt32)),
	})
}
