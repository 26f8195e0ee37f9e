package store

import "errors"

// ErrNotEmpty is the error of a store that is not empty.
var ErrNotEmpty = errors.New("store: not empty")

// A Record is one object of a store, for export to another store. One of its fields is set.
type Record struct {
	Counters  *Counters
	Realm     *Realm
	Account   *Proven
	Character *Character
	Data      *OwnedData
}

// Counters are the last IDs and GUIDs that were given out, also those of deleted objects.
type Counters struct {
	Account   uint32
	Character uint64
	Item      uint64
}

// A Proven account is one with its latest session key, if HasKey.
type Proven struct {
	Account
	Key    [40]byte
	HasKey bool
}

// Settle removes the session key of an account that replaces an older one, if it does not belong to its password or
// is empty.
func (p *Proven) Settle(older *Proven) {
	if p.Salt != older.Salt || p.Verifier != older.Verifier || !p.HasKey {
		p.Key, p.HasKey = [40]byte{}, false
	}
}

// OwnedData is a block of data and its owner: the account if GUID is 0, or its character.
type OwnedData struct {
	Account uint32
	GUID    uint64
	Data
}
