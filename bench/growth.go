package bench

import "math"

// A growth is what something cost at several sizes within one repetition.
type growth struct{ sizes, costs []float64 }

// add notes the cost at a size. Both are more than zero.
func (g *growth) add(size, cost float64) {
	g.sizes, g.costs = append(g.sizes, size), append(g.costs, cost)
}

// exponent is that of the power of the size which the costs follow best: 1 if twice as much costs twice as much, 0 if
// it costs the same. It is fitted by least squares of the logarithms, and needs two different sizes, better three.
func (g growth) exponent() float64 {
	n := float64(len(g.sizes))
	var x, y, xx, xy float64
	for i := range g.sizes {
		lx, ly := math.Log(g.sizes[i]), math.Log(g.costs[i])
		x, y, xx, xy = x+lx, y+ly, xx+float64(lx*lx), xy+float64(lx*ly)
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
