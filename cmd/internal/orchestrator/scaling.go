package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/internal/scaler"
	"muster/loaders/registry"
)

// scaleFlags say what starts workers.
type scaleFlags struct {
	ScaleExec       string `placeholder:"COMMAND" help:"Have workers started by a command, which is called with their number when that is to change: a program and its arguments, with spaces between them."`
	ScaleKubernetes string `placeholder:"WORKLOAD" help:"Have them started by Kubernetes, in which this is a pod: NAMESPACE/deployments/NAME, or statefulsets."`
	Spawned         bool   `hidden:"" help:"What has started this process starts workers, and has so many run as muster ctl cluster scale says: muster cluster."`
	Spares          int    `default:"0" placeholder:"N" help:"Have so many more workers than muster ctl cluster scale says, so that the others have room when some end (${default})."`
}

// check refuses what cannot be meant.
func (f *scaleFlags) check(spawn int) error {
	ways := 0
	for _, given := range []bool{f.ScaleExec != "", f.ScaleKubernetes != "", spawn > 0, f.Spawned} {
		if given {
			ways++
		}
	}
	switch {
	case ways > 1:
		return errors.New("--spawn, --scale-exec and --scale-kubernetes exclude each other")
	case f.Spares < 0 || f.Spares > MaxSpawn:
		return fmt.Errorf("--spares is from 0 to %d, not %d", MaxSpawn, f.Spares)
	case f.Spares > 0 && ways == 0:
		return errors.New("--spares needs --spawn, --scale-exec or --scale-kubernetes")
	case f.ScaleExec != "" && len(strings.Fields(f.ScaleExec)) == 0:
		return errors.New("--scale-exec names no program")
	}
	if f.ScaleKubernetes != "" {
		if err := scaler.CheckWorkload(f.ScaleKubernetes); err != nil {
			return errors.New("--scale-kubernetes: " + err.Error())
		}
	}
	return nil
}

// scaler is what starts workers elsewhere, nil if nothing does.
func (f *scaleFlags) scaler() (scaler.Scaler, error) {
	switch {
	case f.ScaleExec != "":
		return &scaler.Exec{Command: strings.Fields(f.ScaleExec)}, nil
	case f.ScaleKubernetes != "":
		return scaler.NewKubernetes(scaler.KubernetesConfig{Workload: f.ScaleKubernetes, Environ: os.Getenv})
	}
	return nil, nil
}

const (
	MaxSpawn   = 64               // workers that a process starts on its machine, our own choice
	scaleEvery = time.Second      // how often a leader looks how many workers there are to be
	scaleAgain = 30 * time.Second // after which a scaler is called again while there are fewer
	retireTime = 20 * time.Second // for the worlds of a worker that is not wanted any more to be given to others
)

// A Scaling has so many workers run as an operator wants. One goroutine calls Spawn and Follow.
type Scaling struct {
	Registry *registry.Registry
	Realm    string
	Log      *slog.Logger
	spares   int
	by       scaler.Scaler // nil: this process starts them
	// Run starts the n-th worker on this machine, from 1, and starts it again, until ctx ends.
	Run func(ctx context.Context, n int, started func(*process.Child)) error

	looked  time.Time
	told    int // what the scaler was called with last
	toldAt  time.Time
	calling atomic.Bool
	running sync.WaitGroup

	mu      sync.Mutex
	spawned []*spawned
	next    int
	failed  []error
}

// A spawned is a worker that this process has started.
type spawned struct {
	end      context.CancelFunc
	pid      int
	retiring bool // it ends when its worlds are others'
}

// Spawn starts workers on this machine, until ctx ends.
func (s *Scaling) Spawn(ctx context.Context, workers int) {
	for range workers {
		ctx, end := context.WithCancel(ctx)
		w := &spawned{end: end}
		s.mu.Lock()
		s.next++
		n := s.next
		s.spawned = append(s.spawned, w)
		s.mu.Unlock()
		s.running.Go(func() {
			defer end()
			err := s.Run(ctx, n, func(p *process.Child) {
				s.mu.Lock()
				defer s.mu.Unlock()
				w.pid = p.Cmd.Process.Pid
			})
			s.mu.Lock()
			defer s.mu.Unlock()
			s.failed = append(s.failed, err)
			s.spawned = slices.DeleteFunc(s.spawned, func(o *spawned) bool { return o == w })
		})
	}
}

