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
