package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"muster/bench/brawl"
	"muster/bench/naive"
	"muster/net/frame"
	"muster/sched"
	"muster/systems"
)

const (
	// brawlTicks is how long a brawl goes on before it is measured: everybody's turns have come round, and no
	// buffer grows any more.
	brawlTicks = 1400
	// flushTicks is how often a gateway gathers what one player is owed.
	//
	// Source: the default of net/gate, design.md 1: every 100 to 250 ms.
	flushTicks = 4
)

// fights measures the tick of a brawl beside that of a server of objects.
func fights(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	fights, ticks, repetitions := 10_000, 100, 5
	if c.Quick {
		fights, ticks, repetitions = 1_000, 100, 3
	}
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	whole, half := newBrawling(fights), newBrawling(fights/2)
	object, quiet := newPolling(fights), newPolling(fights)
	for range brawlTicks {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		whole.step()
		half.step()
		object.step()
		quiet.step()
	}
	object.world.Quiet = false // it came so far in less time, and the game is the same
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		t := measure(whole.live.World, whole.step, ticks)
		o := measure(nil, object.step, ticks)
		q := measure(nil, quiet.step, ticks)
		h := measure(half.live.World, half.step, ticks)
		deciding := measure(nil, whole.rules, ticks)
		gathering := measure(nil, whole.gather, ticks)
		s.put("allocations per tick", "", t.allocations).gate(0, OfMedian)
		s.put("bytes allocated per tick", "", t.bytes).gate(0, OfMedian)
		s.put("tick up to the finished frame, p50", "µs", t.percentile(50)).beside(objects, o.percentile(50)).atMost(1./20, OfRatio)
		s.put("the same, p99", "µs", t.percentile(99)).beside(objects, o.percentile(99))
		s.put("the same, and gathering what everybody is owed, p50", "µs", gathering.percentile(50)).beside(objects, o.percentile(50))
		s.put("rules alone, p50", "µs", deciding.percentile(50)).beside(objects+" that tell nobody", q.percentile(50)).atMost(1./2, OfRatio)
		s.put("twice as many fights, p50", "µs", t.percentile(50)).beside("half of them", h.percentile(50)).atMost(2, OfRatio)
		for _, system := range t.systems {
			s.put(system.name+", mean", "µs", system.micros)
		}
	}
	return fmt.Sprintf("%s players fight as many creatures in one map, one to one and %d to a disc, whose players see "+
		"everybody in it: half of them with weapons, half with spells that take a second and a half, and with three auras "+
		"on everybody, two of which have pulses. Nobody dies, for all have a billion health. The step is %d ms, a "+
		"repetition %d ticks of each world in turn, without sockets, ciphers and compression; times are those that the "+
		"world's thread took of the processor. Ours tells nobody of players "+
		"that are to be kept. The baseline is an object on the heap for each unit, polled in each tick, with a range query "+
		"for each packet and for each object that has changed, an encoding of it for each who sees it, and a header for "+
		"each packet and player. It has the same rules and the same dice: a test holds what a client is told by the two "+
		"against each other, byte for byte. Rules alone are our systems %s, which write each packet once, beside the "+
		"baseline as it plays the same game and writes none. Gathering is what gateways do besides, for every player once "+
		"in %d ticks.",
		number(float64(fights)), brawl.PerHub, tickMs, ticks, ruling, flushTicks), repetitions, nil
}

const objects = "objects"

// ruling are the systems that decide fights.
var ruling = []string{"combat", "spell", "aura", "fate", "truce", "stats", "regen", "ai"}

// A brawling is a brawl in one of our worlds.
type brawling struct {
	brawl   *brawl.Brawl
	live    systems.Live
	inbox   frame.Inbox
	tick    uint64
	replay  frame.Replayer
	cursors []frame.Cursor
	out     []byte

	deciding time.Duration // what the systems of ruling took of the last tick
}

func newBrawling(fights int) *brawling {
	b := &brawling{brawl: brawl.New(fights), cursors: make([]frame.Cursor, fights)}
	b.live = systems.Live{
		World: systems.New(systems.Config{Defs: b.brawl.Defs, Map: &b.brawl.Defs.Maps[0], Seed: 1, Ephemeral: true}),
		Port:  frame.NewPort(),
	}
	for i := range b.cursors {
		b.cursors[i] = frame.Cursor{Session: uint32(i), GUID: brawl.Player(i)}
	}
	b.step()
	b.owed(0, 1) // everybody's view, before the frames are overwritten that have it
	return b
}

// step runs a tick, and says what it took of the processor.
func (b *brawling) step() time.Duration {
	b.tick++
	b.brawl.Say(b.tick, b.post)
	b.live.Port.Post(&b.inbox)
	b.inbox.Reset()
	start := threadTime()
	b.live.Step(b.tick)
	took := threadTime() - start
	b.deciding = 0
	b.live.World.Plan().Spent(b.decide)
	return took
}

// decide adds up what the systems took that decide fights.
func (b *brawling) decide(system string, took time.Duration) {
	if slices.Contains(ruling, system) {
		b.deciding += took
	}
}

// rules runs a tick, and says how long those systems took.
func (b *brawling) rules() time.Duration {
	b.step()
	return b.deciding
}

func (b *brawling) post(it frame.Item) {
	if err := b.inbox.Add(it); err != nil {
		panic(err) // ten thousand fights have room in an inbox
	}
}

// gather runs a tick, and gathers what is owed to those players whose turn it is.
func (b *brawling) gather() time.Duration {
	took := b.step()
	start := threadTime()
	b.owed(int(b.tick%flushTicks), flushTicks)
	return took + threadTime() - start
}

// owed gathers for every so manieth player. Who has fallen so far behind that frames are gone begins with the newest.
func (b *brawling) owed(first, each int) {
	var w frame.Window
	w.Open(b.live.Port)
	defer w.Close()
	for i := first; i < len(b.cursors); i += each {
		c := &b.cursors[i]
		if c.Tick+2*flushTicks < b.tick && c.Tick > 0 {
			c.Tick = b.tick - flushTicks
		}
		var ok bool
		if b.out, ok = b.replay.Replay(b.out[:0], &w, c); !ok {
			panic("bench: a frame of the last second is gone")
		}
	}
}

// A polling is a brawl among objects.
type polling struct {
	brawl *brawl.Brawl
	world *naive.World
	tick  uint64
}

func newPolling(fights int) *polling {
	p := &polling{brawl: brawl.New(fights)}
	p.world = naive.New(p.brawl.Defs, &p.brawl.Defs.Maps[0], 1)
	p.world.Quiet, p.world.Thrifty = true, true // nobody goes anywhere
	return p
}

// step runs a tick, and says what it took of the processor, without what the collector takes of another thread.
func (p *polling) step() time.Duration {
	p.tick++
	p.brawl.Say(p.tick, p.world.Receive)
	start := threadTime()
	p.world.Tick(sched.Tick{N: p.tick, NowMs: uint32(p.tick) * tickMs, Step: tickMs * time.Millisecond})
	return threadTime() - start
}
