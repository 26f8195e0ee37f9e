package streamlog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"muster/internal/limit"
	"muster/internal/metric"
	"muster/internal/rawio"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// Counters.
const (
	Entries        = "streamlog.entry"           // that were appended
	Retried        = "streamlog.retried"         // appends that failed, and were tried again
	Waited         = "streamlog.waited_us"       // for how long worlds waited for their logs, in microseconds
	Snapshots      = "streamlog.snapshot"        // that were kept
	SnapshotFailed = "streamlog.snapshot_failed" // that were not
	Paused         = "streamlog.paused_us"       // for how long worlds stood still for their snapshots, in microseconds
)

// Bounds, our own choices.
const (
	maxAhead = 64        // ticks that a world may be ahead of its log
	maxEntry = 512 << 10 // bytes of a batch in one entry: below NATS's limit of 1 MiB
	// retryAfter is between two tries to append.
	retryAfter = 50 * time.Millisecond
	// refusedTime is for how long a stream may answer that it appends nothing.
	refusedTime = 15 * time.Second
	// complainEvery is between two lines of the log about appends that fail.
	complainEvery = time.Second
	// keepTime bounds what is done to keep a snapshot.
	keepTime = 30 * time.Second
)

// Limits lists what this package bounds.
func Limits() []limit.Limit {
	return []limit.Limit{{
		Name: "ticks that a world may be ahead of its log in a stream", Value: maxAhead, Breach: "it waits, and skips ticks",
		Counter: Waited, Test: "net/replication/streamlog TestAheadIsBounded",
	}, {
		Name: "bytes of the state of a world in a snapshot", Value: maxState, Breach: "the snapshot is not kept, and the log says why; the world is not handed over or restored",
		Counter: SnapshotFailed, Test: "net/replication/streamlog TestStateIsBounded",
	}}
}

// Config is the configuration of a Writer.
type Config struct {
	Log
	Life   uint64           // of the process, greater than that of any other writer of the log
	Header recording.Header // of the log
	Since  uint64           // the tick with which the log goes on by this header; 0 for its first
	// State appends the state of the world between two ticks, or what of it the world does not keep: the state is in parts, one after the other, until State
	// is called again. Size is about how many bytes it appends; nil: as the last. Digest is a hash of a part of the world after a tick. systems.World has all
	// three.
	State  func(b []byte) (copied []byte, parts func() ([][]byte, error), err error)
	Size   func() int
	Digest func(n uint64) []byte
	// Committed is called with what a tick has read when the log has it, and Roster, after it, appends what the world's end
	// has of its gateways. They are called by Run.
	Committed func(n uint64, in *frame.Inbox)
	Roster    func(b []byte) []byte
	Every     uint64 // ticks between two snapshots
	Kept      uint64 // ticks that the log goes back at least
	Second    uint64 // ticks of a second
	Metric    *metric.Table
	Logger    *slog.Logger // default slog.Default()
}

// A Writer appends to the log of a world. The goroutine that steps the world calls Append and After, another one Run.
type Writer struct {
	config  Config
	tick    uint64
	digests Digests
	due     uint64 // the tick after which the next snapshot is taken
	state   *state // that was taken since the last Append
	digest  []byte // likewise
	room    *recording.Room
	asked   bool // for room, since the last snapshot
	free    chan *tick
	pending chan *tick
	ended   chan struct{} // closed when Run returns
	entries *metric.Counter

	// Of Run.
	log     uint64
	last    uint64 // number of the last entry
	ordinal uint64
	batch   []byte
	entry   []byte
	inbox   frame.Inbox
	busy    chan struct{} // has a token while no snapshot is being kept

	kept map[string]uint64 // Snapshot.From of those snapshots that this writer has kept, until it removes them; of the goroutine that keeps one
}

// A tick is what is to be appended of one.
type tick struct {
	n      uint64
	record []byte
	inbox  int    // where it is in record
	state  *state // of the world before the tick; nil if no snapshot was taken
	// settled is nil but for what is no tick: it is sent what a snapshot of a world that stands still begins with, after an entry
	// without ticks if it fences.
	settled chan<- Snapshot
	fences  bool
}

// A state is a world as of a tick.
type state struct {
	n      uint64
	copied []byte
	parts  func() ([][]byte, error)
	kept   func(*Snapshot, error) // of one that was asked for; nil else
}

