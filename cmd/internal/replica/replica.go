// Package replica keeps a world in a stream of NATS, so that another process goes on with it when the one that has it ends: it follows the log of what
// the world reads, takes its place, and hands it to a process of another release when an upgrade asks for that.
package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/demand"
	"muster/cmd/internal/link"
	"muster/cmd/internal/process"
	"muster/cmd/internal/upgrade"
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
	leadSlack   = 25 * time.Millisecond  // by how much sooner or later, to say it with a frame
	leadSilence = 500 * time.Millisecond // after which another one takes it
	leadListen  = 250 * time.Millisecond // how long a process that has just begun listens for another one
	leadLook    = 50 * time.Millisecond  // how often that is looked at
	goneAfter   = 2 * giftAgain          // after another one was heard to have a world this one gives it up
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
	address    remote.Address
	header     recording.Header
	standby    bool // never begins a log
	anew       bool
	every      time.Duration
	bus        remote.Bus
	heartbeats *Heartbeats // of the process
	Place      streamlog.Log
	loop       *sched.Loop
	live       *systems.Live
	end        *remote.World
	metric     *metric.Table
	log        *slog.Logger

	follower  streamlog.Follower
	digests   streamlog.Digests
	sums      []byte // of the last second, as of sumsTick
	sumsTick  uint64
	tick      uint64    // the last that was stepped
	readAt    time.Time // when the entry with that was appended, by the clock of the stream; zero if it was in a snapshot
	ran       int
	read      frame.Inbox
	heard     atomic.Bool   // a process has said that it has the world
	quiet     atomic.Int64  // looks since
	life      atomic.Uint64 // of the process that has it: the greatest that was heard
	leader    atomic.Value  // a string: its name
	told      chan struct{} // has a token after each of the others' heartbeats
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
	clock     *sched.RealClock                 // of the world, when this process has it
	asks      chan upgrade.Ask
	gifts     chan gift
	replies   chan giftAnswer
	giving    sync.Mutex // of what follows
	givingTo  uint64     // the ID of what is asked
	gave      upgrade.Answer
	snapping  uint64        // the ID of the snapshot that is being taken, 0 if there is none
	snapped   demand.Answer // to the last that was
	snappedAt time.Time     // when that was asked for
	anewly    func()        // makes world, exchange and end as they were before anything was read
	renew     func()        // makes the end alone so
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
	r.follower, r.digests, r.sums, r.sumsTick, r.tick, r.readAt, r.ran = streamlog.Follower{}, streamlog.Digests{}, nil, 0, 0, time.Time{}, 0
	r.gift = nil
}

// Looks after which a process is silent. They are counted, and not the time: a process that was itself paused has heard nothing.
const (
	silentLooks = int64(leadSilence / leadLook)
	listenLooks = int64(leadListen / leadLook)
	// lookAgain is after how many looks a process that has read the log looks whether it still has what was read.
	lookAgain = int(time.Second / leadLook)
)

// hear notes that a process has the world, "LIFE NAME", or that it has ended: the process that has started it says so. Processes with a lesser
// life than the last have it no more.
func (r *Replica) hear(message []byte) {
	if r.hearGift(message) || r.hearWant(message) || r.hearAsk(message) {
		return
	}
	if ended, ok := strings.CutPrefix(string(message), process.Ended); ok {
		if leader, _ := r.leader.Load().(string); leader == ended {
			r.quiet.Store(silentLooks)
		}
		return
	}
	life, name, ok := process.ReadHeartbeat(message)
	if !ok || life < r.life.Load() {
		return
	}
	r.life.Store(life) // of this goroutine alone
	r.leader.Store(name)
	select {
	case r.told <- struct{}{}:
	default:
	}
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
