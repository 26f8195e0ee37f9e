// Package journal keeps what worlds tell of players until a store has it. It is a store.Store itself: what is pending
// lies over what is stored.
//
// Three goroutines share it. A gateway's calls Save, which only notes what is new. One writes what was noted to a
// file, all of it at once, and waits for the disk: at most every Config.Interval, or as soon as somebody asks. One
// writes the newest version of each character to the store, in batches, and tries again for as long as the store is
// away. A file goes when the store has all that is in it. So memory holds one character for each that is pending,
// and the files hold little more.
package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"muster/internal/metric"
	"muster/loaders/store"
)

// ErrInUse says that another process has the folder.
var ErrInUse = errors.New("journal: another server uses the folder")

// Config is what a journal is made with. Zero means the documented default.
type Config struct {
	Dir string // made if it does not exist. Required, unless there is an FS
	FS  FS     // default the folder Dir

	Interval time.Duration // what is saved is on the disk after this and the time that the disk takes; default 200 ms
	MaxBytes int64         // of all files; default 64 MiB
	Segment  int64         // bytes after which a file is followed by another; default 4 MiB
	Batch    int           // characters that the store is given at once; default 500
	Pause    time.Duration // between two rounds of these; default 250 ms
	Timeout  time.Duration // of the store for a batch; default 10 s
	Drain    time.Duration // how long Close waits for a store that is away; default 10 s

	// Alarm is called with the reason when what is saved is no longer safe, for want of a disk or of room on it, and
	// with nil when it is again. It must not call the journal.
	Alarm func(err error)
	// Metric counts: journal.sync_failed, rounds that did not get to the disk; journal.full, those of them that
	// MaxBytes refused; journal.retry, batches that the store did not take; journal.stale, .gone and .refused,
	// snapshots that a newer one, a deletion or the store's rules made void; journal.orphan, those whose
	// character is not what they say it was.
	Metric *metric.Table
}

func (c *Config) setDefaults() {
	c.Interval = cmp.Or(c.Interval, 200*time.Millisecond)
	c.MaxBytes = cmp.Or(c.MaxBytes, 64<<20)
	c.Segment = cmp.Or(c.Segment, 4<<20)
	c.Batch = cmp.Or(c.Batch, 500)
	c.Pause = cmp.Or(c.Pause, 250*time.Millisecond)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	c.Drain = cmp.Or(c.Drain, 10*time.Second)
	if c.Alarm == nil {
		c.Alarm = func(error) {}
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
}

// A Journal is a store over another, which it closes in the end. Methods that it does not have itself are those of
// the store below, which nothing pending concerns.
type Journal struct {
	store.Store
	config  Config
	release func() error

	mu       sync.Mutex
	pending  pending
	waiters  []func() // of what is noted and not on the disk
	wrote    time.Time
	closed   bool
	degraded atomic.Bool
	saved    *metric.Histogram

	segments  segments // the flusher's
	bytes     atomic.Int64
	hurry     chan struct{} // holds a token if a round is not to wait
	dirty     chan struct{} // holds a token if there is something for the disk, or a file to be removed
	work      chan struct{} // holds a token if there is something for the store
	applying  chan struct{} // holds a value while nobody gives the store a batch
	stopFlush chan struct{}
	stopApply chan struct{}
	flushing  sync.WaitGroup
	writing   sync.WaitGroup
}

var _ store.Store = (*Journal)(nil)

// Open puts a journal over a store, with what a process before this one left there. The error wraps ErrInUse if that
// process is still there, ErrFormat, or is one of the folder; then the store stays the caller's.
func Open(ctx context.Context, below store.Store, c Config) (*Journal, Report, error) {
	c.setDefaults()
	if c.FS == nil {
		d, err := newFolder(c.Dir)
		if err != nil {
			return nil, Report{}, fmt.Errorf("journal: %w", err)
		}
		c.FS = d
	}
	release, err := c.FS.Lock()
	if err != nil {
		return nil, Report{}, fmt.Errorf("journal: %w", err)
	}
	j := &Journal{
		Store: below, config: c, release: release, wrote: time.Now(),
		hurry: make(chan struct{}, 1), dirty: make(chan struct{}, 1), work: make(chan struct{}, 1),
		saved: metric.NewHistogram(saveBounds...), applying: make(chan struct{}, 1), stopFlush: make(chan struct{}), stopApply: make(chan struct{}),
	}
	j.pending.init()
	j.segments.init(&j.config)
	j.applying <- struct{}{}
	report, err := j.replay(ctx)
	if err != nil {
		return nil, report, errors.Join(err, release())
	}
	j.flushing.Go(j.flushRounds)
	j.writing.Go(j.applyRounds)
	return j, report, nil
}

// Stats is how a journal does.
type Stats struct {
	Pending  int           `json:"pending"`  // characters that the store does not have as they are
	Bytes    int64         `json:"bytes"`    // of all files
	Lag      time.Duration `json:"lag_ns"`   // for how long the store has taken nothing, while something was pending
	Degraded bool          `json:"degraded"` // what is saved is not safe
}

// Stats may be called at any time.
func (j *Journal) Stats() Stats {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := Stats{Pending: len(j.pending.all), Bytes: j.bytes.Load(), Degraded: j.degraded.Load()}
	if s.Pending > 0 {
		s.Lag = time.Since(j.wrote)
	}
	return s
}

// saveBounds divide what a batch takes the store, around the Pause between two.
var saveBounds = []time.Duration{
	time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	250 * time.Millisecond, 500 * time.Millisecond, time.Second, 5 * time.Second, 10 * time.Second,
}

// SaveTime is how long the batches took that the store has taken.
func (j *Journal) SaveTime() *metric.Histogram { return j.saved }

// Degraded reports that what is saved does not get to the disk. It is kept in memory, and tried again.
func (j *Journal) Degraded() bool { return j.degraded.Load() }

// Close puts what is pending on the disk and into the store below, and closes that. If the store is away for longer
// than Config.Drain, the rest stays on the disk for the next Open; that is no error.
func (j *Journal) Close() error {
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return store.ErrClosed
	}
	j.closed = true
	j.mu.Unlock()
	close(j.stopFlush)
	j.flushing.Wait()
	close(j.stopApply)
	j.writing.Wait()
	return errors.Join(j.segments.close(), j.release(), j.Store.Close())
}

// signal puts a token into a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
