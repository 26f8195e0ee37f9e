package login

import (
	"context"
	"time"
)

// Answers that could reveal whether an account exists are sent at multiples of a period, however long the work took:
// to find an existing account takes longer than to find none, and a wrong password for it is stored.
const (
	challengeBeat = 2 * time.Millisecond   // of answers to a challenge, which a store has in less
	refusalBeat   = 100 * time.Millisecond // of refusals of a proof, which a store writes down in less
)

// pace is the period of the answer to a packet, 0 for none.
func pace(m packet, err error) time.Duration {
	switch m.(type) {
	case *Challenge:
		return challengeBeat
	case *Proof, *ReconnectProof:
		if err != nil {
			return refusalBeat
		}
	}
	return 0
}

const (
	// fine is how long before the end of a period a timer ends. Timers are late by up to a millisecond, and by how
	// much depends on when they were set: that is, on how long the work before them took.
	fine = 3 * time.Millisecond
	// maxDozers bounds the threads that sleep until the end of a period. Under more load than that everything is
	// late anyway.
	maxDozers = 32
)

// A pacer waits for beats. Its sleep is exact, and takes a thread; the others wait with timers.
type pacer struct {
	sleep  func(time.Duration)
	dozers chan struct{}
}

func newPacer() pacer { return pacer{sleep: doze, dozers: make(chan struct{}, maxDozers)} }

// even waits for the next multiple of a period since something began, but not beyond the end of ctx.
func (p *pacer) even(ctx context.Context, began time.Time, beat time.Duration) {
	if beat == 0 {
		return
	}
	left := beat - time.Since(began)%beat
	due := time.Now().Add(left)
	if left > fine && !wait(ctx, left-fine) {
		return
	}
	select {
	case p.dozers <- struct{}{}:
		p.sleep(time.Until(due))
		<-p.dozers
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
