package gateway

import "time"

const (
	// mostPhases is how seldom players are flushed at most when it is too much work: every 250 ms at the default
	// step. Source: the crowd of performance.md 6.2.
	mostPhases = 5

	// flushRateTicks is how long a flushRate measures before it decides: a second at the default step.
	flushRateTicks = 20
	// tooMuch is the share of the time that flushing may take. More leaves nothing for the sockets, and for the worlds
	// where they have the same core.
	tooMuch = 0.90
	// enough is the share that it may take after a step back, computed as if fewer bytes in a flush made it no cheaper.
	// The distance between the two keeps the rate from oscillating. 10,000 players take 70 % of a core: performance.md
	// 0.
	enough = 0.80
	// calmSpells is how many times in a row there must be enough before a step back.
	calmSpells = 5
)

// A flushRate decides every how many ticks a loop flushes each of its players: as often as configured, and less often by
// a tick at a time while flushing takes too much of the loop's time. A cursor that waits longer loses nothing: its next
// flush has all the frames since. What must not wait for a phase does not wait for this one either.
type flushRate struct {
	least, most int // phases
	phases      int

	ticks uint64 // since it judged last
	spent time.Duration
	calm  int // judgements in a row that a step back would do
}

func newFlushRate(phases int) flushRate {
	return flushRate{least: phases, most: max(phases, mostPhases), phases: phases}
}

// note records that a flush of so many ticks took so long, and returns how the phases change: by 1, 0 or -1.
func (t *flushRate) note(ticks uint64, spent, step time.Duration) (change int) {
	t.ticks += ticks
	t.spent += spent
	if t.ticks < flushRateTicks {
		return 0
	}
	share := float64(t.spent) / float64(t.ticks) / float64(step)
	t.ticks, t.spent = 0, 0
	back := share * float64(t.phases) / float64(t.phases-1) // with one phase less
	switch {
	case share > tooMuch && t.phases < t.most:
		change = 1
	case t.phases > t.least && back < enough:
		if t.calm++; t.calm < calmSpells {
			return 0
		}
		change = -1
	}
	t.calm = 0
	t.phases += change
	return change
}
