package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"muster/net/replication/frame"
)

// Config has where a log is written, and how long it may become.
type Config struct {
	Folder  string // must exist
	Header  Header
	Segment int64 // a file is at most about as long; default 64 MiB
	Limit   int64 // all files of the log together; default 1 GiB
	Buffer  int   // bytes that wait to be written; default 16 MiB
	// Ended receives why nothing more is recorded, before Close was called: ErrLimit, ErrBehind, or the error of
	// the medium. It is called once, on the recorder's goroutine; nil does nothing.
	Ended func(error)
}

var (
	// ErrLimit is returned when a log has reached its limit. It cannot lose its beginning, on which all the rest
	// depends; so it ends.
	ErrLimit = errors.New("recording: the log is as long as it may be")
	// ErrBehind is returned when the medium was too slow for the ticks. A log with a hole is of no use; so
	// it ends.
	ErrBehind = errors.New("recording: the log fell behind")
)

// A Recorder writes the log of one world. Its methods cost a tick a copy in memory: writing is done by another
// goroutine, from a buffer that is bounded.
type Recorder struct {
	config Config

	mu      sync.Mutex
	waiting []byte
	woken   uint64 // the tick in which the writer was woken
	err     error  // why nothing more is taken
	closed  bool
	wake    chan struct{} // holds one token when there is something to write
	done    chan struct{} // closed when all is written

	file           *os.File // the writer's, as what follows
	segment        int
	filled, before int64 // bytes of this segment, and of those before it
}

// What waits is written when it is so much, or so much time of the world has passed: a file is not written to every tick.
const (
	wakeBytes = 256 << 10
	wakeMs    = 1000
)

// NewRecorder begins a log in a folder that has none of its map.
func NewRecorder(c Config) (*Recorder, error) {
	c.Segment = cmp.Or(c.Segment, 64<<20)
	c.Limit = cmp.Or(c.Limit, 1<<30)
	c.Buffer = cmp.Or(c.Buffer, 16<<20)
	r := &Recorder{config: c, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if err := r.open(); err != nil {
		return nil, err
	}
	go r.run()
	return r, nil
}

// Begin records what a tick is about to read.
func (r *Recorder) Begin(n uint64, in *frame.Inbox) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && !r.closed {
		r.waiting = AppendTick(r.waiting, n, in)
		r.check(n)
	}
}

// Digest records a hash of the world after a tick.
func (r *Recorder) Digest(n uint64, digest []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && !r.closed {
		r.waiting = AppendDigest(r.waiting, n, digest)
		r.check(n)
	}
}

// check wakes the writer in tick n, or ends the log if it is too far behind: what waits is still written.
func (r *Recorder) check(n uint64) {
	if len(r.waiting) > r.config.Buffer {
		r.err = ErrBehind
	}
	if len(r.waiting) >= wakeBytes || (n-r.woken)*uint64(r.config.Header.StepMs) >= wakeMs || r.err != nil {
		r.woken = n
		r.wakeWriter()
	}
}

func (r *Recorder) wakeWriter() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Close writes what waits, and the end. It returns why the log ended before that, if it did.
func (r *Recorder) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.wakeWriter()
	<-r.done
	return r.err
}

// run writes until the log ends.
func (r *Recorder) run() {
	defer close(r.done)
	var spare []byte
	for range r.wake {
		r.mu.Lock()
		b, err, closed := r.waiting, r.err, r.closed
		r.waiting = spare[:0]
		r.mu.Unlock()
		if failed := r.write(b); failed != nil {
			err = failed
		}
		spare = b
		if err == nil && !closed {
			continue
		}
		r.mu.Lock()
		r.err, r.waiting = err, nil
		r.mu.Unlock()
		r.finish(err)
		return
	}
}

// write appends whole records to the file, and to the next where it is full.
func (r *Recorder) write(b []byte) error {
	if r.before+r.filled+int64(len(b)) > r.config.Limit {
		return ErrLimit
	}
	if r.filled > 0 && r.filled+int64(len(b)) > r.config.Segment {
		if err := r.file.Close(); err != nil {
			return err
		}
		if err := r.open(); err != nil {
			return err
		}
	}
	if _, err := r.file.Write(b); err != nil { // half a record would swallow the end record
		_, failed := r.file.Seek(r.filled, io.SeekStart)
		return errors.Join(err, r.file.Truncate(r.filled), failed)
	}
	r.filled += int64(len(b))
	return nil
}

// open begins the next segment.
func (r *Recorder) open() (err error) {
	r.segment++
	r.before += r.filled
	h := r.config.Header
	h.Segment = r.segment
	path := filepath.Join(r.config.Folder, segmentName(h.Map, h.Segment))
	r.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // it contains the players' chat
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("recording: %s has a recording already", r.config.Folder)
	}
	if err != nil {
		return err
	}
	n, err := r.file.Write(AppendHeader(nil, &h))
	r.filled = int64(n)
	return err
}

// finish writes into the file why it ends.
func (r *Recorder) finish(why error) {
	reason := "closed"
	if why != nil {
		reason = why.Error()
	}
	_, err := r.file.Write(AppendEnd(nil, reason))
	err = errors.Join(err, r.file.Close())
	if why != nil && r.config.Ended != nil {
		r.config.Ended(errors.Join(why, err))
	}
}
