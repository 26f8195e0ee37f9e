package systems

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"muster/components"
	"muster/ecs/grid"
	"muster/internal/conformance"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// maxLag is how many ticks a client is behind at most: 250 ms.
const maxLag = 5

// After each flush a client knows exactly what is in its view, with current values; it is never sent anything about
// an entity that it does not know; and no entity changes unnoticed.
func TestClientsKnowWhatTheySee(t *testing.T) {
	t.Parallel()
	first, worlds := testseed.Of(t), uint64(3)
	if os.Getenv("LONG_TESTS") != "" {
		worlds = 50
	}
	for s := first; s < first+worlds; s++ {
		t.Run(fmt.Sprint(s), func(t *testing.T) { newTrial(s).run(t, 250) })
	}
}

// A trial is a world, its crowd, and the clients of the crowd.
type trial struct {
	world   *World
	census  *census
	port    *frame.Exchange
	crowd   *crowd
	clients []client
	flush   *rand.Rand
	replay  frame.Replayer

	truth   map[uint64]*resident
	history map[uint64]map[uint64]components.Position // positions by tick
	creates int
	ends    int
	gapped  *gapped // nil for a gateway beside the world
}

// A client is what one connection has been sent.
type client struct {
	player *player
	cursor frame.Cursor
	eye    *conformance.Client
	leftAt uint64 // 0 while it is in the world
}

func newTrial(seed uint64) *trial {
	r := rand.New(rand.NewPCG(seed, 1))
	d := meadow(r, 300, 250)
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	return &trial{
		world: w, census: newCensus(w), port: frame.NewExchange(),
		crowd: newCrowd(r, 50, 250), clients: make([]client, 50), flush: rand.New(rand.NewPCG(seed, 2)),
		history: make(map[uint64]map[uint64]components.Position),
	}
}

// run runs as many ticks. Now and then the world is stopped for a while, as if its machine slept.
func (tr *trial) run(t *testing.T, ticks int) {
	n := uint64(0)
	for range ticks {
		if n++; tr.flush.IntN(100) == 0 {
			n += uint64(tr.flush.IntN(3 * frame.RingFrames))
		}
		tr.crowd.unrest(tr.world, n)
		tr.crowd.act(tr.world.Inbox(), n, tr.connect)
		misses := tr.gapped != nil && tr.gapped.begin(tr.flush)
		if tr.gapped != nil && tr.flush.IntN(20) == 0 {
			tr.resume(&tr.clients[tr.flush.IntN(len(tr.clients))])
		}
		if tr.gapped != nil && !misses && tr.gapped.gap {
			for i := range tr.clients {
				if tr.clients[i].eye != nil && tr.clients[i].leftAt == 0 {
					tr.world.Inbox().Add(frame.Item{Session: uint32(i), Op: frame.OpRefresh})
					tr.gapped.asked = true
				}
			}
		}
		tr.world.Inbox().Seal()
		port := tr.port
		if tr.gapped != nil {
			port = tr.gapped.from
		}
		f := port.Write()
		tr.world.Tick(n, f)
		port.Publish(f)
		if tr.gapped != nil {
			tr.gapped.take(t, tr.port, f)
			misses = tr.gapped.gap
		}
		tr.truth = tr.census.take()
		tr.history[n] = make(map[uint64]components.Position)
		for guid, r := range tr.truth {
			tr.history[n][guid] = r.at
		}
		tr.census.forgotten(t, n)
		for _, left := range f.Left {
			tr.clients[left.Session].leftAt = n
		}
		for i := range tr.clients {
			c := &tr.clients[i]
			if !misses && c.eye != nil && (tr.flush.IntN(3) == 0 || c.cursor.Tick+maxLag <= n) {
				tr.show(t, c, n)
			}
		}
		if t.Failed() {
			return
		}
	}
	if tr.creates < 1000 || tr.ends < 20 {
		t.Errorf("too quiet a world: %d creates, %d players left", tr.creates, tr.ends)
	}
}

// connect begins the stream of a player that enters.
func (tr *trial) connect(p *player) {
	eye := conformance.New(conformance.Config{Keep: true})
	eye.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
	eye.Enter(p.guid)
	tr.clients[p.session] = client{
		player: p, eye: eye, cursor: frame.Cursor{Session: p.session, GUID: p.guid, Tick: tr.port.Newest()},
	}
}

// resume has a new connection, that knows nothing, go on with the player of another one, which has ended.
func (tr *trial) resume(c *client) {
	p := c.player
	if c.eye == nil || c.leftAt != 0 || !p.here {
		return
	}
	tr.world.Inbox().Add(frame.Item{Session: p.session, Op: frame.OpDrop})
	tr.world.Inbox().Add(frame.Item{Session: p.session, Op: frame.OpResume, Body: msg.Append(nil, wire.V12340, &frame.Character{GUID: p.guid, Transfer: p.guid})})
	tr.connect(p)
	c.cursor.Waits = p.guid
	if tr.gapped.gap {
		tr.gapped.resumed++
	}
}

