package bench

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"muster/bench/walkscene"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems"
)

const (
	// beatTicks is how many ticks lie between two heartbeats of a client: half a second.
	//
	// Source: protocol.md 3.1.1, AzerothGhost.
	beatTicks = 10
	// strideYards is how far a player runs from one heartbeat to the next.
	//
	// Source: playerBaseMoveSpeed, 7 yards per second, AzerothCore.
	strideYards = 3.5
	// tickMs is the step of a world by default.
	tickMs = 50
)

// A scene is a world full of walkers, without sockets: what their clients would send goes straight into its
// inbox, and its frames are not read.
type scene struct {
	place     *defs.Map
	live      systems.Live
	walkers   []walkscene.Walker // the i-th is player and session i+1
	due       [beatTicks][]int   // walkers by the tick, modulo beatTicks, of their heartbeats
	inbox     frame.Inbox        // what is sent for the next tick
	move      msg.Move
	body      []byte
	tick      uint64
	afterTick func() // is called after each tick, if it is not nil
}

// newScene lets the walkers into the world of a map, a few in each tick, and runs it until nothing in it is
// new.
func newScene(d *defs.World, place *defs.Map, dice *rand.Rand, walkers []walkscene.Walker) *scene {
	s := emptyScene(place, systems.Live{
		World: systems.New(systems.Config{Defs: d, Map: place, Seed: 1}), Exchange: frame.NewExchange(),
	}, walkers)
	s.fill(dice)
	return s
}

func emptyScene(place *defs.Map, live systems.Live, walkers []walkscene.Walker) *scene {
	return &scene{place: place, live: live, walkers: walkers}
}

// fill lets the walkers in.
func (s *scene) fill(dice *rand.Rand) {
	perTick := len(s.walkers)/walkscene.EnterTicks + 1
	for i, walker := range dice.Perm(len(s.walkers)) {
		s.due[i%beatTicks] = append(s.due[i%beatTicks], walker)
		s.enter(walker)
		if i%perTick == 0 {
			s.step()
		}
	}
	for range settleTicks {
		s.step()
	}
}

const (
	// settleTicks is how long a world takes until no buffer grows any more: longer than any creature rests,
	// and several rounds of the ring of frames.
	settleTicks = 2000
)

func (s *scene) enter(walker int) {
	x, y, z, o := s.walkers[walker].At(s.place)
	c := frame.Character{
		GUID: uint64(walker + 1), Name: "Walker" + strconv.Itoa(walker), Race: 1, Class: 1, Level: 1,
		Map: s.place.ID, Zone: s.place.Zone(x, y), X: x, Y: y, Z: z, O: o,
	}
	s.inbox.Add(frame.Item{Session: uint32(walker + 1), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c)})
}

// step sends the heartbeats that are due, and runs a tick. It says how long the tick took.
func (s *scene) step() time.Duration {
	s.send()
	start := time.Now()
	s.live.Step(s.tick)
	took := time.Since(start)
	if s.afterTick != nil {
		s.afterTick()
	}
	return took
}

// send begins a tick with the heartbeats that are due.
func (s *scene) send() {
	s.tick++
	for _, walker := range s.due[s.tick%beatTicks] {
		s.beat(walker)
	}
	s.live.Exchange.Post(&s.inbox)
	s.inbox.Reset()
}

// beat sends the heartbeat of a walker after a stride.
func (s *scene) beat(walker int) {
	w := &s.walkers[walker]
	w.Run(strideYards)
	nowMs := uint32(s.tick) * tickMs
	s.move = msg.Move{Mover: uint64(walker + 1), Movement: msg.Movement{Flags: msg.MoveForward, Time: nowMs}}
	s.move.X, s.move.Y, s.move.Z, s.move.O = w.At(s.place)
	c := wire.NewWriter(wire.V12340, s.body[:0])
	s.move.Wire(&c)
	s.body = c.Bytes()
	s.inbox.Add(frame.Item{Session: uint32(walker + 1), AtMs: nowMs, Op: msg.OpMoveHeartbeat, Body: s.body})
}

// A timing is what some ticks took.
type timing struct {
	ticks       []float64 // each, microseconds, in ascending order
	allocations float64   // per tick, whole ones, as testing.AllocsPerRun has them: a buffer may still meet its fullest tick
	bytes       float64   // allocated per tick
	systems     []share
}

// A share is what one system took of a tick, on average.
type share struct {
	name   string
	micros float64
}

// measure runs some ticks.
func (s *scene) measure(ticks int) timing { return measure(s.live.World, s.step, ticks) }

// measure runs some ticks of a world, each with one step. One processor is enough for it, and leaves the memory that
// is kept for each processor where it is. A world that has no systems is nil.
func measure(w *systems.World, step func() time.Duration, ticks int) timing {
	t := timing{ticks: make([]float64, ticks)}
	spent := func(func(string, time.Duration)) {}
	if w != nil {
		spent = w.Plan().Spent
	}
	spent(func(name string, _ time.Duration) { t.systems = append(t.systems, share{name: name}) })
	at := 0
	add := func(_ string, d time.Duration) {
		t.systems[at].micros += micros(d) / float64(ticks)
		at++
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	for range beatTicks { // until what the collector took from pools is back
		step()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range t.ticks {
		t.ticks[i] = micros(step())
		at = 0
		spent(add)
	}
	runtime.ReadMemStats(&after)
	t.allocations = math.Floor(float64(after.Mallocs-before.Mallocs) / float64(ticks))
	t.bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(ticks)
	t.sort()
	return t
}

// alternate runs some ticks of several worlds, one of each in turn, each with one step. In a server a tick comes after
// everything else has been at the caches for most of 50 ms. Of two worlds that run for themselves, tick upon tick, the
// smaller one would stay in the nearer cache, and what the larger one takes more would be said of its size, and be the
// cache's.
func alternate(ticks int, steps ...func() time.Duration) []timing {
	worlds := make([]timing, len(steps))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	for n := -beatTicks; n < ticks; n++ { // the first few are until what the collector took from pools is back
		for i, step := range steps {
			if took := micros(step()); n >= 0 {
				worlds[i].ticks = append(worlds[i].ticks, took)
			}
		}
	}
	for i := range worlds {
		worlds[i].sort()
	}
	return worlds
}

// mean is the duration of a tick on average.
func (t *timing) mean() (sum float64) {
	for _, tick := range t.ticks {
		sum += tick / float64(len(t.ticks))
	}
	return sum
}

func (t *timing) sort() { slices.Sort(t.ticks) }

// percentile is the duration that so many percent of the ticks did not exceed.
func (t *timing) percentile(p int) float64 { return t.ticks[(len(t.ticks)-1)*p/100] }

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
