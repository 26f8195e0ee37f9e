package streamlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/corrupt"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

var testHeader = recording.Header{Release: "1", Seed: 7, Map: 530, StepMs: 50, Segment: 1}

// A written is a world that is the sum of what it has read, with the writer of its log.
type written struct {
	*Writer
	stream    *memory
	sum       uint64
	mu        sync.Mutex // of committed
	committed []uint64
	ended     chan error
	metric    metric.Table
}

func logIn(m *memory) Log { return Log{Stream: m, Subject: "log", Name: "1.0."} }

// write begins to write a log as a process of a life, after what a follower has.
func write(ctx context.Context, m *memory, life uint64, f *Follower, n, sum uint64) (*written, error) {
	w := &written{stream: m, sum: sum, ended: make(chan error, 1)}
	w.Writer = NewWriter(Config{
		Log: logIn(m), Life: life, Header: testHeader,
		State:     w.state,
		Digest:    func(uint64) []byte { return digestOf(w.sum) },
		Committed: w.commitOf(),
		Roster:    func(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, w.newest()) },
		Every:     10, Kept: 20, Second: 4, Metric: &w.metric,
	}, f, n, Digests{})
	if err := w.Lead(ctx); err != nil {
		return nil, err
	}
	go func() { w.ended <- w.Run(ctx) }()
	return w, nil
}

// state is the world in two parts.
func (w *written) state(b []byte) ([]byte, func() ([][]byte, error), error) {
	b = binary.LittleEndian.AppendUint64(b, w.sum)
	return b, func() ([][]byte, error) { return [][]byte{b[:3], b[3:]}, nil }, nil
}

// commitOf is what is called with what a tick has read.
func (w *written) commitOf() func(n uint64, in *frame.Inbox) {
	return func(n uint64, in *frame.Inbox) {
		w.commit(n)
		if in.Len() != 1 || uint64(in.At(0).Session) != n {
			panic("another inbox")
		}
	}
}

func (w *written) commit(n uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.committed = append(w.committed, n)
}

// all are the ticks that were committed.
func (w *written) all() []uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.committed)
}

// newest is the last of them, 0 if there is none.
func (w *written) newest() (n uint64) {
	for _, n = range w.all() {
	}
	return n
}

// digestOf is a digest of one part, as systems.World makes it.
func digestOf(sum uint64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{1, 0, 2, 0}, sum)
}

// step runs a tick, which reads its own number and so many bytes.
func (w *written) step(n uint64, size int) {
	var in frame.Inbox
	for in.Add(frame.Item{Session: uint32(n), Op: 1, Body: make([]byte, size)}) != nil {
		panic("too much")
	}
	w.Append(n, &in)
	w.sum += n
	w.After()
}

// all follows a log from its oldest snapshot to its end.
func all(m *memory) (f *Follower, ticks []uint64, sum uint64, s *Snapshot, err error) {
	f = new(Follower)
	if s, err = (&Log{m, "log", "1.0."}).Needed(context.Background(), math.MaxUint64); err != nil {
		return
	}
	from, tick := uint64(0), uint64(0)
	if s != nil {
		f.Begin(s, s)
		from, tick, sum = s.Next(), s.N, binary.LittleEndian.Uint64(s.State)
	}
	for _, at := range m.messages["log"] {
		if at.Number < from {
			continue
		}
		if err = f.Take(at, func(r recording.Record) error {
			if r.Inbox != nil && r.N > tick {
				ticks = append(ticks, r.N)
				sum += r.N
			}
			return nil
		}); err != nil {
			return
		}
	}
	return
}

func upTo(first, last uint64) (all []uint64) {
	for n := first; n <= last; n++ {
		all = append(all, n)
	}
	return all
}

