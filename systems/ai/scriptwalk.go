package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptWalks has idle creatures go where their scripts say: along paths, from node to node, and to points.
//
// Source: SmartAI::StartPath, PausePath, StopPath, EndPath, UpdatePath and MovepointReached, AzerothCore at 00a86d0.
type ScriptWalks struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	asked    ecs.Requests[rules.WayOrder]
	steps    ecs.Events[step]
	woken    ecs.Events[change.Woken]
	reloaded ecs.Events[rules.Reloaded]
	all      ecs.Query[components.ScriptWay]
	orders   ecs.Emit[walkOrder]
	leads    ecs.Emit[lead]
	busy     ecs.Emit[busy]
	moved    ecs.Emit[rules.WayMoved]

	positions  ecs.Read[components.Position]
	speeds     ecs.Read[components.Speeds]
	spawnInfos ecs.Read[components.SpawnInfo]
	vitals     ecs.Read[components.Vitals]
	aiStates   ecs.Read[components.AIState]
	ways       ecs.Write[components.ScriptWay]

	going sched.Counter `name:"ai.script"`
}

// atNode is the distance within which a creature is at a node, yards.
const atNode = 0.3

// OnEvents implements sched.Handler.
func (s *ScriptWalks) OnEvents(t sched.Tick) {
	for _, it := range s.woken.All() {
		if s.entities.Exists(it.Entity) && s.ways.Has(it.Entity) {
			s.ways.Get(it.Entity).UntilMs += it.SleptMs
		}
	}
	for _, it := range s.reloaded.All() {
		if it.Part == defs.PartScripts || it.Part == defs.PartWays {
			s.reload(it.Part)
		}
	}
	for _, it := range s.asked.Take() {
		if s.entities.Exists(it.Entity) && s.ways.Has(it.Entity) && s.vitals.Get(it.Entity).Health != 0 {
			s.obey(t, &it)
		}
	}
	for _, it := range s.steps.All() {
		if it.task == toScript {
			s.goOn(t, it)
		}
	}
}

// obey executes an order. One that is fighting goes on where it was when the fight is over.
func (s *ScriptWalks) obey(t sched.Tick, it *rules.WayOrder) {
	w := s.ways.Get(it.Entity)
	switch it.Kind {
	case rules.WayGait:
		if w.Walks = 1; it.Runs {
			w.Walks = 0
		}
		return
	case rules.WayStart:
		s.stop(it.Entity, w, false, 0)
		path := &s.defs.Get().ScriptPaths[it.Path-1]
		*w = components.ScriptWay{
			Path: it.Path, DespawnMs: it.DespawnMs, Runs: bit(it.Runs), Repeats: bit(it.Repeats), Waits: bit(it.Waits), Patrols: bit(path.Patrols), Walks: w.Walks,
		}
		s.begin(it.Entity, w)
	case rules.WayPause:
		if w.Path == 0 || w.State == components.WayPauses && w.Paused != 0 {
			return
		}
		w.State, w.Paused, w.UntilMs = components.WayPauses, 1, t.NowMs+it.Ms
		s.tell(it.Entity, w, rules.WayPaused)
	case rules.WayResume:
		if w.State != components.WayPauses {
			return
		}
		w.UntilMs = t.NowMs
	case rules.WayStop:
		if w.Path == 0 {
			return
		}
		s.stop(it.Entity, w, it.Fails, it.DespawnMs)
	case rules.WayFollow:
		s.stop(it.Entity, w, true, 0)
		*w = components.ScriptWay{State: components.WayFollows, Leader: it.Leader, Yards: it.Yards, Angle: it.Angle, Walks: w.Walks}
	case rules.WayFree:
		*w = components.ScriptWay{Walks: w.Walks}
	case rules.WayPoint:
		w.Leader = ecs.Entity{}
		w.Point, w.To, w.State = it.Point+1, it.To, components.WayGoes
	}
	if s.aiStates.Get(it.Entity).Mode == components.Idle {
		s.orders.Emit(walkOrder{entity: it.Entity, halt: true})
		s.busy.Emit(busy{entity: it.Entity})
	}
}

