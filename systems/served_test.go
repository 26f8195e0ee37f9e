package systems

import (
	"math/rand/v2"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// Every message that goes to a world is one that some system takes, or is counted as being about what there is not.
func TestEveryMessageIsServed(t *testing.T) {
	r := newReserve(t, meadow(rand.New(rand.NewPCG(1, 1)), 0, 0), 1)
	left := uint64(0)
	for i := range msg.Table {
		row := &msg.Table[i]
		if row.Allowed == 0 || row.Route != msg.ToWorld {
			continue
		}
		r.enter(1, 0, 0)
		r.tick()
		r.world.Inbox().Add(frame.Item{Session: 1, Op: row.Op, Body: msg.Append(nil, wire.V12340, row.New())})
		r.tick()
		if n := r.metric.Value("intake.unhandled"); n > left {
			t.Errorf("%s has no receiver", row.Name)
			left = n
		}
		r.leave(1)
		r.tick()
		r.tick()
	}
}