// A log has each tick once, whatever its stream does: appends that fail are tried again, and those that were done although
// they failed are not done twice. Long ones are in several entries.
func TestWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 9; n++ {
			m.mu.Lock()
			m.fail, m.unsure = int(n%3), int(n%2)
			m.mu.Unlock()
			w.step(n, 100)
			if n != 5 && n != 6 { // these are in one entry
				synctest.Wait()
			}
			eventuallyCommitted(w, n, n == 5 || n == 6)
		}
		f, ticks, _, _, err := all(m)
		if err != nil || !slices.Equal(ticks, upTo(1, 9)) || !slices.Equal(w.all(), ticks) {
			t.Errorf("the log has %v, %v; committed %v; want 1 to 9", ticks, err, w.all())
		}
		if !reflect.DeepEqual(*f.Header, testHeader) || f.Log != 5 || f.Writer != 5 || f.Last != m.number {
			t.Errorf("the log is %d by %d up to %d, of %+v", f.Log, f.Writer, f.Last, f.Header)
		}
		if w.metric.Value(Retried) == 0 {
			t.Error("nothing was tried again")
		}
	})
}

// eventuallyCommitted waits for a tick for a second, unless that is left to the next.
func eventuallyCommitted(w *written, n uint64, not bool) {
	for range 20 {
		if !not && w.newest() < n {
			w.wait()
		}
	}
}

// wait lets virtual time pass.
func (w *written) wait() {
	timer, cancel := context.WithTimeout(context.Background(), retryAfter)
	defer cancel()
	<-timer.Done()
	synctest.Wait()
}

// A batch longer than an entry is in several, and is whole or not there at all: of a writer that has ended within it the next one
// leaves nothing.
func TestLongBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		ctx, kill := context.WithCancel(t.Context())
		one, err := write(ctx, m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		one.step(1, 60_000)
		synctest.Wait()
		before := len(m.messages["log"])
		kill()
		<-one.ended
		if err := one.append(t.Context(), first, bytes.Repeat([]byte{9}, 1000)); err != nil {
			t.Fatal(err)
		}
		f, _, _, _, err := all(m)
		if err != nil {
			t.Fatal(err)
		}
		two, err := write(t.Context(), m, 6, f, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		var in frame.Inbox
		for i := range 20 {
			in.Add(frame.Item{Session: 2, Op: uint16(i + 1), Body: make([]byte, 60_000)})
		}
		two.config.Committed = func(n uint64, _ *frame.Inbox) { two.commit(n) }
		two.Append(2, &in)
		synctest.Wait()
		if _, ticks, _, _, err := all(m); err != nil || !slices.Equal(ticks, []uint64{1, 2}) || len(m.messages["log"]) != before+2+3 {
			t.Errorf("the log has %v, %v, in %d entries; want 1 and 2 in %d", ticks, err, len(m.messages["log"]), before+2+3)
		}
	})
}

// A writer that was paused while another went on is refused, and nothing that it appends is committed. One that does not know the
// newest entry is refused too.
func TestOldWriterIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		one, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		one.step(1, 1)
		synctest.Wait()
		same := one.config // as of another process with the same number
		same.Header.Seed++
		twin := newMemory()
		if _, err := write(t.Context(), twin, 5, new(Follower), 0, 0); err != nil {
			t.Fatal(err)
		}
		same.Stream = twin
		if err := NewWriter(same, new(Follower), 0, Digests{}).Lead(t.Context()); !errors.Is(err, ErrMoved) {
			t.Errorf("a writer takes the entry of another one with its number for its own: %v, want ErrMoved", err)
		}
		f, _, sum, _, err := all(m)
		if err != nil {
			t.Fatal(err)
		}
		one.step(2, 1)
		synctest.Wait()
		if _, err := write(t.Context(), m, 6, f, 1, sum); !errors.Is(err, ErrMoved) {
			t.Errorf("a writer that does not know tick 2: %v, want ErrMoved", err)
		}
		f, _, sum, _, _ = all(m)
		two, err := write(t.Context(), m, 7, f, 2, sum)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(3); n <= 5; n++ { // the last of these is its fourth entry, as would be the old writer's
			two.step(n, 1)
			synctest.Wait()
		}
		one.step(3, 1)
		if err := <-one.ended; !errors.Is(err, ErrMoved) {
			t.Errorf("the old writer ended with %v, want ErrMoved", err)
		}
		for n := uint64(4); n < 200; n++ {
			one.step(n, 1) // does not wait for ever
		}
		if f, ticks, _, _, err := all(m); err != nil || !slices.Equal(ticks, upTo(1, 5)) || !slices.Equal(one.all(), upTo(1, 2)) || f.Writer != 7 || f.Log != 5 {
			t.Errorf("the log has %v by %d, %v; the old writer has committed %v", ticks, f.Writer, err, one.all())
		}
	})
}

