package login

import (
	"context"
	"time"
)

// Answers that could reveal whether an account exists are sent at multiples of a period, however long the work took:
// to find an existing account takes longer than to find none, and a wrong password for it is stored.
const (
	challengePeriod = 2 * time.Millisecond   // of answers to a challenge, which a store has in less
	refusalPeriod   = 100 * time.Millisecond // of refusals of a proof, which a store writes down in less
)

// answerPeriod is the period of the answer to a packet, 0 for none.
func answerPeriod(m packet, err error) time.Duration {
	switch m.(type) {
	case *Challenge:
		return challengePeriod
	case *Proof, *ReconnectProof:
		if err != nil {
			return refusalPeriod
		}
	}
	return 0
}

const (
	// fine is how long before the end of a period a timer ends. Timers are late by up to a millisecond, and by how
	// much depends on when they were set: that is, on how long the work before them took.
	fine = 3 * time.Millisecond
	// maxSleepers bounds the threads that sleep until the end of a period. Under more load than that everything is
	// late anyway.
	maxSleepers = 32
)

// An answerClock waits until an answer may be sent. Its sleep is exact, and takes a thread; waits beyond maxSleepers use
// timers.
type answerClock struct {
	sleep    func(time.Duration)
	sleepers chan struct{}
}

func newAnswerClock() answerClock {
	return answerClock{sleep: sleepExactly, sleepers: make(chan struct{}, maxSleepers)}
}

// waitForPeriod waits for the next multiple of a period since something began, but not beyond the end of ctx.
func (p *answerClock) waitForPeriod(ctx context.Context, began time.Time, period time.Duration) {
	if period == 0 {
		return
	}
	left := period - time.Since(began)%period
	due := time.Now().Add(left)
	if left > fine && !wait(ctx, left-fine) {
		return
	}
	select {
	case p.sleepers <- struct{}{}:
		p.sleep(time.Until(due))
		<-p.sleepers
	default:
		wait(ctx, time.Until(due))
	}
}

// wait waits, and reports whether ctx has not ended meanwhile.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
