package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"muster/cmd/internal/keptworld"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
)

// hashed steps the world until there were so many steps, and notes its hash after each.
func (l *leaderOf) hashed(steps uint64, hashes map[uint64]uint64) {
	for l.n < steps*l.stride {
		l.step(l.n/l.stride + 1)
		hashes[l.n] = l.live.World.Hash()
	}
}

// snapshots are the ticks of which the stream has them.
func (l *leaderOf) snapshots(t *testing.T) (ticks []uint64) {
	t.Helper()
	names, err := l.stream.Names(l.ctx, l.Place.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		var n uint64
		if _, err := fmt.Sscanf(strings.TrimPrefix(name, l.Place.Name), "%d", &n); err != nil {
			t.Fatal(err)
		}
		ticks = append(ticks, n)
	}
	slices.Sort(ticks)
	return ticks
}

// run runs an excerpt, compares each hash with that of the world, and returns how many digests were the same.
func run(ctx context.Context, w *keptworld.World, hashes map[uint64]uint64) (compared int, err error) {
	for {
		err := w.Compare(ctx)
		if err == io.EOF {
			return w.Compared, nil
		}
		if err != nil {
			return w.Compared, err
		}
		if want, ok := hashes[w.Tick]; w.Ticks > 0 && (!ok || w.World.Hash() != want) {
			return w.Compared, fmt.Errorf("after tick %d the hash is %016x, and was %016x", w.Tick, w.World.Hash(), want)
		}
	}
}

// The log of a world in a stream is run from any snapshot on that it has, up to any tick, and the world has after each tick the hash that it had when it was stepped. So it is
// from a folder into which it was saved.
func TestLogIsRunFromATick(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	ctx, hashes := one.ctx, make(map[uint64]uint64)
	anna := newcomer(7)
	const facing = 0x3F9AF00D // a float of 1.2105, and no other value
	anna.O = math.Float32frombits(facing)
	var in frame.Inbox
	if err := errors.Join(in.Add(frame.Item{Session: 7, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, anna)}), one.live.Exchange.Post(&in)); err != nil {
		t.Fatal(err)
	}
	one.hashed(30, hashes)
	one.logHas(t)
	from := &keptworld.Place{Bus: one.server.ClientURL(), RealmName: "r"}
	runs := func(tick, until, since, last uint64, digests int) {
		t.Helper()
		visited := 0
		err := from.Excerpts(ctx, tick, func(w *keptworld.World, folder string) error {
			visited++
			w.Until = until
			compared, err := run(ctx, w, hashes)
			if w.Since != since || w.Tick != last || compared < digests || uint64(w.Ticks) != (last-since)/one.stride {
				t.Errorf("from tick %d to %d on it is run after %d to %d, %d ticks with %d digests; want %d to %d with %d digests", tick, until, w.Since, w.Tick, w.Ticks, compared, since, last, digests)
			}
			saved := 0
			again := &keptworld.Place{From: folder}
			err = errors.Join(err, again.Excerpts(ctx, math.MaxUint64, func(w *keptworld.World, _ string) error {
				saved++
				w.Until = until
				again, err := run(ctx, w, hashes)
				if w.Since != since || w.Tick != last || again != compared {
					t.Errorf("of its folder it is run after %d to %d with %d digests; want %d to %d with %d", w.Since, w.Tick, again, since, last, compared)
				}
				return err
			}))
			if saved != 1 {
				t.Errorf("its folder has %d worlds", saved)
			}
			return err
		})
		if err != nil || visited != 1 {
			t.Errorf("from tick %d to %d on %d worlds are run: %v", tick, until, visited, err)
		}
	}
	runs(1, 0, 0, one.n, 0) // from its beginning

	for taken := uint64(0); one.purged.Load() == 0; taken++ {
		one.hashed(one.n/one.stride+70, hashes)
		eventually(t, "a snapshot is kept", func() bool { // the one before may be being kept when it is due
			one.hashed(one.n/one.stride+1, hashes)
			return one.counted(streamlog.Snapshots) > taken
		})
	}
	one.hashed(one.n/one.stride+50, hashes)
	one.logHas(t)
	ticks := one.snapshots(t)
	if len(ticks) < 3 {
		t.Fatalf("there are snapshots after %v: that is no test", ticks)
	}
	newest, oldest := ticks[len(ticks)-1], ticks[0]
	runs(math.MaxUint64, 0, newest, one.n, 1)
	runs(newest-1, 0, ticks[len(ticks)-2], one.n, 3)
	runs(oldest, 0, oldest, one.n, 10)
	runs(oldest+one.stride, oldest+50*one.stride, oldest, oldest+50*one.stride, 1)
	runs(ticks[1], ticks[1], ticks[1], ticks[1], 0)
	for _, tick := range []uint64{1, oldest - 1} {
		var purged *recording.PurgedError
		err := from.Excerpts(ctx, tick, func(*keptworld.World, string) error { return errors.New("it is run") })
		if !errors.As(err, &purged) || purged.Tick != tick || !slices.Equal(purged.Since, ticks) {
			t.Errorf("from tick %d on, before those that the log has: %v, want those after %v", tick, err, ticks)
		}
	}

	// A world that differs in one component is found out by the digests in the log.
	err := from.Excerpts(ctx, oldest, func(w *keptworld.World, _ string) error {
		state, err := w.World.AppendSnapshot(nil)
		if err != nil {
			return err
		}
		at := bytes.Index(state, []byte{facing & 0xFF, facing >> 8 & 0xFF, facing >> 16 & 0xFF, facing >> 24})
		if at < 0 {
			return errors.New("what she faces is not in the state")
		}
		state[at] ^= 1
		if err := w.World.Restore(state); err != nil {
			return err
		}
		for {
			if err := w.Compare(ctx); err != nil {
				return err
			}
		}
	})
	if err == nil || !strings.Contains(err.Error(), " went another way: Position") {
		t.Errorf("another world is run as %v", err)
	}
}
