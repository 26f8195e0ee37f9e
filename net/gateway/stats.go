package gateway

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"time"

	"muster/net/protocol/msg"
	"muster/sched/ladder"
)

// Stats is what a gateway has counted since it was made, and its connections and players.
type Stats struct {
	Packets uint64  `json:"packets"`  // read from clients
	Flushes uint64  `json:"flushes"`  // sent to players
	Bytes   uint64  `json:"bytes"`    // sent to any client
	Phases  int     `json:"phases"`   // steps from one flush of a player to the next, now
	FlushMs float64 `json:"flush_ms"` // milliseconds between the two

	// Thinned counts heartbeats that players were not sent, to keep to the budget.
	Thinned uint64 `json:"thinned"`

	// Served counts, by ServedMs, the ticks whose players were flushed so long after the tick was due by the world's
	// clock, or sooner; each loop counts those in which it has players. The last element has those that took longer.
	Served [len(ServedMs) + 1]uint64 `json:"served"`

	// Connections by the state of their sessions.
	Fresh    int `json:"fresh"`
	Select   int `json:"select"`
	Entering int `json:"entering"`
	World    int `json:"world"`
	Transfer int `json:"transfer"`
	Queued   int `json:"queued"`
	Peak     int `json:"peak"` // the most that were let in at a time

	Rest int `json:"rest"` // the most bytes that were kept for a client that did not read
}

// ServedMs are the bounds of Stats.Served, in milliseconds.
var ServedMs = [...]uint32{
	1, 2, 3, 4, 5, 7, 10, 13, 16, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 110, 120, 130, 140,
	150, 160, 170, 180, 190, 200, 250, 300, 400, 500, 1000,
}

// Stats may be called at any time, from any goroutine.
func (g *Gate) Stats() Stats {
	c, pace := &g.counters, g.config.Pace()
	state := func(s msg.State) int { return int(c.states[slot(s)].Load()) }
	var served [len(ServedMs) + 1]uint64
	for i := range served {
		served[i] = c.served[i].Load()
	}
	return Stats{
		Packets: c.packets.Load(), Flushes: c.flushes.Load(), Bytes: c.bytes.Load(), Phases: pace.Phases, FlushMs: float64(pace.Stride) * float64(pace.Phases) * float64(g.config.Quantum) / float64(time.Millisecond), Thinned: c.thinned.Load(), Served: served,
		Fresh: state(msg.Fresh), Select: state(msg.Select), Entering: state(msg.Entering),
		World: state(msg.World), Transfer: state(msg.Transfer), Queued: state(msg.Queued), Peak: int(c.peak.Load()),
		Rest: int(c.rest.Load()),
	}
}

// Spent adds what the loops have spent on flushes so far.
func (g *Gate) Spent(s *ladder.Sample) {
	s.Loops = s.Loops[:0]
	for _, l := range *g.loops.Load() {
		s.Loops = append(s.Loops, time.Duration(l.flushing.Load()))
	}
	s.Sends, s.Bytes, s.Players = g.counters.flushes.Load(), g.counters.bytes.Load(), int(g.counters.states[slot(msg.World)].Load())
}

type counters struct {
	packets, flushes, bytes atomic.Uint64
	thinned                 atomic.Uint64
	served                  [len(ServedMs) + 1]atomic.Uint64
	states                  [9]atomic.Int64 // by slot
	inside, peak            atomic.Int64    // connections that were let in
	rest                    atomic.Int64    // the longest
}

// slot is the place of a state, which is one bit; 0 is no state.
func slot(s msg.State) int { return bits.Len8(uint8(s)) }

// move counts a connection under another state.
func (c *counters) move(from, to msg.State) {
	c.states[slot(from)].Add(-1)
	c.states[slot(to)].Add(1)
	was, is := from&msg.Always != 0, to&msg.Always != 0
	switch {
	case is && !was:
		raise(&c.peak, c.inside.Add(1))
	case was && !is:
		c.inside.Add(-1)
	}
}

// serve counts a tick whose players have been flushed, so long after it was due.
func (c *counters) serve(ms uint32) {
	i, _ := slices.BinarySearch(ServedMs[:], ms)
	c.served[i].Add(1)
}

// kept notes the length of a rest.
func (c *counters) kept(n int) { raise(&c.rest, int64(n)) }

// raise brings a peak to n, if that is more.
func raise(peak *atomic.Int64, n int64) {
	for {
		if most := peak.Load(); n <= most || peak.CompareAndSwap(most, n) {
			return
		}
	}
}

// arriving reports whether some connection is on its way into a world, and not at rest on the character screen.
func (c *counters) arriving() bool {
	return c.states[slot(msg.Fresh)].Load()+c.states[slot(msg.Entering)].Load()+c.states[slot(msg.Transfer)].Load() != 0
}

// settled reports whether every connection is in a world.
func (c *counters) settled() bool {
	for _, s := range [...]msg.State{msg.Fresh, msg.Select, msg.Entering, msg.Transfer} {
		if c.states[slot(s)].Load() != 0 {
			return false
		}
	}
	return true
}
