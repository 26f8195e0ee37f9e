package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"muster/bench/walkscene"
	"muster/components"
	"muster/components/defs"
	"muster/loaders/synth"
)

const (
	// reachYards is how far a walker goes from its hub.
	reachYards = 40
	// wanderYards is how far the creatures of a busy map go from where they live.
	wanderYards = 10
)

// steadyTick measures the tick of a world after all players have entered.
func steadyTick(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, creatures, ticks, repetitions := 10_000, 20_000, 400, 5
	if c.Quick {
		players, creatures, ticks, repetitions = 1_000, 2_000, 100, 3
	}
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return "", 0, err
	}
	dice := rand.New(rand.NewPCG(1, 0))
	walkers := atHubs(d, dice, players)
	place := d.Map(d.Hubs[0].Map)
	world := newScene(d, place, dice, slices.Clone(walkers))
	awake := newScene(d, busy(d, place, dice, creatures, players/synth.PerHub), dice, walkers)
	floor := newFlat(awake.live.World.Awake(), players/beatTicks)
	for _, s := range []*scene{world, awake} {
		s.measure(4 * ticks) // until every buffer has met its fullest tick
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		t := world.measure(ticks)
		s.put("allocations per tick", "", t.allocations).gate(0, OfMedian)
		s.put("tick, p50", "µs", t.percentile(50))
		s.put("tick, p99", "µs", t.percentile(99))
		s.put("entities awake", "", float64(world.live.World.Awake()))
		t = awake.measure(ticks)
		p50, p99 := floor.measure(ticks)
		s.put("all awake: allocations per tick", "", t.allocations).gate(0, OfMedian)
		s.put("all awake: tick, p50", "µs", t.percentile(50)).beside(plainSlices, p50)
		s.put("all awake: tick, p99", "µs", t.percentile(99)).beside(plainSlices, p99)
		for _, system := range t.systems {
			s.put("all awake: "+system.name+", mean", "µs", system.micros)
		}
		s.put("all awake: entities awake", "", float64(awake.live.World.Awake()))
	}
	return fmt.Sprintf("%s players, %d to a hub and within %d yards of it, each with two heartbeats per second in a phase of its own, "+
		"and %s creatures: first in the synthetic world, most of which sleeps, since no observer is there; then with "+
		"all creatures about the hubs, wandering and awake. The step is %d ms, a repetition %d ticks of each world, "+
		"without sockets. The baseline is plain slices: it moves as many entities as are awake, and copies a block of "+
		"%d bytes for each heartbeat, which every server has to do.",
		number(float64(players)), synth.PerHub, reachYards, number(float64(creatures)), tickMs, ticks, blockBytes), repetitions, nil
}

const plainSlices = "plain slices"

// atHubs is players about the hubs of a world, each of which is full before the next has any.
func atHubs(d *defs.World, dice *rand.Rand, players int) []walkscene.Walker {
	walkers := make([]walkscene.Walker, players)
	for i := range walkers {
		hub := d.Hubs[i/synth.PerHub%len(d.Hubs)]
		walkers[i] = walkscene.Circling(dice, float64(hub.X), float64(hub.Y), reachYards)
	}
	return walkers
}

// busy is a map with so many creatures, which all live where the players of the first hubs see them.
func busy(d *defs.World, place *defs.Map, dice *rand.Rand, creatures, hubs int) *defs.Map {
	m := *place
	m.Spawns, m.Pools = make([]defs.Spawn, creatures), nil
	entries := living(d)
	for i := range m.Spawns {
		hub := d.Hubs[i%hubs%len(d.Hubs)]
		lair := walkscene.Circling(dice, float64(hub.X), float64(hub.Y), reachYards)
		x, y, z, o := lair.At(place)
		m.Spawns[i] = defs.Spawn{
			Entry: entries[i%len(entries)], X: x, Y: y, Z: z, O: o, Wander: wanderYards, Path: -1,
		}
	}
	return &m
}

// living are the entries of the creatures that the living see in peace: spirits are for ghosts, and guards and markers stand
// nowhere.
func living(d *defs.World) (entries []uint32) {
	for i := range d.Creatures {
		if c := &d.Creatures[i]; c.NPCFlags&(components.NPCSpiritHealer|components.NPCSpiritGuide) == 0 && c.ReactState != defs.Guard && c.Entry != d.Marker {
			entries = append(entries, c.Entry)
		}
	}
	return entries
}

// blockBytes is a relayed heartbeat with its header.
//
// Source: protocol.md 4.3.
const blockBytes = 44

// A flat is the floor of a tick: positions and velocities in two slices, and one block per heartbeat.
type flat struct {
	positions, velocities [][4]float32
	beats                 int // per tick
	next                  int // the walker that sends the next
	blocks                [][blockBytes]byte
	out                   []byte
}

func newFlat(entities, beats int) *flat {
	f := &flat{
		positions: make([][4]float32, entities), velocities: make([][4]float32, entities), beats: beats,
		blocks: make([][blockBytes]byte, entities), out: make([]byte, 0, beats*blockBytes),
	}
	for i := range f.velocities {
		f.velocities[i] = [4]float32{7, float32(i % 7), 0, 0}
	}
	return f
}

// step moves all and writes the heartbeats of a tick.
func (f *flat) step() {
	const dt = float32(tickMs) / 1000
	for i := range f.positions {
		p, v := &f.positions[i], &f.velocities[i]
		for k := range p {
			p[k] += float32(v[k] * dt)
		}
	}
	f.out = f.out[:0]
	for range f.beats {
		block, p := &f.blocks[f.next], &f.positions[f.next]
		for k := range p {
			binary.LittleEndian.PutUint32(block[blockBytes-24+4*k:], math.Float32bits(p[k]))
		}
		f.out = append(f.out, block[:]...)
		f.next = (f.next + 1) % len(f.blocks)
	}
}

func (f *flat) measure(ticks int) (p50, p99 float64) {
	t := timing{ticks: make([]float64, ticks)}
	for i := range t.ticks {
		start := time.Now()
		f.step()
		t.ticks[i] = micros(time.Since(start))
	}
	t.sort()
	return t.percentile(50), t.percentile(99)
}