// Wait waits for all that this process has started, and returns which did not end in order.
func (s *Scaling) Wait() error {
	s.running.Wait()
	return errors.Join(s.failed...)
}

// Follow looks, now and then, how many workers there are to be, and has them started or ended. What fails is logged, and tried again.
func (s *Scaling) Follow(ctx context.Context) {
	if time.Since(s.looked) < scaleEvery {
		return
	}
	s.looked = time.Now()
	asking, cancel := context.WithTimeout(ctx, scaleEvery)
	defer cancel()
	n, ok, err := s.Registry.Scale(asking, s.Realm)
	if err != nil || !ok {
		return // the leader notices that the registry is away
	}
	processes, err := s.Registry.Processes(asking, s.Realm)
	if err != nil {
		return
	}
	workers := slices.DeleteFunc(processes, func(p registry.Process) bool { return p.Role != registry.RoleWorker })
	if s.by == nil {
		s.resize(ctx, n+s.spares, workers)
		return
	}
	there := 0
	for _, p := range workers {
		if !p.Draining {
			there++
		}
	}
	s.call(ctx, n+s.spares, there)
}

// call has the scaler called, beside the caller, if it was not told that number, or there are still fewer after a while.
func (s *Scaling) call(ctx context.Context, n, there int) {
	if n == s.told && (there >= n || time.Since(s.toldAt) < scaleAgain) || !s.calling.CompareAndSwap(false, true) {
		return
	}
	s.told, s.toldAt = n, time.Now()
	s.Log.Info("workers are wanted", "workers", n, "there", there)
	s.running.Go(func() {
		defer s.calling.Store(false)
		if err := s.by.Scale(ctx, n); err != nil {
			s.Log.Error("workers are not scaled, which is tried again", "workers", n, "err", err)
		}
	})
}

// resize starts and ends workers on this machine, of which there are to be so many together with those of others. One that drains is none of them.
func (s *Scaling) resize(ctx context.Context, n int, workers []registry.Process) {
	s.mu.Lock()
	here, others := membership.Hostname(), 0
	draining := make(map[int]bool)
	for _, p := range workers {
		switch mine := p.Host == here && slices.ContainsFunc(s.spawned, func(w *spawned) bool { return w.pid == p.PID }); {
		case mine:
			draining[p.PID] = p.Draining
		case !p.Draining:
			others++
		}
	}
	var own []*spawned
	for _, w := range s.spawned {
		if !w.retiring && !draining[w.pid] {
			own = append(own, w)
		}
	}
	want := min(max(n-others, 0), MaxSpawn-(len(s.spawned)-len(own)))
	surplus := make(map[*spawned]int) // its process; another one later is not asked to end
	for len(own)-len(surplus) > want {
		w := own[len(own)-1-len(surplus)]
		w.retiring = true
		surplus[w] = w.pid
	}
	s.mu.Unlock()
	if want != len(own) {
		s.Log.Info("workers are wanted", "workers", n, "here", want, "were", len(own))
	}
	s.Spawn(ctx, want-len(own))
	for w, pid := range surplus {
		s.running.Go(func() { s.retire(ctx, w, pid) })
	}
}

// retire ends a worker once its worlds are given to others, or after a time.
func (s *Scaling) retire(ctx context.Context, w *spawned, pid int) {
	defer w.end()
	ctx, cancel := context.WithTimeout(ctx, retireTime)
	defer cancel()
	processes, err := s.Registry.Processes(ctx, s.Realm)
	i := slices.IndexFunc(processes, func(p registry.Process) bool { return p.Host == membership.Hostname() && p.PID == pid })
	if err != nil || i < 0 {
		return
	}
	if _, err := s.Registry.End(ctx, s.Realm, processes[i].ID); err != nil {
		return
	}
	look := time.NewTicker(membership.ReportEvery)
	defer look.Stop()
	for {
		shards, err := s.Registry.Shards(ctx, s.Realm)
		if err == nil && !slices.ContainsFunc(shards, func(o registry.Shard) bool { return o.Worker == processes[i].ID }) {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}
