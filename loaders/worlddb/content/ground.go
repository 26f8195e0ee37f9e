package content

import (
	"cmp"
	"math/bits"
	"slices"
)

// A ground is the land as a database knows it: at each point it is as high as the nearest point that something stands on. It is a k-d
// tree in a slice: the middle of a range divides it, by x and by y in turn.
type ground []point

// A point is somewhere something stands.
type point struct{ x, y, z float32 }

// newGround orders points, which become its own.
func newGround(points []point) ground {
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.z, b.z))
	})
	points = slices.CompactFunc(points, func(a, b point) bool { return a.x == b.x && a.y == b.y }) // the lowest of a place
	g := ground(points)
	g.divide(false)
	return g
}

// divide orders a range: what is before its middle is less by the coordinate, or as much and less by the other, and what is behind it is more.
func (g ground) divide(byY bool) {
	if len(g) < 2 {
		return
	}
	middle := len(g) / 2
	g.settle(middle, byY)
	g[:middle].divide(!byY)
	g[middle+1:].divide(!byY)
}

// less compares two points of a ground, of which no two are at one place.
func less(a, b *point, byY bool) bool {
	if byY {
		return a.y < b.y || a.y == b.y && a.x < b.x
	}
	return a.x < b.x || a.x == b.x && a.y < b.y
}

// settle puts the point there that would be there were all in order. The cost is linear in most cases: it is quickselect, which
// orders a range by sorting where pivots divide it badly.
func (g ground) settle(n int, byY bool) {
	for tries := 2 * bits.Len(uint(len(g))); len(g) > 1; tries-- {
		if tries == 0 {
			slices.SortFunc(g, func(a, b point) int {
				if less(&a, &b, byY) {
					return -1
				}
				return 1
			})
			return
		}
		pivot := g[len(g)/2]
		i, k := 0, len(g)-1
		for i <= k {
			for less(&g[i], &pivot, byY) {
				i++
			}
			for less(&pivot, &g[k], byY) {
				k--
			}
			if i <= k {
				g[i], g[k] = g[k], g[i]
				i, k = i+1, k-1
			}
		}
		switch {
		case n <= k:
			g = g[:k+1]
		case n >= i:
			g, n = g[i:], n-i
		default:
			return
		}
	}
}

// Height implements defs.Ground. The cost is logarithmic in the number of points.
func (g ground) Height(x, y float32) float32 {
	best, far := float32(0), -1.0
	g.nearest(x, y, false, &best, &far)
	return best
}

// nearest looks for a point that is nearer than far, the square of a distance; a negative one is any.
func (g ground) nearest(x, y float32, byY bool, best *float32, far *float64) {
	if len(g) == 0 {
		return
	}
	middle := len(g) / 2
	p := &g[middle]
	dx, dy := float64(x)-float64(p.x), float64(y)-float64(p.y)
	if d := float64(dx*dx) + float64(dy*dy); *far < 0 || d < *far {
		*best, *far = p.z, d
	}
	off := dx
	if byY {
		off = dy
	}
	near, other := g[:middle], g[middle+1:]
	if off > 0 {
		near, other = other, near
	}
	near.nearest(x, y, !byY, best, far)
	if float64(off*off) <= *far {
		other.nearest(x, y, !byY, best, far)
	}
}