// show flushes a client at tick n, and compares what it knows with the world.
func (tr *trial) show(t *testing.T, c *client, n uint64) {
	after := c.cursor.Tick
	var w frame.Window
	w.Open(tr.port)
	defer w.Close()
	out, ok := tr.replay.Replay(nil, &w, &c.cursor)
	if !ok {
		t.Fatalf("tick %d: %s has lost the stream", n, c.player.name)
	}
	for len(out) > 0 {
		op, payload, header, _ := wire.ServerHeader(out)
		body := out[header : header+payload]
		c.eye.Packet(op, body)
		tr.checkBorn(t, c, op, body, after, n)
		out = out[header+payload:]
	}
	if v := c.eye.Violations(); v.Total() > 0 {
		t.Fatalf("tick %d: %s complains: %q", n, c.player.name, c.eye.Texts())
	}
	if c.leftAt != 0 { // and may come back
		*c = client{player: c.player}
		c.player.here = false
		tr.ends++
		return
	}
	tr.checkCensus(t, c, n)
}

// checkBorn holds creates against what was true in the tick that they speak of.
func (tr *trial) checkBorn(t *testing.T, c *client, op uint16, body []byte, after, n uint64) {
	switch op {
	case msg.OpCompressedUpdateObject:
		body, _ = update.Inflate(nil, body)
	case msg.OpUpdateObject:
	default:
		return
	}
	_ = update.Parse(body, func(b *update.Block) error {
		if b.Type != update.Create && b.Type != update.Create2 {
			return nil
		}
		tr.creates++
		tick := uint64(b.Movement.Time / 50)
		if tick <= after || tick > n {
			t.Errorf("tick %d: %s is sent the create block of %#x in tick %d", n, c.player.name, b.GUID, tick)
			return nil
		}
		was, there := tr.history[tick][b.GUID]
		at := components.Position{X: b.Movement.X, Y: b.Movement.Y, Z: b.Movement.Z, O: b.Movement.O}
		switch {
		case !there:
			t.Errorf("tick %d: %s is sent %#x, which was not there in tick %d", n, c.player.name, b.GUID, tick)
		case was != at:
			t.Errorf("tick %d: %#x appears to %s at %v; it was at %v", tick, b.GUID, c.player.name, at, was)
		case b.UpdateFlags&update.FlagSelf != 0 != (b.GUID == c.player.guid):
			t.Errorf("tick %d: %#x appears to %s with flags %#x", tick, b.GUID, c.player.name, b.UpdateFlags)
		}
		return nil
	})
}

// checkCensus holds what a client knows against the world as it is.
func (tr *trial) checkCensus(t *testing.T, c *client, n uint64) {
	self := tr.truth[c.player.guid]
	if self.public[0x18] == 0 { // the dead do not walk, whatever they say
		c.player.at = self.at
	}
	if self.at != c.player.at {
		t.Errorf("tick %d: %s is at %v; it said %v", n, c.player.name, self.at, c.player.at)
	}
	view := grid.ViewFrom(self.home)
	for _, o := range c.eye.Objects() {
		if r := tr.truth[o.GUID]; r == nil || !view.Has(r.home) {
			t.Errorf("tick %d: %s still knows %#x", n, c.player.name, o.GUID)
		} else {
			tr.checkObject(t, c, n, &o, r)
		}
	}
	for guid, r := range tr.truth {
		dx, dy := float64(r.at.X)-float64(self.at.X), float64(r.at.Y)-float64(self.at.Y)
		far := dx*dx + dy*dy
		switch known := c.eye.Knows(guid); {
		case known != view.Has(r.home):
			t.Errorf("tick %d: %s knows %#x: %v", n, c.player.name, guid, known)
		case !known && far <= grid.MustSeeYards*grid.MustSeeYards, known && far > grid.MayNotSeeYards*grid.MayNotSeeYards:
			t.Errorf("tick %d: %s knows %#x: %v, at %v and %v", n, c.player.name, guid, known, self.at, r.at)
		}
	}
}

// checkObject holds what a client knows of something against what it is.
func (tr *trial) checkObject(t *testing.T, c *client, n uint64, o *conformance.Object, r *resident) {
	at, goal := components.Position{X: o.X, Y: o.Y, Z: o.Z, O: o.O}, components.Vec(o.Goal)
	switch {
	case r.guid == c.player.guid: // moves by itself
	case r.player && at != r.at:
		t.Errorf("tick %d: to %s, %#x is at %v; it is at %v", n, c.player.name, r.guid, at, r.at)
	case r.walking && (o.PathMs == 0 || goal != r.goal):
		t.Errorf("tick %d: to %s, %#x walks %d ms to %v; it walks to %v", n, c.player.name, r.guid, o.PathMs, goal, r.goal)
	case !r.player && !r.walking && o.PathMs == 0 && at.Vec() != r.at.Vec(),
		!r.player && !r.walking && o.PathMs != 0 && goal != r.at.Vec():
		t.Errorf("tick %d: to %s, %#x is at %v or came to %v; it is at %v", n, c.player.name, r.guid, at, goal, r.at)
	}
	want := r.public
	if r.guid == c.player.guid {
		want = r.own
	}
	for number := range want {
		var have uint32
		if number < len(o.Words) {
			have = o.Words[number]
		}
		if must := want[number]; number == 0x4F && r.tap == c.player.guid && must != 0 {
			if r.public[0x18] == 0 { // a corpse's flags depend on its loot
				continue
			}
			if have != must|components.DynamicTappedByPlayer {
				t.Errorf("tick %d: to %s, its loot recipient, %#x has flags %#x; it has %#x", n, c.player.name, r.guid, have, must)
			}
		} else if have != want[number] {
			t.Errorf("tick %d: to %s, field %#x of %#x is %#x; it is %#x", n, c.player.name, number, r.guid, have, want[number])
		}
	}
}
