package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"muster/cmd/internal/link"
	"muster/cmd/internal/process"
	"muster/cmd/internal/upgrade"
	"muster/net/replication/streamlog"
	"muster/sched"
)

// tryLead is a look: it returns a writer if no process has the world, and this one has appended to its log.
func (r *Replica) tryLead(ctx context.Context, began time.Time) (*streamlog.Writer, error) {
	r.looks++
	silent, enough := r.quiet.Add(1), silentLooks
	if !r.heard.Load() && r.begins() {
		enough = listenLooks
	}
	caughtUp := r.isReady()
	if caughtUp && silent < enough {
		r.want(false)
	}
	if caughtUp && silent < enough && r.looks%lookAgain != 0 {
		return nil, nil
	}
	request, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	last, err := r.Place.Stream.Last(request, r.Place.Subject)
	if err != nil {
		r.quiet.Store(0) // what is not heard says nothing then
		return nil, nil
	}
	switch read, err := r.follower.Reached(last.Number); {
	case err != nil:
		return nil, fmt.Errorf("map %d: %w: --anew begins the world anew", r.address.Map, err)
	case !read:
		return nil, nil // what is missing is on its way
	}
	if !caughtUp {
		r.log.Info("the world is as its log has it", "tick", r.tick, "ran", r.ran, "took", time.Since(began).Round(time.Millisecond))
		r.once.Do(func() { close(r.ready) })
	}
	if silent < enough || last.Number == 0 && !r.begins() {
		return nil, nil
	}
	writer := r.newWriter()
	switch err := writer.Lead(request); {
	case errors.Is(err, streamlog.ErrMoved): // another process was faster
		r.quiet.Store(0)
		return nil, nil
	case err != nil:
		return nil, err
	}
	r.clock = r.clockAfter(request, r.tickAt(&last))
	r.log.Info("this process has the world", "tick", r.tick, "silent", time.Duration(silent)*leadLook)
	return writer, nil
}

// clockAfter is the clock of the world of a process that has the log: as much later than the last tick as the clock of the stream is now, which also dates what is in
// the log. So the clocks of the machines that have the world one after the other do not matter, and neither does how long the append took by which this one has got it.
func (r *Replica) clockAfter(ctx context.Context, last time.Time) *sched.RealClock {
	if r.tick == 0 {
		return sched.NewFineClock()
	}
	now, err := r.Place.Stream.Now(ctx)
	clock := sched.NewFineClock()
	if err != nil {
		r.log.Warn("the stream does not say what time it is: the world goes on by the clock of this machine", "err", err)
		now = time.Now()
	}
	clock.Advance(time.Duration(r.tick)*r.loop.Quantum + gapSince(last, now))
	return clock
}

// tickAt is when the last tick was appended by the clock of the stream. Where none has been read since a snapshot, it is when the newest entry was, which
// that begins after, or by which a process has got the log since.
func (r *Replica) tickAt(newest *streamlog.Message) time.Time {
	if r.readAt.IsZero() {
		return newest.At
	}
	return r.readAt
}

// newWriter makes a writer that goes on after what this process has read.
func (r *Replica) newWriter() *streamlog.Writer {
	return streamlog.NewWriter(streamlog.Config{
		Log: r.Place, Life: lifeAfter(link.NewLife(), max(r.follower.Writer, r.life.Load())), Header: *cmp.Or(r.follower.Header, &r.header), Since: r.follower.Since,
		State: r.live.World.CopySnapshot, Size: r.live.World.SnapshotBytes, Digest: r.live.World.Digest, Committed: r.commit, Roster: r.end.AppendRoster,
		Every: r.ticks(r.every), Kept: r.ticks(link.Kept), Second: r.second(), Metric: r.metric, Logger: r.log,
	}, &r.follower, r.tick, r.digests)
}

// lifeAfter is the number of a writer that follows another one: the time, or if that has a clock ahead of this one a random number after it,
// so that of two that would follow it each has its own.
func lifeAfter(now, writer uint64) uint64 {
	const spread = 1 << 32 // some seconds, as of link.NewLife
	return max(now, writer+1+rand.Uint64N(spread))
}

// gapSince is how much later than its last tick, which the clock of NATS has at a time, a world goes on, however the clock of NATS was set
// meanwhile: from nothing to clockGap.
func gapSince(at, now time.Time) time.Duration { return min(max(now.Sub(at), 0), clockGap) }

// lead steps the world, and serves its gateways.
func (r *Replica) lead(ctx context.Context, writer *streamlog.Writer) error {
	clock := r.clock
	r.loop.Clock = clock
	r.live.Exchange.Now = clock.Now
	r.live.Log = writer
	r.end.Lead(writer.Life(), writer.ID())
	r.leads.Store(cmp.Or(r.follower.Header, &r.header))
	r.state.Store(upgrade.StateHas)

	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { process.FailOn(fail, writer.Run(ctx)) })
	running.Go(func() { process.FailOn(fail, r.end.Run(ctx)) })
	running.Go(func() { process.FailOn(fail, r.beat(ctx, writer.Life())) })
	running.Go(func() { r.stepAndGive(ctx, fail, writer, clock) })
	<-ctx.Done()
	if cause := context.Cause(ctx); cause != ctx.Err() {
		if errors.Is(cause, streamlog.ErrMoved) && r.handing.Load() {
			return ErrGiven
		}
		if errors.Is(cause, streamlog.ErrMoved) {
			r.log.Error("another process has the world: this one was taken for dead, and ends it", "err", cause)
		}
		return cause
	}
	return nil
}

// isReady reports whether the world is as its log has it, or waits to be given.
func (r *Replica) isReady() bool {
	select {
	case <-r.ready:
		return true
	default:
		return false
	}
}
