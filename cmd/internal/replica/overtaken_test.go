package replica

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"muster/net/replication/streamlog"
)

// An overtakenStream is purged behind the snapshot with which a process has begun, just before that reads what follows, so many times.
type overtakenStream struct {
	streamlog.Stream
	times int
	purge func(from uint64)
}

func (s *overtakenStream) Follow(ctx context.Context, subject string, from uint64, take func(streamlog.Message)) error {
	if s.times > 0 {
		s.times--
		s.purge(from)
	}
	return s.Stream.Follow(ctx, subject, from, take)
}

// A process before which the log is purged, when it has a snapshot and not yet what follows, begins with a newer one, and then has the world that the log
// has: with one from which on it has all frames that gateways may ask for, or if it was purged again, with the newest. It ends if that does not help.
func TestLogIsPurgedMeanwhile(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	has := func() int { // that were kept
		names, err := one.Place.Stream.Names(one.ctx, one.Place.Name)
		if err != nil {
			t.Error(err)
		}
		return len(names)
	}
	goOn := func(until func() bool) func() bool { // steps by steps, so that each snapshot is kept before the next is due
		return func() bool {
			one.step(one.n/one.stride + 20)
			return until()
		}
	}
	for _, c := range []struct {
		times int
		fails bool
	}{{1, false}, {needsRing, false}, {maxOvertaken, false}, {maxOvertaken + 1, true}} {
		eventually(t, "there are snapshots of all that gateways may ask for", goOn(func() bool { return has() >= 5 && one.purged.Load() > 0 }))
		two := newReplicaOf(t, one.bus, one.stream, true)
		two.Place.Stream = &overtakenStream{one.stream, c.times, func(from uint64) {
			eventually(t, "the log is purged", goOn(func() bool { return one.purged.Load() > from }))
		}}
		ctx, stop := context.WithCancel(one.ctx)
		ended := make(chan error, 1)
		go func() { ended <- two.Run(ctx) }()
		var err error
		select {
		case <-two.ready:
			stop()
			err = <-ended
		case err = <-ended:
		case <-time.After(patience):
			t.Fatal("the standby neither is ready nor ends")
		}
		stop()
		switch {
		case errors.Is(err, streamlog.ErrGap) != c.fails || err != nil && !c.fails:
			t.Errorf("purged %d times, it ends with %v, want an error: %t", c.times, err, c.fails)
		case !c.fails && (two.tick != one.n || two.live.World.Hash() != one.live.World.Hash()):
			t.Errorf("purged %d times, after tick %d, its hash is %016x; that of the other, after tick %d, is %016x", c.times, two.tick, two.live.World.Hash(), one.n, one.live.World.Hash())
		case !c.fails && c.times < needsRing && one.n-two.begunWith < two.ticks(ringTime):
			t.Errorf("purged %d times, it has begun with tick %d, and has not all that gateways may ask for of tick %d", c.times, two.begunWith, one.n)
		}
		if got := strings.Count(two.log.String(), "the log was purged"); got != min(c.times, maxOvertaken) {
			t.Errorf("purged %d times, it has said so %d times", c.times, got)
		}
	}
}

// ringTime is how far back frames are kept for gateways: docs/durability.md.
const ringTime = 15 * time.Second
