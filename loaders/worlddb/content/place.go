package content

import (
	"cmp"
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

// An areaRow is a row of areatrigger, or of areatrigger_dbc: AreaTrigger.dbc of a client.
type areaRow struct {
	ID     int64   `column:"entry id" key:""`
	Map    int64   `column:"map mapid continentid"`
	X      float64 `column:"x"`
	Y      float64 `column:"y"`
	Z      float64 `column:"z"`
	Radius float64 `column:"radius" or:"0"`
	Length float64 `column:"length box_length" or:"0"`
	Width  float64 `column:"width box_width" or:"0"`
	Height float64 `column:"height box_height" or:"0"`
	O      float64 `column:"orientation box_yaw" or:"0"`
}

// A leadRow is a row of areatrigger_teleport.
type leadRow struct {
	ID        int64   `column:"id" key:""`
	Map       int64   `column:"target_map"`
	X         float64 `column:"target_position_x"`
	Y         float64 `column:"target_position_y"`
	Z         float64 `column:"target_position_z"`
	O         float64 `column:"target_orientation" or:"0"`
	Level     int64   `column:"required_level" or:"0"`      // CMaNGOS
	Item      int64   `column:"required_item" or:"0"`       // CMaNGOS
	Quest     int64   `column:"required_quest_done" or:"0"` // CMaNGOS
	Condition int64   `column:"condition_id" or:"0"`        // CMaNGOS
}

// Why areas lead nowhere.
const (
	noArea     = "where the area is, is not known: a file of the client says it"
	noLead     = "it leads nowhere"
	noTarget   = "nothing lives on the map that it leads to"
	needsMore  = "players need an item, a quest or a condition for it"
	noAreaKind = "the area has no size"
)

// readAreas has the areas that take players elsewhere. It comes after all that makes maps.
func (l *loader) readAreas() error {
	areas := make(map[int64]defs.Trigger)
	unused := make(map[int64]string) // table of an area that leads nowhere
	for _, table := range []string{"areatrigger_dbc", "areatrigger"} {
		if err := read(l, table, func(r *areaRow) string {
			x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
			switch {
			case !ok || r.Map < 0 || r.Map > math.MaxUint16 || r.ID <= 0 || r.ID > math.MaxUint32:
				return offMap
			case l.maps[uint32(r.Map)] == nil:
				return noMap
			case !(r.Radius > 0) && !(r.Length > 0 && r.Width > 0 && r.Height > 0):
				return noAreaKind
			case unused[r.ID] != "":
				return "another table has the area, too"
			}
			t := defs.Trigger{ID: uint32(r.ID), Map: uint32(r.Map), X: x, Y: y, Z: z, Radius: float32(min(amount(r.Radius), halfYards))}
			if t.Radius == 0 {
				side := func(v float64) float32 { return float32(min(amount(v), halfYards)) }
				t.Box = defs.Box{Length: side(r.Length), Width: side(r.Width), Height: side(r.Height), O: o}
			}
			areas[r.ID] = t
			unused[r.ID] = table
			return ""
		}); err != nil {
			return err
		}
	}
	l.world.Triggers = slices.Clone(l.world.Triggers)
	err := read(l, "areatrigger_teleport", func(r *leadRow) string {
		area, known := areas[r.ID]
		x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
		switch {
		case !known:
			return noArea
		case !ok || r.Map < 0 || r.Map > math.MaxUint16:
			return offMap
		case l.maps[uint32(r.Map)] == nil:
			return noTarget
		case r.Item != 0 || r.Quest != 0 || r.Condition != 0:
			return needsMore
		case l.world.Trigger(area.ID) != nil:
			return "the synthetic world has an area of that number"
		}
		l.part("areatrigger_teleport", r.Level > 1, "the level that it asks for")
		delete(unused, r.ID)
		area.To = defs.Hub{Map: uint32(r.Map), X: x, Y: y, Z: z, O: o}
		at, _ := slices.BinarySearchFunc(l.world.Triggers, area.ID, func(t defs.Trigger, id uint32) int { return cmp.Compare(t.ID, id) })
		l.world.Triggers = slices.Insert(l.world.Triggers, at, area)
		return ""
	})
	for _, table := range unused {
		l.of(table).Executed--
		l.of(table).Not[noLead]++
	}
	return err
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

// A graveRow is a row of game_graveyard, or of world_safe_locs of CMaNGOS.
type graveRow struct {
	ID  int64   `column:"id" key:""`
	Map int64   `column:"map"`
	X   float64 `column:"x"`
	Y   float64 `column:"y"`
	Z   float64 `column:"z"`
	O   float64 `column:"o" or:"0"`
}

// A graveLinkRow is a row of graveyard_zone, or of game_graveyard_zone.
type graveLinkRow struct {
	ID      int64 `column:"id" key:""`
	Zone    int64 `column:"ghostzone ghost_zone ghost_loc" key:""`
	Faction int64 `column:"faction" or:"0"`
}

// Factions of sides.
//
// Source: TeamId and Team, SharedDefines.h, AzerothCore.
const (
	factionHorde    = 67
	factionAlliance = 469
)

// readGraveyards has the places where ghosts appear. Those that no zone has are for no ghost.
func (l *loader) readGraveyards() error {
	const every = defs.Alliance | defs.Horde
	sides := make(map[int64]defs.Sides)
	var links []struct {
		table string
		id    int64
	}
	for _, table := range []string{"graveyard_zone", "game_graveyard_zone"} {
		if err := read(l, table, func(r *graveLinkRow) string {
			switch r.Faction {
			case factionHorde:
				sides[r.ID] |= defs.Horde
			case factionAlliance:
				sides[r.ID] |= defs.Alliance
			case 0:
				sides[r.ID] |= every
			default:
				return "it is for a faction that is no side"
			}
			links = append(links, struct {
				table string
				id    int64
			}{table, r.ID})
			return ""
		}); err != nil {
			return err
		}
	}
	known := make(map[int64]defs.Graveyard)
	for _, table := range []string{"game_graveyard", "world_safe_locs"} {
		if err := read(l, table, func(r *graveRow) string {
			x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
			switch {
			case !ok || r.Map < 0 || r.Map > math.MaxUint16 || r.ID <= 0 || r.ID > math.MaxUint32:
				return offMap
			case l.maps[uint32(r.Map)] == nil:
				return noMap
			case sides[r.ID] == 0:
				return "no zone has it"
			}
			g := defs.Graveyard{ID: uint32(r.ID), Hub: defs.Hub{Map: uint32(r.Map), X: x, Y: y, Z: z, O: o}, Sides: sides[r.ID]}
			if g.Sides == every {
				g.Sides = 0
			}
			known[r.ID] = g
			return ""
		}); err != nil {
			return err
		}
	}
	l.world.Graveyards = nil
	for _, id := range slices.Sorted(maps.Keys(known)) {
		l.world.Graveyards = append(l.world.Graveyards, known[id])
	}
	for _, link := range links {
		if _, ok := known[link.id]; !ok {
			l.of(link.table).Executed--
			l.of(link.table).Not["its graveyard is not there, or is not executed"]++
		}
	}
	return nil
}
