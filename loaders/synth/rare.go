package synth

import "muster/components/defs"

// A rare creature has some places on the plain, one of which is in use at a time: at times by the rare one, else by a
// common one. So a pool of places is made of pools of two.
const (
	rarePlaces = 4  // of each
	rareChance = 20 // percent

	rareRim    = 100 // from the edge of the plain, and from where it is near a hub
	rareWander = 10
)

// hide puts the rare creatures into a map.
func hide(m *defs.Map, seed uint64) {
	for i := range rare {
		d := newDice(seed, forRare)
		d.turn(uint64(i))
		outer := uint32(len(m.Pools))
		m.Pools = append(m.Pools, defs.Pool{Limit: 1})
		for range rarePlaces {
			at, first := hidden(d), uint32(len(m.Spawns))
			for _, entry := range [...]int{firstRare + i, firstRough + d.IntN(len(rough))} {
				s := defs.Spawn{Entry: uint32(entry), X: float32(at.x), Y: float32(at.y), O: d.facing(), Wander: rareWander, Path: -1}
				s.Z = m.Height(s.X, s.Y)
				m.Spawns = append(m.Spawns, s)
			}
			m.Pools[outer].Members = append(m.Pools[outer].Members, defs.PoolMember{Index: uint32(len(m.Pools)), Nested: true})
			m.Pools = append(m.Pools, defs.Pool{
				Limit: 1, Members: []defs.PoolMember{{Index: first, Chance: rareChance}, {Index: first + 1}},
			})
		}
	}
}

// hidden returns a place on the plain that is not near a hub, and whose creature does not wander to one.
func hidden(d *dice) point {
	for {
		x, y := d.disc()
		flat := lands[continent].flat - rareRim
		if p := (point{x * flat, y * flat}).rounded(); fromHub(p) > nearYards+rareRim {
			return p
		}
	}
}
