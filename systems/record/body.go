package record

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/net/replication/frame"
)

// embody gives a player the body of its class and level, as it was left. How much health and power it can have is
// worked out before the tick is over, by system stats; it fills those who have never been in a world.
func (k *Loader) embody(e ecs.Entity, c *frame.Character) {
	body, power := &k.defs.Get().Players, uint8(0)
	if class := body.Class(c.Class); class != nil {
		power = class.Power
	}
	model := body.DisplayID[c.Gender&1]
	*k.objects.Get(e) = components.Object{GUID: c.GUID, Type: components.MaskOfPlayer, Scale: 1}
	if c.Begun {
		wake(k.vitals.Get(e), c)
	}
	*k.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{c.Race, c.Class, c.Gender, power}, Level: uint32(c.Level), Faction: body.Faction,
		Flags:          components.UnitPlayerControlled,
		BoundingRadius: body.BoundingRadius, CombatReach: body.CombatReach,
		DisplayID: model, NativeDisplayID: model,
	}
	k.stances.Get(e).CastSpeed = 1
	*k.appearances.Get(e) = components.PlayerAppearance{
		Bytes:  [4]uint8{c.Skin, c.Face, c.HairStyle, c.HairColor},
		Bytes2: [4]uint8{components.ByteFacialHair: c.Facial},
		Bytes3: [4]uint8{components.ByteLookGender: c.Gender},
	}
	*k.progress.Get(e) = components.Progress{XP: c.XP, Coinage: c.MoneyCopper}
}

// wake gives a body the health and powers that it was left with. Who is not dead has some health.
func wake(v *components.Vitals, c *frame.Character) {
	v.Health, v.Power = c.Health, c.Power
	if c.Death.State == life.Alive {
		v.Health = max(v.Health, 1)
	}
}

// What a character keeps of its flags and states on the way to another map. It is not stored.
const (
	manners = components.PlayerAFK | components.PlayerDND | components.PlayerGM
	cheats  = components.StateGod | components.StateInstantCast | components.StateNoCooldown | components.StateNoCost
)

// manner has a player be away, or a game master, as it was on another map.
func (k *Loader) manner(e ecs.Entity, c *frame.Character) {
	k.appearances.Get(e).Flags |= c.Flags & manners
	k.combats.Get(e).States |= uint16(c.States) & cheats
	if c.Flags&components.PlayerGM != 0 {
		k.units.Get(e).Flags |= components.UnitImmuneToNPC
	}
}
