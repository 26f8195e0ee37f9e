package synth

import "muster/components/defs"

// A price is what a spell costs.
type price struct {
	power   uint8
	flat    uint32
	percent uint32 // of base mana
}

var free = price{}

func inMana(percent uint32) price { return price{power: mana, percent: percent} }
func inRage(points uint32) price  { return price{power: rage, flat: 10 * points} }
func inEnergy(n uint32) price     { return price{power: energy, flat: n} }
func inRunic(points uint32) price { return price{power: runic, flat: 10 * points} }

const (
	reach  = 30   // yards, the range of most spells
	moment = 1500 // milliseconds of the global cooldown
	quick  = 1000 // of energy users
)

// worth returns the damage or healing that so many seconds are worth at a level: our own choice, about what it takes
// a character without equipment a dozen seconds to kill a creature of its level.
func worth(level uint8, seconds float64) int32 { return int32(seconds * (5 + 1.7*float64(level))) }

// spread varies an effect of damage or healing by a seventh, and lets it grow with levels above the spell's.
func spread(e defs.Effect, level uint8, seconds float64) defs.Effect {
	v := worth(level, seconds)
	e.Amount, e.Dice, e.PerLevel = v-v/14, v/7, float32(seconds*0.8)
	return e
}

// coefficient returns how much spell power a spell of a cast time has.
//
// Source: SpellMgr and Unit::CalculateDefaultCoefficient, AzerothCore (3.5 s is all of it, 1.5 s the least).
func coefficient(castMs uint32) float32 { return float32(max(castMs, 1500)) / 3500 }

// base returns what all spells of a kind have in common.
func base(p price, school uint32, flags defs.SpellFlag) defs.Spell {
	s := defs.Spell{
		School: school, Flags: flags, GlobalMs: moment, Power: p.power, Cost: p.flat, CostPercent: p.percent, MaxRange: reach,
	}
	if p.power == energy {
		s.GlobalMs = quick
	}
	return s
}

const (
	harmful = defs.SpellHarmful
	spoken  = defs.SpellStill | defs.SpellPushedBack | defs.SpellInterruptible
)

func effect(kind defs.EffectKind, to defs.Target) defs.Effect {
	return defs.Effect{Kind: kind, Target: to}
}

func aura(kind defs.AuraKind, to defs.Target, amount, misc int32) defs.Effect {
	return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind, Target: to, Amount: amount, Misc: misc}
}

// grown returns an amount that grows by half with each ten levels.
func grown(amount int32, level uint8) int32 { return amount + amount*int32(level)/20 }

func bolt(school, castMs uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful|spoken)
		s.CastMs, s.MissileSpeed = castMs, 24
		s.Effects[0] = spread(effect(defs.EffectSchoolDamage, defs.TargetEnemy), level, float64(castMs)/1000)
		s.Effects[0].Coefficient = coefficient(castMs)
		return s
	}
}

// chill is a bolt that slows its target.
func chill(p price) form {
	return func(level uint8) defs.Spell {
		s := bolt(defs.SchoolFrost, 2000, p)(level)
		s.Dispel, s.Mechanic, s.DurationMs = defs.DispelMagic, defs.MechanicSnare, 5000
		s.Effects[1] = aura(defs.AuraSlow, defs.TargetEnemy, -40, 0)
		return s
	}
}

func burst(school, seconds uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful)
		s.CooldownMs = seconds * 1000
		s.Effects[0] = spread(effect(defs.EffectSchoolDamage, defs.TargetEnemy), level, 2)
		s.Effects[0].Coefficient = coefficient(0)
		return s
	}
}

// dot damages every few seconds for a while.
func dot(school uint32, dispel uint8, seconds, every uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful)
		s.Dispel, s.DurationMs = dispel, seconds*1000
		if school == defs.SchoolPhysical {
			s.Mechanic, s.MaxRange, s.Flags = defs.MechanicBleed, 0, s.Flags|defs.SpellMelee
		}
		ticks := seconds / every
		s.Effects[0] = aura(defs.AuraPeriodicDamage, defs.TargetEnemy, max(worth(level, 3)/int32(ticks), 1), 0)
		s.Effects[0].PulseMs = every * 1000
		s.Effects[0].PerLevel = 0.3
		s.Effects[0].Coefficient = float32(seconds) / 15 / float32(ticks)
		return s
	}
}

