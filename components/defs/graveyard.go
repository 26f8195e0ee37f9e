package defs

// A Graveyard is a place where ghosts appear.
//
// Source: GraveyardStruct, GameGraveyard.h, AzerothCore.
type Graveyard struct {
	ID uint32
	Hub
	Sides Sides // that it is for; 0 is all
}

// Sides is a set of the sides that players are of by their race.
type Sides uint8

// The sides.
const (
	Alliance Sides = 1 << iota
	Horde
)

// SideOf is the side of a race, 0 for one that is of none.
//
// Source: RACEMASK_ALLIANCE and RACEMASK_HORDE, SharedDefines.h, AzerothCore.
func SideOf(race uint8) Sides {
	switch race {
	case 1, 3, 4, 7, 11:
		return Alliance
	case 2, 5, 6, 8, 10:
		return Horde
	}
	return 0
}

// Graveyard is where the ghost of a player of a race appears that has died at a point: the nearest graveyard of its map for its side; ok is false
// without one. It looks at each.
//
// Source: Graveyard::GetClosestGraveyard, AzerothCore, without zones: which graveyards belong to a zone says a file of the client.
func (w *World) Graveyard(race uint8, at Hub) (to Hub, ok bool) {
	nearest, side := float32(0), SideOf(race)
	for i := range w.Graveyards {
		g := &w.Graveyards[i]
		if g.Map != at.Map || g.Sides != 0 && g.Sides&side == 0 {
			continue
		}
		dx, dy, dz := g.X-at.X, g.Y-at.Y, g.Z-at.Z
		if d := float32(dx*dx) + float32(dy*dy) + float32(dz*dz); !ok || d < nearest {
			nearest, to, ok = d, g.Hub, true
		}
	}
	return to, ok
}
