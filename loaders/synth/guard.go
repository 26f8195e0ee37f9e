package synth

import "muster/components/defs"

// guard makes the template of guards. None stands anywhere: a game master brings one with npc add.
func guard(entry uint32, names *namer) defs.Creature {
	c := creature(kind{"Guard", defs.TypeHumanoid, 55, 55, 1.1}, entry, defs.FactionFriendly, defs.RankNormal, names)
	c.ReactState, c.CallYards, c.FleeBelow, c.Spells = defs.Guard, 0, 0, nil
	return c
}