func drain(school uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful|spoken|defs.SpellChannelled)
		s.DurationMs = 5000
		s.Effects[0] = aura(defs.AuraPeriodicLeech, defs.TargetEnemy, worth(level, 0.7), 0)
		s.Effects[0].PulseMs, s.Effects[0].Coefficient = 1000, 0.14
		return s
	}
}

func rain(school uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful|spoken|defs.SpellChannelled)
		s.DurationMs = 6000
		s.Effects[0] = effect(defs.EffectSchoolDamage, defs.TargetPlaceEnemies)
		s.Effects[0].Amount, s.Effects[0].Radius, s.Effects[0].PulseMs = worth(level, 0.6), 8, 1000
		return s
	}
}

func nova(school uint32, seconds float64, cooldown uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful)
		s.MaxRange, s.CooldownMs, s.MaxTargets = 0, cooldown*1000, 10
		s.Effects[0] = spread(effect(defs.EffectSchoolDamage, defs.TargetAreaEnemies), level, seconds)
		s.Effects[0].Radius = 8
		return s
	}
}

func frozenRing(p price) form {
	return func(level uint8) defs.Spell {
		s := nova(defs.SchoolFrost, 0.4, 25, p)(level)
		s.Dispel, s.Mechanic, s.DurationMs, s.Breaks = defs.DispelMagic, defs.MechanicRoot, 8000, defs.BreakDamage
		s.Effects[1] = aura(defs.AuraRoot, defs.TargetAreaEnemies, 0, 0)
		s.Effects[1].Radius = 8
		return s
	}
}

func breath(school uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := nova(school, 1.2, 10, p)(level)
		s.Effects[0].Target, s.Effects[0].Radius = defs.TargetConeEnemies, 10
		return s
	}
}

func fork(school uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := bolt(school, 2500, p)(level)
		s.CooldownMs, s.MissileSpeed = 6000, 0
		s.Effects[0].Chain, s.Effects[0].ChainFactor = 3, 0.7
		return s
	}
}

func leech(school uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, school, harmful)
		s.Effects[0] = spread(effect(defs.EffectHealthLeech, defs.TargetEnemy), level, 1.5)
		return s
	}
}

// hit is a hit with a weapon: a percentage of its damage, and more for each level.
func hit(percent, perLevel int32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolPhysical, harmful|defs.SpellMelee)
		s.MaxRange = 0
		s.Effects[0] = effect(defs.EffectWeaponDamage, defs.TargetEnemy)
		s.Effects[0].Amount = perLevel * int32(level) / 4
		s.Effects[1] = effect(defs.EffectWeaponPercent, defs.TargetEnemy)
		s.Effects[1].Amount = percent
		return s
	}
}

func heavy(perLevel int32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolPhysical, harmful|defs.SpellMelee|defs.SpellNextSwing)
		s.MaxRange, s.GlobalMs = 0, 0
		s.Effects[0] = effect(defs.EffectWeaponDamage, defs.TargetEnemy)
		s.Effects[0].Amount = 5 + perLevel*int32(level)/3
		return s
	}
}

func shoot() form {
	return func(uint8) defs.Spell {
		s := base(free, defs.SchoolPhysical, harmful|defs.SpellRanged|defs.SpellAutoRepeat)
		s.MinRange, s.MaxRange, s.GlobalMs, s.MissileSpeed = 5, 35, 0, 40
		s.Effects[0] = effect(defs.EffectWeaponDamage, defs.TargetEnemy)
		return s
	}
}

func shot(percent int32, p price) form {
	return func(level uint8) defs.Spell {
		s := hit(percent, 2, p)(level)
		s.Flags = harmful | defs.SpellRanged
		s.MinRange, s.MaxRange, s.CooldownMs, s.MissileSpeed = 5, 35, 6000, 40
		return s
	}
}

func heal(castMs uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolHoly, spoken)
		s.CastMs, s.MaxRange = castMs, 40
		s.Effects[0] = spread(effect(defs.EffectHeal, defs.TargetFriend), level, 1.6*float64(castMs)/1000)
		s.Effects[0].Coefficient = coefficient(castMs)
		return s
	}
}

