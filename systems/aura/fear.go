package aura

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
)

// How far somebody runs in fear before it runs somewhere else, yards.
//
// Source: FleeingMovementGenerator, AzerothCore (MIN_QUIET_DISTANCE and MAX_QUIET_DISTANCE are farther; here it
// runs for a second or two).
const (
	leastHop = 8
	mostHop  = 14
)

// drive takes the control of a player's legs from its client, or gives it back. Creatures are driven by ai, which
// looks at their state.
//
// Source: Unit::SetFeared and Player::SetClientControl, AzerothCore.
func (s *system) drive(t sched.Tick, e ecs.Entity, on bool) {
	p := &s.said.control
	p.Unit, p.Allowed = s.objects.Get(e).GUID, !on
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpClientControlUpdate, p)
	s.log.Answer(e)
	id := int(e.ID())
	if n := id + 1 - len(s.fears); n > 0 {
		s.fears = append(s.fears, make([]uint32, n)...)
	}
	s.fears[id]++ // older hops are stale
	if on {
		s.hops.Add(t.N, turn{e, s.fears[id]})
	}
}

// flee has players in fear run on. The position of one is that of the end of its hop: it is there as soon as it
// has begun to run.
func (s *system) flee(t sched.Tick) {
	const driven = components.StateFeared | components.StateConfused
	for _, due := range s.hops.Take(t.N) {
		if s.world.Alive(due.entity) && s.fears[due.entity.ID()] == due.number && s.book.Alive(due.entity) &&
			s.bouts.Get(due.entity).States&driven != 0 {
			ms := s.hop(t, due.entity)
			s.hops.Add(t.After(time.Duration(ms)*time.Millisecond), due)
		}
	}
}

// hop has a player run somewhere, and says how long that takes.
func (s *system) hop(t sched.Tick, e ecs.Entity) (ms uint32) {
	if s.bouts.Get(e).States&standing != 0 {
		return 1000
	}
	guid := s.objects.Get(e).GUID
	p, dice := s.positions.Get(e), t.Dice("aura.fear", guid)
	yards, angle := dice.Between(leastHop, mostHop), float64(dice.Between(0, 2*math.Pi))
	to := components.Position{
		X: p.X + float32(yards*float32(math.Cos(angle))), Y: p.Y + float32(yards*float32(math.Sin(angle))), O: p.O,
	}
	if !to.OnMap() || math.Abs(float64(to.X)) > float64(s.place.Half) || math.Abs(float64(to.Y)) > float64(s.place.Half) {
		return 1000
	}
	to.Z = s.place.Height(to.X, to.Y)
	to.O, _ = components.Facing(float32(angle))
	ms = max(uint32(float32(yards/max(s.speeds.Get(e)[components.SpeedRun], 1)*1000)), 100)

	w := &s.said.walk
	*w = msg.MonsterMove{
		Mover: guid, Start: wire.Vec3{X: p.X, Y: p.Y, Z: p.Z}, ID: s.fears[e.ID()]<<16 | uint32(t.N)&0xFFFF, DurationMs: ms,
		Path: append(w.Path[:0], wire.Vec3{X: to.X, Y: to.Y, Z: to.Z}),
	}
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpMonsterMove, w)
	packet := s.log.File(e, frame.Moves)
	s.log.Draft.TellNow(s.sessions.Get(e).ID, frame.Middle, s.log.Filed[packet].Span) // moves of its own are not replayed to it
	*p = to
	s.log.Follow(t, e, p)
	return ms
}