// reload has creatures leave paths that were replaced with the scripts, and those that have fewer nodes now than were passed. On others they go on
// to the node of the same number.
func (s *ScriptWalks) reload(part defs.Part) {
	for q := s.all.Iter(); q.Next(); {
		e := q.Entity()
		w := s.ways.Get(e)
		switch {
		case w.Path == 0:
		case part == defs.PartScripts || int(w.Node) > len(s.defs.Get().ScriptPaths[w.Path-1].Nodes):
			s.leave(e, w)
			s.busy.Emit(busy{entity: e})
		case w.State == components.WayGoes && w.Point == 0:
			at := s.defs.Get().ScriptPaths[w.Path-1].Nodes[w.Node-1]
			w.To = components.Vec{X: at.X, Y: at.Y, Z: at.Z}
			if s.aiStates.Get(e).Mode == components.Idle {
				s.orders.Emit(walkOrder{entity: e, halt: true})
				s.busy.Emit(busy{entity: e})
			}
		}
	}
}

// begin sets the first node of a path.
func (s *ScriptWalks) begin(e ecs.Entity, w *components.ScriptWay) {
	w.Node = 0
	s.toNext(w)
	s.tell(e, w, rules.WayStarted)
}

// toNext sets the next node of the path.
func (s *ScriptWalks) toNext(w *components.ScriptWay) {
	at := s.defs.Get().ScriptPaths[w.Path-1].Nodes[w.Node]
	w.Node++
	w.To, w.State, w.AtNode, w.Paused = components.Vec{X: at.X, Y: at.Y, Z: at.Z}, components.WayGoes, 0, 0
}

// stop has a creature leave its path, if it has one.
func (s *ScriptWalks) stop(e ecs.Entity, w *components.ScriptWay, fails bool, despawnMs uint32) {
	if w.Path == 0 {
		return
	}
	s.tell(e, w, rules.WayStopped)
	if w.Repeats, w.DespawnMs = 0, despawnMs; !fails {
		s.tell(e, w, rules.WayEnded)
	}
	s.leave(e, w)
}

// leave ends a path or the way to a point: what wanders or has a path of its own goes on with that, all else stays.
func (s *ScriptWalks) leave(e ecs.Entity, w *components.ScriptWay) {
	info := s.spawnInfos.Get(e)
	*w = components.ScriptWay{State: components.WayStays, Walks: w.Walks}
	if info.Path >= 0 || info.Wander > 0 {
		w.State = components.WayNone
	}
}

func (s *ScriptWalks) tell(e ecs.Entity, w *components.ScriptWay, kind rules.WayMovedKind) {
	s.moved.Emit(rules.WayMoved{Entity: e, Kind: kind, Path: w.Path, Node: w.Node, DespawnMs: w.DespawnMs})
}

// goOn is a step of a creature that is on its way.
func (s *ScriptWalks) goOn(t sched.Tick, it step) {
	e, w := it.entity, s.ways.Get(it.entity)
	if !w.Going() {
		return // an order of this tick has ended its way
	}
	s.going.Count()
	switch w.State {
	case components.WayFollows:
		s.follow(it, w)
		return
	case components.WayPauses:
		if left := int32(w.UntilMs - t.NowMs); left > 0 {
			s.busy.Emit(busy{e, time.Duration(left) * time.Millisecond, false})
			return
		}
		if w.Paused != 0 {
			s.tell(e, w, rules.WayResumed)
		}
		if w.AtNode != 0 {
			s.advance(it, w)
			return
		}
		w.State, w.Paused = components.WayGoes, 0
	case components.WayReached:
		s.advance(it, w)
		return
	case components.WayGoes:
		if here := s.positions.Get(e).Vec(); flat(here, w.To) <= atNode && height(here, w.To) <= atNode {
			s.arrive(t, it, w)
			return
		}
	}
	s.walk(it, w)
}

// How often a creature looks where the one is that it follows, and how far it may stand from its place, our own choices.
const (
	followEvery = 500 * time.Millisecond
	followYards = 1.5
)

