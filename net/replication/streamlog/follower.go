package streamlog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muster/internal/rawio"
	"muster/net/replication/recording"
)

// A Log is where the log of one world is, and its snapshots.
type Log struct {
	Stream  Stream
	Subject string
	Name    string // prefix of the names of snapshots
}

func (l *Log) name(tick uint64) string { return fmt.Sprintf("%s%020d", l.Name, tick) }

// names are those of the snapshots, ascending by tick.
func (l *Log) names(ctx context.Context) ([]string, error) {
	names, err := l.Stream.Names(ctx, l.Name)
	slices.Sort(names)
	return names, err
}

// Needed is the snapshot with which to begin for all of the last ticks, as many as kept: the newest that is so much older than the newest one, or else
// the oldest; nil if there is none. A writer with the same Config.Kept keeps it, and the log after it, until it has kept two more.
func (l *Log) Needed(ctx context.Context, kept uint64) (*Snapshot, error) {
	return l.pick(ctx, func(names []string) string {
		return names[l.needed(names, l.tick(names[len(names)-1]), kept)]
	})
}

// needed is which of the names, ascending, is of the newest snapshot that is as much older than a tick as kept, or of the oldest.
func (l *Log) needed(names []string, tick, kept uint64) (at int) {
	for at+1 < len(names) && names[at+1] <= l.name(tick-min(kept, tick)) {
		at++
	}
	return at
}

// pick is one of the snapshots of the log's generation, nil if there is none, or choose returns "". That with which the generation begins was taken by the one
// before; its header is that of the generation. A snapshot that is removed meanwhile is picked anew.
func (l *Log) pick(ctx context.Context, choose func(names []string) string) (*Snapshot, error) {
	end, err := l.Stream.Last(ctx, l.Subject)
	if err != nil {
		return nil, err
	}
	since := uint64(0)
	if end.Number != 0 {
		e, err := parse(end.Body)
		if err != nil {
			return nil, err
		}
		since = e.since
	}
	names, err := l.names(ctx)
	if err != nil {
		return nil, err
	}
	for {
		if at, _ := slices.BinarySearch(names, l.name(since)); since > 0 {
			names = names[at:]
		}
		if len(names) == 0 {
			if since > 0 {
				err = fmt.Errorf("%w: the snapshot after tick %d, with which it goes on, is not there", ErrGap, since)
			}
			return nil, err
		}
		picked := choose(names)
		if picked == "" {
			return nil, nil
		}
		s, err := l.snapshot(ctx, picked)
		if err == nil && since > 0 && s.N == since {
			err = l.takeHeader(ctx, s)
		}
		if err == nil {
			return s, nil
		}
		again, failed := l.names(ctx)
		if _, kept := slices.BinarySearch(again, picked); failed != nil || kept {
			return nil, err
		}
		names = again
	}
}

// Purged reports whether the log was purged behind newer snapshots since one after a tick was read, or since its beginning was, if that is 0: what follows the
// tick may not be there.
func (l *Log) Purged(ctx context.Context, tick uint64) (bool, error) {
	names, err := l.names(ctx)
	_, kept := slices.BinarySearch(names, l.name(tick))
	return len(names) > 0 && !kept, err
}

// takeHeader gives a snapshot the header of the entry after it.
func (l *Log) takeHeader(ctx context.Context, s *Snapshot) error {
	following, stop := context.WithCancel(ctx)
	defer stop()
	var f Follower
	f.Begin(s, s)
	f.Header = nil
	var err error
	failed := l.Stream.Follow(following, l.Subject, s.From+1, func(m Message) {
		if err != nil || f.Header != nil {
			return
		}
		if err = f.Take(m, func(recording.Record) error { return fmt.Errorf("%w: it has no header after tick %d", ErrGap, s.N) }); err != nil || f.Header != nil {
			stop()
		}
	})
	if err = errors.Join(err, failed); err == nil && f.Header == nil {
		err = cmp.Or(ctx.Err(), ErrGap)
	}
	if err == nil {
		before := s.Header
		s.Before, s.Header = &before, *f.Header
	}
	return err
}

