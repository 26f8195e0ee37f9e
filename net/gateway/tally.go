package gateway

import (
	"sync/atomic"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// tallies are what a loop has counted, for others to read.
type tallies struct {
	read, sent [len(session.Tally{})]atomic.Uint64
}

// publish shows what is counted. Only its loop calls it, about once a second.
func (t *tallies) publish(read, sent *session.Tally) {
	for op := range read {
		t.read[op].Store(read[op])
		t.sent[op].Store(sent[op])
	}
}

// Unknown stands for the opcodes that are not in msg.Table.
const Unknown = "unknown"

// Packets visits the opcodes that have a name, with how many packets were read from clients or sent to them, and
// at last all opcodes without a name as one. What was counted within the last second may be missing.
func (g *Gate) Packets(visit func(d msg.Direction, name string, n uint64)) {
	for _, d := range [...]msg.Direction{msg.ToServer, msg.ToClient} {
		var total session.Tally
		for _, l := range *g.loops.Load() {
			counts := &l.counted.read
			if d == msg.ToClient {
				counts = &l.counted.sent
			}
			for op := range counts {
				total[op] += counts[op].Load()
			}
		}
		unknown := uint64(0)
		for op, n := range total {
			switch row := msg.Lookup(d, uint32(op)); {
			case row == nil:
				unknown += n
			default:
				visit(d, row.Name, n)
			}
		}
		visit(d, Unknown, unknown)
	}
}

// Queues visits the players in worlds with how many bytes each has not taken yet.
func (g *Gate) Queues(visit func(bytes int)) {
	g.roster.mu.Lock()
	defer g.roster.mu.Unlock()
	for _, p := range g.roster.numbers {
		if p != nil {
			visit(int(p.conn.queued.Load()))
		}
	}
}
