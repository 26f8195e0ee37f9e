package natsbus

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"muster/internal/natstest"
	"muster/net/replication/streamlog"
)

// TestMain allows for natstest.Orphan.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction(natstest.Orphan))
}

// Follow ends with its context, although its consumer is being made anew just then, and leaves no goroutine (TestMain). It is sent each message once.
func TestFollowEndsWhileConsumerIsMadeAnew(t *testing.T) {
	t.Parallel()
	patient, end := context.WithTimeout(t.Context(), patience) // nats.go waits for 5 s for an answer where a context has no deadline
	defer end()
	_, s := newStreamOf(t)
	const subject = "muster.r.log.0.0"
	last := uint64(0)
	for range 3 {
		var err error
		if last, err = s.Append(patient, subject, []byte{1}, last); err != nil {
			t.Fatal(err)
		}
	}
	deleted := 0
	for i := range 200 {
		ctx, stop := context.WithCancel(patient)
		taken, ended := make(chan uint64, 10), make(chan error, 1)
		go func() { ended <- s.Follow(ctx, subject, 1, func(m streamlog.Message) { taken <- m.Number }) }()
		for want := uint64(1); want <= last; want++ {
			select {
			case got := <-taken:
				if got != want {
					t.Fatalf("message %d, want %d", got, want)
				}
			case err := <-ended:
				t.Fatalf("it ended with %v before message %d", err, want)
			}
		}
		names := s.stream.ConsumerNames(ctx)
		for name := range names.Name() {
			if err := s.stream.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) { // one made before is being deleted
				t.Fatal(err)
			}
			deleted++
		}
		if err := names.Err(); err != nil {
			t.Fatal(err)
		}
		for range i % 10 { // questions: a consumer is made anew in about as long as some of them take
			if _, err := s.Last(ctx, subject); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(patience):
			t.Fatal("it does not end")
		}
		if len(taken) > 0 {
			t.Fatalf("message %d was sent again", <-taken)
		}
	}
	if deleted < 200 {
		t.Errorf("%d consumers were deleted, want one each time at least", deleted)
	}
}

// Follow ends with the reason where the stream that it has begun to follow is gone.
func TestFollowEndsWhereStreamIsGone(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithTimeout(t.Context(), patience)
	defer end()
	bus, s := newStreamOf(t)
	s.again = time.Millisecond
	const subject = "muster.r.log.0.0"
	if _, err := s.Append(ctx, subject, []byte{1}, 0); err != nil {
		t.Fatal(err)
	}
	taken, ended := make(chan uint64, 10), make(chan error, 1)
	go func() { ended <- s.Follow(ctx, subject, 1, func(m streamlog.Message) { taken <- m.Number }) }()
	select {
	case <-taken:
	case err := <-ended:
		t.Fatalf("it ended with %v before the first message", err)
	}
	if err := s.js.DeleteStream(ctx, s.name); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("it ended with %v, want %v", err, jetstream.ErrStreamNotFound)
	}
	if bus.conn.IsClosed() {
		t.Error("the connection is closed: it would have ended for that")
	}
}

// A server keeps a consumer for half a minute that does not ask any more, as that of a process that has ended does not.
func TestConsumersAreNotKept(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithTimeout(t.Context(), patience)
	defer end()
	_, s := newStreamOf(t)
	messages, err := s.messages(ctx, "muster.r.log.0.0", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer messages.Stop()
	consumers, kept := s.stream.ListConsumers(ctx), 0
	for c := range consumers.Info() {
		if kept++; c.Config.InactiveThreshold != 30*time.Second {
			t.Errorf("the server keeps %s for %v", c.Name, c.Config.InactiveThreshold)
		}
	}
	if err := consumers.Err(); err != nil || kept != 1 {
		t.Errorf("%d consumers, %v, want one", kept, err)
	}
}

// Follow goes on where the stream is there again.
func TestFollowGoesOnWithStream(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithTimeout(t.Context(), patience)
	defer end()
	bus, s := newStreamOf(t)
	const subject = "muster.r.log.0.0"
	if _, err := s.Append(ctx, subject, []byte{1}, 0); err != nil {
		t.Fatal(err)
	}
	taken, ended := make(chan uint64, 10), make(chan error, 1)
	go func() { ended <- s.Follow(ctx, subject, 1, func(m streamlog.Message) { taken <- m.Number }) }()
	next := func() uint64 {
		select {
		case n := <-taken:
			return n
		case err := <-ended:
			t.Fatalf("it ended with %v", err)
			return 0
		}
	}
	next()
	if err := s.js.DeleteStream(ctx, s.name); err != nil {
		t.Fatal(err)
	}
	again, err := bus.Stream(ctx, StreamConfig{Realm: "r", Replicas: 1, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	for last := range uint64(2) {
		if _, err := again.Append(ctx, subject, []byte{2}, last); err != nil {
			t.Fatal(err)
		}
	}
	if n := next(); n != 2 {
		t.Errorf("message %d, want 2: the first is not sent again", n)
	}
}
