package natsbus

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"muster/net/replication/streamlog"
)

// TestMain allows for a goroutine of nats.go: that of an object's publisher never ends if the object is stored before it has begun
// (jetStream.resetPendingAcksOnReconnect, nats.go v1.55.0: it reads its channel after CleanupPublisher has removed that).
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
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
