package store

import (
	"errors"
	"strings"
)

// Lengths of a character's name, in letters.
//
// Source: MIN_PLAYER_NAME and MAX_PLAYER_NAME, ObjectMgr.h, AzerothCore.
const (
	MinName = 2
	MaxName = 12
)

// Errors of a character's name. Each has a code of its own on the wire.
//
// Source: protocol.md 2.3, CHAR_CREATE.
var (
	ErrNameMissing = errors.New("store: no name")
	ErrNameLetters = errors.New("store: a name has only the letters A to Z")
	ErrNameShort   = errors.New("store: the name is too short")
	ErrNameLong    = errors.New("store: the name is too long")
)

// NormalName returns a character's name as it is stored: the first letter in upper case, the others in lower case.
// Names that differ in case only are the same. A letter may come three times in a row: bots generate such names, and
// give up when they are refused.
//
// Source: ObjectMgr::CheckPlayerName and normalizePlayerName, AzerothCore; protocol.md 3.1.1 and 7.6.
func NormalName(name string) (string, error) {
	switch {
	case name == "":
		return "", ErrNameMissing
	case strings.ContainsFunc(name, notLetter):
		return "", ErrNameLetters
	case len(name) < MinName:
		return "", ErrNameShort
	case len(name) > MaxName:
		return "", ErrNameLong
	}
	return strings.ToUpper(name[:1]) + strings.ToLower(name[1:]), nil
}

func notLetter(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}
