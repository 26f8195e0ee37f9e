package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"muster/bench/fightscene"
	"muster/bench/naive"
	"muster/components"
	"muster/ecs/grid"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
)

// encode measures the cost of sending all observers a change of each of the creatures around.
func encode(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	observers, ticks, repetitions := 10_000, 10, 5
	if c.Quick {
		observers, ticks, repetitions = 1_000, 10, 3
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	once, anew := newEncoding(observers), newReencoding(observers)
	for _, shares := range []bool{true, false} {
		anew.world.List(shares)
		if err := sameChanges(once, anew); err != nil {
			return "", 0, err
		}
	}
	for range 2 * ringRounds {
		once.run(nil)
	}
	runtime.GC()
	pairs := float64(observers * fightscene.PerHub)
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		mine := took(ticks, func() { once.run(nil) }) / pairs
		theirs := tookBy(processTime, 1, func() { anew.run(nil) }) / pairs
		anew.world.List(true)
		shared := tookBy(processTime, 1, func() { anew.run(nil) }) / pairs
		anew.world.List(false)
		allocated, _ := allocations(func() { once.run(nil) })
		s.put("encode and fan out, a pair", "ns", mine).beside("encoded for each observer", theirs).times(60, 200)
		s.put("encode and fan out, a pair, second baseline", "ns", mine).beside("encoded for each class of observers", shared).atLeast(30, OfTimes)
		s.put("encode and fan out, a tick", "µs", mine*pairs/1000)
		s.put("allocations per tick", "", allocated).gate(0, OfMedian)
	}
	return fmt.Sprintf("%s observers, %d to a place, each see %d creatures there; health and mana of all of them change in every tick. "+
		"Ours compares dirty components with what was sent last, writes each change once, sorts it into its cell, "+
		"builds the frame, and replays it for each observer. The baseline is that of fights: for each observer it "+
		"compares each field of each creature and encodes what has changed into fresh memory. The second "+
		"one encodes once for each class of observers, as AzerothCore does today, and copies that for each. None computes "+
		"visibility, encrypts or compresses. All send the same values, which is compared before anything is measured. "+
		"Times are those of the thread; to the baseline that of the garbage collector is added.",
		number(float64(observers)), fightscene.PerHub, fightscene.PerHub), repetitions, nil
}

// A receiver gets the packets of one observer in a tick, which are valid until it returns.
type receiver func(observer int, packets []byte)

// values are those of the tick: they change every time, and not what follows from them.
func values(tick uint64) (health, mana uint32) {
	return 900_000 + uint32(tick%1000), 500 + uint32(tick%100)
}

// An encoding is observers and creatures of ours: what fanout and the gateway do, without a world around it.
type encoding struct {
	layout  *update.Layout
	bodies  []body
	homes   []grid.Cell
	draft   frame.Builder
	port    *frame.Exchange
	replay  frame.Replayer
	cursors []frame.Cursor
	tick    uint64
	out     []byte
	scratch []byte
}

// A body is the components of a creature that clients are sent.
type body struct {
	object components.Object
	vitals components.Vitals
	unit   components.Unit
	stance components.Stance
	target components.Target
	words  update.Words
	image  []uint32
}

func newEncoding(observers int) *encoding {
	t := &encoding{
		layout: update.NewLayout(wire.V12340, update.Creature, components.CreatureParts()...),
		bodies: make([]body, observers), port: frame.NewExchange(), cursors: make([]frame.Cursor, observers),
	}
	for i := range t.bodies {
		b := &t.bodies[i]
		b.object.GUID = fightscene.Foe(i)
		b.vitals.MaxHealth = 1_000_000
		b.words[0], b.words[1], b.words[2] = components.Words(&b.object), components.Words(&b.vitals), components.Words(&b.unit)
		b.words[3], b.words[4] = components.Words(&b.stance), components.Words(&b.target)
		b.image = make([]uint32, t.layout.ImageWords())
		hub := i / fightscene.PerHub
		home := grid.At(float32(hub%100*hubYards), float32(hub/100*hubYards), grid.Living)
		t.homes = append(t.homes, home)
		t.cursors[i] = frame.Cursor{Session: uint32(i), GUID: fightscene.Player(i), View: grid.ViewFrom(home)}
	}
	return t
}

