package logon

import (
	"context"
	"time"
)

// Answers from which somebody could learn whether an account exists come on a beat, whatever had to be done for them:
// to find one that is there takes longer than to find none, and a wrong password for it is written down.
const (
	challengeBeat = 2 * time.Millisecond   // of answers to a challenge, which a store has in less
	refusalBeat   = 100 * time.Millisecond // of refusals of a proof, which a store writes down in less
)

// pace is the beat of the answer to a packet, 0 for none.
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

// even waits for the next beat since something began, but not beyond the end of ctx.
func even(ctx context.Context, began time.Time, beat time.Duration) {
	if beat == 0 {
		return
	}
	timer := time.NewTimer(beat - time.Since(began)%beat)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
