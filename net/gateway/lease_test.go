package gateway

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A miserStore is busy a few times before it gives counters out.
type miserStore struct {
	store.Store
	busy int
}

func (s *miserStore) LeaseItems(context.Context, int) (uint64, error) {
	if s.busy--; s.busy >= 0 {
		return 0, errors.New("busy")
	}
	return 1001, nil
}

// A world that asks for GUIDs gets them when the store can give them out.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{ctx: t.Context(), config: Config{Store: &miserStore{busy: 3}, Metric: new(metric.Table)}}
		g.config.setDefaults()
		port := frame.NewExchange()
		port.Now = func() time.Duration { return 77 * time.Millisecond }
		g.lease(port, 500)
		var in frame.Inbox
		port.Take(&in)
		if in.Len() != 1 || in.At(0).Op != frame.OpLease || in.At(0).Session != frame.NoSession || in.At(0).AtMs != 77 {
			t.Fatalf("the inbox holds %d items", in.Len())
		}
		var l frame.Lease
		if err := msg.Decode(wire.V12340, in.At(0).Body, &l); err != nil || l != (frame.Lease{First: 1001, Count: 500}) {
			t.Errorf("leased %+v, %v", l, err)
		}
		if n := g.config.Metric.Value(LeaseFailed); n != 3 {
			t.Errorf("%d tries failed, want 3", n)
		}
	})
}

// What a world wants is asked for once.
func TestWanted(t *testing.T) {
	port := frame.NewExchange()
	var d frame.Builder
	for n := uint64(1); n <= 3; n++ {
		if n != 2 {
			d.RequestItems(100)
		}
		f := port.Write()
		d.Build(f, n)
		port.Publish(f)
	}
	if first, second := port.Wanted(), port.Wanted(); first != 200 || second != 0 {
		t.Errorf("wanted %d, then %d", first, second)
	}
}
