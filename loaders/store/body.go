package store

import "errors"

// Errors of a character's body.
//
// Source: protocol.md 2.3, CHAR_CREATE: the first is "restricted", the second "failed".
var (
	ErrRaceClass = errors.New("store: no such race and class")
	ErrGender    = errors.New("store: no such gender")
)

// classes has a set of bits per race: the classes it can begin as. Class 6, the death knight, is open to
// all, but only for accounts that have played before; a new character is never one.
//
// Source: playercreateinfo, AzerothCore (62 rows, ten of them death knights); protocol.md 3.1.1.
var classes = [...]uint16{
	1:  warrior | paladin | rogue | priest | mage | warlock,
	2:  warrior | hunter | rogue | shaman | warlock,
	3:  warrior | paladin | hunter | rogue | priest,
	4:  warrior | hunter | rogue | priest | druid,
	5:  warrior | rogue | priest | mage | warlock,
	6:  warrior | hunter | shaman | druid,
	7:  warrior | rogue | mage | warlock,
	8:  warrior | hunter | rogue | priest | shaman | mage,
	10: paladin | hunter | rogue | priest | mage | warlock,
	11: warrior | paladin | hunter | priest | shaman | mage,
}

// Source: Classes, SharedDefines.h, AzerothCore.
const (
	warrior = 1 << 1
	paladin = 1 << 2
	hunter  = 1 << 3
	rogue   = 1 << 4
	priest  = 1 << 5
	shaman  = 1 << 7
	mage    = 1 << 8
	warlock = 1 << 9
	druid   = 1 << 11
)

// CheckBody checks the race, class and gender of a new character: ErrRaceClass or ErrGender if it cannot have them.
// Skin, face and hair cannot be checked without the client's data.
func CheckBody(race, class, gender uint8) error {
	switch {
	case int(race) >= len(classes) || classes[race]>>class&1 == 0:
		return ErrRaceClass
	case gender > 1:
		return ErrGender
	}
	return nil
}

// NewCharacter returns a character as CreateCharacter stores it, without its GUID: with its name in normal form, as
// version 1, and in memory of its own. The errors are those of NormalName, CheckBody and CheckLife.
func NewCharacter(c Character) (Character, error) {
	var err error
	if c.Name, err = NormalName(c.Name); err != nil {
		return Character{}, err
	}
	if err := CheckBody(c.Race, c.Class, c.Gender); err != nil {
		return Character{}, err
	}
	c.Version = 1
	if err := CheckLife(&c); err != nil {
		return Character{}, err
	}
	return c.Clone(), nil
}