// A stream refuses an append, as after a wrong sequence, while one that the writer has given up waits for other servers: the writer goes on when the stream
// has it, or takes the next one.
func TestAppendIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.failure = ErrMoved
		m.fail = 3 // also where the log is empty
		one, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		m.fail = 3
		one.step(1, 1)
		time.Sleep(time.Second)
		synctest.Wait()
		if got := one.all(); !slices.Equal(got, upTo(1, 1)) || m.fail != 0 {
			t.Errorf("it has committed %v, and is to be refused %d times more, want tick 1 and 0", got, m.fail)
		}
	})
}

// Snapshots bound the log, too, where each writer ends before it has run for as long as there is between two of them.
func TestSnapshotsOfShortLives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, n, sum := newMemory(), uint64(0), uint64(0)
		for life := uint64(5); life < 60; life++ {
			f, ticks, was, s, err := all(m)
			if err != nil || was != sum {
				t.Fatalf("before life %d the world is %d, %v, want %d", life, was, err, sum)
			}
			if len(ticks) > 60 {
				t.Fatalf("before life %d there are %d ticks to run, the oldest snapshot: %+v", life, len(ticks), s)
			}
			ctx, kill := context.WithCancel(t.Context())
			w, err := write(ctx, m, life, f, n, sum)
			if err != nil {
				t.Fatal(err)
			}
			for range 6 { // of Every, 10, and Second, 4
				n++
				w.step(n, 1)
				sum += n
				synctest.Wait()
			}
			kill()
			<-w.ended
		}
		if names, _ := m.Names(t.Context(), ""); len(names) == 0 || len(names) > 20 {
			t.Errorf("%d snapshots are left", len(names))
		}
	})
}

