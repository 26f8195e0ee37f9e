package swarm

import "math"

// random is a SplitMix64 generator: eight bytes of state, so that every client has one of its own and its walk depends
// on nothing but the seed and its number.
//
// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
type random uint64

// newRandom is the generator of one client.
func newRandom(seed uint64, client int) random {
	r := random(seed ^ uint64(client)*0xD1B54A32D192ED03)
	r.next()
	return r
}

func (r *random) next() uint64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// unit is uniform in [0, 1).
func (r *random) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// below is uniform in [0, n), n > 0.
func (r *random) below(n int) int { return int(r.unit() * float64(n)) }

// inDisc is uniform in a disc around the origin.
func (r *random) inDisc(radius float64) (x, y float64) {
	d, a := radius*math.Sqrt(r.unit()), 2*math.Pi*r.unit()
	sin, cos := math.Sincos(a)
	return d * cos, d * sin
}
