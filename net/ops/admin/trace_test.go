package admin_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"muster/net/gateway"
	"muster/net/ops/admin"
)

// slowTraces takes a second to find that there is no session.
type slowTraces struct{}

func (slowTraces) Trace(ctx context.Context, _ string) (*gateway.Trace, error) {
	select {
	case <-time.After(time.Second):
		return nil, gateway.ErrNoSession
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// The time of a trace begins when its session is followed, also if that takes longer on a busy machine.
func TestTraceTimeBeginsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := server(t, admin.Config{Traces: slowTraces{}})
		if w := ask(s, "GET", "/api/sessions/7/trace?for=10ms"); w.Code != 404 {
			t.Errorf("a session that is not there: %d %s", w.Code, w.Body)
		}
	})
}
