package smartai

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptObjects executes the effects on game objects.
type ScriptObjects struct {
	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	effects   ecs.EventReader[effect]
	switches  ecs.Emit[rules.SwitchObject]
	summons   ecs.Emit[rules.SummonObject]
	values    ecs.Read[components.GameObject]
	positions ecs.Read[components.Position]
}

// React implements sched.Reactor.
func (s *ScriptObjects) React(sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if !s.entities.Exists(it.entity) {
			continue
		}
		row := it.at.in(s.defs.Get())
		there := it.target != (ecs.Entity{}) && s.entities.Exists(it.target)
		switch {
		case row.Action == defs.ScriptSummonObject && (there || row.Target == defs.ScriptPosition):
			s.summon(it, row)
		case there && s.values.Has(it.target):
			s.change(it, row)
		}
	}
}

// summon summons a game object at a position, or at that of a target and so far from it.
//
// Source: SMART_ACTION_SUMMON_GO, SmartScript::ProcessAction, AzerothCore.
func (s *ScriptObjects) summon(it *effect, row *defs.ScriptRow) {
	at := components.Position{X: row.At[0], Y: row.At[1], Z: row.At[2], O: row.At[3]}
	switch {
	case row.Target == defs.ScriptPosition:
	case row.Do[2] != 0:
		at = s.positions.Get(it.entity)
	default:
		p := s.positions.Get(it.target)
		at = components.Position{X: p.X + at.X, Y: p.Y + at.Y, Z: p.Z + at.Z, O: p.O + at.O}
	}
	sin, cos := math.Sincos(float64(at.O) / 2)
	const ms = 1000
	s.summons.Emit(rules.SummonObject{
		Entry: row.Do[0], At: at, Rotation: [4]float32{0, 0, float32(sin), float32(cos)}, ForMs: uint32(min(uint64(row.Do[1])*ms, math.MaxInt32)),
	})
}

// change executes an effect on a game object.
//
// Source: SmartScript::ProcessAction, AzerothCore.
func (s *ScriptObjects) change(it *effect, row *defs.ScriptRow) {
	o := rules.SwitchObject{Entity: it.target, By: it.by, Value: row.Do[0]}
	switch row.Action {
	case defs.ScriptActivateObject:
		o.Kind = rules.SwitchUse
	case defs.ScriptResetObject:
		o.Kind = rules.SwitchReset
	case defs.ScriptObjectAnim:
		o.Kind = rules.SwitchAnim
	case defs.ScriptSetObjectState:
		o.Kind = rules.SwitchState
	case defs.ScriptSetObjectFlags:
		o.Kind, o.Clear = rules.SwitchFlags, ^uint32(0)
	case defs.ScriptAddObjectFlags:
		o.Kind = rules.SwitchFlags
	case defs.ScriptRemoveObjectFlags:
		o.Kind, o.Value, o.Clear = rules.SwitchFlags, 0, row.Do[0]
	default:
		return
	}
	s.switches.Emit(o)
}
