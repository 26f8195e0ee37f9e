// Package replica keeps a world in a stream of NATS, so that another process goes on with it when the one that has it ends: it follows the log of what
// the world reads, takes its place, and hands it to a process of another release when an upgrade asks for that.
package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/link"
	"muster/cmd/internal/process"
	"muster/cmd/internal/release"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
	"muster/sched"
	"muster/systems"
)

// Times of replicas, our own choices.
const (
	leadEvery   = 100 * time.Millisecond // how often a process says that it has a world
	leadSilence = 500 * time.Millisecond // after which another one takes it
	leadListen  = 250 * time.Millisecond // how long a process that has just begun listens for another one
	leadLook    = 50 * time.Millisecond  // how often that is looked at
	StreamTime  = 10 * time.Second       // for a request to the stream
	// clockGap is how much later than its last tick a world goes on at most: longer than that its gateways do not wait.
	clockGap = link.Kept
)

// Counters.
const (
	worldsDiffer  = "replica.differs" // replicas that have stepped to another world than the log says
	worldsRebuilt = "replica.rebuilt" // those that have begun again with the log for it
)

// A Replica is a world that is kept in a stream: it follows the log of what the world reads, and goes on with it once no other
// process does.
type Replica struct {
	address remote.Address
	header  recording.Header
	standby bool // never begins a log
	anew    bool
	every   time.Duration
	bus     remote.Bus
	Place   streamlog.Log
	loop    *sched.Loop
	live    *systems.Live
	end     *remote.World
	metric  *metric.Table
	log     *slog.Logger

	follower  streamlog.Follower
	digests   streamlog.Digests
	sums      []byte // of the last second, as of sumsTick
	sumsTick  uint64
	tick      uint64 // the last that was stepped
	ran       int
	read      frame.Inbox
	heard     atomic.Bool   // a process has said that it has the world
	quiet     atomic.Int64  // looks since
	life      atomic.Uint64 // of the process that has it: the greatest that was heard
	leader    atomic.Value  // a string: its name
	looks     int
	ready     chan struct{}
	once      sync.Once
	successor bool // waits for a log by another release, or with other settings
	defs      *defs.World
	made      func() uint64
	name      string                           // of this process
	state     atomic.Value                     // a string: upgrade.StateHas …; "" before it is known
	cannot    atomic.Value                     // a string: why a successor cannot have the world
	leads     atomic.Pointer[recording.Header] // of the world that it has
	handing   atomic.Bool                      // to another process, which may have it
	clock     *sched.RealClock                 // of a world that was given; nil: it follows from the log
	asks      chan upgrade.Ask
	gifts     chan gift
	replies   chan giftAnswer
	giving    sync.Mutex // of what follows
	givingTo  uint64     // the ID of what is asked
	gave      upgrade.Answer
	anewly    func() // makes world, exchange and end as they were before anything was read
	renew     func() // makes the end alone so
	rebuilt   int
	begunWith uint64        // the tick of the snapshot; 0: the log was read from its beginning
	overtaken int           // how often the log was purged before it was read
	At        atomic.Uint64 // tick, as others may read it
	Spent     atomic.Int64  // on the ticks of a world that it follows

	assigned *Assignment // by the registry; nil: by flags
	wantID   uint64      // of what is wanted
	wanted   time.Time   // when that began
	gift     *gift       // that waits until the log has been read so far
	giftAt   time.Time
}

// LogOf is where the log of a world is.
func LogOf(stream streamlog.Stream, a remote.Address) streamlog.Log {
	return streamlog.Log{Stream: stream, Subject: a.Log(), Name: fmt.Sprintf("%d.%d.", a.Map, a.Instance)}
}

// begins reports whether this process may begin the log of a world that has none.
func (r *Replica) begins() bool { return !r.standby && (r.assigned == nil || r.assigned.Own.Load()) }

// maxRebuilt is how often a replica begins again with the log because its world differs. One that differs again has a reason to that
// another process has not.
const maxRebuilt = 3

// rebuild has the replica begin again with the log.
func (r *Replica) rebuild() {
	r.rebuilt++
	r.metric.Count(worldsRebuilt)
	r.begin()
}

// begin makes the replica as it was before it has read anything.
func (r *Replica) begin() {
	r.anewly()
	r.follower, r.digests, r.sums, r.sumsTick, r.tick, r.ran = streamlog.Follower{}, streamlog.Digests{}, nil, 0, 0, 0
	r.gift = nil
}

// Looks after which a process is silent. They are counted, and not the time: a process that was itself paused has heard nothing.
const (
	silentLooks = int64(leadSilence / leadLook)
	listenLooks = int64(leadListen / leadLook)
	// lookAgain is after how many looks a process that has read the log looks whether it still has what was read.
	lookAgain = int(time.Second / leadLook)
)

