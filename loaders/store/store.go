// Package store keeps accounts and characters. Store is the interface; package storetest is what every
// implementation has to pass.
package store

import (
	"context"
	"errors"

	"muster/components/life"
)

// Limits that hold for every store.
const (
	// MaxCharacters is how many characters an account can have.
	//
	// Source: CONFIG_CHARACTERS_PER_REALM, worldserver.conf, AzerothCore.
	MaxCharacters = 10

	// MaxGUID is the GUID of the last character that can be created. Creatures have the counters above: some
	// clients tell themselves from others by the low 32 bits of a GUID alone.
	//
	// Source: protocol.md 7.9.
	MaxGUID = 0x007FFFFF
)

// What a Store answers, besides the errors of NormalName and CheckBody, those of the context, and those of
// its own medium.
var (
	ErrNotFound      = errors.New("store: not found")
	ErrAccountExists = errors.New("store: the account exists")
	ErrNameTaken     = errors.New("store: the name is taken")
	ErrTooMany       = errors.New("store: the account has no room for another character")
	ErrFull          = errors.New("store: full")
	ErrStale         = errors.New("store: a version as new is stored")
	ErrClosed        = errors.New("store: closed")

	// ErrBusy says that the medium is away, or did not answer in time. Another try may succeed. Nothing was
	// done, unless the medium went away in the middle: then a change may be found done by who tries it again.
	ErrBusy = errors.New("store: busy")
)

// An Account is who logs in.
type Account struct {
	ID       uint32 // from 1 on, never used twice
	Name     string // in upper case; stored and compared as it is
	Salt     [32]byte
	Verifier [32]byte // little endian
	Level    uint8    // 0 player … 3 administrator

	Expansion    uint8  // the last one that it may play: 0 the first game … 2 Wrath of the Lich King
	Locked       bool   // to LastAddress
	BanEndUnix   int64  // when its ban ends; 0 without one, math.MaxInt64 if it never does
	FailedLogins uint32 // in a row
	LastAddress  string // of the last login, as netip.Addr writes it; empty before the first
}

// A Realm is what clients may choose from after a login.
type Realm struct {
	ID          uint8
	Name        string // of no other realm
	Address     string // host:port, as the client will dial it
	Type, Flags uint8
	Locked      bool
	Category    uint8
}

// A Character is what is kept of a player.
type Character struct {
	GUID    uint64 // 1 … MaxGUID, never used twice
	Account uint32 // its ID
	Name    string // as NormalName writes it

	Race, Class, Gender                          uint8
	Skin, Face, HairStyle, HairColor, FacialHair uint8

	Level      uint8
	Map, Zone  uint32
	X, Y, Z, O float32

	Version uint64 // 1 when created; grows with every save, up to math.MaxInt64

	life.Life
	SavedUnix int64 // when it was saved last, or created; cooldowns run on from there
}

// A Store keeps accounts and characters. Every method is safe for concurrent use and is atomic: it has done
// all or nothing, and what follows it sees that. It returns before its work is done only if its context ends,
// with an error that wraps context.Cause; whether the work was done is then unknown. After Close every
// method returns ErrClosed.
type Store interface {
	// Account finds an account by its name, exactly as it was created, or returns ErrNotFound.
	Account(ctx context.Context, name string) (Account, error)

	// CreateAccount stores an account under the next ID and returns it; the ID it is given does not matter.
	// Of several calls with one name only one succeeds, the others return ErrAccountExists. ErrFull says that
	// there is no room for another.
	CreateAccount(ctx context.Context, a Account) (Account, error)

	// SessionKey is the key that an account has proven last; false if it never did. It returns ErrNotFound
	// without such an account.
	SessionKey(ctx context.Context, account uint32) (key [40]byte, ok bool, err error)

	// SetSessionKey replaces the session key of an account. It returns ErrNotFound without such an account.
	SetSessionKey(ctx context.Context, account uint32, key [40]byte) error

	// Realms lists all realms by ascending ID, in a slice that the caller owns.
	Realms(ctx context.Context) ([]Realm, error)

	// SaveRealm stores a realm in place of the one with its ID, if there is one. It returns ErrNameTaken if
	// another realm has its name.
	SaveRealm(ctx context.Context, r Realm) error

	// Characters lists the characters of an account by ascending GUID, in a slice that the caller owns. An
	// unknown account has none.
	Characters(ctx context.Context, account uint32) ([]Character, error)

	// Character finds a character, or returns ErrNotFound.
	Character(ctx context.Context, guid uint64) (Character, error)

	// CountCharacters is how many characters there are, of all accounts.
	CountCharacters(ctx context.Context) (int, error)

	// CreateCharacter stores a character under the next GUID, with its name in normal form and as version 1,
	// and returns it; the GUID and version it is given do not matter, place and level are up to the caller.
	// The errors are those of NormalName and CheckBody, ErrNotFound without such an account, ErrTooMany,
	// ErrNameTaken, and ErrFull if there is no GUID left.
	CreateCharacter(ctx context.Context, c Character) (Character, error)

	// DeleteCharacter forgets a character for good; its name is free at once. It returns ErrNotFound if the
	// account has no such character.
	DeleteCharacter(ctx context.Context, account uint32, guid uint64) error

	// SaveCharacter replaces all of a character but its account and its name, if its version is greater than
	// what is stored, and returns ErrStale if not: for who repeats a save that may have been done already,
	// ErrStale is success. It returns ErrNotFound if the character does not exist, and makes none.
	SaveCharacter(ctx context.Context, c Character) error

	// Close ends the store. It waits for calls that have begun.
	Close() error
}
