package frame

import (
	"muster/components/life"
	"muster/net/protocol/wire"
)

// A Character is a player as it enters a world and leaves it, and as its world reports it meanwhile.
type Character struct {
	GUID                                     uint64
	Account                                  uint32
	SecurityLevel                            uint8 // 0 player … 3 administrator
	Name                                     string
	Race, Class, Gender                      uint8
	Skin, Face, HairStyle, HairColor, Facial uint8
	Level                                    uint8
	Map, Zone                                uint32
	X, Y, Z, O                               float32
	Version                                  uint64    // of the stored character this was made from
	Told                                     life.Set  // the lists of Life that are present; the others are unchanged
	AwaySec                                  uint32    // on the way in: how long ago it was like this
	Flags                                    uint32    // on the way to another map: that it is AFK, or a game master
	States                                   uint32    // on the way to another map: what a game master has switched on for it
	Caches                                   [8]uint32 // on the way in: when the client saved each of its settings last, in Unix time
	NowUnix                                  uint32    // on the way in: the time, in Unix time; 0 unknown
	Transfer                                 uint64    // on the way to another map: the number of the hand-over, which no other has; with OpResume, that of the connection; 0 none
	life.Life
}

// Left is what is left, on the way in, of a time that has run on while the character was away, in milliseconds.
func (c *Character) Left(ms uint32) uint32 { return uint32(max(int64(ms)-1000*int64(c.AwaySec), 0)) }

// withCaches is set beside Told where Caches follow. They do not where a character is reported or
// stored.
const withCaches life.Set = 1 << 31

// withNow is set beside Told where NowUnix follows.
const withNow life.Set = 1 << 30

// withTransfer is set beside Told where Transfer follows.
const withTransfer life.Set = 1 << 29

// Wire walks the character in the form that inboxes and frames carry it.
func (c *Character) Wire(w *wire.Codec) {
	wire.U64(w, &c.GUID)
	wire.U32(w, &c.Account)
	wire.U8(w, &c.SecurityLevel)
	wire.CString(w, &c.Name, 15)
	for _, b := range []*uint8{
		&c.Race, &c.Class, &c.Gender, &c.Skin, &c.Face, &c.HairStyle, &c.HairColor, &c.Facial, &c.Level,
	} {
		wire.U8(w, b)
	}
	wire.U32(w, &c.Map)
	wire.U32(w, &c.Zone)
	for _, f := range []*float32{&c.X, &c.Y, &c.Z, &c.O} {
		wire.F32(w, f)
	}
	wire.U64(w, &c.Version)
	present := c.Told
	if c.Caches != [8]uint32{} {
		present |= withCaches
	}
	if c.NowUnix != 0 {
		present |= withNow
	}
	if c.Transfer != 0 {
		present |= withTransfer
	}
	wire.U32(w, &present)
	c.Told = present &^ (withCaches | withNow | withTransfer)
	wire.U32(w, &c.AwaySec)
	wire.U32(w, &c.Flags)
	wire.U32(w, &c.States)
	if present&withCaches != 0 {
		for i := range c.Caches {
			wire.U32(w, &c.Caches[i])
		}
	} else {
		c.Caches = [8]uint32{}
	}
	if present&withNow != 0 {
		wire.U32(w, &c.NowUnix)
	} else {
		c.NowUnix = 0
	}
	if present&withTransfer != 0 {
		wire.U64(w, &c.Transfer)
	} else {
		c.Transfer = 0
	}
	walkLife(w, &c.Life, c.Told)
}