// Remove removes the log and its snapshots.
func (l *Log) Remove(ctx context.Context) error {
	names, err := l.names(ctx)
	for _, name := range names {
		err = errors.Join(err, l.Stream.Delete(ctx, name))
	}
	return errors.Join(err, l.Stream.Purge(ctx, l.Subject, 0))
}

// Replace removes the log and its snapshots, and has another one begin with a snapshot: of another number, and with no entry before it. Nothing is to append to the log
// meanwhile; a writer that is not known of is refused afterwards. What is read of the log before Replace is done begins too late, so that it is ErrShort, and what ends
// Replace in its midst is repaired by saying it again. The error wraps ErrMoved if a process has begun a log all the same.
func (l *Log) Replace(ctx context.Context, s *Snapshot) error {
	old, err := l.names(ctx)
	if err != nil {
		return err
	}
	all, err := s.Reader([][]byte{s.State})
	if err != nil {
		return err
	}
	if err := l.Stream.Purge(ctx, l.Subject, 0); err != nil { // first: now nothing goes on with an old snapshot
		return err
	}
	old, err = l.removeUnbegun(ctx, old)
	if err != nil {
		return err
	}
	if err := l.Stream.Put(ctx, l.name(s.N), all); err != nil {
		return err
	}
	for _, name := range old {
		if name != l.name(s.N) {
			err = errors.Join(err, l.Stream.Delete(ctx, name))
		}
	}
	if err != nil {
		return err
	}
	end, err := l.Stream.Last(ctx, l.Subject)
	if err != nil || end.Number == 0 {
		return err
	}
	if e, err := parse(end.Body); err == nil && e.log == s.Log { // it has gone on with the snapshot
		return nil
	}
	return errors.Join(ErrMoved, l.Stream.Delete(ctx, l.name(s.N)))
}

// removeUnbegun removes those snapshots that need no entry before them, with which a process could begin while the log has none, and returns the names of the others.
func (l *Log) removeUnbegun(ctx context.Context, names []string) (others []string, err error) {
	for _, name := range names {
		if s, failed := l.snapshot(ctx, name); failed != nil || s.From > 0 { // none begins with what it cannot read
			others = append(others, name)
		} else if err := l.Stream.Delete(ctx, name); err != nil {
			return nil, err
		}
	}
	return others, nil
}

// Newest is the newest snapshot, nil if there is none. A log that ends before it has lost something.
func (l *Log) Newest(ctx context.Context) (*Snapshot, error) {
	return l.pick(ctx, func(names []string) string { return names[len(names)-1] })
}

// At is the snapshot after a tick, as it was kept.
func (l *Log) At(ctx context.Context, tick uint64) (*Snapshot, error) {
	return l.snapshot(ctx, l.name(tick))
}

// there is the snapshot after a tick, nil if there is none.
func (l *Log) there(ctx context.Context, tick uint64) (*Snapshot, error) {
	names, err := l.names(ctx)
	if _, ok := slices.BinarySearch(names, l.name(tick)); err != nil || !ok {
		return nil, err
	}
	return l.At(ctx, tick)
}

// Since is the tick with which the generation of the log begins, and 0 if it is the first, or there is no log.
func (l *Log) Since(ctx context.Context) (tick uint64, err error) {
	end, err := l.Stream.Last(ctx, l.Subject)
	if err != nil || end.Number == 0 {
		return 0, err
	}
	e, err := parse(end.Body)
	return e.since, err
}

func (l *Log) snapshot(ctx context.Context, name string) (*Snapshot, error) {
	b, err := l.Stream.Get(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("streamlog: the snapshot %s: %w", name, err)
	}
	rawio.WakeMonitor() // also for who restores it
	s, err := parseSnapshot(b)
	if err != nil {
		return nil, fmt.Errorf("the snapshot %s: %w", name, err)
	}
	return s, nil
}

