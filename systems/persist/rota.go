package persist

import (
	"iter"

	"muster/ecs"
	"muster/net/replication/change"
)

// block is how many players that come one after the other have the same turn: they lie side by side.
const block = 16

// A rota says when which player has its turn: each once in as many ticks as it has turns.
type rota struct {
	turns  [][]ecs.Entity
	joined int    // players so far
	last   uint64 // tick
}

// enlist gives each new player a turn. The number of turns is that of the first call, at least one.
func (r *rota) enlist(players []change.Joined, turns int) {
	if r.turns == nil {
		r.turns = make([][]ecs.Entity, max(turns, 1))
	}
	for _, it := range players {
		turn := &r.turns[r.joined/block%len(r.turns)]
		*turn = append(*turn, it.Entity)
		r.joined++
	}
}

// due visits the turns of a tick, and of the ticks before it that were skipped. The visitor may take players out.
func (r *rota) due(tick uint64) iter.Seq[*[]ecs.Entity] {
	n := uint64(len(r.turns))
	first := max(r.last+1, tick-min(tick, n-1))
	r.last = tick
	return func(yield func(*[]ecs.Entity) bool) {
		for at := first; at <= tick; at++ {
			if !yield(&r.turns[at%n]) {
				return
			}
		}
	}
}
