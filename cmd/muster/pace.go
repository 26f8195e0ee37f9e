package main

import (
	"context"
	"runtime"
	"syscall"
	"time"

	"muster/sched/ladder"
)

// defaultStep is the step by a virtual clock: with it, what a server takes says nothing.
const defaultStep = 50 * time.Millisecond

// keptTime is for how long a frame is kept for clients that lag.
const keptTime = 4 * time.Second

// rungs are the steps and phases that the flags allow.
func (v *worldFlags) rungs() ladder.Rungs {
	if v.Clock == "virtual" && v.Tick == 0 {
		return ladder.New(defaultStep, max(v.Phases, 2))
	}
	return ladder.New(v.Tick, v.Phases)
}

// longestStep is the longest step of the worlds, within which a tick is in time.
func (r *worldSet) longestStep() time.Duration {
	return time.Duration(r.pacer.Rungs.Longest()) * r.pacer.Rungs.Unit
}

// pace chooses steps and phases until ctx is done. spent adds what is spent on flushes.
func (r *worldSet) pace(ctx context.Context, spent func(*ladder.Sample)) {
	l := &ladder.Ladder{Rungs: r.pacer.Rungs, Budget: r.flags.CPUBudget, Procs: runtime.GOMAXPROCS(0)}
	r.pacer.Run(ctx, l, func(s *ladder.Sample) { r.sample(s, spent) }, func(from, to ladder.Rung) {
		r.log.Info("the step follows the load", "from", l.Rungs.Name(from), "to", l.Rungs.Name(to))
	})
}

// sample is what the process has spent so far. It also looks after the load of scripts.
func (r *worldSet) sample(s *ladder.Sample, spent func(*ladder.Sample)) {
	s.Processor = processorTime()
	s.Worlds, s.Behind = s.Worlds[:0], s.Behind[:0]
	for _, p := range r.tickStats {
		s.Worlds, s.Behind = append(s.Worlds, p.Spent()), append(s.Behind, time.Duration(p.Behind.Load()))
	}
	spent(s)
	r.scripts.look(time.Now(), r.metric, r.log)
}

// processorTime is what the process has taken of the processor, in user mode and in the kernel.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
