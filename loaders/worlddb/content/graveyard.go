package content

import (
	"maps"
	"math"
	"slices"

	"muster/components/defs"
)

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
			at, ok := hub(r.Map, r.X, r.Y, r.Z, r.O)
			switch {
			case !ok || r.ID <= 0 || r.ID > math.MaxUint32:
				return offMap
			case l.maps[at.Map] == nil:
				return noMap
			case sides[r.ID] == 0:
				return "no zone has it"
			}
			g := defs.Graveyard{ID: uint32(r.ID), Hub: at, Sides: sides[r.ID]}
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
