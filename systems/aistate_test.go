package systems

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// newDen is a world with aggressive creatures around its middle, which have much health.
func newDen(t *testing.T, creatures int, seed uint64) *reserve {
	d := meadow(rand.New(rand.NewPCG(seed, 1)), 0, 0)
	c := &d.Creatures[0]
	c.ReactState, c.CallYards, c.MinHealth, c.MaxHealth, c.MaxLevel = defs.Aggressive, 10, 1_000_000, 1_000_000, 1
	dice := rand.New(rand.NewPCG(seed, 2))
	for range creatures {
		d.Maps[0].Spawns = append(d.Maps[0].Spawns, defs.Spawn{
			Entry: 7, X: between(dice, 12), Y: between(dice, 12), Wander: 5, Path: -1,
		})
	}
	return newReserve(t, d, seed)
}

// hold adds a player with much health.
func (r *reserve) hold(session uint32, x, y float32) {
	r.enter(session, x, y)
	r.tick()
	v := r.vitals.Get(r.space.Find(uint64(session)))
	v.Health, v.MaxHealth = 1_000_000, 1_000_000
	var dirty change.Dirty
	dirty.BindParam(r.world.ecs, "")
	dirty.Mark(r.space.Find(uint64(session)), components.DirtyVitals)
}

// dance has a player run in a circle.
func (r *reserve) dance(session uint32, x, y float32) {
	angle := float64(r.n) * 0.05
	m := msg.Move{Mover: uint64(session), Movement: msg.Movement{
		Flags: msg.MoveForward, Time: uint32(r.n+1) * 50,
		X: x + float32(6*math.Cos(angle)), Y: y + float32(6*math.Sin(angle)),
	}}
	r.world.Inbox().Add(frame.Item{Session: session, AtMs: uint32(r.n+1) * 50, Op: msg.OpMoveHeartbeat, Body: msg.Append(nil, wire.V12340, &m)})
}

// Attackers of one victim stand near it, each at a place of its own, also while it moves.
func TestAttackersDoNotStack(t *testing.T) {
	seed := testseed.Of(t)
	r := newDen(t, 8, seed)
	r.hold(1, 0, 0)
	for range 600 {
		r.tick()
	}
	prey := r.at.Get(r.space.Find(1)).Vec()
	var around []components.Vec
	combats := newUnitStates(r.world.ecs)
	for _, e := range r.living() {
		if combats.attacks.Get(e).Victim == (ecs.Entity{}) {
			continue
		}
		p := r.at.Get(e).Vec()
		if far := math.Hypot(float64(p.X-prey.X), float64(p.Y-prey.Y)); far > 5 {
			t.Errorf("seed %d: one stands %.1f yards from its victim", seed, far)
		}
		for _, other := range around {
			if near := math.Hypot(float64(p.X-other.X), float64(p.Y-other.Y)); near < 0.7 {
				t.Errorf("seed %d: two stand %.2f yards from each other", seed, near)
			}
		}
		around = append(around, p)
	}
	if len(around) != 8 {
		t.Errorf("seed %d: %d attack", seed, len(around))
	}
}

// A tick with fights in progress allocates nothing, and the number of steps of each attacker is limited.
func TestSteadyFightAllocatesNothing(t *testing.T) {
	r := newDen(t, 40, 1)
	r.hold(1, 0, 0)
	for range 1500 {
		r.dance(1, 0, 0)
		r.tick()
	}
	thoughts := r.thoughts()
	const ticks = 200
	for range ticks {
		r.dance(1, 0, 0)
		r.tick()
	}
	if n, most := r.thoughts()-thoughts, uint64(40*ticks*50/300); n < ticks || n > most {
		t.Errorf("%d thoughts in %d ticks, want from %d to %d", n, ticks, ticks, most)
	}
	if n := testing.AllocsPerRun(200, r.tick); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}

// Creatures that fight do so again, byte for byte, in a world of the same seed.
func TestSameSeedSameFight(t *testing.T) {
	seed := testseed.Of(t)
	run := func(seed uint64) (all []byte) {
		r := newDen(t, 60, seed)
		for i := range uint32(5) {
			r.hold(i+1, float32(i)*12-24, 0)
		}
		for range 400 {
			r.dance(1, -24, 0)
			r.tick()
			all, _ = r.frame.AppendBinary(all)
		}
		return all
	}
	one := run(seed)
	if !bytes.Equal(one, run(seed)) {
		t.Errorf("seed %d: two fights of one seed differ", seed)
	}
	if bytes.Equal(one, run(seed+1)) {
		t.Error("two seeds give the same fight")
	}
}

// An aggressive creature that walks notices a player that stands still.
func TestWalkerNotices(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	c, m := &d.Creatures[0], &d.Maps[0]
	c.ReactState, c.WalkSpeed, c.MaxLevel = defs.Aggressive, 2.5, 1
	m.Paths = []defs.Path{{Nodes: []defs.Node{{X: 80}, {X: -80}}}}
	m.Spawns = []defs.Spawn{{Entry: 7, X: 80, Path: 0}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 5)
	combats := newUnitStates(r.world.ecs)
	for range 1000 {
		r.tick()
		e := r.living()[0]
		if combats.attacks.Get(e).Victim == (ecs.Entity{}) {
			continue
		}
		if p := r.at.Get(e); p.X < 15 || p.X > 20 {
			t.Errorf("it attacks from %v, want from about 20 yards", *p)
		}
		return
	}
	t.Error("it never attacks")
}

// A creature that arrives home beside a player begins to fight it in the same step: it does not evade any more.
func TestArrivesHomeBesidePrey(t *testing.T) {
	r := newDen(t, 1, 1)
	r.hold(1, 60, 0)
	e, player := r.living()[0], r.space.Find(1)
	states, combats := ecs.NewAccessor[components.AIState](r.world.ecs), newUnitStates(r.world.ecs)
	states.Get(e).Mode, states.Get(e).HomePosition = components.Returning, *r.at.Get(e)
	combats.threats.Get(e).Evading = 1
	at := r.at.Get(e)
	ask(r.world, move.Teleport{Entity: player, To: life.Place{X: at.X + 5, Y: at.Y, Z: r.place.Height(at.X+5, at.Y)}})
	for n := 0; states.Get(e).Mode == components.Returning; n++ {
		if n == 1000 {
			t.Fatal("it never arrives")
		}
		r.tick()
	}
	if mode := states.Get(e).Mode; mode != components.Fighting {
		t.Errorf("once there it is in mode %d, want that it fights", mode)
	}
	if r.tick(); combats.attacks.Get(e).Victim != player || combats.threats.Get(e).Evading != 0 {
		t.Errorf("then it attacks %v, evading %d", combats.attacks.Get(e).Victim, combats.threats.Get(e).Evading)
	}
}
