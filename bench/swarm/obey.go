package swarm

import (
	"math"
	"time"

	"muster/net/protocol/msg"
)

// speedAcks are the answers to orders about speeds, by the order; 0 for what is none. Every packet is looked up here.
var speedAcks = [...]uint16{
	msg.OpForceRunBackSpeedChange:  msg.OpForceRunBackSpeedChangeAck,
	msg.OpForceSwimSpeedChange:     msg.OpForceSwimSpeedChangeAck,
	msg.OpForceSwimBackSpeedChange: msg.OpForceSwimBackSpeedChangeAck,
	msg.OpForceWalkSpeedChange:     msg.OpForceWalkSpeedChangeAck,
	msg.OpForceFlightSpeedChange:   msg.OpForceFlightSpeedChangeAck,
	msg.OpForceTurnRateChange:      msg.OpForceTurnRateChangeAck,
}

// gravity is how fast falls become faster, in yards per second per second. Source: Movement::gravity, AzerothCore.
const gravity = 19.29110527

// obey does what the server orders about a client's movement.
func (r *run) obey(c *client, op uint16, payload []byte) {
	switch op {
	case msg.OpForceMoveRoot, msg.OpForceMoveUnroot:
		if m := new(msg.Rooting); r.decode(c, payload, m) && m.Mover == c.guid {
			r.root(c, m.Counter, op == msg.OpForceMoveRoot)
		}
	case msg.OpMoveKnockBack:
		if m := new(msg.KnockBack); r.decode(c, payload, m) && m.Mover == c.guid {
			r.fly(c, m)
		}
	default:
		if int(op) >= len(speedAcks) {
			return
		}
		if ack := speedAcks[op]; ack != 0 {
			if m := new(msg.ForceSpeed); r.decode(c, payload, m) && m.Mover == c.guid {
				r.put(c, ack, &msg.SpeedAck{Mover: c.guid, Counter: m.Counter, Speed: m.Speed, Movement: r.here(c)})
				r.flush(c)
			}
		}
	}
}

// here is where the client is and what it does.
func (r *run) here(c *client) msg.Movement {
	r.catchUp(c, r.now)
	w := &c.walker
	m := msg.Movement{Flags: c.grinder.pinned(), Time: ms(r.now), X: w.x, Y: w.y, Z: w.z, O: w.o}
	if c.grinder.leg.running() {
		m.Flags |= msg.MoveForward
	}
	return m
}

// root takes the client's legs, or gives them back.
func (r *run) root(c *client, counter uint32, on bool) {
	g := &c.grinder
	r.catchUp(c, r.now)
	g.leg, g.rooted = leg{}, on
	ack := uint16(msg.OpForceMoveUnrootAck)
	if on {
		ack = msg.OpForceMoveRootAck
	}
	r.put(c, ack, &msg.MoveAck{Mover: c.guid, Counter: counter, Movement: r.here(c)})
	r.flush(c)
}

// fly has the client fly, which lands at the height where it began.
func (r *run) fly(c *client, m *msg.KnockBack) {
	r.catchUp(c, r.now)
	g, w := &c.grinder, &c.walker
	g.leg = leg{}
	at := r.here(c)
	at.Flags |= moveFalling
	at.Jump = msg.Jump{ZSpeed: m.ZSpeed, Sin: m.Sin, Cos: m.Cos, XYSpeed: m.Speed}
	r.put(c, msg.OpMoveKnockBackAck, &msg.MoveAck{Mover: c.guid, Counter: m.Counter, Movement: at})
	r.flush(c)
	seconds := 2 * math.Abs(float64(m.ZSpeed)) / gravity
	g.held = r.now + moment(seconds*float64(time.Second))
	g.landing = true
	w.x += float32(float64(m.Speed*m.Cos) * seconds)
	w.y += float32(float64(m.Speed*m.Sin) * seconds)
}

// moveFalling says that a mover falls. Source: MOVEMENTFLAG_FALLING, AzerothCore.
const moveFalling msg.MoveFlags = 0x1000
