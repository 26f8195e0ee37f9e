package persist

import (
	"iter"

	"muster/ecs"
	"muster/net/replication/change"
)

// block is how many consecutive players have the same turn: they lie side by side in memory.
const block = 16

// A saveSchedule assigns turns to players: each has one once in as many ticks as there are turns.
type saveSchedule struct {
	turns  [][]ecs.Entity
	joined int    // players so far
	last   uint64 // tick
}

// add gives each new player a turn. The number of turns is that of the first call, at least one.
func (r *saveSchedule) add(players []change.Joined, turns int) {
	if r.turns == nil {
		r.turns = make([][]ecs.Entity, max(turns, 1))
	}
	for _, it := range players {
		turn := &r.turns[r.joined/block%len(r.turns)]
		*turn = append(*turn, it.Entity)
		r.joined++
	}
}

// due visits the turns of a tick, and of the skipped ticks before it. The visitor may remove players.
func (r *saveSchedule) due(tick uint64) iter.Seq[*[]ecs.Entity] {
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
