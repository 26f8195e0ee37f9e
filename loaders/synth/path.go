package synth

import "muster/components/defs"

// Paths have 3 to 10 nodes, with legs of 10 to 60 yards.
const (
	minNodes, maxNodes = 3, 10
	minLeg, maxLeg     = 10, 60

	pauses = 4 // one node in so many has a pause
	slab   = 4096
)

// path makes a path that begins at a point: a circuit, or one way and back the same way.
func (s *settler) path(from point) defs.Path {
	round := s.dice.IntN(2) == 0
	var way [maxNodes]point
	way[0] = from
	n := 0
	for n == 0 {
		if round {
			n = s.round(&way)
		} else {
			n = s.thereAndBack(&way)
		}
	}
	if cap(s.nodes)-len(s.nodes) < n {
		s.nodes = make([]defs.Node, 0, slab)
	}
	first := len(s.nodes)
	for _, p := range way[:n] {
		x, y := float32(p.x), float32(p.y)
		node := defs.Node{X: x, Y: y, Z: s.place.Height(x, y)}
		if s.dice.IntN(pauses) == 0 {
			node.PauseMs = 1000 * uint32(2+s.dice.IntN(9))
		}
		s.nodes = append(s.nodes, node)
	}
	return defs.Path{Nodes: s.nodes[first:len(s.nodes):len(s.nodes)]}
}

// round walks at random until it happens to be a leg from where it began. It is 0 if it does not.
func (s *settler) round(way *[maxNodes]point) int {
	n := minNodes + s.dice.IntN(maxNodes-minNodes+1)
	for i := 1; i < n; i++ {
		dx, dy := s.dice.direction()
		way[i] = s.step(way[i-1], dx, dy)
		if !s.open(way[i-1], way[i]) {
			return 0
		}
	}
	if !s.open(way[n-1], way[0]) {
		return 0
	}
	return n
}

// thereAndBack walks on without sharp turns, and lists its inner nodes again for the way back. It is 0 if there is no
// way.
func (s *settler) thereAndBack(way *[maxNodes]point) int {
	n := minNodes + s.dice.IntN(maxNodes/2+1-minNodes+1)
	dx, dy := s.dice.direction()
	for i := 1; i < n; i++ {
		way[i] = s.step(way[i-1], dx, dy)
		if !s.open(way[i-1], way[i]) {
			return 0
		}
		for {
			x, y := s.dice.direction()
			if float64(x*dx)+float64(y*dy) > 0.3 {
				dx, dy = x, y
				break
			}
		}
	}
	for i := n - 2; i > 0; i-- {
		way[2*n-2-i] = way[i]
	}
	return 2*n - 2
}

// step goes a leg in a direction.
func (s *settler) step(from point, dx, dy float64) point {
	leg := s.dice.between(minLeg, maxLeg)
	return point{from.x + float64(dx*leg), from.y + float64(dy*leg)}.rounded()
}

// open reports whether there is a straight way from a to b, and whether that is a leg.
func (s *settler) open(a, b point) bool {
	half := float64(s.place.Half) - rimYards
	long := square(b.x-a.x, b.y-a.y)
	return minLeg*minLeg <= long && long <= maxLeg*maxLeg &&
		max(b.x, b.y) <= half && min(b.x, b.y) >= -half &&
		(s.land != continent || !crosses(a, b, clearYards))
}