// NewWriter returns a writer that goes on after what a follower has read, or with a new log if it has read nothing. Its first snapshot is due when that of
// the writer before it would have been, as far as the follower knows of that, and not before a second: else writers that end sooner than a snapshot
// is due would have a log without bound, and each would take longer to begin than the last.
func NewWriter(c Config, f *Follower, n uint64, d Digests) *Writer {
	c.Logger = cmp.Or(c.Logger, slog.Default())
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	c.Metric.Declare(Entries, Retried, Waited, Snapshots, SnapshotFailed, Paused)
	w := &Writer{
		config: c, tick: n, due: max(f.newest+c.Every, n+c.Second), digests: d, log: cmp.Or(f.Log, c.Life), last: f.Last,
		free: make(chan *tick, maxAhead), pending: make(chan *tick, maxAhead), ended: make(chan struct{}), busy: make(chan struct{}, 1), room: recording.NewRoom(),
		kept: make(map[string]uint64), entries: c.Metric.Counter(Entries),
	}
	for range maxAhead {
		w.free <- new(tick)
	}
	w.busy <- struct{}{}
	return w
}

// Settle returns when the log has all that was given to Append, and no snapshot is being kept: what a snapshot of the world as it is
// begins with. It is for the goroutine that steps the world, which stands still until Append is called again.
func (w *Writer) Settle(ctx context.Context) (s Snapshot, err error) {
	return w.settle(ctx, false)
}

// Fence returns when the log has another entry of this writer, so that no other can go on after the last snapshot. It is for the goroutine that
// steps the world. The error wraps ErrMoved if another one has.
func (w *Writer) Fence(ctx context.Context) error {
	_, err := w.settle(ctx, true)
	return err
}

func (w *Writer) settle(ctx context.Context, fences bool) (s Snapshot, err error) {
	if w.state != nil { // of the last tick, as that which is taken next
		w.room.Return(w.state.copied)
		w.state = nil
		w.due = w.tick // if the world goes on here
		w.busy <- struct{}{}
	}
	select {
	case <-w.busy:
		w.busy <- struct{}{}
	case <-ctx.Done():
		return s, ctx.Err()
	}
	t := w.take()
	if t == nil {
		return s, ErrMoved
	}
	settled := make(chan Snapshot, 1)
	t.n, t.record, t.state, t.settled, t.fences = w.tick, t.record[:0], nil, settled, fences
	w.pending <- t
	select {
	case s = <-settled:
		return s, nil
	case <-w.ended:
		return s, ErrMoved
	case <-ctx.Done():
		return s, ctx.Err()
	}
}

// Keep keeps the snapshot of a world that stands still.
func (w *Writer) Keep(ctx context.Context, s *Snapshot) error {
	_, parts, err := w.config.State(nil)
	if err != nil {
		return err
	}
	return w.put(ctx, s, parts)
}

// put keeps a snapshot with a state.
func (w *Writer) put(ctx context.Context, s *Snapshot, state func() ([][]byte, error)) error {
	rawio.WakeMonitor()
	parts, err := state()
	if err != nil {
		return err
	}
	all, err := s.Reader(parts)
	if err != nil {
		return err
	}
	return w.config.Stream.Put(ctx, w.config.name(s.N), all)
}

// ID is the number of the log.
func (w *Writer) ID() uint64 { return w.log }

// Life is the number of the process.
func (w *Writer) Life() uint64 { return w.config.Life }

// Lead appends an entry by which the log has this writer: its header if it is new. The error wraps ErrMoved if the log has got
// entries that the follower has not read.
func (w *Writer) Lead(ctx context.Context) error {
	if w.last == 0 {
		return w.append(ctx, first|last|header, recording.AppendHeader(nil, &w.config.Header))
	}
	return w.append(ctx, first|last, nil)
}

// LeadOn appends an entry by which the log has this writer, and goes on by the writer's header after the snapshot that its follower has
// begun with. The error wraps ErrMoved if there are entries after that.
func (w *Writer) LeadOn(ctx context.Context) error {
	w.config.Since = w.tick
	return w.append(ctx, first|last|header, recording.AppendHeader(nil, &w.config.Header))
}

// Append has what a tick is about to read appended. It waits only if the log is so far behind as it may be.
func (w *Writer) Append(n uint64, in *frame.Inbox) {
	w.tick = n
	t := w.take()
	if t == nil {
		return
	}
	t.n, t.record, t.state, t.settled = n, append(t.record[:0], w.digest...), w.state, nil
	t.inbox = len(t.record) + recording.InboxAt
	t.record = recording.AppendTick(t.record, n, in)
	w.state, w.digest = nil, w.digest[:0]
	w.pending <- t // there is room: there are no more than it holds
}

// take takes a free tick, nil if Run has returned.
func (w *Writer) take() *tick {
	select {
	case t := <-w.free:
		return t
	default:
	}
	began := time.Now()
	defer func() { w.config.Metric.Add(Waited, uint64(time.Since(began).Microseconds())) }()
	select {
	case t := <-w.free:
		return t
	case <-w.ended:
		return nil
	}
}

