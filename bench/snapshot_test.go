package bench

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/loaders/synth"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/systems"
)

// BenchmarkSnapshot measures for how long a world stands still for a snapshot, with room that was made before, and what
// the snapshot takes in all. An operation is a snapshot; those after the first are 20 ticks apart.
func BenchmarkSnapshot(b *testing.B) {
	for _, c := range []struct{ players, creatures int }{{500, 10_000}, {3_500, 20_000}, {500, 100_000}, {10_000, 20_000}, {10_000, 200_000}} {
		b.Run(fmt.Sprintf("players=%d/creatures=%d", c.players, c.creatures), func(b *testing.B) {
			d, err := synth.New(synth.Config{Creatures: c.creatures})
			if err != nil {
				b.Fatal(err)
			}
			k := newKept(d, c.players, false)
			w := k.live.World
			room := recording.NewRoom()
			var pauses []time.Duration
			var finished, copying, whole time.Duration // the latter two of all processors
			var state []byte
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				if err := inTurn(context.Background(), []*kept{k}, 20, 1, func([]toll, float64) {}); err != nil {
					b.Fatal(err)
				}
				room.Need(w.SnapshotBytes())
				room.Made()
				b.StartTimer()
				began, beganCPU := time.Now(), processTime()
				var finish func() error
				if state, finish, err = w.CopySnapshot(room.Take()); err != nil {
					b.Fatal(err)
				}
				copied, copiedCPU := time.Now(), processTime()
				if err := finish(); err != nil {
					b.Fatal(err)
				}
				pauses, finished = append(pauses, copied.Sub(began)), finished+time.Since(copied)
				copying, whole = copying+copiedCPU-beganCPU, whole+processTime()-beganCPU
				room.Return(state)
			}
			slices.Sort(pauses)
			ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
			b.ReportMetric(ms(pauses[len(pauses)/2]), "ms-paused/op")
			b.ReportMetric(ms(pauses[0]), "ms-paused-least")
			b.ReportMetric(ms(finished)/float64(len(pauses)), "ms-beside/op")
			b.ReportMetric(ms(copying)/float64(len(pauses)), "ms-processor-paused/op")
			b.ReportMetric(ms(whole)/float64(len(pauses)), "ms-processor/op")
			b.ReportMetric(float64(len(state))/1e6, "MB/op")
			b.ReportMetric(float64(w.Load().Awake), "awake")
		})
	}
}

// BenchmarkRestore measures what it takes to restore a world from a snapshot, and to run 60 s of its log again.
func BenchmarkRestore(b *testing.B) {
	const players, creatures, ticks = 500, 100_000, 60_000 / tickMs
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		b.Fatal(err)
	}
	k := newKept(d, players, false)
	if err := inTurn(context.Background(), []*kept{k}, 20, 1, func([]toll, float64) {}); err != nil {
		b.Fatal(err)
	}
	state, err := k.live.World.AppendSnapshot(nil)
	if err != nil {
		b.Fatal(err)
	}
	type read struct {
		n     uint64
		inbox []byte
	}
	var log []read
	k.live.Heard = func(n uint64, in *frame.Inbox) {
		inbox, err := in.AppendBinary(nil)
		if err != nil {
			b.Fatal(err)
		}
		log = append(log, read{n, inbox})
	}
	k.measure(ticks, new(toll))
	var restored, caughtUp time.Duration
	for b.Loop() {
		w := systems.New(systems.Config{Defs: d, Map: d.Map(d.Hubs[0].Map), Seed: 1})
		began := time.Now()
		if err := w.Restore(state); err != nil {
			b.Fatal(err)
		}
		restored += time.Since(began)
		began = time.Now()
		var f frame.Frame
		for _, r := range log {
			if err := w.Inbox().UnmarshalBinary(r.inbox); err != nil {
				b.Fatal(err)
			}
			w.Tick(r.n, &f)
		}
		caughtUp += time.Since(began)
		if w.Hash() != k.live.World.Hash() {
			b.Fatal("it is another world")
		}
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
	b.ReportMetric(ms(restored), "ms-restore/op")
	b.ReportMetric(ms(caughtUp), "ms-catch-up/op")
	b.ReportMetric(float64(len(log)), "ticks")
}
