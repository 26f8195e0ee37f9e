package smartai

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptMoves executes the effects on where creatures go, and triggers what happens on the way.
type ScriptMoves struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	states   ecs.ResMut[ecs.Slab[components.ScriptState]]
	effects  ecs.EventReader[effect]
	moved    ecs.Requests[rules.WayMoved]
	orders   ecs.Emit[rules.WayOrder]
	reacts   ecs.Emit[rules.AIOrder]
	triggers ecs.Emit[trigger]
	despawns ecs.Emit[rules.DespawnCreature]

	sessions  ecs.Read[components.Session]
	positions ecs.Read[components.Position]
	scripted  ecs.Read[components.Scripted]
	ways      ecs.Read[components.ScriptWay]

	timers  sched.Wheel[escort]
	leaving int // timers of creatures that leave

	alone sched.Counter `name:"smartai.escort_lost"` // escorted creatures that no escort was near
	full  sched.Counter `name:"smartai.full"`        // players that are too many to be escorts, and creatures that are too many to wait
	off   sched.Counter `name:"smartai.off_map"`     // points beyond the bounds of the map, to which nothing goes
}

// An escort is a creature whose escorts are looked for when its time is up, or that leaves.
type escort struct {
	entity ecs.Entity
	number uint32 // of ScriptState.Escort; a timer with another number is stale
	leaves bool
}

// What an escorted creature needs near it.
//
// Source: SMART_ESCORT_MAX_PLAYER_DIST, SmartAI.h, and SmartAI::UpdatePath, AzerothCore at 00a86d0.
const (
	escortYards = 60
	escortEvery = time.Second
)

// Run implements sched.Runner.
func (s *ScriptMoves) Run(t sched.Tick) {
	for _, it := range s.timers.Take(t.N) {
		if it.leaves {
			s.leaving--
		}
		switch {
		case !s.entities.Exists(it.entity):
		case it.leaves:
			s.despawns.Emit(rules.DespawnCreature{Entity: it.entity})
		default:
			s.check(t, it)
		}
	}
	s.React(t)
}

// React implements sched.Reactor.
func (s *ScriptMoves) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if s.entities.Exists(it.entity) && s.ways.Has(it.entity) && (it.at.node != 0 || s.scripted.Get(it.entity).Block != 0) {
			s.move(t, it)
		}
	}
	for _, it := range s.moved.Take() {
		if s.entities.Exists(it.Entity) {
			s.happen(t, it)
		}
	}
}

func (s *ScriptMoves) state(e ecs.Entity) *components.ScriptState {
	return s.states.Get().At(s.scripted.Get(e).Block)
}

// move executes an effect. All but two are on the creature itself, once for an act.
//
// Source: SMART_ACTION_ESCORT_START and following, SmartScript::ProcessAction, AzerothCore.
func (s *ScriptMoves) move(t sched.Tick, it *effect) {
	row := it.at.in(s.defs.Get())
	o := rules.WayOrder{Entity: it.entity}
	switch row.Action {
	case defs.ScriptSetRun, defs.ScriptWaypointStart:
		if it.target == (ecs.Entity{}) || !s.entities.Exists(it.target) || !s.ways.Has(it.target) {
			return
		}
		if o.Entity, o.Kind, o.Runs = it.target, rules.WayGait, row.Do[0] != 0; row.Action == defs.ScriptWaypointStart {
			o.Kind, o.Path, o.Repeats, o.Runs, o.Waits = rules.WayStart, row.Do[0], row.Do[1] != 0, false, s.waits(it.target)
		}
	case defs.ScriptEscortStart:
		s.escorted(t, it)
		if it.number != 0 {
			return
		}
		s.reacts.Emit(rules.AIOrder{Entity: it.entity, Kind: rules.OrderReact, Value: uint32(reacts[row.Do[5]])})
		o.Kind, o.Runs, o.Path, o.Repeats, o.DespawnMs, o.Waits = rules.WayStart, row.Do[0] != 0, row.Do[1], row.Do[2] != 0, row.Do[4], s.waits(it.entity)
	case defs.ScriptEscortPause:
		o.Kind, o.Ms = rules.WayPause, row.Do[0]
	case defs.ScriptEscortStop:
		o.Kind, o.DespawnMs, o.Fails = rules.WayStop, row.Do[0], row.Do[2] != 0
	case defs.ScriptEscortResume:
		o.Kind = rules.WayResume
	case defs.ScriptMoveToPosition:
		var ok bool
		if o.Kind, o.Point = rules.WayPoint, row.Do[0]; it.number == 0 {
			o.To, ok = s.point(it, row)
		}
		if !ok {
			return
		}
		if !(components.Position{X: o.To.X, Y: o.To.Y, Z: o.To.Z}).OnMap() {
			s.off.Count()
			return
		}
	default:
		return
	}
	if it.number == 0 || o.Entity == it.target {
		s.orders.Emit(o)
	}
}