// run changes all creatures, and writes the changes.
func (t *encoding) run(visit receiver) {
	t.tick++
	d := &t.draft
	health, mana := values(t.tick)
	for i := range t.bodies {
		b := &t.bodies[i]
		b.vitals.Health, b.vitals.Power[components.PowerMana] = health, mana
		t.scratch, _ = t.layout.Delta(t.scratch[:0], b.object.GUID, &b.words, components.DirtyVitals, b.image)
		d.Bytes = frame.AppendBlock(d.Bytes, t.scratch)
		d.AddDelta(t.homes[i], frame.Values, d.Cut())
	}
	f := t.port.Write()
	d.Build(f, t.tick)
	t.port.Publish(f)
	var w frame.Window
	w.Open(t.port)
	defer w.Close()
	for i := range t.cursors {
		t.out, _ = t.replay.Replay(t.out[:0], &w, &t.cursors[i])
		if visit != nil {
			visit(i, t.out)
		}
	}
}

// A reencoding is the same among objects.
type reencoding struct {
	world   *naive.World
	circles []*naive.Circle
	tick    uint64
}

func newReencoding(observers int) *reencoding {
	b := fightscene.New(observers)
	w := naive.New(b.Defs, &b.Defs.Maps[0], 1)
	w.Quiet = true // they come in in silence
	b.Say(1, w.Receive)
	w.Tick(sched.Tick{N: 1, NowMs: tickMs, Quantum: step})
	w.Quiet = false
	r := &reencoding{world: w}
	for first := 0; first < observers; first += fightscene.PerHub {
		var sessions []uint32
		var guids []uint64
		for i := first; i < first+fightscene.PerHub; i++ {
			sessions, guids = append(sessions, uint32(i)), append(guids, fightscene.Foe(i))
		}
		r.circles = append(r.circles, w.Circle(sessions, guids))
	}
	return r
}

func (r *reencoding) run(visit receiver) {
	r.tick++
	health, mana := values(r.tick)
	for k, c := range r.circles {
		c.Resend(health, mana, func(player int, packets []byte) {
			if visit != nil {
				visit(k*fightscene.PerHub+player, packets)
			}
		})
	}
}

// sameChanges reports whether both send every observer the same of the same creatures, in their second tick.
func sameChanges(once *encoding, anew *reencoding) error {
	once.run(nil)
	anew.run(nil)
	var all []map[uint64][]update.Field
	once.run(func(_ int, packets []byte) { all = append(all, changes(packets)) })
	var err error
	anew.run(func(i int, packets []byte) {
		got, want := all[i], changes(packets)
		if len(got) != fightscene.PerHub || len(want) != len(got) {
			err = fmt.Errorf("observer %d is sent %d creatures, and %d by the baseline", i, len(got), len(want))
		}
		for guid, fields := range want {
			if !slices.Equal(got[guid], fields) {
				err = fmt.Errorf("observer %d is sent %v of %#x, and %v by the baseline", i, got[guid], guid, fields)
			}
		}
	})
	return err
}

// changes are the values in packets, by GUID.
func changes(packets []byte) map[uint64][]update.Field {
	changed := make(map[uint64][]update.Field)
	for len(packets) > 0 {
		_, payload, header, _ := wire.ServerHeader(packets)
		err := update.Parse(packets[header:header+payload], func(b *update.Block) error {
			changed[b.GUID] = slices.Clone(b.Fields)
			return nil
		})
		if err != nil {
			return nil
		}
		packets = packets[header+payload:]
	}
	return changed
}
