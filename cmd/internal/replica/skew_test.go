package replica

import (
	"context"
	"testing"
	"time"

	"muster/net/replication/streamlog"
)

// A skewedStream is one by whose clock it is later than by that of the process that reads it, or earlier.
type skewedStream struct {
	streamlog.Stream
	ahead time.Duration
}

func (s *skewedStream) Last(ctx context.Context, subject string) (streamlog.Message, error) {
	m, err := s.Stream.Last(ctx, subject)
	m.At = m.At.Add(s.ahead)
	return m, err
}

func (s *skewedStream) Now(ctx context.Context) (time.Time, error) {
	now, err := s.Stream.Now(ctx)
	return now.Add(s.ahead), err
}

func (s *skewedStream) Follow(ctx context.Context, subject string, from uint64, take func(streamlog.Message)) error {
	return s.Stream.Follow(ctx, subject, from, func(m streamlog.Message) {
		m.At = m.At.Add(s.ahead)
		take(m)
	})
}

// The world that a process goes on with is as much later as it stood still, whether the clock of that machine is that of NATS, or 10 s ahead of it or behind:
// times of movements, and what is left of cooldowns and auras, all are by the clock of the world.
func TestWorldGoesOnBetweenClocks(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{0, 10 * time.Second, -10 * time.Second} {
		one := startLeader(t)
		before := time.Now()
		one.step(20)
		one.logHas(t)
		after := time.Now()
		two := newReplicaOf(t, one.bus, one.stream, true)
		two.Place.Stream = &skewedStream{one.stream, -ahead}
		if writer, err := two.follow(one.ctx, time.Now()); err != nil || writer == nil { // it hears nothing of the first
			t.Fatalf("the second has no log: %v, %v\n%s", writer, err, two.log.String())
		}
		gap := two.clock.Now() - time.Duration(one.n)*two.loop.Quantum
		if two.tick != one.n || gap < time.Since(after)/4 || gap > time.Since(before) {
			t.Errorf("with a clock %v ahead of NATS, after tick %d of %d the world goes on %v later, and stood still for %v to %v", ahead, two.tick, one.n, gap, time.Since(after), time.Since(before))
		}
	}
}

// A lateStream is one whose first answer to an append comes late.
type lateStream struct {
	streamlog.Stream
	late time.Duration
	done time.Time // when that append was done; zero before it
}

func (s *lateStream) Append(ctx context.Context, subject string, message []byte, last uint64) (number uint64, err error) {
	number, err = s.Stream.Append(ctx, subject, message, last)
	if s.done.IsZero() {
		s.done = time.Now()
		<-time.After(s.late)
	}
	return number, err
}

// The clock of a world that a process goes on with is not late by what the answer to the append took by which it has the log, and not by what another process took that
// had the log and has run no tick.
func TestWorldGoesOnAfterLateAnswer(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	one.step(20)
	one.logHas(t)
	after := time.Now()
	goesOn := func(which string, late time.Duration) {
		t.Helper()
		next, stream := newReplicaOf(t, one.bus, one.stream, true), &lateStream{Stream: one.stream, late: late}
		next.Place.Stream = stream
		if writer, err := next.follow(one.ctx, time.Now()); err != nil || writer == nil { // it hears nothing of the others
			t.Fatalf("the %s has no log: %v, %v\n%s", which, writer, err, next.log.String())
		}
		gap, least := next.clock.Now()-time.Duration(one.n)*next.loop.Quantum, stream.done.Add(late).Sub(after)
		if gap < least {
			t.Errorf("with the %s process the world goes on %v later, and stood still for at least %v", which, gap, least)
		}
	}
	goesOn("second", time.Second)
	goesOn("third", 0)
}
