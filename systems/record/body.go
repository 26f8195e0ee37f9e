package record

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/net/replication/frame"
)

// putStats gives a player the stats of its class and level, and its state of the last visit. System stats computes
// maximum health and power before the tick ends, and fills them for a character that has never been in a world.
func (k *Loader) putStats(e ecs.Entity, c *frame.Character) {
	body, power := &k.defs.Get().Players, uint8(0)
	if class := body.Class(c.Class); class != nil {
		power = class.Power
	}
	model := body.DisplayID[c.Gender&1]
	*k.objects.Get(e) = components.Object{GUID: c.GUID, Type: components.MaskOfPlayer, Scale: 1}
	if c.Begun {
		restoreVitals(k.vitals.Get(e), c)
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

// restoreVitals restores saved health and powers. A character that is not dead has at least 1 health.
func restoreVitals(v *components.Vitals, c *frame.Character) {
	v.Health, v.Power = c.Health, c.Power
	if c.Death.State == life.Alive {
		v.Health = max(v.Health, 1)
	}
}

// The flags and states that a character keeps in a transfer to another map. They are not stored.
const (
	keptFlags  = components.PlayerAFK | components.PlayerDND | components.PlayerGM
	keptCheats = components.CheatGod | components.CheatInstantCast | components.CheatNoCooldown | components.CheatNoCost | components.CheatTaxi
)

// putFlags restores the away, do-not-disturb and game master state that a player had on another map.
func (k *Loader) putFlags(e ecs.Entity, c *frame.Character) {
	k.appearances.Get(e).Flags |= c.Flags & keptFlags
	k.cheats.Get(e).Set = uint16(c.States) & keptCheats
	if c.Flags&components.PlayerGM != 0 {
		k.units.Get(e).Flags |= components.UnitImmuneToNPC
	}
}
