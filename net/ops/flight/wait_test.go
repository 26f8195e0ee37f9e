package flight

import (
	"context"
	"testing"
	"time"
)

// patience is how long something may take on a busy machine.
const patience = 2 * time.Minute

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), patience)
}

// await polls until something is so.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(patience); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			t.Fatalf("not in %v: %s", patience, what)
		}
	}
}
