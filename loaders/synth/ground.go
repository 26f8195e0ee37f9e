package synth

import "math"

// ground is hilly land around a plain: exactly flat within flat yards of the middle of the map, and increasingly
// hilly within the next slope yards.
type ground struct {
	seed        uint64
	flat, slope float64
}

// level is the height of every plain.
const level = 40

// octaves are what hills are made of, from the large to the small, in yards.
var octaves = [...]struct{ high, wide float64 }{{110, 1900}, {40, 610}, {12, 190}, {2.5, 53}}

// Height implements defs.Ground. It is a sum of value noise; the slopes stay below 1.
func (g ground) Height(x, y float32) float32 {
	px, py := float64(x), float64(y)
	far := math.Sqrt(square(px, py))
	if far <= g.flat {
		return level
	}
	var h float64
	for i, o := range octaves {
		h += float64(o.high * noise(mix(g.seed+uint64(i)), px/o.wide, py/o.wide))
	}
	return float32(level + float64(h*fade(min((far-g.flat)/g.slope, 1))))
}

// noise is a smooth function of the plane with values within ±1: random numbers at integer points, interpolated in
// between.
func noise(seed uint64, x, y float64) float64 {
	wx, wy := math.Floor(x), math.Floor(y)
	ix, iy := int64(wx), int64(wy)
	tx, ty := fade(x-wx), fade(y-wy)
	return blend(
		blend(corner(seed, ix, iy), corner(seed, ix+1, iy), tx),
		blend(corner(seed, ix, iy+1), corner(seed, ix+1, iy+1), tx),
		ty)
}

// corner returns a number within ±1 for each integer point.
func corner(seed uint64, x, y int64) float64 {
	h := mix(seed ^ mix(uint64(x)^uint64(y)<<32))
	return float64(int64(h)>>11) / (1 << 52)
}

func blend(a, b, t float64) float64 { return a + float64(t*(b-a)) }

// fade goes from 0 to 1 as t does, level at both ends, and so is its slope.
func fade(t float64) float64 {
	p := float64(t*6) - 15
	q := float64(t*p) + 10
	return t * t * t * q
}
