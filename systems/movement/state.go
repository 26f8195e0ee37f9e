package movement

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// states has players, and sends where units are and how they move, as a part of the systems that do.
type states struct {
	players
	positions ecs.Read[components.Position]
	motions   ecs.Write[components.Motion]

	shown msg.Move // kept here, since a packet takes its message by reference
}

// corrections has states, and sends players' clients where they are, as a part of the systems that do.
type corrections struct {
	states
	orders ecs.Emit[Order]

	teleport msg.Teleport // kept here, since a packet takes its message by reference
}

// state is the position and motion of a unit as messages have it.
func (s *states) state(t sched.Tick, e ecs.Entity) msg.Move {
	var m components.Motion
	if s.motions.Has(e) {
		m = *s.motions.Get(e)
	}
	p := s.positions.Get(e)
	return stateOf(t, s.objects.Get(e).GUID, &p, &m)
}

func stateOf(t sched.Tick, guid uint64, p *components.Position, m *components.Motion) msg.Move {
	return msg.Move{Mover: guid, Movement: msg.Movement{
		Flags: msg.MoveFlags(m.Flags), Extra: msg.MoveExtra(m.Extra), Time: t.NowMs,
		X: p.X, Y: p.Y, Z: p.Z, O: p.O, Pitch: m.Pitch, FallTime: m.FallTimeMs,
		Jump:            msg.Jump{ZSpeed: m.JumpZ, Sin: m.JumpSin, Cos: m.JumpCos, XYSpeed: m.JumpXY},
		SplineElevation: m.Elevation,
	}}
}

// broadcast broadcasts the state of a unit.
func (s *states) broadcast(t sched.Tick, e ecs.Entity, op uint16) {
	s.shown = s.state(t, e)
	s.out.Broadcast(e, op, &s.shown)
}

// correct sends a player's client its position, standing. The counter is that of beginCorrection.
func (s *corrections) correct(t sched.Tick, e ecs.Entity, counter uint32) {
	motion := s.motions.Get(e)
	motion.Flags &= components.MoveRoot | components.MoveCanFly | components.MoveFlying | components.MoveSwimming |
		components.MoveWaterWalking
	motion.FallTimeMs, motion.JumpZ, motion.JumpSin, motion.JumpCos, motion.JumpXY = 0, 0, 0, 0, 0
	m := s.state(t, e)
	s.orders.Emit(Order{e, components.OrderTeleport, counter, t.After(ackTimeout)})
	s.teleport = msg.Teleport{Mover: m.Mover, Counter: counter, Movement: m.Movement}
	s.out.SendNow(e, msg.OpMoveTeleportAck, &s.teleport)
}
