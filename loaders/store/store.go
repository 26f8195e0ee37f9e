// Package store keeps accounts and characters. Store is the interface; package storetest is the suite that every
// implementation passes.
package store

import (
	"context"
	"errors"
	"time"

	"muster/components/life"
)

// Limits that hold for every store.
const (
	// MaxCharacters is how many characters an account can have in a realm.
	//
	// Source: CONFIG_CHARACTERS_PER_REALM, worldserver.conf.dist, AzerothCore.
	MaxCharacters = 10

	// MaxOfAccount is how many characters an account can have in all realms together.
	//
	// Source: CONFIG_CHARACTERS_PER_ACCOUNT, worldserver.conf.dist, AzerothCore.
	MaxOfAccount = 50

	// MaxGUID is the GUID of the last character that can be created. Creatures have the counters above: some clients
	// distinguish their own player from other units by the low 32 bits of a GUID alone.
	//
	// Source: protocol.md 7.9.
	MaxGUID = 0x007FFFFF

	// MaxItem is the counter in the GUID of the last item that can be made.
	//
	// Source: ObjectGuid::GetCounter, AzerothCore: 32 bits where there is no entry.
	MaxItem = 0xFFFFFFFF

	// FirstItem is the first such counter that is given out: for the clients of MaxGUID, no item is a player.
	FirstItem = MaxGUID + 1

	// GoneTime is how long a database knows that an item which has changed owners is with none any more. A save of an owner before
	// that comes later brings it back.
	GoneTime = 7 * 24 * time.Hour

	// MaxLease is how many counters LeaseItems gives out at once.
	MaxLease = 1_000_000
)

// Errors of a Store, besides those of NormalName and CheckBody, those of the context, and those of its own medium.
var (
	ErrNotFound      = errors.New("store: not found")
	ErrAccountExists = errors.New("store: the account exists")
	ErrNameTaken     = errors.New("store: the name is taken")
	ErrTooMany       = errors.New("store: the account has no room for another character")
	ErrFull          = errors.New("store: full")
	ErrStale         = errors.New("store: a version as new is stored")
	ErrClosed        = errors.New("store: closed")

	// ErrBusy is the error of a medium that is unavailable, or did not answer in time. A retry may succeed. Nothing
	// was done, unless the medium became unavailable within the call: then a retry may find the change done.
	ErrBusy = errors.New("store: busy")
)

// A Realm is an entry of the realm list.
type Realm struct {
	ID          uint8
	Name        string // of no other realm
	Address     string // host:port, as the client will dial it
	Type, Flags uint8
	Locked      bool
	Category    uint8
}

// A Character is the stored state of a player.
type Character struct {
	GUID    uint64 // 1 … MaxGUID, never used twice
	Account uint32 // its ID
	Name    string // as NormalName writes it; of no other character of its realm

	Race, Class, Gender                          uint8
	Skin, Face, HairStyle, HairColor, FacialHair uint8

	Level      uint8
	Map, Zone  uint32
	X, Y, Z, O float32

	Version uint64 // 1 when created; grows with every save, up to math.MaxInt64

	life.Life
	SavedUnix int64 // when it was saved last, or created; cooldowns run on from there

	Realm uint8 `json:",omitempty"` // number of its realm: 0 where there is one, and for the first of several
}