func chainHeal(p price) form {
	return func(level uint8) defs.Spell {
		s := heal(2500, p)(level)
		s.Effects[0].Target, s.Effects[0].Chain, s.Effects[0].ChainFactor = defs.TargetChainFriends, 3, 0.5
		return s
	}
}

func renew(p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolHoly, 0)
		s.MaxRange, s.Dispel, s.DurationMs = 40, defs.DispelMagic, 15_000
		s.Effects[0] = aura(defs.AuraPeriodicHeal, defs.TargetFriend, max(worth(level, 4)/5, 1), 0)
		s.Effects[0].PulseMs, s.Effects[0].Coefficient = 3000, 0.2
		return s
	}
}

func ward(p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolHoly, 0)
		s.MaxRange, s.Dispel, s.Mechanic, s.DurationMs, s.CooldownMs = 40, defs.DispelMagic, defs.MechanicShield, 30_000, 4000
		s.Effects[0] = aura(defs.AuraAbsorb, defs.TargetFriend, worth(level, 4), int32(defs.SchoolAll))
		return s
	}
}

// bless strengthens a friend for half an hour.
func bless(kind defs.AuraKind, amount, misc int32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolArcane, 0)
		s.Dispel, s.DurationMs = defs.DispelMagic, 1_800_000
		s.Effects[0] = aura(kind, defs.TargetFriend, grown(amount, level), misc)
		return s
	}
}

// cry strengthens all friends in range for two minutes.
func cry(kind defs.AuraKind, amount int32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolPhysical, 0)
		s.DurationMs = 120_000
		s.Effects[0] = aura(kind, defs.TargetAreaFriends, grown(amount, level), 0)
		s.Effects[0].Radius = 20
		return s
	}
}

func selfBuff(kind defs.AuraKind, amount int32, seconds, cooldown uint32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolPhysical, 0)
		s.DurationMs, s.CooldownMs = seconds*1000, cooldown*1000
		misc := int32(0)
		if kind == defs.AuraResistance {
			misc = int32(defs.SchoolPhysical)
		}
		s.Effects[0] = aura(kind, defs.TargetCaster, amount, misc)
		return s
	}
}

func passive(kind defs.AuraKind, amount, misc int32) form {
	return func(uint8) defs.Spell {
		s := defs.Spell{School: defs.SchoolPhysical, Flags: defs.SpellPassive}
		s.Effects[0] = aura(kind, defs.TargetCaster, amount, misc)
		return s
	}
}

func sprint(school uint32, percent int32, seconds, cooldown uint32) form {
	return func(uint8) defs.Spell {
		s := base(free, school, 0)
		s.DurationMs, s.CooldownMs = seconds*1000, cooldown*1000
		s.Effects[0] = aura(defs.AuraSpeedUp, defs.TargetCaster, percent, 0)
		return s
	}
}

func slow(school uint32, dispel uint8, percent int32, seconds uint32, p price) form {
	return func(uint8) defs.Spell {
		s := base(p, school, harmful|defs.SpellBinary)
		s.Dispel, s.Mechanic, s.DurationMs = dispel, defs.MechanicSnare, seconds*1000
		if school == defs.SchoolPhysical {
			s.MaxRange, s.Flags = 0, harmful|defs.SpellMelee
		}
		s.Effects[0] = aura(defs.AuraSlow, defs.TargetEnemy, -percent, 0)
		return s
	}
}

func root(school, seconds, cooldown uint32, p price) form {
	return func(uint8) defs.Spell {
		s := base(p, school, harmful|defs.SpellBinary|spoken)
		s.CastMs, s.Dispel, s.Mechanic, s.DurationMs, s.CooldownMs = 1500, defs.DispelMagic, defs.MechanicRoot, seconds*1000, cooldown*1000
		s.Breaks = defs.BreakDamage
		s.Effects[0] = aura(defs.AuraRoot, defs.TargetEnemy, 0, 0)
		return s
	}
}

