package store

import (
	"muster/components/life"
	"muster/net/replication/frame"
)

// ToFrame returns a stored character as a world receives it. The lists are shared.
func ToFrame(c *Character) frame.Character {
	return frame.Character{
		GUID: c.GUID, Account: c.Account, Name: c.Name, Race: c.Race, Class: c.Class, Gender: c.Gender,
		Skin: c.Skin, Face: c.Face, HairStyle: c.HairStyle, HairColor: c.HairColor, Facial: c.FacialHair,
		Level: c.Level, Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O, Version: c.Version,
		Told: life.All, Life: c.Life,
	}
}

// FromFrame returns a character as a world sent it. The lists are shared; those that it did not send are nil.
func FromFrame(c *frame.Character) Character {
	return Character{
		GUID: c.GUID, Account: c.Account, Name: c.Name, Race: c.Race, Class: c.Class, Gender: c.Gender,
		Skin: c.Skin, Face: c.Face, HairStyle: c.HairStyle, HairColor: c.HairColor, FacialHair: c.Facial,
		Level: c.Level, Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O, Version: c.Version,
		Life: c.Life,
	}
}

// FromSave returns a character from a save of its world. The lists are those that the save has, and shared; the
// others are nil.
func FromSave(c *Character, s *frame.Save, lists *life.Life) Character {
	next, state, at := *c, &s.State, &s.State.At
	next.Version, next.Level = s.Version, uint8(state.Level)
	next.Map, next.Zone, next.X, next.Y, next.Z, next.O = at.Map, at.Zone, at.X, at.Y, at.Z, at.O
	next.Life = life.Life{
		Begun: state.Begun != 0, XP: state.XP, MoneyCopper: state.MoneyCopper, Health: state.Health, Power: state.Power,
		Death: state.Death, Bind: state.Bind, PlayedSec: state.PlayedSec, LevelPlayedSec: state.LevelPlayedSec,
		Spells: lists.Spells, Cooldowns: lists.Cooldowns, Auras: lists.Auras, Actions: lists.Actions, Items: lists.Items,
	}
	return next
}
