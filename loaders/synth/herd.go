package synth

import (
	"math"

	"muster/components/defs"
)

// nearYards is the radius around a hub within which no creature is aggressive.
//
// Source: protocol.md 3.1.3 is why: clients that fight walk about there, and want a creature to fight wherever
// they look.
const nearYards = 600

// near reports whether a point is near a hub.
func near(p point) bool { return fromHub(p) <= nearYards }

// rovesNear reports whether the path of a creature at a point may come near a hub.
func rovesNear(p point) bool { return fromHub(p) <= nearYards+maxNodes/2*maxLeg }

// fromHub returns the distance to the nearest place where a hub may be.
func fromHub(p point) float64 {
	return math.Sqrt(square(p.x-nearestHub(p.x), p.y-nearestHub(p.y)))
}

// The herd lives around the hubs: in rows, every other one shifted by half a step, with the hubs between the rows.
// From no point near a hub is it further than 35.4 yards to five of its places, and none wanders further than
// strayYards from its own.
const (
	herdYards  = 25   // from one place to the next, and from one row to the next
	herdShift  = 6.25 // the first place of the rows that are not shifted
	strayYards = 2
	fiveYards  = 40 // within which there are five from every point near a hub

	soonMs = 15_000 // respawn time near a hub
)

// The herd consists of these kinds of tame.
const (
	firstOfHerd = 2 // boar
	herdKinds   = 3 // and goat and vagrant, which has money: levels 1 to 3
)

// graze puts the herd around the hubs. Its size does not depend on the other creatures of the world.
func graze(m *defs.Map, seed uint64) {
	const edge = hubRing*hubYards + nearYards + 2*herdYards
	const rows = 2 * edge / herdYards
	m.Spawns = make([]defs.Spawn, 0, rows*rows)
	d := newDice(seed, forHerd)
	for j := range rows {
		y := float64(j)*herdYards - edge + herdYards/2
		x := float64(-edge + herdShift)
		if j%2 == 1 {
			x += herdYards / 2
		}
		for ; x < edge; x += herdYards {
			if fromHub(point{x, y}) > nearYards+fiveYards {
				continue
			}
			dx, dy := d.disc()
			at := point{x + float64(dx*strayYards), y + float64(dy*strayYards)}.rounded()
			spawn := defs.Spawn{
				X: float32(at.x), Y: float32(at.y), O: d.facing(), Path: -1,
				Entry: uint32(firstTame + firstOfHerd + d.IntN(herdKinds)), RespawnMs: soonMs,
			}
			spawn.Z = m.Height(spawn.X, spawn.Y)
			m.Spawns = append(m.Spawns, spawn)
		}
	}
}
