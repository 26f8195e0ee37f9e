package synth

import (
	"math"

	"muster/components"
	"muster/components/defs"
)

// spiritYards is how far from a hub its spirit healer stands: a ghost at the hub is near enough.
const spiritYards = 6

// spirit makes the template of spirit healers: hostile to no unit, visible to ghosts only.
func spirit(entry uint32, names *namer) defs.Creature {
	k := kind{"Spirit", defs.TypeHumanoid, 60, 60, 1.2}
	c := creature(k, entry, defs.FactionFriendly, defs.RankNormal, names)
	c.SubName = "Spirit Healer"
	c.NPCFlags = components.NPCSpiritHealer
	c.ReactState, c.Spells = defs.Passive, nil
	return c
}

// attend puts a spirit healer at each hub: north of it, facing it.
func attend(m *defs.Map, hubs []defs.Hub) {
	for _, h := range hubs {
		s := defs.Spawn{Entry: uint32(spiritKind), X: h.X + spiritYards, Y: h.Y, O: math.Pi, Path: -1, RespawnMs: soonMs}
		s.Z = m.Height(s.X, s.Y)
		m.Spawns = append(m.Spawns, s)
	}
}