// hear notes that a process has the world, "LIFE NAME", or that it has ended: who has started it says so. Processes with a lesser
// life than the last have it no more.
func (r *Replica) hear(message []byte) {
	if r.hearGift(message) || r.hearWant(message) {
		return
	}
	if ended, ok := strings.CutPrefix(string(message), process.Ended); ok {
		if leader, _ := r.leader.Load().(string); leader == ended {
			r.quiet.Store(silentLooks)
		}
		return
	}
	number, name, _ := strings.Cut(string(message), " ")
	life, err := strconv.ParseUint(number, 10, 64)
	if err != nil || life < r.life.Load() {
		return
	}
	r.life.Store(life) // of this goroutine alone
	r.leader.Store(name)
	r.quiet.Store(0)
	r.heard.Store(true)
}

// Run follows the log, and then has the world, until ctx is done, or the world has another process.
func (r *Replica) Run(ctx context.Context) error {
	began := time.Now()
	stop, err := r.bus.Subscribe(r.address.Lead(), r.hear)
	if err != nil {
		return err
	}
	defer stop()
	if r.assigned == nil { // else it is handed over by what the registry says
		stopAsked, err := r.bus.Subscribe(remote.Upgrade(r.address.Realm), r.upgradeAsked)
		if err != nil {
			return err
		}
		defer stopAsked()
	}
	stopEnded, err := r.bus.Subscribe(remote.Ended(r.address.Realm), r.hear)
	if err != nil {
		return err
	}
	defer stopEnded()
	writer, err := r.follow(ctx, began)
	for err != nil {
		var moved *movedError
		switch {
		case errors.Is(err, errDiffers) && r.rebuilt < maxRebuilt:
			r.anew = false
			r.rebuild()
			writer, err = r.follow(ctx, began)
		case errors.Is(err, streamlog.ErrGap) && r.overtaken < maxOvertaken && r.purged(ctx):
			r.log.Info("the log was purged behind newer snapshots before this process had read it: it begins with one of these", "tick", r.tick)
			r.overtaken++
			r.anew = false
			r.begin()
			writer, err = r.follow(ctx, began)
		case errors.Is(err, errWaits):
			writer, err = r.wait(ctx, err)
		case errors.Is(err, errGoesOn):
			r.log.Info("the world goes on in another process of this release and these settings: this one follows it")
			r.begin()
			writer, err = r.follow(ctx, began)
		case errors.As(err, &moved):
			r.state.Store("")
			r.log.Info("the world goes on without this process", "because", moved)
			return ErrGiven
		default:
			return err
		}
	}
	if writer == nil {
		return nil
	}
	return r.lead(ctx, writer)
}

