package realm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"muster/cmd/internal/listener"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
)

// sharedDrainTime is the same for a gateway that has others, so that with leaveTime and the journal's it ends within process.DrainTime: longer than
// a world may be silent before its players are given up.
const sharedDrainTime = 17 * time.Second

// run runs the realm behind the sockets of a server until ctx ends, then takes the players out and returns nil. It calls begun once
// all of them are served. If the realm is reset it ends without saving its players, and returns what takes its place.
func (r *Realm) run(ctx context.Context, s *server, begun func() error) (next *successor, err error) {
	var worlds, edges sync.WaitGroup
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.running = running
	worlds.Go(func() { r.instances.Run(running) })
	for _, w := range r.Worlds {
		worlds.Go(func() { w.Run(running) })
	}
	r.runLinks(running, &worlds)
	if r.ClockDriver != nil {
		worlds.Go(func() { r.runClock(running) })
	} else {
		worlds.Go(func() { r.Pace(running, r.gate.Spent) })
	}
	defer r.endInstanceLog()
	defer r.EndRecordings()
	defer worlds.Wait()
	defer stop()
	defer r.instances.Close()
	if r.Flight != nil {
		worlds.Go(func() { r.Flight.Run(running) })
	}

	if err := r.links.wait(ctx, r.Log); err != nil {
		return nil, err
	}
	r.gate.Accept(listener.NewPausable(s.players))
	if err := r.gate.Listen(); err != nil {
		return nil, err
	}
	r.share(running, &worlds, membership.AddrPort(s.operators))
	if r.upgrader != nil {
		worlds.Go(func() {
			if err := r.upgrader.Run(running); err != nil {
				r.Log.Error("this gateway cannot be drained by an upgrade", "err", err)
			}
		})
	}
	defer func() {
		if next == nil {
			err = errors.Join(err, r.drain(ctx))
			return
		}
		r.instances.Close()
		stop()
		worlds.Wait()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resetTime)
		defer cancel()
		if err := r.gate.ShutdownUnsaved(ctx); err != nil { // nothing is lost by it
			r.Log.Warn("the worlds before the reset did not end in order", "err", err)
		}
	}()
	if err := r.restoreInstances(running); err != nil {
		return nil, err
	}
	if r.logins, err = r.newLogon(); err != nil {
		return nil, err
	}
	answers, err := r.newAdmin()
	if err != nil {
		return nil, err
	}

	ctx, fail := context.WithCancelCause(ctx)
	defer edges.Wait()
	defer fail(nil)
	if s.console != nil {
		edges.Go(func() { process.FailOn(fail, r.Console.Serve(ctx, listener.NewPausable(s.console), r.Log)) })
	}
	if s.logins != nil {
		edges.Go(func() { process.FailOn(fail, r.logins.Serve(ctx, listener.NewPausable(s.logins))) })
	}
	r.answering.Lock()
	r.answers, r.ended = answers, ctx
	r.answering.Unlock()
	s.present.Store(r)
	process.FailOn(fail, begun())
	close(r.begun)
	select {
	case <-ctx.Done():
	case next = <-r.successors:
		return next, nil
	}
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return nil, cause
	}
	if code := r.code.Load(); code != 0 {
		return nil, process.ExitStatus(code)
	}
	return nil, nil
}

// drain takes the players out of their worlds, which must still be running.
func (r *Realm) drain(ctx context.Context) error {
	began := time.Now()
	r.draining.Store(true)
	most := process.DrainTime
	if r.config.member != nil {
		most = sharedDrainTime
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	if r.ClockDriver != nil {
		r.ClockDriver.SetSpeed(1) // no player leaves a world that stands still
	}
	shutdown := r.gate.Shutdown
	if r.abandons.Load() {
		shutdown = r.gate.ShutdownUnsaved
		r.Log.Info("this gateway is drained: its players stay in their worlds, and log in again through others", "players", r.connected())
	}
	if err := shutdown(ctx); err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	if m := r.config.member; m != nil {
		m.Drained = true
	}
	counted := []any{"took", time.Since(began).Round(time.Millisecond)}
	r.Metric.Each(func(name string, n uint64) {
		if n > 0 {
			counted = append(counted, name, n)
		}
	})
	r.Log.Info("stopped", counted...)
	return nil
}

// runClock drives the virtual clock of the worlds until ctx is done. It takes no step before the players have been sent
// what the last one published.
func (r *Realm) runClock(ctx context.Context) {
	r.ClockDriver.Settled = r.gate.Settle
	r.ClockDriver.Run(ctx)
}
