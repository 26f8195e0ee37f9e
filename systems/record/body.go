package record

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/net/frame"
)

// embody gives a player the body of its class and level, as it was left: new, if it has never been in a world.
func (k *Taker) embody(e ecs.Entity, c *frame.Character) {
	body, level := &k.defs.Players, uint32(c.Level)
	model := body.DisplayID[c.Gender&1]
	health := body.Health + body.HealthPerLevel*level
	*k.objects.Get(e) = components.Object{GUID: c.GUID, Type: components.MaskOfPlayer, Scale: 1}
	v := k.vitals.Get(e)
	*v = components.Vitals{Health: health, MaxHealth: health}
	power := powerOf(c.Class)
	switch power {
	case components.PowerMana:
		v.MaxPower[power] = body.Mana + body.ManaPerLevel*level
		v.Power[power] = v.MaxPower[power]
	case components.PowerEnergy:
		v.MaxPower[power], v.Power[power] = fullEnergy, fullEnergy
	default: // begins at none
		v.MaxPower[power] = fullRage
	}
	if c.Begun {
		wake(v, c)
	}
	*k.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{c.Race, c.Class, c.Gender, power}, Level: level, Faction: body.Faction,
		Flags: components.UnitPlayerControlled, AttackTimeMs: [2]uint32{body.AttackTimeMs, body.AttackTimeMs},
		RangedAttackTimeMs: body.AttackTimeMs,
		BoundingRadius:     body.BoundingRadius, CombatReach: body.CombatReach,
		DisplayID: model, NativeDisplayID: model,
	}
	k.stances.Get(e).CastSpeed = 1
	*k.stats.Get(e) = components.Stats{
		MinDamage: body.MinDamage, MaxDamage: body.MaxDamage,
		Stat:     [5]uint32{body.Stat, body.Stat, body.Stat, body.Stat, body.Stat},
		BaseMana: v.MaxPower[components.PowerMana], BaseHealth: health,
	}
	*k.guises.Get(e) = components.Guise{
		Bytes:  [4]uint8{c.Skin, c.Face, c.HairStyle, c.HairColor},
		Bytes2: [4]uint8{components.ByteFacialHair: c.Facial},
		Bytes3: [4]uint8{components.ByteLookGender: c.Gender},
	}
	*k.progress.Get(e) = components.Progress{
		XP: c.XP, NextXP: body.NextXP, Coinage: c.MoneyCopper, MaxLevel: body.MaxLevel,
	}
}

// wake gives a body the health and powers that it was left with, as far as it still has room for them. Who is not
// dead has some health.
func wake(v *components.Vitals, c *frame.Character) {
	v.Health = min(c.Health, v.MaxHealth)
	if c.Death.State == life.Alive {
		v.Health = max(v.Health, 1)
	}
	for i := range v.Power {
		v.Power[i] = min(c.Power[i], v.MaxPower[i])
	}
}

// What a client takes for full, where its interface draws a scale of its own: rage and runic power are
// counted in tenths.
//
// Source: Player::InitStatsForLevel and GetCreatePowers, AzerothCore.
const (
	fullRage   = 1000
	fullEnergy = 100
)

// powerOf is the power that a class lives by, which clients know too.
//
// Source: power types of ChrClasses, build 12340.
func powerOf(class uint8) (power uint8) {
	switch class {
	case 1: // warrior
		return components.PowerRage
	case 4: // rogue
		return components.PowerEnergy
	case 6: // death knight
		return components.PowerRunic
	}
	return components.PowerMana
}