// Snapshots bound the log: those before the newest that is Kept ticks old are removed, and the entries before it. What is left is
// the whole world.
func TestSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		want, read := uint64(0), 0
		for n := uint64(1); n <= 75; n++ {
			m.reading = func(string) { read++ }
			w.step(n, 1)
			want += n
			synctest.Wait()
			m.reading = nil
			f, ticks, sum, s, err := all(m)
			if err != nil || sum != want || f.Header == nil {
				t.Fatalf("after tick %d a world is %d, %v, want %d", n, sum, err, want)
			}
			if s != nil && (binary.LittleEndian.Uint64(s.Roster) != s.N || n > s.N+60) {
				t.Fatalf("after tick %d the oldest snapshot is of %d, with the gateways as of %d", n, s.N, binary.LittleEndian.Uint64(s.Roster))
			}
			if s == nil && n > 12 || len(ticks) > 60 {
				t.Fatalf("after tick %d the log has %d ticks, snapshot: %v", n, len(ticks), s != nil)
			}
		}
		if read != 0 || len(w.kept) > 4 {
			t.Errorf("the writer has read %d of its own snapshots, and knows where %d begin", read, len(w.kept))
		}
		if names, _ := m.Names(t.Context(), ""); len(names) != 4 || w.metric.Value(Snapshots) != 7 {
			t.Errorf("%d snapshots are left, want 4; %d were taken, want 7", len(names), w.metric.Value(Snapshots))
		}
		l := logIn(m)
		f := new(Follower)
		oldest, _ := l.Needed(t.Context(), math.MaxUint64)
		newest, err := l.Newest(t.Context())
		if err != nil || newest.N != 70 || oldest.N != 40 {
			t.Fatalf("the oldest snapshot is of %d, the newest of %d, %v; want 40 and 70", oldest.N, newest.N, err)
		}
		if s, err := l.Needed(t.Context(), w.config.Kept); err != nil || s.N != 50 {
			t.Errorf("for the last %d ticks one begins with the snapshot of %+v, %v, want 50", w.config.Kept, s, err)
		}
		f.Begin(oldest, newest)
		if ok, err := f.Reached(newest.From); ok || err != nil {
			t.Errorf("before its log is read a world is complete: %v, %v", ok, err)
		}
		if ok, err := f.Reached(newest.From - 1); ok || !errors.Is(err, ErrShort) {
			t.Errorf("a log that ends before its newest snapshot: %v, %v, want ErrShort", ok, err)
		}
		f, _, _, _, _ = all(m)
		if ok, err := f.Reached(m.number); !ok || err != nil {
			t.Errorf("a world that has read its log is not complete: %v, %v", ok, err)
		}
		if ok, err := f.Reached(m.number - 1); ok || !errors.Is(err, ErrShort) {
			t.Errorf("a log that ends before what was read: %v, %v, want ErrShort", ok, err)
		}
		whole := m.messages["log"]
		for _, at := range []int{0, 1, len(whole) - 2} {
			m.messages["log"] = slices.Delete(slices.Clone(whole), at, at+1)
			if _, _, _, _, err := all(m); !errors.Is(err, ErrGap) {
				t.Errorf("a log that lacks entry %d of %d: %v, want ErrGap", at, len(whole), err)
			}
		}
		m.reading = func(string) { // each is removed as it is read, but for the last
			if names, _ := l.names(t.Context()); len(names) > 1 {
				m.Delete(t.Context(), names[0])
			}
		}
		if s, err := l.Needed(t.Context(), math.MaxUint64); err != nil || s.N != 70 {
			t.Errorf("where snapshots are removed as they are read, one begins with %+v, %v, want 70", s, err)
		}
		for tick, want := range map[uint64]bool{40: true, 70: false} {
			if purged, err := l.Purged(t.Context(), tick); purged != want || err != nil {
				t.Errorf("the log was purged behind tick %d: %t, %v, want %t", tick, purged, err, want)
			}
		}
		m.reading = nil
		if err := l.Remove(t.Context()); err != nil || len(m.snapshots)+len(m.messages["log"]) > 0 {
			t.Errorf("%v, and %d snapshots are left", err, len(m.snapshots))
		}
	})
}

// A world whose log does not answer waits once it is maxAhead ticks ahead, and goes on with it.
func TestAheadIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		m.stuck = make(chan struct{})
		stepped := uint64(0)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for stepped < maxAhead+10 {
				w.step(stepped+1, 1)
				stepped++
			}
		}()
		synctest.Wait()
		if stepped != maxAhead {
			t.Errorf("it has run %d ticks, want %d", stepped, maxAhead)
		}
		w.wait()
		close(m.stuck)
		<-done
		synctest.Wait()
		if _, _, sum, _, err := all(m); err != nil || sum != w.sum || len(w.all()) != maxAhead+10 || w.metric.Value(Waited) != 50_000 {
			t.Errorf("the log has a world of %d, %v, want %d; %d ticks are committed, want %d; waited %d us", sum, err, w.sum, len(w.all()), maxAhead+10, w.metric.Value(Waited))
		}
	})
}

