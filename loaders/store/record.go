package store

import "errors"

// ErrNotEmpty says that a store has something in it already.
var ErrNotEmpty = errors.New("store: not empty")

// A Record is one thing that a store keeps, on its way to another store. One of its fields is set.
type Record struct {
	Counters  *Counters
	Realm     *Realm
	Account   *Proven
	Character *Character
	Data      *OwnedData
}

// Counters are the last IDs and GUIDs that were given out, whether they are still used or not.
type Counters struct {
	Account   uint32
	Character uint64
	Item      uint64
}

// A Proven account is one with the session key that it has proven last, if HasKey.
type Proven struct {
	Account
	Key    [40]byte
	HasKey bool
}

// Settle has an account that is to replace an older one forget its key if it is not that of its password, or is none.
func (p *Proven) Settle(older *Proven) {
	if p.Salt != older.Salt || p.Verifier != older.Verifier || !p.HasKey {
		p.Key, p.HasKey = [40]byte{}, false
	}
}

// OwnedData is a block of data and whose it is: the account's own if GUID is 0, or its character's.
type OwnedData struct {
	Account uint32
	GUID    uint64
	Data
}
