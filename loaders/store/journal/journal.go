// Package journal keeps saves of worlds until a store has them. It is a store.Store itself: pending characters take
// precedence over stored ones.
//
// Three goroutines share it. A gateway's calls Save, which only notes what is new. One writes the notes to a file,
// all at once, and waits for the disk: at most every Config.Interval, or as soon as a caller asks for it. One writes
// the newest version of each character to the store, in batches, and retries for as long as the store is unavailable.
// A file is removed when the store has all that is in it. So memory holds one character for each that is pending, and
// the files hold little more.
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

// ErrInUse is the error of a folder that another process uses.
var ErrInUse = errors.New("journal: another server uses the folder")

// Config is the configuration of a journal. Zero means the documented default.
type Config struct {
	Dir string // made if it does not exist. Required, unless there is an FS
	FS  FS     // default the folder Dir

	Interval time.Duration // a save is on the disk after this and the time that the disk takes; default 200 ms
	MaxBytes int64         // of all files; default 64 MiB
	Segment  int64         // bytes after which a file is followed by another; default 4 MiB
	Batch    int           // characters in a batch for the store; default 500
	Pause    time.Duration // between two rounds of batches; default 250 ms
	Timeout  time.Duration // of the store for a batch; default 10 s
	Drain    time.Duration // how long Close waits for an unavailable store; default 10 s

	// Alarm is called with the reason when saves are no longer safe, for want of a disk or of room on it, and with
	// nil when they are again. It must not call the journal.
	Alarm func(err error)
	// Away is called when the store takes nothing, again when that has lasted for 10 s, and for twice as long each time,
	// and when it takes everything again. It must not call the journal.
	Away func(Absence)
	// Metric counts: journal.sync_failed, rounds that did not get to the disk; journal.full, those of them that
	// MaxBytes refused; journal.retry, batches that the store did not take; journal.stale, .gone and .refused,
	// snapshots that a newer one, a deletion or the store's rules made void; journal.orphan, those whose stored
	// character is not the one that they differ from.
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
	if c.Away == nil {
		c.Away = func(Absence) {}
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
}

// A Journal is a store over another, which its Close closes. Methods that it does not define are those of the store
// below, and do not depend on what is pending.
type Journal struct {
	store.Store
	config  Config
	release func() error

	mu       sync.Mutex
	pending  pending
	waiters  []func() // of what is noted and not on the disk
	wrote    time.Time
	batches  uint64 // that the store has taken
	closed   bool
	degraded atomic.Bool
	saved    *metric.Histogram

	absence   absence
	segments  segments // the flusher's
	bytes     atomic.Int64
	hurry     chan struct{} // holds a token if a round is not to wait
	dirty     chan struct{} // holds a token if there is something for the disk, or a file to be removed
	work      chan struct{} // holds a token if there is something for the store
	applying  chan struct{} // holds a value while no batch is being stored
	stopFlush chan struct{}
	stopApply chan struct{}
	flushing  sync.WaitGroup
	writing   sync.WaitGroup
}

var _ store.Store = (*Journal)(nil)

// Open puts a journal over a store, with what a former process left in the folder. The error wraps ErrInUse if that
// process is still running, ErrFormat, or is one of the folder; then the caller still owns the store.
func Open(ctx context.Context, below store.Store, c Config) (*Journal, Report, error) {
	c.setDefaults()
	if c.FS == nil {
		d, err := newFolder(c.Dir)
		if err != nil {
			return nil, Report{}, fmt.Errorf("journal: %w", err)
		}
		c.FS = d
	}
	c.Metric.Declare("journal.sync_failed", "journal.full", "journal.retry", "journal.orphan", "journal.gone", "journal.refused", "journal.stale")
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

// Stats is the state of a journal.
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

// saveBounds are the bounds of SaveTime, around Config.Pause.
var saveBounds = []time.Duration{
	time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	250 * time.Millisecond, 500 * time.Millisecond, time.Second, 5 * time.Second, 10 * time.Second,
}

// SaveTime is the histogram of the time of batches that the store has taken.
func (j *Journal) SaveTime() *metric.Histogram { return j.saved }

// Degraded reports that saves do not get to the disk. They are kept in memory, and retried.
func (j *Journal) Degraded() bool { return j.degraded.Load() }

// Close writes what is pending to the disk and to the store below, and closes that. If the store is unavailable for
// longer than Config.Drain, the rest stays on the disk for the next Open; that is no error.
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
