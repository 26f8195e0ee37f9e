package frame

import "muster/net/protocol/wire"

// NoSession is the session of what concerns no player: no gateway gives it out.
const NoSession = ^uint32(0)

// A Lease gives a world counters for the GUIDs of new items, which no other world has: Count of them from First on.
// It is the body of an OpLease.
type Lease struct{ First, Count uint32 }

// Wire walks the lease.
func (l *Lease) Wire(c *wire.Codec) {
	wire.U32(c, &l.First)
	wire.U32(c, &l.Count)
}