// After is called after a tick. It takes a snapshot if one is due, which is kept while the world goes on.
func (w *Writer) After() {
	if d, ok := w.digests.Add(w.tick, w.config.Second, w.config.Digest(w.tick)); ok {
		w.digest = recording.AppendDigest(w.digest, w.tick, d)
	}
	if !w.asked && w.config.Size != nil && w.tick+w.config.Every/4 >= w.due {
		w.asked = true
		w.room.Need(w.config.Size())
	}
	if w.tick < w.due {
		return
	}
	if err := w.copy(); err != nil && !errors.Is(err, ErrKeeping) {
		w.failed(w.tick, err)
	}
}

// Errors of Writer.Snapshot.
var (
	ErrKeeping = errors.New("streamlog: the last snapshot is being kept")
	ErrNoTick  = errors.New("streamlog: the world has no tick yet")
)

// Snapshot takes a snapshot of the world as it is, as if one were due, and has kept called with it, but for its state, when it is kept, or with why it
// is not. Of a tick that has one that is it. Snapshot is for the goroutine that steps the world, which waits while the log is behind by as many ticks as it may be. kept is called by another one:
// after an error of Snapshot, and if Run ends before, not at all.
func (w *Writer) Snapshot(kept func(*Snapshot, error)) error {
	if w.tick == 0 {
		return ErrNoTick
	}
	if w.state == nil { // else it was due after the last tick
		if err := w.copy(); err != nil {
			return err
		}
	}
	t := w.take()
	if t == nil {
		return ErrMoved
	}
	w.state.kept = kept
	t.n, t.record, t.state, t.settled = w.tick, t.record[:0], w.state, nil
	w.state = nil
	w.pending <- t
	return nil
}

// copy takes the state of the world.
func (w *Writer) copy() error {
	select {
	case <-w.busy:
	default:
		return ErrKeeping
	}
	rawio.WakeMonitor()
	began := time.Now()
	room := w.room.Take()
	copied, parts, err := w.config.State(room)
	w.config.Metric.Add(Paused, uint64(time.Since(began).Microseconds()))
	w.due, w.asked = w.tick+w.config.Every, false
	if err != nil {
		w.room.Return(room)
		w.busy <- struct{}{}
		return err
	}
	w.state = &state{n: w.tick, copied: copied, parts: parts}
	return nil
}

// Run appends until ctx is done, or until it cannot: because the log has another writer, ErrMoved, or the stream refuses, ErrRefused. Nothing of the world may be
// shown after that.
func (w *Writer) Run(ctx context.Context) error {
	defer close(w.ended)
	var ticks []*tick
	for {
		ticks = ticks[:0]
		select {
		case t := <-w.pending:
			ticks = append(ticks, t)
		case <-ctx.Done():
			return nil
		}
		for more := true; more; { // what has come while the last was appended
			select {
			case t := <-w.pending:
				ticks = append(ticks, t)
			default:
				more = false
			}
		}
		w.batch = w.batch[:0]
		for _, t := range ticks {
			w.batch = append(w.batch, t.record...)
		}
		from := w.last
		if len(w.batch) > 0 {
			var err error
			if from, err = w.appendBatch(ctx); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return err
			}
		}
		for _, t := range ticks {
			if t.settled != nil {
				if t.fences {
					if err := w.append(ctx, first|last, nil); err != nil {
						if ctx.Err() != nil {
							return nil
						}
						return err
					}
				}
				t.settled <- Snapshot{
					Log: w.log, From: w.last, N: t.n, Writer: w.config.Life, Ordinal: w.ordinal, Header: w.config.Header, Roster: w.config.Roster(nil),
				}
				t.settled = nil
				w.free <- t
				continue
			}
			if t.state != nil {
				if len(w.batch) == 0 { // a fence may have been appended since
					from = w.last
				}
				w.keep(ctx, t.state, from)
				t.state = nil
			}
			if len(t.record) == 0 { // of Snapshot
				w.free <- t
				continue
			}
			if err := w.inbox.UnmarshalBinary(t.record[t.inbox:]); err != nil {
				return err // AppendTick wrote it
			}
			w.config.Committed(t.n, &w.inbox)
			w.free <- t
		}
	}
}

// appendBatch appends the batch in parts, and returns the number of the first.
func (w *Writer) appendBatch(ctx context.Context) (from uint64, err error) {
	rest, flags := w.batch, byte(first)
	for flags&last == 0 {
		n := min(len(rest), maxEntry)
		if n == len(rest) {
			flags |= last
		}
		if err := w.append(ctx, flags, rest[:n]); err != nil {
			return 0, err
		}
		from = cmp.Or(from, w.last)
		rest, flags = rest[n:], flags&^first
	}
	return from, nil
}

