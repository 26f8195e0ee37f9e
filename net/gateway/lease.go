package gateway

import (
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// leaseTries is after how many tries a pause no longer grows.
const leaseTries = 10

// lease gets GUIDs for items from the store and gives them to a world. While the store does not answer, the world
// uses those it has: lease retries until it does, or until the gateway or the world ends.
func (g *Gate) lease(port *frame.Exchange, items uint32) {
	for try := 0; g.ctx.Err() == nil && !port.Stopped(); try++ {
		pause(g.ctx, time.Duration(min(try, leaseTries))*100*time.Millisecond)
		ctx, done := g.storeTime()
		first, err := g.config.Store.LeaseItems(ctx, int(items))
		done()
		if err != nil {
			g.config.Metric.Count(LeaseFailed)
			continue
		}
		var in frame.Inbox
		in.Add(frame.Item{Session: frame.NoSession, AtMs: port.NowMs(), Op: frame.OpLease,
			Body: msg.Append(nil, wire.V12340, &frame.Lease{First: uint32(first), Count: items})})
		if port.Post(&in) == nil {
			return
		}
	}
}
