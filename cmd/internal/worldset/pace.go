package worldset

import (
	"context"
	"runtime"
	"syscall"
	"time"

	"muster/sched/ladder"
)

// KeptTime is for how long a frame is kept for clients that lag.
const KeptTime = 4 * time.Second

// LongestStep is the longest step of the worlds, within which a tick is in time.
func (r *Set) LongestStep() time.Duration {
	return time.Duration(r.Pacer.Rungs.Longest()) * r.Pacer.Rungs.Quantum
}

// Pace chooses steps and phases until ctx is done. spent adds what is spent on flushes.
func (r *Set) Pace(ctx context.Context, spent func(*ladder.Sample)) {
	l := &ladder.Ladder{Rungs: r.Pacer.Rungs, Budget: r.Flags.CPUBudget, Procs: runtime.GOMAXPROCS(0)}
	r.Pacer.Run(ctx, l, func(s *ladder.Sample) { r.sample(s, spent) }, func(from, to ladder.Rung) {
		r.Log.Info("the step follows the load", "from", l.Rungs.Name(from), "to", l.Rungs.Name(to))
	})
}

// sample is what the process has spent so far. It also looks after the load of scripts.
func (r *Set) sample(s *ladder.Sample, spent func(*ladder.Sample)) {
	s.Processor = processorTime()
	s.Worlds, s.Behind = s.Worlds[:0], s.Behind[:0]
	for _, p := range r.TickStats {
		s.Worlds, s.Behind = append(s.Worlds, p.Spent()), append(s.Behind, time.Duration(p.Behind.Load()))
	}
	spent(s)
	r.scripts.look(time.Now(), r.Metric, r.Log)
}

// processorTime is what the process has taken of the processor, in user mode and in the kernel.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
