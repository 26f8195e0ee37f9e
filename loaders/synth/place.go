package synth

import "muster/components/defs"

// lands are the maps: a continent whose plain has all the hubs, a smaller one, one of the size of an instance, and one that is instanced.
var lands = [...]struct {
	half        float32
	flat, slope float64
	zones       int // per side
}{
	{17066, 4000, 1500, 6},
	{6000, 500, 700, 3},
	{500, 100, 300, 1},
	{250, 60, 120, 1},
}

// The indexes of lands, which are the maps' IDs.
const (
	continent = iota
	isle
	vault
	dungeon
)

// places makes the maps, without creatures.
func places(seed uint64) []defs.Map {
	d := newDice(seed, forMaps)
	names := newNamer(d)
	maps := make([]defs.Map, len(lands))
	zone := uint32(0)
	for i, land := range lands {
		m := &maps[i]
		*m = defs.Map{
			ID: uint32(i), Name: names.name(), Half: land.half,
			Ground: ground{mix(seed + mix(uint64(forGround)) + uint64(i)), land.flat, land.slope},
		}
		// The plain is a zone of its own; it comes first, so it is cut out of the others.
		if land.zones > 1 {
			flat := float32(land.flat)
			zone++
			m.Zones = append(m.Zones, defs.Zone{
				ID: zone, Name: names.name() + " Plain", MinX: -flat, MinY: -flat, MaxX: flat, MaxY: flat,
			})
		}
		edge := land.half + 1 // the rim belongs to a zone too
		side := 2 * edge / float32(land.zones)
		for k := range land.zones * land.zones {
			column, row := float32(k%land.zones), float32(k/land.zones)
			zone++
			m.Zones = append(m.Zones, defs.Zone{
				ID: zone, Name: names.name(),
				MinX: float32(column*side) - edge, MinY: float32(row*side) - edge,
				MaxX: float32((column+1)*side) - edge, MaxY: float32((row+1)*side) - edge,
			})
		}
	}
	return maps
}
