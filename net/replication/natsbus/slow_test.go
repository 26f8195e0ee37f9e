package natsbus

import (
	"encoding/binary"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/natstest"
)

// lines is a log that is read while it is written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A subscription that stands still while more comes than may wait loses what is beyond that, which is logged and counted. What publishes is not held up, and neither is another
// subscription of the same connection. When it goes on it is given what has waited, in order, sees the gap, and is given what is published then.
func TestSlowSubscription(t *testing.T) {
	t.Parallel()
	s := natstest.Start(t)
	log := new(lines)
	connect := func(name string) *Bus {
		bus, err := Connect(Config{URL: s.ClientURL(), Name: name, Log: slog.New(slog.NewTextHandler(log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(bus.Close)
		return bus
	}
	from, to := connect("publishes"), connect("subscribes")
	const (
		beyond = 1000
		all    = pendingMessages + beyond
	)
	goOn, taken, other := make(chan struct{}), make(chan uint64, all+10), make(chan struct{})
	release := sync.OnceFunc(func() { close(goOn) })
	defer release()
	stop, err := to.Subscribe("slow", func(m []byte) {
		<-goOn
		taken <- binary.LittleEndian.Uint64(m)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Subscribe("other", func([]byte) { close(other) }); err != nil {
		t.Fatal(err)
	}
	if err := to.Flush(); err != nil {
		t.Fatal(err)
	}
	publish := func(n uint64) {
		t.Helper()
		if err := from.Publish("slow", binary.LittleEndian.AppendUint64(nil, n)); err != nil {
			t.Fatalf("message %d: %v", n, err)
		}
	}
	for n := range uint64(all) {
		publish(n)
	}
	if err := from.Publish("other", nil); err != nil {
		t.Fatal(err)
	}
	within := time.After(patience)
	select { // it comes behind the others by the same connection: they have been read
	case <-other:
	case <-within:
		t.Fatal("another subscription is given nothing while one stands still")
	}
	release()
	var next uint64 // it may have been standing in the first before that was counted as waiting no more
	for ; next < pendingMessages; next++ {
		select {
		case n := <-taken:
			if n != next {
				t.Fatalf("message %d was taken, want %d", n, next)
			}
		case <-within:
			t.Fatalf("it has taken %d messages, want %d", next, pendingMessages)
		}
	}
	publish(all)
	missing := uint64(0)
	for n, done := uint64(0), false; !done; {
		select {
		case n = <-taken:
			if n < next {
				t.Fatalf("message %d comes after %d", n, next-1)
			}
			done = n == all
			if lost := n - next; done && (lost == 0 || lost > beyond) {
				t.Errorf("%d messages were lost, want some of %d", lost, beyond)
			}
			missing += n - next
			next = n + 1
		case <-within:
			t.Fatal("it is given no message that was published after it had gone on")
		}
	}
	for !strings.Contains(log.String(), `msg="the bus has lost messages" subject=slow err="nats: slow consumer, messages dropped"`) {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-within:
			t.Fatalf("that messages were lost is not logged: %q", log.String())
		}
	}
	for _, when := range []string{"while it is there", "when it has ended"} {
		if n := to.Dropped(); n != missing || from.Dropped() != 0 {
			t.Errorf("%s: %d messages are counted as lost, and %d by the other connection, want %d and none", when, n, from.Dropped(), missing)
		}
		stop()
	}
}