// A writer whose stream refuses what it appends ends, so that another begins with what the stream is then. One whose stream does not
// answer waits for it. Both say so once a second.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			failure error
			fails   int
			ends    bool
		}{{fmt.Errorf("%w: it is full", ErrRefused), 1000, true}, {fmt.Errorf("%w: it is full", ErrRefused), 200, false}, {errMemory, 1000, false}} {
			m := newMemory()
			w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			w.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
			m.fail, m.failure = test.fails, test.failure
			began := time.Now()
			w.step(1, 1)
			for range test.fails + 1 {
				w.wait()
			}
			select {
			case err = <-w.ended:
				if !test.ends || !errors.Is(err, ErrRefused) {
					t.Errorf("%v: it ended with %v", test, err)
				}
			default:
				if test.ends || w.newest() != 1 {
					t.Errorf("%v: it has not ended, and tick %d is committed, want 1", test, w.newest())
				}
			}
			lines, want := strings.Count(log.String(), "the world waits for its log"), min(test.fails/20, 50)
			if test.ends {
				want = 15
			}
			if lines != want {
				t.Errorf("%v: it has said so %d times in %v, want %d", test, lines, time.Since(began), want)
			}
		}
	})
}

// A snapshot that takes too long is given up, and counted.
func TestSlowSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.slow = true
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 11; n++ {
			w.step(n, 1)
		}
		for range int(keepTime/retryAfter) + 1 {
			w.wait()
		}
		if w.metric.Value(SnapshotFailed) != 1 || w.metric.Value(Snapshots) != 0 {
			t.Errorf("%d snapshots have failed, want 1", w.metric.Value(SnapshotFailed))
		}
	})
}

// Two that step the same have the same sums in every second; others differ in the part that does.
func TestDigests(t *testing.T) {
	var a, b Digests
	var first []byte
	for n := uint64(4); n < 12; n++ {
		x, okX := a.Add(n, 4, digestOf(n))
		y, okY := b.Add(n, 4, digestOf(n+n/11))
		if okX != (n == 8) || okX != okY {
			t.Fatalf("tick %d: %v, %v, want sums with tick 8", n, okX, okY)
		}
		if okX {
			first = bytes.Clone(x)
			if parts, ok, err := Differ(x, y); !ok || err != nil || len(parts) > 0 {
				t.Errorf("the first second: %v, %v, %v", parts, ok, err)
			}
		}
	}
	// From tick 4 on, part 2 has 4+5+6+7.
	if got, want := hex.EncodeToString(first), "0400000000000000"+"0000000000000000"+"0000000000000000"+"1600000000000000"; got != want {
		t.Errorf("the sums are %s, want %s", got, want)
	}
	x, _ := a.Add(12, 4, nil)
	y, _ := b.Add(12, 4, nil)
	if parts, ok, err := Differ(x, y); !ok || err != nil || !slices.Equal(parts, []int{2}) {
		t.Errorf("the second second differs in %v, %v, %v, want part 2", parts, ok, err)
	}
	if _, ok, err := Differ(first, y); ok || err != nil {
		t.Errorf("sums of other ticks are compared: %v", err)
	}
	if _, _, err := Differ(first, y[1:]); !errors.Is(err, ErrDigest) {
		t.Errorf("%v, want ErrDigest", err)
	}
}

// Which entry may follow the third of writer 7: its next one, or the first of another writer.
func TestFollows(t *testing.T) {
	for _, test := range []struct {
		e    entry
		want error
	}{
		{entry{flags: last, writer: 7, ordinal: 4}, nil},
		{entry{flags: first | last, writer: 8, ordinal: 1}, nil},
		{entry{flags: first | last, writer: 7, ordinal: 3}, ErrGap},
		{entry{flags: first | last, writer: 7, ordinal: 5}, ErrGap},
		{entry{flags: first | last, writer: 7, ordinal: 1}, ErrGap},
		{entry{flags: first | last, writer: 8, ordinal: 4}, ErrGap},
		{entry{flags: last, writer: 8, ordinal: 1}, ErrGap},
	} {
		f := &Follower{Log: 1, Writer: 7, Last: 9, ordinal: 3}
		test.e.log = 1
		if err := f.Take(Message{Number: 12, Body: test.e.append(nil)}, func(recording.Record) error { return nil }); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v, want %v", test.e, err, test.want)
		}
	}
	if err := new(Follower).Take(Message{Number: 12, Body: (&entry{flags: first, log: 1, writer: 7, ordinal: 2}).append(nil)}, nil); !errors.Is(err, ErrGap) {
		t.Errorf("a log without its first entry, nor a snapshot: %v, want ErrGap", err)
	}
}