func stun(school, seconds, cooldown uint32, p price) form {
	return func(uint8) defs.Spell {
		s := base(p, school, harmful|defs.SpellBinary)
		s.MaxRange, s.Mechanic, s.DurationMs, s.CooldownMs = 10, defs.MechanicStun, seconds*1000, cooldown*1000
		s.Effects[0] = aura(defs.AuraStun, defs.TargetEnemy, 0, 0)
		return s
	}
}

func fear(school, seconds, cooldown uint32, p price) form {
	return func(uint8) defs.Spell {
		s := base(p, school, harmful|defs.SpellBinary)
		s.MaxRange, s.Dispel, s.Mechanic, s.DurationMs, s.CooldownMs = 20, defs.DispelMagic, defs.MechanicFear, seconds*1000, cooldown*1000
		s.Breaks = defs.BreakDamage
		s.Effects[0] = aura(defs.AuraFear, defs.TargetEnemy, 0, 0)
		return s
	}
}

func silence() form {
	return func(uint8) defs.Spell {
		s := base(inMana(8), defs.SchoolShadow, harmful|defs.SpellBinary)
		s.Mechanic, s.DurationMs, s.CooldownMs = defs.MechanicSilence, 5000, 45_000
		s.Effects[0] = aura(defs.AuraSilence, defs.TargetEnemy, 0, 0)
		return s
	}
}

// interrupt ends a unit's cast, in melee range or from so many yards.
func interrupt(yards float32, p price) form {
	return func(uint8) defs.Spell {
		s := base(p, defs.SchoolPhysical, harmful|defs.SpellAlwaysHits)
		s.GlobalMs, s.MaxRange, s.DurationMs, s.CooldownMs = 0, yards, 4000, 12_000
		s.Effects[0] = effect(defs.EffectInterrupt, defs.TargetEnemy)
		return s
	}
}

func dispel(kind uint8, p price) form {
	return func(uint8) defs.Spell {
		s := base(p, defs.SchoolHoly, 0)
		s.Effects[0] = effect(defs.EffectDispel, defs.TargetFriend)
		s.Effects[0].Amount, s.Effects[0].Misc = 1, int32(kind)
		return s
	}
}

func thorns(amount int32, p price) form {
	return func(level uint8) defs.Spell {
		s := base(p, defs.SchoolNature, 0)
		s.Dispel, s.DurationMs = defs.DispelMagic, 600_000
		s.Effects[0] = aura(defs.AuraDamageShield, defs.TargetFriend, grown(amount, level), 0)
		return s
	}
}

// spent is an effect that lasts until it has been used so often.
func spent(charges uint8, by defs.Spent, f form) form {
	return func(level uint8) defs.Spell {
		s := f(level)
		s.Charges, s.Spent = charges, by
		return s
	}
}

func weaken(p price) form {
	return func(uint8) defs.Spell {
		s := base(p, defs.SchoolShadow, harmful|defs.SpellBinary)
		s.Dispel, s.DurationMs = defs.DispelCurse, 30_000
		s.Effects[0] = aura(defs.AuraDamagePercent, defs.TargetEnemy, -10, int32(defs.SchoolAll))
		s.Effects[1] = aura(defs.AuraCastSpeed, defs.TargetEnemy, -20, 0)
		return s
	}
}

func immune() form {
	return func(uint8) defs.Spell {
		s := base(inMana(3), defs.SchoolHoly, defs.SpellWhileStunned)
		s.DurationMs, s.CooldownMs = 8000, 300_000
		s.Effects[0] = aura(defs.AuraSchoolImmunity, defs.TargetCaster, 0, int32(defs.SchoolAll))
		s.Effects[1] = aura(defs.AuraPacify, defs.TargetCaster, 0, 0)
		return s
	}
}

func raise(p price) form {
	return func(uint8) defs.Spell {
		s := base(p, defs.SchoolHoly, spoken|defs.SpellOnDead|defs.SpellOutOfCombat)
		s.CastMs = 8000
		s.Effects[0] = effect(defs.EffectResurrect, defs.TargetFriend)
		s.Effects[0].Amount = 35
		return s
	}
}

