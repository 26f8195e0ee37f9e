package content

import (
	"cmp"
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

// divide orders a range.
func (g ground) divide(byY bool) {
	if len(g) < 2 {
		return
	}
	slices.SortFunc(g, func(a, b point) int {
		if byY {
			return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
		}
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
	})
	middle := len(g) / 2
	g[:middle].divide(!byY)
	g[middle+1:].divide(!byY)
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
