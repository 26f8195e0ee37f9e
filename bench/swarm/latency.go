package swarm

import (
	"iter"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// longest is what the histograms reach: ten minutes.
const longest = 10 * time.Minute

// newHistogram counts durations in microseconds, to three significant digits.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, longest.Microseconds(), 3)
}

// record counts a duration. What is longer than the histogram reaches is counted as its longest.
func record(h *hdrhistogram.Histogram, d time.Duration) { recordTimes(h, d, 1) }

// recordTimes counts a duration n times.
func recordTimes(h *hdrhistogram.Histogram, d time.Duration, n int64) {
	_ = h.RecordValues(max(min(d.Microseconds(), h.HighestTrackableValue()), 0), n) // clamped: it cannot be out of range
}

// A trail is the last positions a mover has sent for the first time, each with the moment it was due. A relay is
// matched by opcode and the exact bits of x and y: a server passes both on, whatever it does to the rest.
//
// Heartbeats and stops are entered; a start or a turn repeats the position of the stop before it. A relay that never
// comes (a server may supersede a heartbeat with a later one) costs nothing, once a later one has come. One that comes
// so late that its mark is gone is not forgotten: see run.relayed. Neither is one that is still to come at the end: see
// run.settle.
type trail struct {
	marks [trailLength]mark
	next  uint8

	// shown is when the newest move was due that some client has been shown, or when some client was shown the mover
	// itself: no client waits for what was due until then.
	shown moment
}

// trailLength is how many marks are kept: half a minute of heartbeats.
const trailLength = 64

type mark struct {
	x, y uint32 // bits of the float32
	op   uint16
	due  moment
}

func (t *trail) add(op uint16, x, y float32, due moment) {
	t.marks[t.next%trailLength] = mark{math.Float32bits(x), math.Float32bits(y), op, due}
	t.next++
}

// find is the moment at which the move was due; ok is false for one that is not in the trail.
func (t *trail) find(op uint16, x, y float32) (due moment, ok bool) {
	xBits, yBits := math.Float32bits(x), math.Float32bits(y)
	for i := range uint8(trailLength) {
		m := &t.marks[(t.next-1-i)%trailLength]
		if m.x == xBits && m.y == yBits && m.op == op {
			return m.due, true
		}
	}
	return 0, false
}

// waiting yields when the moves were due that no client has been sent, of those due at from or later; from is not 0.
func (t *trail) waiting(from moment) iter.Seq[moment] {
	return func(yield func(moment) bool) {
		for i := range t.marks {
			if due := t.marks[i].due; due >= from && due > t.shown && !yield(due) {
				return
			}
		}
	}
}