// append appends an entry, and tries until that is done, or the log has another writer, or the stream has answered for refusedTime that
// it appends nothing. An entry that is there although its append failed is found by its bytes.
func (w *Writer) append(ctx context.Context, flags byte, body []byte) error {
	w.ordinal++
	e := entry{flags, w.log, w.config.Life, w.ordinal, w.config.Since, body}
	w.entry = e.append(w.entry[:0])
	var refused, complained time.Time // since when it is; last
	for {
		number, err := w.config.Stream.Append(ctx, w.config.Subject, w.entry, w.last)
		if errors.Is(err, ErrMoved) {
			if number, err = w.mine(ctx); errors.Is(err, ErrMoved) {
				return err
			}
		}
		if err == nil {
			w.entries.Count()
			w.last = number
			return nil
		}
		w.config.Metric.Count(Retried)
		now := time.Now()
		switch {
		case !errors.Is(err, ErrRefused):
			refused = time.Time{}
		case refused.IsZero():
			refused = now
		case now.Sub(refused) >= refusedTime:
			return err
		}
		if now.Sub(complained) >= complainEvery && ctx.Err() == nil {
			complained = now
			w.config.Logger.Warn("the world waits for its log", "log", w.config.Subject, "err", err)
		}
		select {
		case <-time.After(retryAfter):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// errPending is returned where nothing was appended, and the stream refuses all the same.
var errPending = errors.New("streamlog: an append to the log is not done yet")

// mine is the number of the last entry of the log if it is the one that this writer appends, errPending if that is the one before, and ErrMoved if it is
// another's.
//
// A stream with replicas refuses an append as one after a wrong sequence while the one before it to that subject waits for other servers (seen in
// nats-server v2.15.2): an append that this writer has given up may be there later, or never.
func (w *Writer) mine(ctx context.Context) (number uint64, err error) {
	m, err := w.config.Stream.Last(ctx, w.config.Subject)
	if err != nil {
		return 0, err
	}
	if bytes.Equal(m.Body, w.entry) {
		return m.Number, nil
	}
	if m.Number == w.last {
		return 0, errPending
	}
	return 0, ErrMoved
}

// keep keeps a snapshot, and then removes what it makes needless.
func (w *Writer) keep(ctx context.Context, at *state, from uint64) {
	s := &Snapshot{Log: w.log, From: from, N: at.n, Header: w.config.Header, Roster: w.config.Roster(nil)}
	if len(w.batch) == 0 { // from is the last entry, and not the first with what follows
		s.Writer, s.Ordinal = w.config.Life, w.ordinal
	}
	go func() {
		defer func() { w.busy <- struct{}{} }()
		bounded, cancel := context.WithTimeout(ctx, keepTime)
		defer cancel()
		var there *Snapshot
		var err error
		if at.kept != nil { // that with which a log goes on by another header must stay as it is
			there, err = w.config.there(bounded, s.N)
		}
		if there == nil && err == nil {
			err = w.put(bounded, s, at.parts)
		}
		w.room.Return(at.copied)
		if at.kept != nil {
			at.kept(cmp.Or(there, s), err)
		}
		if there == nil && err == nil {
			w.config.Metric.Count(Snapshots)
			w.kept[w.config.name(s.N)] = s.From
			err = w.tidy(bounded, s.N)
		}
		if err != nil && ctx.Err() == nil {
			w.failed(s.N, err)
		}
	}()
}

// tidy removes the snapshots before the newest but one that is old enough, and then the log before that. It keeps one more than is needed,
// so that a process that has just begun with the needed one finds the log after it. Snapshots are removed first: a log that lacks entries after a snapshot that is
// there was not purged.
func (w *Writer) tidy(ctx context.Context, newest uint64) error {
	names, err := w.config.names(ctx)
	if err != nil {
		return err
	}
	needed := w.config.needed(names, newest, w.config.Kept)
	if needed < 2 {
		return nil
	}
	for _, name := range names[:needed-1] {
		if err := w.config.Stream.Delete(ctx, name); err != nil {
			return err
		}
		delete(w.kept, name)
	}
	from, ok := w.kept[names[needed-1]]
	if !ok { // another writer has kept it: it is read as a whole
		s, err := w.config.snapshot(ctx, names[needed-1])
		if err != nil {
			return err
		}
		from = s.From
	}
	if from == 0 { // there is no entry before it, and all would be purged
		return nil
	}
	return w.config.Stream.Purge(ctx, w.config.Subject, from)
}

func (w *Writer) failed(n uint64, err error) {
	w.config.Metric.Count(SnapshotFailed)
	w.config.Logger.Warn("a snapshot of the world is not kept", "log", w.config.Subject, "err", fmt.Errorf("after tick %d: %w", n, err))
}
