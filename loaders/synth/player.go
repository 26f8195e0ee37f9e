package synth

import "muster/components/defs"

// players makes the bodies of players. A friend of all is shown by clients without game data as one whom
// they need not fight. The other numbers are our own; models go on where those of creatures end.
//
// Source: protocol.md 3.1.3 (faction); DEFAULT_COMBAT_REACH, BASE_ATTACK_TIME, Unit.h, AzerothCore.
func players() defs.Players {
	const model = uint32(firstElite + len(elite) - firstEntry + 1)
	return defs.Players{
		DisplayID: [2]uint32{model, model + 1}, Faction: defs.FactionFriendly,
		BoundingRadius: 0.4, CombatReach: 1.5, AttackTimeMs: 2000,
		Health: 50, HealthPerLevel: 10, Mana: 60, ManaPerLevel: 10, Stat: 20, MinDamage: 1, MaxDamage: 2,
		NextXP: 500, MaxLevel: 60,
	}
}
