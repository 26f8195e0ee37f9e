package demand

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"muster/cmd/internal/process"
	"muster/net/replication/remote"
)

// Times of who asks, our own choices.
const (
	askEvery = 250 * time.Millisecond // between two times that something is asked
	// silence is after what time no process has a world: much longer than between two heartbeats, and than a standby takes to go on with it.
	silence = 3 * time.Second
	// answerTime is how long a snapshot may take: longer than a worker tries to keep it, and the one before it.
	answerTime = 70 * time.Second
)

// ErrNoLeader is the error for a world that no process is heard to have.
var ErrNoLeader = errors.New("no worker says that it has the world")

// A Bus is one of which it can be known that it has carried what there was.
type Bus interface {
	remote.Bus
	Flush() error // it fails if the bus is away
}

// Leader is the name of the process that has a world, "" if none is heard for some seconds, at both ends of which the bus was there.
func Leader(ctx context.Context, bus Bus, a remote.Address) (name string, err error) {
	heard := make(chan string, 1)
	stop, err := bus.Subscribe(a.Lead(), func(b []byte) {
		if _, name, ok := process.ReadHeartbeat(b); ok {
			select {
			case heard <- name:
			default:
			}
		}
	})
	if err != nil {
		return "", err
	}
	defer stop()
	if err := bus.Flush(); err != nil {
		return "", err
	}
	select {
	case name = <-heard:
		return name, nil
	case <-time.After(silence):
		return "", bus.Flush()
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Snapshot has the process that has a world keep a snapshot of it as it is now, and returns its answer. The error wraps ErrNoLeader if there is no such process.
func Snapshot(ctx context.Context, bus Bus, a remote.Address) (Answer, error) {
	leader, err := Leader(ctx, bus, a)
	if err == nil && leader == "" {
		err = fmt.Errorf("%w: nothing is heard of one for %v", ErrNoLeader, silence)
	}
	if err != nil {
		return Answer{}, err
	}
	ask := Ask{ID: max(rand.Uint64(), 1)}
	answered := make(chan Answer, 1)
	stop, err := bus.Subscribe(a.Lead(), func(b []byte) {
		if m, ok := ReadAnswer(b); ok && m.ID == ask.ID {
			select {
			case answered <- m:
			default: // it is repeated
			}
		}
	})
	if err != nil {
		return Answer{}, err
	}
	defer stop()
	again := time.NewTicker(askEvery)
	defer again.Stop()
	late := time.After(answerTime)
	for {
		if err := bus.Publish(a.Lead(), ask.Append(nil)); err != nil {
			return Answer{}, err
		}
		select {
		case m := <-answered:
			if m.Why != "" {
				return m, fmt.Errorf("%s keeps no snapshot: %s", leader, m.Why)
			}
			return m, nil
		case <-again.C:
		case <-late:
			return Answer{}, fmt.Errorf("%s has the world, and has not answered within %v: its release may be one that takes no snapshots when it is asked", leader, answerTime)
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	}
}