// A log that begins with a tick, or in the middle of its header, is not read as one.
func TestLogWithoutItsHeader(t *testing.T) {
	for _, e := range []entry{
		{flags: first | last, log: 1, writer: 7, ordinal: 1, body: recording.AppendTick(nil, 1, new(frame.Inbox))},
		{flags: first | header, log: 1, writer: 7, ordinal: 1},
	} {
		m := newMemory()
		if _, err := m.Append(t.Context(), "log", e.append(nil), 0); err != nil {
			t.Fatal(err)
		}
		log := logIn(m)
		err := log.Read(t.Context(), func(*recording.Header, *Snapshot) error {
			t.Errorf("%+v: begins", e)
			return nil
		}, func(recording.Record) error {
			t.Errorf("%+v: visits", e)
			return nil
		})
		if !errors.Is(err, ErrFormat) {
			t.Errorf("%+v: %v, want ErrFormat", e, err)
		}
	}
}

// The hash of a state is what the makers of XXH3 publish for its bytes, whole and in parts.
//
// Source: XSUM_XXH128_testdata and XSUM_fillTestBuffer, xxHash cli/xsum_sanity_check.c at dde858b.
func TestHash(t *testing.T) {
	const prime32, prime64 = 2654435761, 11400714785074694797
	filled := make([]byte, 2367)
	for i, next := 0, uint64(prime32); i < len(filled); i, next = i+1, next*prime64 {
		filled[i] = byte(next >> 56)
	}
	for n, want := range map[int]string{
		0: "99aa06d3014798d86001c324468d497f", 1: "a6cd5e9392000f6ac44bdff4074eecdb", 12: "6e3efd8fc7802b18061a192713f69ad9", 222: "337e09641b948717f1aebd597cec6b3a",
		403: "1b6de21e332dd73dcdeb804d65c6dea4", 2048: "f736557fd47073a5dd59e2c3a5f038e0", 2367: "e89c0f6ff369b427cb37aeb9e5d361ed",
	} {
		whole, inParts := Hash(filled[:n]), new(Snapshot)
		if _, err := inParts.Reader(slices.Collect(slices.Chunk(filled[:n], 7))); err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(whole[:]); got != want || inParts.Hash != whole {
			t.Errorf("of %d bytes it is %s, and %x in parts, want %s", n, got, inParts.Hash, want)
		}
	}
}

// A state that is too large is not written, and what says that it has one is not read.
func TestStateIsBounded(t *testing.T) {
	part := make([]byte, 1<<20)
	if _, err := new(Snapshot).Reader(append(slices.Repeat([][]byte{part}, 1<<10), part[:1])); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a byte too much: %v, want ErrTooLarge", err)
	}
	all, err := new(Snapshot).Reader([][]byte{{5}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(all)
	at := bytes.Index(b, []byte("\x01\x00\x00\x00\xff\x06\x00\x00S2sTwO")) // the length, and the stream
	if err != nil || at < 0 {
		t.Fatalf("%x, %v: there is no state", b, err)
	}
	copy(b[at:], "\x01\x00\x00\x40")
	if _, err := parseSnapshot(b); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "1073741825 bytes, where 1073741824 are read at most") {
		t.Errorf("a length that is too large: %v", err)
	}
}

