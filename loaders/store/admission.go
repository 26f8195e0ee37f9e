package store

import (
	"errors"
	"fmt"
)

// ErrRecord is the error of a record that cannot be imported where it stands.
var ErrRecord = errors.New("store: a record that does not fit")

// An Admission checks the records of an import: each is in the order of Export, can be kept, and belongs to the
// account or character before it. Duplicate names, IDs, GUIDs and items are detected by the store.
type Admission struct {
	Last Counters // from which the store continues, so far

	account    Account
	guid       uint64 // of the last character of the account; 0 before the first
	characters int
	inRealm    map[uint8]int // of these
	bytes      int           // of data
}

// Admit returns an error that wraps ErrRecord if a record does not fit.
func (a *Admission) Admit(r Record) error {
	var err error
	switch {
	case r.Counters != nil:
		a.Last.Account = max(a.Last.Account, r.Counters.Account)
		a.Last.Character = max(a.Last.Character, min(r.Counters.Character, MaxGUID))
		a.Last.Item = max(a.Last.Item, min(r.Counters.Item, MaxItem))
	case r.Realm != nil:
		if !IsText(r.Realm.Name) || !IsText(r.Realm.Address) {
			err = errors.New("a realm that is no text")
		}
	case r.Account != nil:
		err = a.admitAccount(&r.Account.Account)
	case r.Character != nil:
		err = a.admitCharacter(r.Character)
	case r.Data != nil:
		err = a.admitData(r.Data)
	default:
		err = errors.New("it is nothing")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRecord, err)
	}
	return nil
}

func (a *Admission) admitAccount(n *Account) error {
	if n.ID <= a.account.ID {
		return fmt.Errorf("account %d after %d", n.ID, a.account.ID)
	}
	a.account, a.guid, a.characters, a.bytes, a.inRealm = *n, 0, 0, 0, make(map[uint8]int)
	a.Last.Account = max(a.Last.Account, n.ID)
	return CheckAccount(n)
}

func (a *Admission) admitCharacter(c *Character) error {
	switch name, err := NormalName(c.Name); {
	case c.Account == 0 || c.Account != a.account.ID:
		return fmt.Errorf("a character of account %d after account %d", c.Account, a.account.ID)
	case c.GUID <= a.guid || c.GUID > MaxGUID:
		return fmt.Errorf("character %d after %d", c.GUID, a.guid)
	case a.characters >= MaxOfAccount, a.inRealm[c.Realm] >= MaxCharacters:
		return ErrTooMany
	case err != nil:
		return err
	case name != c.Name:
		return fmt.Errorf("%q is spelled %q", c.Name, name)
	}
	a.guid = c.GUID
	a.characters++
	a.inRealm[c.Realm]++
	a.Last.Character = max(a.Last.Character, c.GUID)
	for _, it := range c.Items {
		if counter := it.GUID &^ ItemHigh; counter <= MaxItem {
			a.Last.Item = max(a.Last.Item, counter)
		}
	}
	return CheckLife(c)
}

func (a *Admission) admitData(d *OwnedData) error {
	if d.Account == 0 || d.Account != a.account.ID || d.GUID != a.guid {
		return fmt.Errorf("data of account %d, character %d after %d, %d", d.Account, d.GUID, a.account.ID, a.guid)
	}
	if a.bytes += len(d.Body); a.bytes > MaxData {
		return ErrDataQuota
	}
	return CheckData(&d.Data)
}