// Read begins with the newest snapshot of a log, or with its beginning, where that is nil, and then visits what follows, up to the entry
// that is the last when it is called. The bytes of a record are valid until visit returns. Nothing of the log is changed. The error wraps
// ErrNone if there is no log.
func (l *Log) Read(ctx context.Context, begin func(*recording.Header, *Snapshot) error, visit func(recording.Record) error) error {
	s, err := l.Newest(ctx)
	if err != nil {
		return err
	}
	return l.read(ctx, s, begin, visit)
}

// ReadFrom is Read from the newest snapshot on that is of a tick or an earlier one, or from the beginning of the log. Ticks before the header by which it goes on are
// another log's. The error wraps a recording.PurgedError if the tick is before those that the log has.
func (l *Log) ReadFrom(ctx context.Context, tick uint64, begin func(*recording.Header, *Snapshot) error, visit func(recording.Record) error) error {
	var ticks []uint64
	s, err := l.pick(ctx, func(names []string) (picked string) {
		ticks = ticks[:0]
		for _, name := range names {
			ticks = append(ticks, l.tick(name))
			if l.tick(name) <= tick {
				picked = name
			}
		}
		return picked
	})
	if err != nil {
		return err
	}
	begun := false
	since, err := l.Since(ctx)
	restored := since > 0 // the log begins with a world that was put there, or that another header has made
	if err == nil && s == nil && !restored && len(ticks) > 0 {
		var oldest *Snapshot
		if oldest, err = l.At(ctx, ticks[0]); err == nil {
			restored = oldest.From == 0
		}
	}
	if err == nil && s == nil && restored {
		return &recording.PurgedError{Tick: tick, Since: ticks}
	}
	if err == nil {
		err = l.read(ctx, s, func(h *recording.Header, s *Snapshot) error {
			begun = true
			return begin(h, s)
		}, visit)
	}
	switch {
	case s == nil && !begun && (errors.Is(err, ErrGap) || errors.Is(err, errNoHeader)):
		return &recording.PurgedError{Tick: tick, Since: ticks}
	case s != nil && errors.Is(err, ErrGap):
		if purged, failed := l.Purged(ctx, s.N); failed == nil && purged {
			return fmt.Errorf("the log was purged behind the snapshot after tick %d meanwhile: %w", s.N, err)
		}
	}
	return err
}

// tick is that of the snapshot of a name. Names that have none, which no writer gives, are of 0, and what is read by them is refused.
func (l *Log) tick(name string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(name, l.Name), 10, 64)
	return n
}

