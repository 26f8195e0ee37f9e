package store

import (
	"fmt"

	"muster/components/life"
)

// Bounds that play keeps.
const (
	// MaxLevel is the highest level.
	//
	// Source: DEFAULT_MAX_LEVEL, DBCEnums.h, AzerothCore.
	MaxLevel = 80

	// ItemHigh is the high part of the GUID of an item. Its counter, from 1 to MaxItem, is below.
	//
	// Source: HighGuid::Item, ObjectGuid.h, AzerothCore.
	ItemHigh uint64 = 0x4000 << 48
)

// A Problem is an inconsistency in a store.
type Problem struct {
	Account uint32 // its account, or 0
	GUID    uint64 // of its character, or 0
	What    string
}

func (p Problem) String() string {
	return fmt.Sprintf("account %d, character %d: %s", p.Account, p.GUID, p.What)
}

// A Checker finds problems in records in the order of Export. It keeps every item that it has seen.
type Checker struct {
	report   func(Problem)
	counters Counters
	account  uint32
	guid     uint64
	owned    map[uint8]int     // characters of the account by realm
	data     int               // bytes of the account
	items    map[uint64]uint64 // character by item
}

// NewChecker returns a checker that calls report for every problem.
func NewChecker(report func(Problem)) *Checker {
	return &Checker{report: report, items: make(map[uint64]uint64), owned: make(map[uint8]int)}
}

func (c *Checker) found(format string, args ...any) {
	c.report(Problem{Account: c.account, GUID: c.guid, What: fmt.Sprintf(format, args...)})
}

// Record checks the next record.
func (c *Checker) Record(r Record) {
	switch {
	case r.Counters != nil:
		c.counters = *r.Counters
	case r.Account != nil:
		c.account, c.guid, c.owned, c.data = r.Account.ID, 0, make(map[uint8]int), 0
		c.checkAccount(&r.Account.Account)
	case r.Character != nil:
		c.guid = r.Character.GUID
		c.checkCharacter(r.Character)
		c.checkPlay(r.Character)
		c.checkCarried(r.Character.Items)
	case r.Data != nil:
		c.checkData(r.Data)
	}
}

func (c *Checker) checkAccount(a *Account) {
	if a.ID == 0 || a.ID > c.counters.Account {
		c.found("its ID was never given out: the last is %d", c.counters.Account)
	}
	if a.Level > 3 || a.Expansion > 2 {
		c.found("level %d and expansion %d", a.Level, a.Expansion)
	}
	if err := CheckAccount(a); err != nil {
		c.found("%v", err)
	}
}

func (c *Checker) checkCharacter(h *Character) {
	if c.owned[h.Realm]++; c.owned[h.Realm] == MaxCharacters+1 {
		c.found("the account has more than %d characters", MaxCharacters)
	}
	if h.Account != c.account {
		c.found("it is of account %d, which is not there", h.Account)
	}
	if h.GUID == 0 || h.GUID > min(c.counters.Character, MaxGUID) {
		c.found("its GUID was never given out: the last is %d", c.counters.Character)
	}
	if name, err := NormalName(h.Name); err != nil || name != h.Name {
		c.found("it is called %q", h.Name)
	}
	if err := CheckBody(h.Race, h.Class, h.Gender); err != nil {
		c.found("race %d, class %d, gender %d: %v", h.Race, h.Class, h.Gender, err)
	}
}

// checkPlay checks what CheckLife does not.
func (c *Checker) checkPlay(h *Character) {
	if err := CheckLife(h); err != nil {
		c.found("%v", err)
	}
	if h.Level == 0 || h.Level > MaxLevel {
		c.found("level %d", h.Level)
	}
	if h.Version == 0 {
		c.found("it has no version")
	}
	if h.Death.State > life.Ghost {
		c.found("its state of death is %d", h.Death.State)
	}
}

func (c *Checker) checkCarried(items []life.Item) {
	worn := make(map[uint8]bool)
	for _, it := range items {
		if it.Bag == life.InBody {
			worn[it.Slot] = true
		}
	}
	for _, it := range items {
		if other, twice := c.items[it.GUID]; twice {
			c.found("it has item %#x, and so has %d", it.GUID, other)
		}
		c.items[it.GUID] = c.guid
		if counter := it.GUID &^ ItemHigh; it.GUID&ItemHigh == 0 || counter == 0 || counter > c.counters.Item {
			c.found("the GUID of item %#x was never given out: the last is %#x", it.GUID, ItemHigh|c.counters.Item)
		}
		if it.Bag != life.InBody && !worn[it.Bag] {
			c.found("item %#x is in bag %d, which is not there", it.GUID, it.Bag)
		}
	}
}

func (c *Checker) checkData(d *OwnedData) {
	if d.Account != c.account || d.GUID != 0 && d.GUID != c.guid {
		c.found("it has data of account %d, character %d", d.Account, d.GUID)
	}
	if err := CheckData(&d.Data); err != nil || len(d.Body) == 0 {
		c.found("%d bytes of data %d: %v", len(d.Body), d.Type, err)
	}
	if before := c.data; before <= MaxData && before+len(d.Body) > MaxData {
		c.found("the account leaves more than %d bytes of data", MaxData)
	}
	c.data += len(d.Body)
}
