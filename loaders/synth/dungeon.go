package synth

import "muster/components/defs"

const (
	garrisonSize = 24 // creatures of the dungeon
	garrisonRim  = 60 // yards from where players come in to the nearest of them, and from the edge to any

	gateYards = 40 // from the first hub to the portal, along x and y
	stepYards = 20 // from a portal to where players come out of it
	gateReach = 5  // radius of a portal
)

// The IDs of the triggers.
const (
	gateIn uint32 = iota + 1
	gateOut
)

// open connects the dungeon with the plain: a portal near the first hub leads into it, and one in its middle out. Both have names for game
// masters.
func open(w *defs.World) {
	outside, inside := &w.Maps[continent], &w.Maps[dungeon]
	gate, exit := hub(outside, gateYards, gateYards), hub(outside, gateYards+stepYards, gateYards)
	door, entrance := hub(inside, 0, 0), hub(inside, stepYards, 0)
	inside.Instanced, inside.Exit = true, exit
	w.Triggers = []defs.Trigger{
		{ID: gateIn, Map: gate.Map, X: gate.X, Y: gate.Y, Z: gate.Z, Radius: gateReach, To: entrance},
		{ID: gateOut, Map: door.Map, X: door.X, Y: door.Y, Z: door.Z, Radius: gateReach, To: exit},
	}
	w.Teleports = []defs.Teleport{{Name: "Dungeon", Hub: entrance}, {Name: "DungeonGate", Hub: exit}}
}

// garrison puts elite creatures into the dungeon, not near where players come in.
func garrison(m *defs.Map, seed uint64) {
	d := newDice(seed, forDungeon)
	half := float64(m.Half) - garrisonRim
	for len(m.Spawns) < garrisonSize {
		at := (point{d.between(-half, half), d.between(-half, half)}).rounded()
		if square(at.x, at.y) < garrisonRim*garrisonRim {
			continue
		}
		s := defs.Spawn{Entry: uint32(firstElite + d.IntN(len(elite))), X: float32(at.x), Y: float32(at.y), O: d.facing(), Path: -1}
		s.Z = m.Height(s.X, s.Y)
		m.Spawns = append(m.Spawns, s)
	}
}
