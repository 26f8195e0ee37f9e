package swarm

import (
	"math"
	"time"

	"muster/net/protocol/msg"
)

// A leg is a straight run of a client from where it stood to a goal.
type leg struct {
	from         moment // when it began
	x, y         float64
	dirX, dirY   float64
	length       float64 // yards; 0: the client stands
	speed        float64 // yards per second
	beat         moment  // when the next heartbeat is due
	goalX, goalY float64
}

func (l *leg) running() bool { return l.length > 0 }

// at is how far the leg has come.
func (l *leg) at(due moment) (x, y float64, arrived bool) {
	along := l.speed * time.Duration(due-l.from).Seconds()
	if along >= l.length {
		along, arrived = l.length, true
	}
	return l.x + l.dirX*along, l.y + l.dirY*along, arrived
}

// hurry goes on from where the leg has come to, at another speed.
func (l *leg) hurry(at *msg.Movement, now moment, speed float64) {
	if l.running() {
		l.length -= math.Hypot(float64(at.X)-l.x, float64(at.Y)-l.y)
		l.x, l.y, l.from, l.speed = float64(at.X), float64(at.Y), now, speed
		l.length = max(l.length, 0.01)
	}
}

// angle is the direction of a vector as orientations are sent, from 0 to 2 pi.
func angle(dx, dy float64) float32 {
	a := math.Atan2(dy, dx)
	if a < 0 {
		a += 2 * math.Pi
	}
	return float32(a)
}

// send puts one movement packet with where the client is.
func (r *run) send(c *client, op uint16, flags msg.MoveFlags, due moment) {
	w, m := &c.walker, &r.packets.move
	*m = msg.Move{Mover: c.guid, Movement: msg.Movement{Flags: flags | c.grinder.pinned(), Time: ms(due), X: w.x, Y: w.y, Z: w.z, O: w.o}}
	r.put(c, op, m)
	c.grinder.spoke = due
	if op == msg.OpMoveHeartbeat || op == msg.OpMoveStop {
		r.trails[c.id].add(op, w.x, w.y, due)
	}
}

// runTo sends the client to a place, but no nearer than so many yards; if it is there, it stops. What it runs already
// is not begun again for a goal that has hardly moved.
func (r *run) runTo(c *client, x, y, near float64, due moment) {
	w, l := &c.walker, &c.grinder.leg
	if l.running() && math.Hypot(x-l.goalX, y-l.goalY) < 1 {
		return
	}
	r.catchUp(c, due)
	dx, dy := x-float64(w.x), y-float64(w.y)
	distance := math.Hypot(dx, dy)
	if distance <= near || c.grinder.rooted || math.Abs(x) > roamBorder || math.Abs(y) > roamBorder {
		r.stop(c, due)
		return
	}
	w.o = angle(dx, dy)
	was := l.running()
	*l = leg{
		from: due, x: float64(w.x), y: float64(w.y), dirX: dx / distance, dirY: dy / distance,
		length: distance - near, speed: w.speed(), beat: due + moment(walkPeriod), goalX: x, goalY: y,
	}
	if was {
		r.send(c, msg.OpMoveSetFacing, msg.MoveForward, due)
		return
	}
	r.send(c, msg.OpMoveSetFacing, 0, due)
	r.send(c, msg.OpMoveStartForward, msg.MoveForward, due)
}

// catchUp puts the client where its leg has brought it, without a word.
func (r *run) catchUp(c *client, due moment) (arrived bool) {
	if l := &c.grinder.leg; l.running() {
		x, y, over := l.at(due)
		c.walker.x, c.walker.y = float32(x), float32(y)
		return over
	}
	return false
}

// stop ends the leg where the client is.
func (r *run) stop(c *client, due moment) {
	if c.grinder.leg.running() {
		r.catchUp(c, due)
		c.grinder.leg = leg{}
		r.send(c, msg.OpMoveStop, 0, due)
	}
}

// face turns the client towards a place, if it does not look there.
func (r *run) face(c *client, x, y float64, due moment) {
	const enough = 0.3 // radians
	w := &c.walker
	to := angle(x-float64(w.x), y-float64(w.y))
	if off := math.Abs(math.Remainder(float64(to-w.o), 2*math.Pi)); off > enough {
		w.o = to
		r.send(c, msg.OpMoveSetFacing, 0, due)
	}
}

// stride goes on with the leg: a heartbeat each period, and a stop at its end. A client that stands sends a heartbeat now and
// then.
func (r *run) stride(c *client, due moment) {
	g := &c.grinder
	switch arrived := r.catchUp(c, due); {
	case arrived:
		r.stop(c, due)
	case g.leg.running() && due >= g.leg.beat:
		g.leg.beat += moment(walkPeriod)
		r.send(c, msg.OpMoveHeartbeat, msg.MoveForward, due)
	case !g.leg.running() && due-g.spoke >= moment(idlePeriod):
		r.send(c, msg.OpMoveHeartbeat, 0, due)
	}
}
