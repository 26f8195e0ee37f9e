package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// walkTo starts a walk to a point, together with the creature's followers, and returns its duration: zero if the
// creature is there already.
func (s *System) walkTo(e ecs.Entity, to components.Vec) time.Duration {
	took := s.move(e, to, s.speeds.Get(e)[components.SpeedWalk], components.SplineWalk)
	if took > 0 {
		s.lead(e, to, took)
	}
	return took
}

// runTo runs to a point.
func (s *System) runTo(e ecs.Entity, to components.Vec) time.Duration {
	return s.move(e, to, s.speeds.Get(e)[components.SpeedRun], 0)
}

func (s *System) move(e ecs.Entity, to components.Vec, speed float32, flags uint32) time.Duration {
	walk, p := s.walks.Get(e), s.positions.Get(e)
	was := walk.Walking()
	walk.Flags, s.way[0] = flags, to
	if !walk.Begin(p.Vec(), s.way[:], speed, s.tick.NowMs) {
		return 0
	}
	s.out.Write(update.AppendWalk(s.out.Buffer(), s.objects.Get(e).GUID, walk, &p, s.tick.NowMs))
	s.out.BroadcastWritten(e, frame.Moves)
	if !was {
		s.setOut.Emit(change.SetOut{Entity: e})
	}
	return time.Duration(walk.DurationMs()) * time.Millisecond
}

// halt stops a creature where it is.
func (s *System) halt(e ecs.Entity) {
	walk := s.walks.Get(e)
	if !walk.Walking() {
		return
	}
	walk.Stop()
	walk.SplineID++
	p := s.positions.Get(e)
	s.out.Write(update.AppendHalt(s.out.Buffer(), s.objects.Get(e).GUID, walk, &p))
	s.out.BroadcastWritten(e, frame.Moves)
}

// lead has a creature's followers walk beside it, and arrive when it does.
func (s *System) lead(e ecs.Entity, to components.Vec, took time.Duration) {
	from := s.positions.Get(e).Vec()
	facing := float32(math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X)))
	for follower := s.formations.Get(e).Follower; follower != (ecs.Entity{}); follower = s.formations.Get(follower).Next {
		state, post := s.aiStates.Get(follower), s.spawnInfos.Get(follower)
		if _, thrown := s.walks.Get(follower).Forced(s.tick.NowMs); thrown {
			continue
		}
		if state.Mode != components.Idle || post.Point == 0 || s.vitals.Get(follower).Health == 0 || s.held(follower) {
			continue
		}
		at := &s.place.Get().Spawns[post.Point-1]
		spot := s.beside(to, facing+at.BesideAngle, at.BesideYards)
		speed := float32(flat(s.positions.Get(follower).Vec(), spot) / float32(took.Seconds()))
		if run := s.speeds.Get(follower)[components.SpeedRun]; speed > run {
			speed = run
		}
		if s.move(follower, spot, speed, components.SplineWalk) > 0 {
			s.why.follow.Count()
		}
	}
}

// beside is the point at a distance and direction from another, on the ground.
func (s *System) beside(p components.Vec, angle, yards float32) components.Vec {
	sin, cos := math.Sincos(float64(angle))
	x, y := p.X+float32(yards*float32(cos)), p.Y+float32(yards*float32(sin))
	return components.Vec{X: x, Y: y, Z: s.place.Get().Height(x, y)}
}

// held reports whether a creature cannot move at will.
func (s *System) held(e ecs.Entity) bool {
	const held = components.StateStunned | components.StateRooted | components.StateFeared | components.StateConfused
	return s.auraStates.Get(e).States&held != 0
}

// flat is the distance between two points over ground.
func flat(a, b components.Vec) float32 {
	return float32(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
}