// read reads from a snapshot on, or from the beginning.
func (l *Log) read(ctx context.Context, s *Snapshot, begin func(*recording.Header, *Snapshot) error, visit func(recording.Record) error) error {
	last, err := l.Stream.Last(ctx, l.Subject)
	if err == nil && last.Number == 0 {
		err = ErrNone
	}
	if err != nil {
		return err
	}
	var f Follower
	from := uint64(0)
	if s != nil {
		f.Begin(s, s)
		from = s.Next()
		if err := begin(f.Header, s); err != nil {
			return err
		}
	}
	if all, err := f.Reached(last.Number); err != nil || all {
		return err
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	begun, ended := s != nil, false
	failed := l.Stream.Follow(following, l.Subject, from, func(m Message) {
		if ended || err != nil {
			return
		}
		err = f.Take(m, func(record recording.Record) error {
			if !begun {
				return errNoHeader
			}
			return visit(record)
		})
		if err == nil && !begun && f.Header != nil {
			begun = true
			err = begin(f.Header, nil)
		}
		if ended = m.Number >= last.Number; ended || err != nil {
			stop()
		}
	})
	err = errors.Join(err, failed)
	switch {
	case err == nil && !ended:
		err = ctx.Err()
	case err == nil && !begun:
		err = errNoHeader
	}
	return err
}

// errNoHeader is the error of a log that nothing can be known of.
var errNoHeader = fmt.Errorf("%w: a log without its header", ErrFormat)

// ErrNone is the error of a log without entries.
var ErrNone = errors.New("streamlog: there is no log")

// Errors of logs that lack something.
var (
	ErrGap   = errors.New("streamlog: the log begins after its snapshot, or lacks entries")
	ErrShort = errors.New("streamlog: the log ends before its snapshot, or before what was read of it")
)

// A Follower makes records of the entries of a log.
type Follower struct {
	Header *recording.Header // of the log; nil while it is not known
	Log    uint64            // 0 while there is none
	Writer uint64            // of the newest entry
	Last   uint64            // number of that
	Since  uint64            // the tick with which the log goes on by this header; 0 for its first

	from    uint64 // the number that the first entry is to have; 0 for any
	least   uint64 // the number of an entry that the log has
	newest  uint64 // tick of the newest snapshot that it was begun with
	ordinal uint64 // of the newest entry, among those of its writer
	batch   []byte // that is not complete
}

// Begin begins a follower after the oldest snapshot, of a log whose newest one is another perhaps. It keeps nothing of it but the header.
func (f *Follower) Begin(s, newest *Snapshot) {
	f.Header, f.Log, f.from, f.least = &s.Header, s.Log, s.From, max(s.From, newest.From)
	f.newest = newest.N
	if s.Ordinal > 0 {
		f.from, f.Last, f.Writer, f.ordinal = 0, s.From, s.Writer, s.Ordinal
	}
}

// Next is the number with which to follow the log after the snapshot: of an entry, or a lesser one.
func (s *Snapshot) Next() uint64 {
	if s.Ordinal > 0 {
		return s.From + 1
	}
	return s.From
}

// Reached reports whether all has been read of a log whose last entry has some number. The error wraps ErrShort if the log cannot have
// ended there.
func (f *Follower) Reached(last uint64) (bool, error) {
	if least := max(f.least, f.Last); last < least {
		return false, fmt.Errorf("%w: its last entry is %d, and it had %d", ErrShort, last, least)
	}
	return last == f.Last, nil
}

// Take takes the next entry, and visits the records that are complete with it, whose bytes are valid until visit returns.
func (f *Follower) Take(m Message, visit func(recording.Record) error) error {
	e, err := parse(m.Body)
	switch {
	case err != nil:
		return err
	case f.from != 0 && m.Number != f.from:
		return ErrGap
	case f.from == 0 && !f.follows(&e):
		return fmt.Errorf("%w: after entry %d of %d comes %d of %d", ErrGap, f.ordinal, f.Writer, e.ordinal, e.writer)
	case f.Log != 0 && e.log != f.Log:
		return fmt.Errorf("%w: an entry of another log", ErrFormat)
	}
	f.from, f.Log, f.Writer, f.Last, f.ordinal, f.Since = 0, e.log, e.writer, m.Number, e.ordinal, e.since
	if e.flags&first != 0 {
		f.batch = f.batch[:0] // of a writer that has ended within its batch
	}
	if f.batch = append(f.batch, e.body...); e.flags&last == 0 {
		return nil
	}
	if e.flags&header != 0 {
		log, err := recording.NewReader(bytes.NewReader(f.batch))
		if err == nil {
			f.Header = &log.Header
		}
		return err
	}
	return recording.Records(f.batch, visit)
}

// follows reports whether an entry is the one after the newest: the next of its writer, or the first of another one.
func (f *Follower) follows(e *entry) bool {
	if f.Last > 0 && e.writer == f.Writer {
		return e.ordinal == f.ordinal+1
	}
	return e.ordinal == 1 && e.flags&first != 0
}