// follow steps what the log has, until this process has appended to it. The writer is nil if ctx is done before.
func (r *Replica) follow(ctx context.Context, began time.Time) (*streamlog.Writer, error) {
	from, err := r.restore(ctx)
	if err != nil {
		return nil, err
	}
	r.state.Store(upgrade.StateFollows)
	entries, failed := make(chan streamlog.Message), make(chan error, 1)
	following, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		failed <- r.Place.Stream.Follow(following, r.Place.Subject, from, func(m streamlog.Message) {
			select {
			case entries <- m:
			case <-following.Done():
			}
		})
	}()
	look := time.NewTicker(leadLook)
	defer look.Stop()
	for {
		select {
		case m := <-entries:
			if err := r.take(m); err != nil {
				return nil, fmt.Errorf("the log of map %d: %w", r.address.Map, err)
			}
			if writer, err := r.takeOffered(ctx); err != nil || writer != nil {
				return writer, err
			}
		case g := <-r.gifts:
			if r.assigned == nil {
				break // only a process that waits is given a world
			}
			r.offered(g)
			if writer, err := r.takeOffered(ctx); err != nil || writer != nil {
				return writer, err
			}
		case <-look.C:
			writer, err := r.tryLead(ctx, began)
			if err != nil || writer != nil {
				return writer, err
			}
		case err := <-failed:
			return nil, err
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// same refuses a log of another world, or of another release.
func (r *Replica) same(h *recording.Header) error {
	was := *h
	was.Parts = r.header.Parts
	field := worldspec.OtherSetting(&was, &r.header)
	if field == "" {
		return nil
	}
	err := fmt.Errorf("the log of map %d is of a world with another %s, by %s, %s; this is %s, %s: --anew begins it anew",
		r.address.Map, field, h.Release, h.Toolchain, release.Name(), release.Toolchain())
	switch {
	case upgrade.OtherWorld(h, &r.header) != "":
	case r.successor:
		return fmt.Errorf("%w: another %s, by %s, %s", errWaits, field, h.Release, h.Toolchain)
	default:
		err = fmt.Errorf("%w, and --successor waits until muster ctl cluster upgrade has it handed over", err)
	}
	return err
}

// take takes an entry of the log.
func (r *Replica) take(m streamlog.Message) error {
	knew := r.follower.Header
	err := r.follower.Take(m, func(record recording.Record) error {
		switch {
		case record.Inbox != nil && record.N > r.tick:
			return r.step(record.N, record.Inbox)
		case record.Digest != nil && record.N == r.sumsTick:
			return r.compare(record.N, record.Digest)
		}
		return nil
	})
	if err == nil && knew != r.follower.Header {
		if err = r.same(r.follower.Header); err != nil && knew != nil && r.tick > 0 {
			err = &movedError{r.follower.Header}
		}
	}
	return err
}

// step runs a tick as the process that has the world has done.
func (r *Replica) step(n uint64, inbox []byte) (err error) {
	began := time.Now()
	defer func() {
		r.At.Store(n)
		r.Spent.Add(int64(time.Since(began)))
		if value := recover(); value != nil {
			err = fmt.Errorf("tick %d panics: %v\n%s", n, value, debug.Stack())
		}
	}()
	w, x := r.live.World, r.live.Exchange
	if err := errors.Join(w.Inbox().UnmarshalBinary(inbox), r.read.UnmarshalBinary(inbox)); err != nil {
		return err
	}
	f := x.Write()
	w.Tick(n, f)
	x.Publish(f)
	r.tick = n
	r.ran++
	if sums, ok := r.digests.Add(n, r.second(), w.Digest(n)); ok {
		r.sums, r.sumsTick = append(r.sums[:0], sums...), n
	}
	return r.end.Follow(&r.read, f)
}

// second is how many ticks there are in one.
func (r *Replica) second() uint64 { return r.ticks(time.Second) }

func (r *Replica) ticks(d time.Duration) uint64 { return uint64(d / r.loop.Unit) }

// errDiffers is the error of a replica that has stepped to another world.
var errDiffers = errors.New("this process has stepped to another world than the one that has the map: it is of no use")

// compare compares the world with what the log says of it.
func (r *Replica) compare(n uint64, sums []byte) error {
	parts, ok, err := streamlog.Differ(r.sums, sums)
	if err != nil || !ok || len(parts) == 0 {
		return err
	}
	names := make([]string, 0, len(parts))
	for _, part := range parts {
		if all := r.live.World.Parts(); part < len(all) {
			names = append(names, all[part])
		}
	}
	r.metric.Count(worldsDiffer)
	r.log.Error("worlds that have read the same differ", "tick", n, "in", strings.Join(names, ", "))
	return errDiffers
}

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
	r.log.Info("this process has the world", "tick", r.tick, "silent", time.Duration(silent)*leadLook)
	return writer, nil
}

// newWriter makes a writer that goes on after what this process has read.
func (r *Replica) newWriter() *streamlog.Writer {
	return streamlog.NewWriter(streamlog.Config{
		Log: r.Place, Life: lifeAfter(link.NewLife(), max(r.follower.Writer, r.life.Load())), Header: *cmp.Or(r.follower.Header, &r.header), Since: r.follower.Since,
		State: r.live.World.CopySnapshot, Size: r.live.World.SnapshotBytes, Digest: r.live.World.Digest, Committed: r.end.Commit, Roster: r.end.AppendRoster,
		Every: r.ticks(r.every), Kept: r.ticks(link.Kept), Second: r.second(), Metric: r.metric, Logger: r.log,
	}, &r.follower, r.tick, r.digests)
}

// lifeAfter is the number of a writer that follows another one: the time, or if that has a clock ahead of this one a random number after it,
// so that of two that would follow it each has its own.
func lifeAfter(now, writer uint64) uint64 {
	const spread = 1 << 32 // some seconds, as of link.NewLife
	return max(now, writer+1+rand.Uint64N(spread))
}

// gapSince is how much later than its last tick, which the clock of NATS has at a time, a world goes on, however the clocks of the machines were set
// meanwhile: from nothing to clockGap.
func gapSince(at, now time.Time) time.Duration { return min(max(now.Sub(at), 0), clockGap) }

// lead steps the world, and serves its gateways.
func (r *Replica) lead(ctx context.Context, writer *streamlog.Writer) error {
	clock := r.clock
	if clock == nil {
		clock = sched.NewRealClock()
	}
	if r.tick > 0 && r.clock == nil {
		clock.Advance(time.Duration(r.tick)*r.loop.Unit + gapSince(r.follower.At, time.Now()))
	}
	r.loop.Clock = clock
	r.live.Exchange.NowMs = func() uint32 { return uint32(clock.Now() / time.Millisecond) }
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

// beat says again and again that this process has the world, until ctx is done. The error wraps streamlog.ErrMoved if one with a greater
// life says so too: that has appended after this one, which finds out by its next append only if there is one.
func (r *Replica) beat(ctx context.Context, life uint64) error {
	every := time.NewTicker(leadEvery)
	defer every.Stop()
	message := fmt.Appendf(nil, "%d %s", life, process.NameOf(os.Getpid()))
	for {
		if other := r.life.Load(); other > life {
			name, _ := r.leader.Load().(string)
			return fmt.Errorf("%w: %s", streamlog.ErrMoved, name)
		}
		if err := r.bus.Publish(r.address.Lead(), message); err != nil {
			r.metric.Count(remote.NotSent)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return nil
		}
	}
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
