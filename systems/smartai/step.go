package smartai

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptSteps executes the effects on where single units are and face, how fast they are, and where they are when idle.
type ScriptSteps struct {
	rules.Units
	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	place     ecs.Res[defs.Map]
	effects   ecs.EventReader[effect]
	turns     ecs.Emit[move.Turn]
	teleports ecs.Emit[move.Teleport]
	speeds    ecs.Emit[move.SetSpeed]
	applies   ecs.Emit[rules.ApplyAura]
	ways      ecs.Emit[rules.WayOrder]
	posts     ecs.Emit[rules.SetPost]

	objects    ecs.Read[components.Object]
	positions  ecs.Read[components.Position]
	spawnInfos ecs.Read[components.SpawnInfo]
}

// React implements sched.Reactor.
func (s *ScriptSteps) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if !s.entities.Exists(it.entity) {
			continue
		}
		row := it.at.in(s.defs.Get())
		if s.creature(it.entity) && it.number == 0 {
			s.own(t, it, row)
		}
		if it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.Unit(it.target) && s.Present(it.target) {
			s.step(it, row)
		}
	}
}

// creature reports whether an entity is a creature.
func (s *ScriptSteps) creature(e ecs.Entity) bool { return s.spawnInfos.Has(e) }

// randomPoint is the number of the point that a creature goes to that moves forward.
//
// Source: SMART_RANDOM_POINT, SmartScriptMgr.h, AzerothCore.
const randomPoint = 0xFFFFFE

// own executes what a creature itself does, once for an act.
func (s *ScriptSteps) own(t sched.Tick, it *effect, row *defs.ScriptRow) {
	e := it.entity
	switch row.Action {
	case defs.ScriptSetOrientation:
		if to, ok := s.facing(t, it, row); ok {
			s.turns.Emit(move.Turn{Entity: e, O: to})
		}
	case defs.ScriptSetHome:
		if row.Target == defs.ScriptPosition {
			s.settle(e, components.Position{X: row.At[0], Y: row.At[1], Z: row.At[2], O: row.At[3]}, row)
		}
	case defs.ScriptFollow:
		if row.Target == defs.ScriptNone || row.Target == defs.ScriptSelf {
			s.ways.Emit(rules.WayOrder{Entity: e, Kind: rules.WayFree})
			return
		}
		if it.target == (ecs.Entity{}) || !s.entities.Exists(it.target) || !s.Unit(it.target) {
			return
		}
		angle := float32(row.Do[1])
		if row.Do[1] > 6 {
			angle = float32(angle * math.Pi / 180)
		}
		s.ways.Emit(rules.WayOrder{Entity: e, Kind: rules.WayFollow, Leader: it.target, Yards: float32(min(row.Do[0], maxSearch)) + 0.1, Angle: angle})
	}
}

// facing is the direction that a creature is to face: a random one, so far from its own, that of its spawn point, that of a position,
// or that of the first target.
//
// Source: SMART_ACTION_SET_ORIENTATION, SmartScript::ProcessAction, AzerothCore.
func (s *ScriptSteps) facing(t sched.Tick, it *effect, row *defs.ScriptRow) (o float32, ok bool) {
	here := s.positions.Get(it.entity)
	switch {
	case row.Do[1] != 0:
		dice := t.Dice("smartai.turn", s.objects.Get(it.entity).GUID^uint64(it.at.row)<<32)
		return dice.Between(0, 2*math.Pi), true
	case row.Do[2] != 0:
		return here.O + float32(float32(row.Do[2]%360)*math.Pi/180), true
	case row.Target == defs.ScriptSelf:
		return s.spawnInfos.Get(it.entity).At.O, true
	case row.Target == defs.ScriptPosition:
		return row.At[3], true
	case it.target == (ecs.Entity{}) || it.target == it.entity || !s.entities.Exists(it.target):
		return 0, false
	}
	there := s.positions.Get(it.target)
	return float32(math.Atan2(float64(there.Y-here.Y), float64(there.X-here.X))), true
}

// settle has a creature be at a place when idle, or at its spawn point.
func (s *ScriptSteps) settle(e ecs.Entity, at components.Position, row *defs.ScriptRow) {
	if row.Do[0] != 0 {
		point := s.spawnInfos.Get(e).Point
		if point == 0 {
			return // it was summoned, and goes back to where that was
		}
		spawn := &s.place.Get().Spawns[point-1]
		at = components.Position{X: spawn.X, Y: spawn.Y, Z: spawn.Z, O: spawn.O}
	}
	if at.OnMap() {
		s.posts.Emit(rules.SetPost{Entity: e, At: at})
	}
}

// step executes an effect on a unit.
func (s *ScriptSteps) step(it *effect, row *defs.ScriptRow) {
	e := it.target
	if row.Action == defs.ScriptTeleport {
		to := row.Do[0]
		if to == defs.ScriptSameMap {
			to = s.place.Get().ID
		}
		s.teleports.Emit(move.Teleport{Entity: e, To: life.Place{Map: to, X: row.At[0], Y: row.At[1], Z: row.At[2], O: row.At[3]}})
		return
	}
	if !s.creature(e) {
		return
	}
	switch row.Action {
	case defs.ScriptSetHome:
		s.settle(e, s.positions.Get(e), row)
	case defs.ScriptSetRoot:
		hold := rules.HoldEnds
		if row.Do[0] != 0 {
			hold = rules.HoldRooted
		}
		s.applies.Emit(rules.ApplyAura{To: e, Hold: hold})
	case defs.ScriptSetSpeed:
		s.speeds.Emit(move.SetSpeed{Entity: e, Which: row.Do[0], Speed: float32(float32(row.Do[1])/100) * normal[row.Do[0]]})
	case defs.ScriptRandomMove:
		s.ways.Emit(rules.WayOrder{Entity: e, Kind: rules.WayFree})
		s.posts.Emit(rules.SetPost{Entity: e, Wanders: true, Yards: float32(min(row.Do[0], maxSearch))})
	case defs.ScriptMoveForward:
		at := s.positions.Get(e)
		sin, cos := math.Sincos(float64(at.O))
		far := float32(min(row.Do[0], maxSearch))
		to := components.Vec{X: at.X + float32(far*float32(cos)), Y: at.Y + float32(far*float32(sin))}
		to.Z = s.place.Get().Height(to.X, to.Y)
		s.send(e, to, randomPoint)
	case defs.ScriptMoveTarget:
		s.send(e, components.Vec{X: row.At[0], Y: row.At[1], Z: row.At[2]}, row.Do[0])
	}
}

// normal are the speeds that factors are of.
var normal = components.NormalSpeeds()

// send has a creature go to a point of the map.
func (s *ScriptSteps) send(e ecs.Entity, to components.Vec, point uint32) {
	if (components.Position{X: to.X, Y: to.Y, Z: to.Z}).OnMap() {
		s.ways.Emit(rules.WayOrder{Entity: e, Kind: rules.WayPoint, To: to, Point: point})
	}
}
