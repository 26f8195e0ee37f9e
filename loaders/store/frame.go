package store

import (
	"muster/components/life"
	"muster/net/frame"
)

// ToFrame is a stored character on its way into a world. The lists are shared.
func ToFrame(c *Character) frame.Character {
	return frame.Character{
		GUID: c.GUID, Account: c.Account, Name: c.Name, Race: c.Race, Class: c.Class, Gender: c.Gender,
		Skin: c.Skin, Face: c.Face, HairStyle: c.HairStyle, HairColor: c.HairColor, Facial: c.FacialHair,
		Level: c.Level, Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O, Version: c.Version,
		Told: life.All, Life: c.Life,
	}
}

// FromFrame is a character on its way out of a world. The lists are shared; those that are not told are none.
func FromFrame(c *frame.Character) Character {
	return Character{
		GUID: c.GUID, Account: c.Account, Name: c.Name, Race: c.Race, Class: c.Class, Gender: c.Gender,
		Skin: c.Skin, Face: c.Face, HairStyle: c.HairStyle, HairColor: c.HairColor, FacialHair: c.Facial,
		Level: c.Level, Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O, Version: c.Version,
		Life: c.Life,
	}
}