// point is where a row has a creature go: to a position, or to a target, and so far from it.
func (s *ScriptMoves) point(it *effect, row *defs.ScriptRow) (to components.Vec, ok bool) {
	to = components.Vec{X: row.At[0], Y: row.At[1], Z: row.At[2]}
	if row.Target == defs.ScriptPosition {
		return to, true
	}
	if it.target == (ecs.Entity{}) || !s.entities.Exists(it.target) {
		return to, false
	}
	at := s.positions.Get(it.target).Vec()
	if away := float32(row.Do[3]); away > 0 {
		here := s.positions.Get(it.entity).Vec()
		far := yards(here, at)
		if far <= away {
			return to, false // it is there
		}
		part := away / far
		at = components.Vec{X: at.X + float32((here.X-at.X)*part), Y: at.Y + float32((here.Y-at.Y)*part), Z: at.Z + float32((here.Z-at.Z)*part)}
	}
	return components.Vec{X: at.X + to.X, Y: at.Y + to.Y, Z: at.Z + to.Z}, true
}

// waits reports whether a creature's script is to be told of nodes before it goes on.
func (s *ScriptMoves) waits(e ecs.Entity) bool {
	if !s.scripted.Has(e) || s.scripted.Get(e).Block == 0 {
		return false
	}
	for _, row := range s.defs.Get().Scripts[s.state(e).Script].Rows {
		if row.Event == defs.ScriptEscortReached || row.Event == defs.ScriptWaypointReached {
			return true
		}
	}
	return false
}

// escorted notes the players that a creature is escorted by: those that are targets.
func (s *ScriptMoves) escorted(t sched.Tick, it *effect) {
	list := &s.state(it.entity).Escort
	if it.number == 0 {
		*list = components.ScriptTargets{Number: list.Number + 1}
	}
	if it.target == (ecs.Entity{}) || !s.entities.Exists(it.target) || !s.sessions.Has(it.target) {
		return
	}
	if int(list.Count) == len(list.Units) {
		s.full.Count()
		return
	}
	if list.Count == 0 {
		s.timers.Add(t.After(escortEvery), escort{entity: it.entity, number: list.Number})
	}
	list.Units[list.Count] = it.target
	list.Count++
}

// check ends the way of a creature that none of its escorts is near: it leaves.
func (s *ScriptMoves) check(t sched.Tick, it escort) {
	if s.scripted.Get(it.entity).Block == 0 {
		return
	}
	list := &s.state(it.entity).Escort
	if list.Number != it.number || s.ways.Get(it.entity).Path == 0 {
		return
	}
	here := s.positions.Get(it.entity).Vec()
	for _, e := range list.Units[:list.Count] {
		if s.entities.Exists(e) && yards(here, s.positions.Get(e).Vec()) <= escortYards {
			s.timers.Add(t.After(escortEvery), it)
			return
		}
	}
	s.alone.Count()
	s.orders.Emit(rules.WayOrder{Entity: it.entity, Kind: rules.WayStop, Fails: true})
	s.triggers.Emit(trigger{entity: it.entity, by: it.entity, event: defs.ScriptDeath})
	s.leave(it.entity, t.N+1)
}

// leave has a creature leave in a tick; if too many wait for that, at once.
func (s *ScriptMoves) leave(e ecs.Entity, at uint64) {
	if s.leaving == maxLeaving {
		s.full.Count()
		s.despawns.Emit(rules.DespawnCreature{Entity: e})
		return
	}
	s.leaving++
	s.timers.Add(at, escort{entity: e, leaves: true})
}

// happen triggers what has happened on a way.
func (s *ScriptMoves) happen(t sched.Tick, it rules.WayMoved) {
	to := trigger{entity: it.Entity, a: it.Node}
	if it.Kind == rules.WayAtPoint {
		to.event, to.a, to.b = defs.ScriptMovementInform, movedToPoint, it.Node
		s.tell(to)
		return
	}
	path := &s.defs.Get().ScriptPaths[it.Path-1]
	if to.b = path.ID; path.Patrols {
		switch it.Kind {
		case rules.WayAtNode:
			to.event = defs.ScriptWaypointReached
		case rules.WayEnded:
			to.event = defs.ScriptWaypointEnded
		default:
			return
		}
	} else {
		to.event = escortEvents[it.Kind]
	}
	s.tell(to)
	if it.Kind == rules.WayEnded && it.DespawnMs > 0 {
		s.leave(it.Entity, t.After(time.Duration(it.DespawnMs)*time.Millisecond))
	}
}

// tell triggers the script of a creature, if it has one.
func (s *ScriptMoves) tell(to trigger) {
	if s.scripted.Has(to.entity) && s.scripted.Get(to.entity).Block != 0 {
		s.triggers.Emit(to)
	}
}

// movedToPoint is the kind of movement to a point.
//
// Source: POINT_MOTION_TYPE, MotionMaster.h, AzerothCore.
const movedToPoint = 8

// escortEvents are the events of a path of waypoints, by rules.WayMovedKind.
var escortEvents = [...]defs.ScriptEvent{
	defs.ScriptEscortStarted, defs.ScriptEscortReached, defs.ScriptEscortPaused, defs.ScriptEscortResumed, defs.ScriptEscortStopped, defs.ScriptEscortEnded,
}