// follow runs to the place beside the leader. One whose leader is gone stays where it is.
//
// Source: SmartAI::SetFollow, AzerothCore.
func (s *ScriptWalks) follow(it step, w *components.ScriptWay) {
	if !s.entities.Exists(w.Leader) || !s.positions.Has(w.Leader) {
		s.leave(it.entity, w)
		s.busy.Emit(busy{entity: it.entity})
		return
	}
	at := s.positions.Get(w.Leader)
	sin, cos := math.Sincos(float64(at.O + w.Angle))
	w.To = components.Vec{X: at.X + float32(w.Yards*float32(cos)), Y: at.Y + float32(w.Yards*float32(sin)), Z: at.Z}
	here, speed := s.positions.Get(it.entity).Vec(), s.speeds.Get(it.entity)[components.SpeedRun]
	took := walkTime(here, w.To, speed)
	if took == 0 || flat(here, w.To) <= followYards {
		s.busy.Emit(busy{it.entity, followEvery, false})
		return
	}
	s.orders.Emit(walkOrder{entity: it.entity, to: w.To, speed: speed, turn: it.turn})
	s.busy.Emit(busy{it.entity, min(took, followEvery), true})
}

// walk walks or runs to where the creature is to go.
func (s *ScriptWalks) walk(it step, w *components.ScriptWay) {
	speed, flags := s.speeds.Get(it.entity)[components.SpeedWalk], uint32(components.SplineWalk)
	if w.Point != 0 && w.Walks == 0 || w.Point == 0 && w.Runs != 0 {
		speed, flags = s.speeds.Get(it.entity)[components.SpeedRun], 0
	}
	took := walkTime(s.positions.Get(it.entity).Vec(), w.To, speed)
	if took == 0 { // it cannot move
		s.busy.Emit(busy{it.entity, longestRest, false})
		return
	}
	s.orders.Emit(walkOrder{entity: it.entity, to: w.To, speed: speed, flags: flags, turn: it.turn})
	s.leads.Emit(lead{it.entity, w.To, took, it.turn})
	s.busy.Emit(busy{it.entity, took, true})
}

// arrive notes that a creature is where it was to go. Its script is told of it before it goes on.
func (s *ScriptWalks) arrive(t sched.Tick, it step, w *components.ScriptWay) {
	if w.Point != 0 {
		s.moved.Emit(rules.WayMoved{Entity: it.entity, Kind: rules.WayAtPoint, Path: w.Path, Node: w.Point - 1})
		w.Point = 0
		switch {
		case w.Path == 0:
			s.leave(it.entity, w)
		case w.AtNode != 0:
			w.State = components.WayReached
		default:
			w.Node--
			s.toNext(w)
		}
		s.busy.Emit(busy{entity: it.entity})
		return
	}
	w.AtNode = 1
	s.tell(it.entity, w, rules.WayAtNode)
	pause := s.defs.Get().ScriptPaths[w.Path-1].Nodes[w.Node-1].PauseMs
	switch {
	case w.Patrols != 0 && pause > 0:
		w.State, w.Paused, w.UntilMs = components.WayPauses, 0, t.NowMs+pause
		s.busy.Emit(busy{it.entity, time.Duration(pause) * time.Millisecond, false})
	case w.Waits != 0:
		w.State = components.WayReached
		s.busy.Emit(busy{entity: it.entity})
	default:
		s.advance(it, w)
	}
}

// advance goes on from a node to the next one, or ends the path.
func (s *ScriptWalks) advance(it step, w *components.ScriptWay) {
	if int(w.Node) < len(s.defs.Get().ScriptPaths[w.Path-1].Nodes) {
		s.toNext(w)
		s.busy.Emit(busy{entity: it.entity})
		if here := s.positions.Get(it.entity).Vec(); flat(here, w.To) > atNode || height(here, w.To) > atNode {
			s.walk(it, w)
		}
		return
	}
	s.tell(it.entity, w, rules.WayEnded)
	if w.Repeats != 0 {
		s.begin(it.entity, w)
	} else {
		s.leave(it.entity, w)
	}
	s.busy.Emit(busy{entity: it.entity})
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
