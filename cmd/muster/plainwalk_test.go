package main

import "math"

// A course is the straight way that a plain grinder runs, and what it last said of it.
type course struct {
	on     bool
	from   spot
	to     spot
	began  int64
	length float64
	gone   float64
	at     spot // where it has come, and where it looks
	sent   spot
	sentAt int64
	beat   int64  // when it last reported
	flags  uint32 // of its last report

	asked   spot // where it last wanted to go
	askedAt int64
}

// forward is the flag of a runner.
const forward = 1

// pose is what a report has behind its mover.
func (g *plain) pose(flags uint32) []byte {
	p := g.at
	return bytesOf(flags, uint16(0), uint32(g.now), float32(p.x), float32(p.y), float32(p.z), float32(p.o), uint32(0))
}

// send reports where it is.
func (g *plain) send(op, flags uint32) {
	g.course.flags = flags
	g.say(op, packed(g.guid), g.pose(flags))
}

// report does so from its course.
func (g *plain) report(op, flags uint32) {
	c := &g.course
	g.at = c.at
	c.sent, c.sentAt, c.beat = c.at, g.now, g.now
	g.send(op, flags)
}

// put sets its position, as the server orders.
func (g *plain) put(at spot) {
	g.at = at
	g.course = course{at: at}
}

// step moves it along, as it does four times a second.
func (g *plain) step() {
	g.stride()
	if c := &g.course; c.on || c.gone > 0 {
		g.at = c.at // its facing, too: it looks along its way again
	}
}

// stride brings it on, and reports as often as that program does: each half second, and when others would take it for
// elsewhere.
func (g *plain) stride() {
	c := &g.course
	if !c.on {
		return
	}
	c.gone = min(g.run*float64(g.now-c.began)/1000, c.length)
	part := 1.0
	if c.length > 0 {
		part = c.gone / c.length
	}
	if c.gone > 0 || c.length == 0 {
		c.at = spot{
			x: c.from.x + (c.to.x-c.from.x)*part, y: c.from.y + (c.to.y-c.from.y)*part, z: c.from.z + (c.to.z-c.from.z)*part,
			o: c.from.towards(c.to),
		}
	}
	since := float64(g.now-c.sentAt) / 1000
	sin, cos := math.Sincos(c.sent.o)
	off := math.Hypot(c.at.x-c.sent.x-cos*g.run*since, c.at.y-c.sent.y-sin*g.run*since)
	switch turned := turn(c.at.o, c.sent.o); {
	case since >= 0.35 && (off >= 1.25 || turned >= 0.22):
		if turned >= 0.12 {
			g.report(0x0DA, forward)
		} else {
			g.report(0x0EE, forward)
		}
	case g.now-c.beat >= 500:
		g.report(0x0EE, forward)
	}
	if c.gone >= c.length-0.05 {
		c.on = false
		g.report(0x0B7, 0)
	}
}

// turn is the angle between two facings.
func turn(a, b float64) float64 {
	d := math.Mod(math.Abs(a-b), 2*math.Pi)
	return min(d, 2*math.Pi-d)
}

// halt ends its way where it last was on it.
func (g *plain) halt() {
	c := &g.course
	c.askedAt = 0
	if c.on {
		c.on = false
		g.report(0x0B7, 0)
	}
}

// head has it run somewhere, unless it has just chosen much the same.
func (g *plain) head(to spot) {
	c := &g.course
	if c.on {
		g.stride()
		g.at = c.at
	}
	if c.on && c.askedAt != 0 {
		since, off, up := g.now-c.askedAt, c.asked.flat(to), math.Abs(c.asked.z-to.z)
		switch {
		case off < 5 && up < 5 && since < 1500, off < 8 && up < 8 && since < 1200, since < 700,
			c.to.flat(to) < 4 && math.Abs(c.to.z-to.z) < 5:
			return
		}
	}
	c.asked, c.askedAt = to, g.now
	to.z = min(max(to.z, g.at.z-5), g.at.z+5)
	running := c.on
	c.on, c.from, c.to, c.began, c.gone, c.at = true, g.at, to, g.now, 0, g.at
	c.length = c.from.flat(to)
	if !running {
		g.report(0x0B5, forward) // looking wherever it looked
		return
	}
	way := c.from.towards(to)
	turned := turn(way, c.at.o) > 0.15 || turn(way, c.sent.o) > 0.15
	if c.at.o = way; turned {
		g.report(0x0DA, forward)
	}
}

// face has it look somewhere while it stands.
func (g *plain) face(o float64) {
	g.at.o = o
	g.send(0x0DA, 0)
}
