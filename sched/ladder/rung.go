// Package ladder chooses how long a step is, and how many steps a player waits for its next flush, from what both cost: short
// ones while the processor is idle, for then a wait is latency without a reason, and long ones under load.
package ladder

import (
	"fmt"
	"time"
)

// A Rung is one choice.
type Rung struct {
	Stride uint64 // quanta of time in a step
	Phases int    // steps in which each player is flushed once
}

// period is the number of quanta from one flush of a player to the next.
func (r Rung) period() float64 { return float64(r.Stride) * float64(r.Phases) }

// Quantum is the shortest step of a ladder that is not pinned. All its steps are multiples of it.
const Quantum = 5 * time.Millisecond

// DividedQuantum is Quantum of worlds and gateways that are processes of their own. Each step is a message to each gateway, so that it is longer than that of one
// process: about as long as leaves both the processor time of all roles and the latency within what docs/bench/cluster.md asks for beside one process, with 1,000 clients.
// A shorter one costs more of the first, a longer one more of the second: ADR 23 has readings.
const DividedQuantum = 7 * time.Millisecond

// Rungs are the choices of a server, from the shortest time between two flushes to the longest.
type Rungs struct {
	Quantum time.Duration
	All     []Rung
	// Base is the first rung that is always affordable; those before it are taken only within the budget.
	Base int
}

// basePeriod is the time between two flushes of a player that is always affordable, our own choice: two steps of 50 ms,
// with which 10,000 players take two thirds of a core (docs/bench/s9.md).
const basePeriod = 100 * time.Millisecond

// moreSteps is how many steps longer players wait at most, under overload.
const moreSteps = 8

// New returns the rungs for a step and a number of phases, of which 0 leaves the choice to the ladder. Under overload
// players wait for more steps than were asked for.
func New(step time.Duration, phases int) Rungs {
	if step == 0 {
		return newRungs(Quantum, []uint64{1, 2, 5, 10}, phases)
	}
	return newRungs(step, []uint64{1}, phases)
}

// NewDivided is New for a world and its gateways that are processes of their own, each of which chooses: the step is 7, 14, 28 or 56 ms, unless it is pinned.
func NewDivided(step time.Duration, phases int) Rungs {
	if step == 0 {
		return newRungs(DividedQuantum, []uint64{1, 2, 4, 8}, phases)
	}
	return New(step, phases)
}

// newRungs has a choice of steps if there is more than one stride.
func newRungs(quantum time.Duration, strides []uint64, phases int) Rungs {
	r := Rungs{Quantum: quantum}
	if phases == 0 {
		r.All, phases = []Rung{{1, 1}}, 2
	} else if len(strides) == 1 {
		strides = nil // nothing is left to choose
		r.All = []Rung{{1, phases}}
	}
	for _, s := range strides {
		r.All = append(r.All, Rung{s, phases})
	}
	longest := r.All[len(r.All)-1]
	for more := range moreSteps {
		r.All = append(r.All, Rung{longest.Stride, longest.Phases + 1 + more})
	}
	for len(strides) > 0 && r.Base < len(r.All)-1 && (r.Period(r.All[r.Base]) < basePeriod || r.All[r.Base].Stride < longest.Stride) {
		r.Base++
	}
	return r
}

// Step is how long a step of a rung is.
func (r *Rungs) Step(rung Rung) time.Duration { return time.Duration(rung.Stride) * r.Quantum }

// Period is the time between two flushes of a player.
func (r *Rungs) Period(rung Rung) time.Duration {
	return time.Duration(rung.Stride) * time.Duration(rung.Phases) * r.Quantum
}

// Longest is the longest step, in quanta.
func (r *Rungs) Longest() (quanta uint64) {
	for _, rung := range r.All {
		quanta = max(quanta, rung.Stride)
	}
	return quanta
}

// Name names a rung in metrics and logs, as in "10ms/2": the step, and how many of them are between two flushes.
func (r *Rungs) Name(rung Rung) string { return fmt.Sprintf("%v/%d", r.Step(rung), rung.Phases) }
