package bench

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"muster/loaders/synth"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
	"muster/systems"
)

// BenchmarkSnapshot measures for how long a world stands still for a snapshot, with room that was made before, and the processor time that
// the snapshot takes in all, as a state in parts that can be written, and that for making an object of it, to be put into an object store. An operation is a snapshot; those after the first are 20 ticks apart. The last world has
// 100,000 entities awake, within 100.
func BenchmarkSnapshot(b *testing.B) {
	for _, c := range []struct{ players, creatures int }{{500, 10_000}, {3_500, 20_000}, {500, 100_000}, {10_000, 20_000}, {10_000, 404_800}} {
		b.Run(fmt.Sprintf("players=%d/creatures=%d", c.players, c.creatures), func(b *testing.B) {
			d, err := synth.New(synth.Config{Creatures: c.creatures})
			if err != nil {
				b.Fatal(err)
			}
			k := newKept(d, c.players, false)
			w := k.live.World
			room := recording.NewRoom()
			size, packedSize := 0, int64(0)
			take := func() (copied, all, packed span) {
				k.measure(20, new(toll))
				room.Need(w.SnapshotBytes())
				room.Made()
				b.StartTimer()
				began := startSpan()
				state, parts, err := w.CopySnapshot(room.Take())
				if err != nil {
					b.Fatal(err)
				}
				copied = began.passed()
				pieces, err := parts()
				if err != nil {
					b.Fatal(err)
				}
				all = began.passed()
				b.StopTimer()
				began = startSpan()
				object, err := new(streamlog.Snapshot).Reader(pieces)
				if err != nil {
					b.Fatal(err)
				}
				packed = began.passed()
				if packedSize, err = io.Copy(io.Discard, object); err != nil {
					b.Fatal(err)
				}
				room.Return(state)
				size = 0
				for _, piece := range pieces {
					size += len(piece)
				}
				return copied, all, packed
			}
			k.measure(80, new(toll))                     // until every buffer has met its fullest tick
			if err := w.PrepareSnapshots(); err != nil { // as a process does that begins with a world
				b.Fatal(err)
			}
			firstCopied, first, _ := take()
			var paused, copying, whole, packing []float64
			b.ReportAllocs()
			b.ResetTimer()
			b.StartTimer()
			for b.Loop() {
				b.StopTimer()
				copied, all, packed := take()
				paused, copying, whole = append(paused, ms(copied.wall)), append(copying, ms(copied.processor)), append(whole, ms(all.processor))
				packing = append(packing, ms(packed.processor))
				b.StartTimer()
			}
			for _, figures := range [][]float64{paused, copying, whole, packing} {
				slices.Sort(figures)
			}
			middle := len(paused) / 2
			b.ReportMetric(paused[middle], "ms-paused/op")
			b.ReportMetric(paused[0], "ms-paused-least")
			b.ReportMetric(ms(firstCopied.wall), "ms-paused-first")
			b.ReportMetric(copying[middle], "ms-processor-paused/op")
			b.ReportMetric(whole[middle], "ms-processor/op")
			b.ReportMetric(whole[0], "ms-processor-least")
			b.ReportMetric(ms(first.processor), "ms-processor-first")
			b.ReportMetric(packing[middle], "ms-processor-packed/op")
			b.ReportMetric(float64(size)/1e6, "MB/op")
			b.ReportMetric(float64(packedSize)/1e6, "MB-packed/op")
			b.ReportMetric(float64(w.Load().Awake), "awake")
		})
	}
}

// A span is time that has passed, and processor time of all threads of the process in it.
type span struct{ wall, processor time.Duration }

func (s *span) add(other span) { s.wall, s.processor = s.wall+other.wall, s.processor+other.processor }

// A moment is when a span begins.
type moment struct {
	at        time.Time
	processor time.Duration
}

func startSpan() moment { return moment{time.Now(), processTime()} }

func (m moment) passed() span { return span{time.Since(m.at), processTime() - m.processor} }

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// BenchmarkRestore measures what it takes to restore a world from a snapshot, and to run what follows of its log again: 60 s of a world of 100,000 creatures
// of which some 2,000 are awake, and a second of one with 100,000 entities awake.
func BenchmarkRestore(b *testing.B) {
	for _, c := range []struct{ players, creatures, seconds int }{{500, 100_000, 60}, {10_000, 404_800, 1}} {
		b.Run(fmt.Sprintf("players=%d/creatures=%d/seconds=%d", c.players, c.creatures, c.seconds), func(b *testing.B) {
			benchmarkRestore(b, c.players, c.creatures, c.seconds*1000/tickMs)
		})
	}
}

func benchmarkRestore(b *testing.B, players, creatures, ticks int) {
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		b.Fatal(err)
	}
	k := newKept(d, players, false)
	k.measure(100, new(toll))
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
	var restored, caughtUp span
	for b.Loop() {
		w := systems.New(systems.Config{Defs: d, Map: d.Map(d.Hubs[0].Map), Seed: 1})
		began := startSpan()
		if err := w.Restore(state); err != nil {
			b.Fatal(err)
		}
		restored.add(began.passed())
		began = startSpan()
		var f frame.Frame
		for _, r := range log {
			if err := w.Inbox().UnmarshalBinary(r.inbox); err != nil {
				b.Fatal(err)
			}
			w.Tick(r.n, &f)
		}
		caughtUp.add(began.passed())
		if w.Hash() != k.live.World.Hash() {
			b.Fatal("it is another world")
		}
	}
	n := float64(b.N)
	b.ReportMetric(ms(restored.wall)/n, "ms-restore/op")
	b.ReportMetric(ms(restored.processor)/n, "ms-processor-restore/op")
	b.ReportMetric(ms(caughtUp.wall)/n, "ms-catch-up/op")
	b.ReportMetric(ms(caughtUp.processor)/n, "ms-processor-catch-up/op")
	b.ReportMetric(float64(len(log)), "ticks")
	b.ReportMetric(float64(k.live.World.Load().Awake), "awake")
}
