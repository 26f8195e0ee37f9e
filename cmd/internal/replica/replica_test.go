package replica

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// A process that has a world is silent when it was not heard for some looks, or when it has ended; the end of another one says nothing,
// nor does one that had the world before.
func TestReplicaHears(t *testing.T) {
	var r Replica
	for _, test := range []struct {
		message string
		quiet   int64 // after it, if it was 3 before
	}{
		{"5 7@here", 0}, {"ended 8@here", 3}, {"ended 7@there", 3}, {"ended 7@here", 10}, {"6 8@here", 0}, {"5 7@here", 3}, {"6 8@here", 0},
		{"ended 7@here", 3}, {"ended 8@here", 10}, {"8@here", 3}, {"", 3},
	} {
		r.quiet.Store(3)
		r.hear([]byte(test.message))
		if got := r.quiet.Load(); got != test.quiet {
			t.Errorf("after %q it is silent for %d looks, want %d", test.message, got, test.quiet)
		}
	}
}

// A deafBus sends nothing.
type deafBus struct{ remote.Bus }

func (deafBus) Publish(string, []byte) error { return nil }

// A process that has a world ends when it hears one that was given it later, and not by what it hears of an earlier one.
func TestReplicaIsDeposed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Replica{heartbeats: NewHeartbeats(deafBus{}, nil), told: make(chan struct{}, 1)}
		ended := make(chan error, 1)
		go func() { ended <- r.beat(t.Context(), 6) }()
		r.hear([]byte("5 7@here"))
		r.hear([]byte("6 8@here"))
		<-time.After(10 * leadEvery)
		select {
		case err := <-ended:
			t.Fatalf("it ended with %v", err)
		default:
		}
		r.hear([]byte("7 9@here"))
		<-time.After(goneAfter - 1)
		select {
		case err := <-ended:
			t.Fatalf("it ended with %v before the one that it may have given the world has answered", err)
		default:
		}
		if err := <-ended; !errors.Is(err, streamlog.ErrMoved) || !strings.Contains(err.Error(), "9@here") {
			t.Errorf("it ended with %v, want ErrMoved, and by whom", err)
		}
	})
}

// Of two processes that follow a writer whose clock is ahead of theirs each has a number of its own, and a later one.
func TestLifeAfter(t *testing.T) {
	const ahead = 1 << 62
	one, two := lifeAfter(5, ahead), lifeAfter(5, ahead)
	if one == two || one <= ahead || two <= ahead {
		t.Errorf("%d and %d follow %d", one, two, uint64(ahead))
	}
	if got := lifeAfter(ahead, 5); got != ahead {
		t.Errorf("%d follows 5, want the time, %d", got, uint64(ahead))
	}
}

// However clocks were set, a world goes on no earlier than it was, and no later than its gateways wait.
func TestGapSince(t *testing.T) {
	at := time.Unix(1_800_000_000, 0) // as NATS has it: without a monotonic reading
	for set, want := range map[time.Duration]time.Duration{
		0: 0, 700 * time.Millisecond: 700 * time.Millisecond, 15 * time.Second: 15 * time.Second, time.Hour: 15 * time.Second,
		-time.Millisecond: 0, -time.Hour: 0, -20 * 365 * 24 * time.Hour: 0,
	} {
		if got := gapSince(at, at.Add(set)); got != want {
			t.Errorf("with a clock %v after its last tick a world goes on %v later, want %v", set, got, want)
		}
	}
}
