package content

import (
	"fmt"
	"math"

	"muster/components/defs"
)

// A place is a map while it is filled.
type place struct {
	defs.Map
	points []point              // that something stands on
	looks  map[defs.Look]uint32 // one more than in Map.Looks
	paths  map[pathKey]int      // in Map.Paths; -1 is one that cannot be walked
}

// halfYards is how far maps reach: no data say where they end.
//
// Source: MAP_HALFSIZE, GridDefines.h, AzerothCore.
const halfYards = 17066

// place is the map of a number, which is made.
func (l *loader) place(id uint32) *place {
	p := l.maps[id]
	if p == nil {
		p = &place{
			Map:   defs.Map{ID: id, Name: fmt.Sprintf("Map %d", id), Half: halfYards},
			looks: make(map[defs.Look]uint32), paths: make(map[pathKey]int),
		}
		l.synthetic.shape(p)
		l.maps[id] = p
	}
	return p
}

// finish is the map with its ground.
func (p *place) finish() defs.Map {
	if p.Ground == nil {
		p.Ground = newGround(p.points)
	}
	return p.Map
}

// stand says that something stands at a point.
func (p *place) stand(x, y, z float32) { p.points = append(p.points, point{x, y, z}) }

// position is three coordinates and an orientation within [0, 2π), if they are on a map.
func position(x, y, z, o float64) (px, py, pz, po float32, ok bool) {
	if !(math.Abs(x) <= halfYards && math.Abs(y) <= halfYards && math.Abs(z) <= halfYards) || math.IsInf(o, 0) || math.IsNaN(o) {
		return 0, 0, 0, 0, false
	}
	turn := math.Mod(o, 2*math.Pi)
	if turn < 0 {
		turn += 2 * math.Pi
	}
	return float32(x), float32(y), float32(z), float32(turn), true
}

// Why rows are refused.
const (
	offMap = "the position is off its map"
	noMap  = "nothing lives on its map"
)

// A startRow is a row of playercreateinfo.
type startRow struct {
	Race  int64   `column:"race" key:""`
	Class int64   `column:"class" key:""`
	Map   int64   `column:"map"`
	X     float64 `column:"position_x"`
	Y     float64 `column:"position_y"`
	Z     float64 `column:"position_z" or:"0"`
	O     float64 `column:"orientation" or:"0"`
}

// readStarts makes a hub of each place where characters begin, and has the areas that lead elsewhere.
func (l *loader) readStarts() error {
	l.world.Hubs, l.world.Starts, l.world.Triggers = l.synthetic.hubs(), nil, l.synthetic.triggers()
	known := make(map[defs.Hub]uint32)
	return read(l, "playercreateinfo", func(r *startRow) string {
		x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
		if !ok || r.Map < 0 || r.Map > math.MaxUint16 {
			return offMap
		}
		if r.Race < 1 || r.Race > math.MaxUint8 || r.Class < 1 || r.Class > math.MaxUint8 {
			return "the race or the class has no number from 1 to 255"
		}
		hub := defs.Hub{Map: uint32(r.Map), X: x, Y: y, Z: z, O: o}
		at, ok := known[hub]
		if !ok {
			at = uint32(len(l.world.Hubs))
			known[hub] = at
			l.world.Hubs = append(l.world.Hubs, hub)
			l.place(hub.Map).stand(x, y, z)
		}
		l.world.Starts = append(l.world.Starts, defs.Start{Race: uint8(r.Race), Class: uint8(r.Class), Hub: at})
		return ""
	})
}

// A teleportRow is a row of game_tele.
type teleportRow struct {
	ID   int64   `column:"id" key:""`
	Map  int64   `column:"map"`
	X    float64 `column:"position_x"`
	Y    float64 `column:"position_y"`
	Z    float64 `column:"position_z" or:"0"`
	O    float64 `column:"orientation" or:"0"`
	Name string  `column:"name"`
}

func (l *loader) readTeleports() error {
	l.world.Teleports = nil
	return read(l, "game_tele", func(r *teleportRow) string {
		x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
		name := text(r.Name)
		switch {
		case !ok || r.Map < 0 || r.Map > math.MaxUint16:
			return offMap
		case l.maps[uint32(r.Map)] == nil:
			return noMap
		case name == "":
			return "the place has no name"
		}
		l.world.Teleports = append(l.world.Teleports, defs.Teleport{Name: name, Hub: defs.Hub{Map: uint32(r.Map), X: x, Y: y, Z: z, O: o}})
		return ""
	})
}
