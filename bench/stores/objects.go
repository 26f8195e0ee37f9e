package stores

// objects is the way servers are usually written: each mover lies on the heap with its parts, is reached through an
// interface, and found by its GUID in a map.
//
// Source: for the shape, Map::Update and ObjectAccessor, AzerothCore.
type objects struct {
	all    []mover
	byGUID map[uint64]mover
	fresh  []*creature
}

// A mover is an object that moves in its own way.
type mover interface {
	move(dt float32)
	regain(dt float32)
	toggle()
	sum(t *tally)
}

// A creature is one object: what it is made of, and as much again that other systems keep in it.
type creature struct {
	name     Name
	position Position
	velocity Velocity
	vitals   *Vitals
	state    State
	origin   *Origin
	target   *creature
	fields   [24]uint32
}

func newCreature(i int) *creature {
	p, v, h, name := nth(i)
	origin := Origin(p)
	c := &creature{name: name, position: p, velocity: v, vitals: &h, origin: &origin}
	c.target, c.fields[0] = c, uint32(name.GUID)
	return c
}

// newObjects makes the objects in one order and lists them in another, as they lie once a server has run for a while.
func newObjects(n int) Store {
	s := &objects{all: make([]mover, n), byGUID: make(map[uint64]mover, n)}
	for i, at := range shuffled(n) {
		c := newCreature(i)
		s.all[at], s.byGUID[c.name.GUID] = c, c
	}
	return s
}

func (c *creature) move(dt float32) { advance(&c.position, &c.velocity, dt) }

func (c *creature) regain(dt float32) {
	advance(&c.position, &c.velocity, dt)
	c.vitals.regain()
}

func (c *creature) toggle()      { c.state.Flags ^= InCombat }
func (c *creature) sum(t *tally) { t.add(&c.position, c.vitals, &c.state) }

func (s *objects) Move(dt float32) {
	for _, m := range s.all {
		m.move(dt)
	}
}

func (s *objects) Regain(dt float32) {
	for _, m := range s.all {
		m.regain(dt)
	}
}

func (s *objects) Toggle() {
	for _, m := range s.all {
		m.toggle()
	}
}

func (s *objects) Turn(n int) {
	s.fresh = s.fresh[:0]
	for i := range n {
		c := newCreature(i)
		c.name.GUID = uint64(1<<32 + i)
		s.byGUID[c.name.GUID] = c
		s.fresh = append(s.fresh, c)
	}
	for _, c := range s.fresh {
		delete(s.byGUID, c.name.GUID)
	}
	clear(s.fresh)
}

func (s *objects) Sums() (float64, uint64, uint64) {
	var t tally
	for _, m := range s.all {
		m.sum(&t)
	}
	return t.place, t.health, t.flagged
}
