package synth

import (
	"testing"

	"muster/components/defs"
)

// TestRares: each rare creature has several places away from the hubs, one of which is in use at a time, and shares
// each with a common one.
func TestRares(t *testing.T) {
	for _, c := range []Config{{Creatures: -1}, {Creatures: 1000}, {Seed: 9, Start: One}} {
		w := newWorld(t, c)
		m := &w.Maps[continent]
		places := make(map[uint32]int)
		var pools []*defs.Pool // within others
		for i := range m.Pools {
			pool := &m.Pools[i]
			if !pool.Members[0].Nested {
				pools = append(pools, pool)
				continue
			}
			if pool.Limit != 1 || len(pool.Members) != rarePlaces {
				t.Errorf("%+v: pool %d is %+v", c, i, *pool)
			}
		}
		for _, pool := range pools {
			a, b := pool.Members[0], pool.Members[1]
			if pool.Limit != 1 || len(pool.Members) != 2 || a.Chance != rareChance || b.Chance != 0 {
				t.Fatalf("%+v: a place is %+v", c, *pool)
			}
			rare, common := w.Creature(m.Spawns[a.Index].Entry), w.Creature(m.Spawns[b.Index].Entry)
			if rare.Rank != defs.RankRare || common.Rank != defs.RankNormal {
				t.Errorf("%+v: %s and %s share a place", c, rare.Name, common.Name)
			}
			places[rare.Entry]++
		}
		if len(places) != len(rare) || len(pools) != rarePlaces*len(rare) {
			t.Errorf("%+v: the rare have places %v", c, places)
		}
		for i := continent + 1; i < len(w.Maps); i++ {
			if n := len(w.Maps[i].Pools); n != 0 {
				t.Errorf("%+v: map %d has %d pools", c, i, n)
			}
		}
	}
}
