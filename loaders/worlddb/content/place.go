package content

import (
	"fmt"
	"maps"
	"math"
	"slices"

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

// hub is a position on a map, if it is on one.
func hub(place int64, x, y, z, o float64) (at defs.Hub, ok bool) {
	if place < 0 || place > math.MaxUint16 {
		return at, false
	}
	at.Map = uint32(place)
	at.X, at.Y, at.Z, at.O, ok = position(x, y, z, o)
	return at, ok
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
		at, ok := hub(r.Map, r.X, r.Y, r.Z, r.O)
		if !ok {
			return offMap
		}
		if r.Race < 1 || r.Race > math.MaxUint8 || r.Class < 1 || r.Class > math.MaxUint8 {
			return "the race or the class has no number from 1 to 255"
		}
		number, ok := known[at]
		if !ok {
			number = uint32(len(l.world.Hubs))
			known[at] = number
			l.world.Hubs = append(l.world.Hubs, at)
			l.place(at.Map).stand(at.X, at.Y, at.Z)
		}
		l.world.Starts = append(l.world.Starts, defs.Start{Race: uint8(r.Race), Class: uint8(r.Class), Hub: number})
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
		at, ok := hub(r.Map, r.X, r.Y, r.Z, r.O)
		name := text(r.Name)
		switch {
		case !ok:
			return offMap
		case l.maps[at.Map] == nil:
			return noMap
		case name == "":
			return "the place has no name"
		}
		l.world.Teleports = append(l.world.Teleports, defs.Teleport{Name: name, Hub: at})
		return ""
	})
}

// An instanceRow is a row of instance_template.
type instanceRow struct {
	Map int64 `column:"map" key:""`
}

// readInstances has each group of players be on its own on the maps that are dungeons: those that an area leads out of, to a map that is
// none. It comes after areas and starts.
func (l *loader) readInstances() error {
	instanced := make(map[uint32]bool)
	if err := read(l, "instance_template", func(r *instanceRow) string {
		if r.Map < 0 || r.Map > math.MaxUint16 || l.maps[uint32(r.Map)] == nil {
			return noMap
		}
		instanced[uint32(r.Map)] = true
		return ""
	}); err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(instanced))
	for _, h := range l.world.Hubs { // where characters begin is no dungeon
		delete(instanced, h.Map)
	}
	for i := range l.world.Triggers {
		t := &l.world.Triggers[i]
		if m := l.maps[t.Map]; instanced[t.Map] && !instanced[t.To.Map] && !m.Instanced {
			m.Instanced, m.Exit = true, t.To
		}
	}
	for _, id := range ids {
		if !l.maps[id].Instanced {
			u := l.of("instance_template")
			u.Executed--
			u.Not["no area leads out of it to a map that is no dungeon: all players that enter it meet"]++
		}
	}
	return nil
}
