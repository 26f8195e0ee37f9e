package synth

import (
	"math"

	"muster/components/defs"
)

// PerHub is how many characters begin at a hub before the next one is used.
const PerHub = 50

const (
	hubYards   = 200 // from one hub to the next
	hubRing    = 10  // the last ring of the spiral: 21 x 21 hubs
	clearYards = 10  // no creature comes closer to a hub
	crowdYards = 5   // characters begin within
)

// hubs are on a square spiral around the middle of a map, so that any number of them is close together.
func hubs(m *defs.Map) []defs.Hub {
	const side = 2*hubRing + 1
	list := make([]defs.Hub, 0, side*side)
	x, y := 0, 0
	dx, dy := 1, 0
	for run := 1; len(list) < cap(list); run++ { // runs of 1 1, 2 2, 3 3, …, turning left after each
		for range 2 {
			for range run {
				list = append(list, hub(m, float32(x)*hubYards, float32(y)*hubYards))
				if len(list) == cap(list) {
					return list
				}
				x, y = x+dx, y+dy
			}
			dx, dy = -dy, dx
		}
	}
	return list
}

func hub(m *defs.Map, x, y float32) defs.Hub {
	return defs.Hub{Map: m.ID, X: x, Y: y, Z: m.Height(x, y)}
}

// Hub returns where the n-th character begins, from 0 on: at the hubs in turn, a few yards to a side, so that
// characters do not stand on one point. After the last hub comes the first.
func Hub(w *defs.World, n int) defs.Hub {
	at := w.Hubs[n/PerHub%len(w.Hubs)]
	d := newDice(w.Seed, forArrival)
	d.turn(uint64(n))
	dx, dy := d.disc()
	x, y := at.X+float32(dx*crowdYards), at.Y+float32(dy*crowdYards)
	return defs.Hub{Map: at.Map, X: x, Y: y, Z: w.Map(at.Map).Height(x, y), O: d.facing()}
}

// crosses reports whether a step comes within some yards of where a hub may be. The step and the distance together
// are shorter than half the way between two hubs.
func crosses(a, b point, yards float64) bool {
	hx, hy := nearestHub((a.x+b.x)/2), nearestHub((a.y+b.y)/2)
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0 // how far along the step it is closest
	if s := square(dx, dy); s > 0 {
		t = min(max((float64((hx-a.x)*dx)+float64((hy-a.y)*dy))/s, 0), 1)
	}
	return square(a.x+float64(t*dx)-hx, a.y+float64(t*dy)-hy) < yards*yards
}

func nearestHub(v float64) float64 {
	return min(max(math.Round(v/hubYards), -hubRing), hubRing) * hubYards
}