// A Store keeps accounts and characters. Every method is safe for concurrent use and is atomic: it has done all or
// nothing, and later calls see that. It returns before its work is done only if its context ends, with an error that
// wraps context.Cause; whether the work was done is then unknown. After Close every method returns ErrClosed.
type Store interface {
	// Account finds an account by its name, exactly as it was created, or returns ErrNotFound.
	Account(ctx context.Context, name string) (Account, error)

	// Proven finds an account by its name, with its session key.
	Proven(ctx context.Context, name string) (Proven, error)

	// CreateAccount stores an account under the next ID and returns it; the ID in the argument is ignored. Of several
	// calls with one name only one succeeds, the others return ErrAccountExists. ErrFull is returned if there is no
	// room for another. The other errors are those of CheckAccount.
	CreateAccount(ctx context.Context, a Account) (Account, error)

	// Accounts lists accounts whose names come after a name, by ascending bytes of their names: as many as limit or
	// MaxPage allows. Starting with "" and continuing after the last name lists all.
	Accounts(ctx context.Context, after string, limit int) ([]Account, error)

	// UpdateAccount applies change to an account and its session key, excluding concurrent updates, and returns the
	// result. ID and name stay as they are. A new salt or verifier removes the session key. Change is quick, may be
	// called again with the account as it is then, and nothing is done if it returns an error, which is returned.
	// Else the errors are ErrNotFound, and those of CheckAccount.
	UpdateAccount(ctx context.Context, account uint32, change func(*Proven) error) (Account, error)

	// DeleteAccount deletes an account, its characters, and all of their data. It returns ErrNotFound without such an
	// account.
	DeleteAccount(ctx context.Context, account uint32) error

	// Data lists the blocks of an account, if guid is 0, or of one of its characters, by ascending type and without
	// those that are empty. The caller owns them. An unknown account or character has none.
	Data(ctx context.Context, account uint32, guid uint64) ([]Data, error)

	// SaveData replaces the block of its type, or deletes that one if the new one is empty. The errors are those of
	// CheckData, ErrNotFound without such an account or character of it, and ErrDataQuota.
	SaveData(ctx context.Context, account uint32, guid uint64, d Data) error

	// SessionKey returns the latest session key of an account; false if there is none. It returns ErrNotFound without
	// such an account.
	SessionKey(ctx context.Context, account uint32) (key [40]byte, ok bool, err error)

	// SetSessionKey replaces the session key of an account. It returns ErrNotFound without such an account.
	SetSessionKey(ctx context.Context, account uint32, key [40]byte) error

	// Realms lists all realms by ascending ID, in a slice that the caller owns.
	Realms(ctx context.Context) ([]Realm, error)

	// SaveRealm stores a realm, and replaces the one with its ID, if there is one. It returns ErrNameTaken if another
	// realm has its name.
	SaveRealm(ctx context.Context, r Realm) error

	// Characters lists the characters of an account, in all realms, by ascending GUID, in a slice that the caller owns. An
	// unknown account has none.
	Characters(ctx context.Context, account uint32) ([]Character, error)

	// Character finds a character, or returns ErrNotFound.
	Character(ctx context.Context, guid uint64) (Character, error)

	// CountCharacters returns how many characters an account has, or all accounts together if it is 0.
	CountCharacters(ctx context.Context, account uint32) (int, error)

	// CreateCharacter stores a character under the next GUID, with its name in normal form and as version 1, and
	// returns it; the GUID and version in the argument are ignored, place and level are the caller's. The errors are
	// those of NewCharacter, ErrNotFound without such an account, ErrTooMany, ErrNameTaken, and ErrFull if there is
	// no GUID left. Its items are taken from the characters that had them.
	CreateCharacter(ctx context.Context, c Character) (Character, error)

	// DeleteCharacter deletes a character for good; its name is free at once. It returns ErrNotFound if the account
	// has no such character.
	DeleteCharacter(ctx context.Context, account uint32, guid uint64) error

	// SaveCharacter replaces all of a character but its account, its name and its realm, if its version is greater than what is
	// stored, and returns ErrStale if not: for a retry of a save that may have been done, ErrStale is success. It
	// returns ErrNotFound if the character does not exist, and creates none; and the errors of CheckLife.
	//
	// An item is in one place. The character that is saved with it has it, and any other that had it loses it, unless that one has had it
	// since: life.Item.OlderThan. One that was with its last owner and is with none any more does not come back to an owner before.
	SaveCharacter(ctx context.Context, c Character) error

	// SaveCharacters saves characters as SaveCharacter does one after the other, all in one transaction. It returns
	// what SaveCharacter would have for each, in a slice that the caller owns; such errors keep no other from being
	// saved. If err is not nil, none was saved.
	SaveCharacters(ctx context.Context, c []Character) (each []error, err error)

	// Trade does a trade between two stored characters, all or nothing. The errors are those of Trade.Apply.
	Trade(ctx context.Context, t Trade) error

	// LeaseItems reserves n counters for the GUIDs of items, first and the n - 1 after it, which are never given out
	// again. It returns ErrFull if there are not so many left, or n is not in 1 … MaxLease.
	LeaseItems(ctx context.Context, n int) (first uint64, err error)

	// Export calls each for everything in the store as it is at one moment: the counters, then realms by ID, then
	// accounts by ID, each followed by its own data by type and its characters by GUID, and each of these by its
	// data. A record is invalid after each returns. An error of each ends it and is returned. It takes as long as it
	// takes, and does not block saves.
	Export(ctx context.Context, each func(Record) error) error

	// Import fills an empty store with records in the order of Export, until next returns io.EOF. It returns
	// ErrNotEmpty if there is an account or a realm. With this or any other error nothing was done.
	Import(ctx context.Context, next func() (Record, error)) error

	// Check checks everything in the store as it is at one moment, and calls report for every problem. It changes
	// nothing, takes as long as it takes, and does not block saves.
	Check(ctx context.Context, report func(Problem)) error

	// Close ends the store. It waits for calls that have begun.
	Close() error
}
