package synth

import "muster/components/defs"

// marker makes the template of the creatures that show the nodes of a path. They do nothing, and are not fought.
func marker(entry uint32, names *namer) defs.Creature {
	c := creature(kind{"", defs.TypeMechanical, 1, 1, 0.5}, entry, defs.FactionFriendly, defs.RankNormal, names)
	c.Name, c.ReactState, c.CallYards, c.Spells, c.XP = "Waypoint", defs.Passive, 0, nil, 0
	return c
}