// The bytes of entries and snapshots, written by hand.
func TestBytes(t *testing.T) {
	e := entry{first | header, 0x0102030405060708, 9, 10, 11, []byte("body")}
	want := "02" + "05" + "0807060504030201" + "0900000000000000" + "0a00000000000000" + "0b00000000000000" + hex.EncodeToString([]byte("body"))
	if got := hex.EncodeToString(e.append(nil)); got != want {
		t.Errorf("an entry is %s, want %s", got, want)
	}
	s := &Snapshot{Log: 1, From: 2, N: 3, Writer: 7, Ordinal: 8, Header: testHeader, Roster: []byte{4}, State: []byte{5, 6}}
	all, err := s.Reader([][]byte{{5}, {}, {6}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(all)
	text := `{"Release":"1","Toolchain":"","Seed":7,"Creatures":0,"Start":"","Map":530,"StepMs":50,"Strikes":0,"Reclaim":"","XPRate":0,"Ephemeral":false,"Parts":null,"Segment":1}`
	numbers := "0100000000000000" + "0200000000000000" + "0300000000000000" + "0700000000000000" + "0800000000000000"
	lists := hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, uint32(len(text)))) + hex.EncodeToString([]byte(text)) + "01000000" + "04" + "02000000"
	hash := Hash([]byte{5, 6}) // TestHash has what it is of
	// The name of the format, and two bytes that are not compressed, with a CRC-32C that is masked.
	//
	// Source: Snappy framing format.
	crc := crc32.Checksum([]byte{5, 6}, crc32.MakeTable(crc32.Castagnoli))
	packed := "ff060000" + hex.EncodeToString([]byte("S2sTwO")) + "01060000" + hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, (crc>>15|crc<<17)+0xa282ead8)) + "0506"
	want = "04" + numbers + hex.EncodeToString(hash[:]) + lists + packed
	if got := hex.EncodeToString(b); err != nil || got != want {
		t.Errorf("a snapshot is %s, %v, want %s", got, err, want)
	}
	if got, err := parseSnapshot(b); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v", got, err)
	}
	for b := range corrupt.Bytes(3000, b) {
		if _, err := parseSnapshot(b); err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrTooLarge) {
			t.Fatalf("%x: %v", b, err)
		}
	}
	sum := sha256.Sum256([]byte{5, 6})
	older, err := hex.DecodeString("03" + numbers + hex.EncodeToString(sum[:]) + lists + "0506") // as it was written before states were compressed
	if err != nil {
		t.Fatal(err)
	}
	if got, err := parseSnapshot(older); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("uncompressed: %+v, %v", got, err)
	}
	spoiled := func(b []byte, at int) []byte {
		b = slices.Clone(b)
		b[at] ^= 1
		return b
	}
	const hashAt = 1 + 5*8
	for _, c := range []struct {
		b    []byte
		says string
	}{
		{spoiled(older, len(older)-1), "after tick 3 its sha256 was " + hex.EncodeToString(sum[:])},
		{append(slices.Clone(older), 7), "of 2 bytes there are 3"},
		{older[:len(older)-1], "of 2 bytes there are 1"},
		{spoiled(b, hashAt), fmt.Sprintf("after tick 3 its hash was %02x", hash[0]^1)},
		{spoiled(b, len(b)-1), "crc"},
		{slices.Concat(b, b[len(b)-10:]), "of 2 bytes there are 3"}, // the chunk of two bytes again, of which one is read
		{b[:len(b)-1], "corrupt"},
		{b[:len(b)-len(packed)/2], "of 2 bytes there are 0"},
	} {
		if _, err := parseSnapshot(c.b); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%x: %v, want ErrDamaged, and %q", c.b, err, c.says)
		}
	}
	for what, b := range map[string][]byte{"without the length of the state": older[:len(older)-3], "of another version": append([]byte{2}, b[1:]...)} {
		if _, err := parseSnapshot(b); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", what, err)
		}
	}
	var in frame.Inbox
	in.Add(frame.Item{Session: 1, Op: 2, Body: []byte("abc")})
	e = entry{first | last, 1, 2, 1, 0, recording.AppendTick(nil, 4, &in)}
	for b := range corrupt.Bytes(3000, e.append(nil)) {
		err := new(Follower).Take(Message{Number: 1, Body: b}, func(recording.Record) error { return nil })
		if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrGap) && !errors.Is(err, recording.ErrDamaged) && !errors.Is(err, recording.ErrTorn) && !errors.Is(err, recording.ErrFormat) {
			t.Fatalf("%x: %v", b, err)
		}
	}
}