func rush() form {
	return func(uint8) defs.Spell {
		s := base(free, defs.SchoolPhysical, harmful|defs.SpellOutOfCombat)
		s.MinRange, s.MaxRange, s.CooldownMs, s.GlobalMs = 8, 25, 15_000, 0
		s.Effects[0] = effect(defs.EffectCharge, defs.TargetEnemy)
		s.Effects[1] = effect(defs.EffectEnergize, defs.TargetCaster)
		s.Effects[1].Amount, s.Effects[1].Misc = 90, rage
		return s
	}
}

func taunt() form {
	return func(uint8) defs.Spell {
		s := base(free, defs.SchoolPhysical, harmful|defs.SpellAlwaysHits)
		s.MaxRange, s.CooldownMs, s.GlobalMs = 20, 8000, 0
		s.Effects[0] = effect(defs.EffectAttackMe, defs.TargetEnemy)
		return s
	}
}

func push(p price) form {
	return func(uint8) defs.Spell {
		s := base(p, defs.SchoolNature, harmful)
		s.MaxRange, s.CooldownMs = 10, 45_000
		s.Effects[0] = effect(defs.EffectKnockBack, defs.TargetEnemy)
		s.Effects[0].Amount, s.Effects[0].Misc = 75, 120
		return s
	}
}

// charged gives the caster power, so much at once.
func charged(power uint8, amount int32, cooldown uint32) form {
	return func(uint8) defs.Spell {
		s := base(free, defs.SchoolArcane, 0)
		s.CooldownMs = cooldown * 1000
		s.Effects[0] = effect(defs.EffectEnergize, defs.TargetCaster)
		if power == mana {
			s.Effects[0].Kind = defs.EffectEnergizePercent
		}
		s.Effects[0].Amount, s.Effects[0].Misc = amount, int32(power)
		return s
	}
}

// call summons a wolf for a minute.
func call() form {
	return func(uint8) defs.Spell {
		s := base(inMana(20), defs.SchoolNature, spoken)
		s.CastMs, s.DurationMs, s.CooldownMs = 3000, 60_000, 60_000
		s.Effects[0] = effect(defs.EffectSummon, defs.TargetCaster)
		s.Effects[0].Amount, s.Effects[0].Misc = 1, int32(firstTame+5)
		return s
	}
}

// eat restores health and mana over time, until damage or movement.
func eat() form {
	return func(level uint8) defs.Spell {
		s := base(free, defs.SchoolPhysical, defs.SpellOutOfCombat)
		s.DurationMs, s.Breaks = 18_000, defs.BreakDamage|defs.BreakMove
		s.Effects[0] = aura(defs.AuraPeriodicHeal, defs.TargetCaster, worth(level, 2), 0)
		s.Effects[1] = aura(defs.AuraPeriodicEnergize, defs.TargetCaster, worth(level, 2), mana)
		s.Effects[0].PulseMs, s.Effects[1].PulseMs = 3000, 3000
		return s
	}
}

// potions is the category of potions, which are drunk in combat, once a minute.
//
// Source: SpellCategory.dbc and Spell.dbc of build 12340.
const potions, potionMs = 4, 60_000

// drink restores health at once.
func drink() form {
	return func(level uint8) defs.Spell {
		s := base(free, defs.SchoolPhysical, 0)
		s.GlobalMs, s.Category, s.CategoryMs = 0, potions, potionMs
		s.Effects[0] = spread(effect(defs.EffectHeal, defs.TargetCaster), level, 6)
		s.Effects[0].PerLevel = 0
		return s
	}
}

// weary weakens, for a minute at level 11 and one more with each level up to 20.
//
// Source: resurrection sickness, WorldSession::SendSpiritResurrect, AzerothCore: stats and damage less by 75 %, for a
// minute for each level above 10, at most ten.
func weary() form {
	return func(level uint8) defs.Spell {
		s := base(free, defs.SchoolShadow, harmful|defs.SpellCannotCancel|defs.SpellOutlivesDeath|defs.SpellAlwaysHits|defs.SpellNoThreat)
		s.DurationMs = uint32(level-10) * 60_000
		s.Effects[0] = aura(defs.AuraTotalStatPercent, defs.TargetCaster, -75, -1)
		s.Effects[1] = aura(defs.AuraDamagePercent, defs.TargetCaster, -75, int32(defs.SchoolAll))
		return s
	}
}
