package store

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"muster/components/life"
)

// ErrLife is the error of a character with values out of range or duplicates.
var ErrLife = errors.New("store: a life that cannot be")

// MaxMoney is how much a character can have, in copper.
//
// Source: MAX_MONEY_AMOUNT, Player.h, AzerothCore.
const MaxMoney = math.MaxInt32

// CheckLife returns nil if the play state of a character can be kept, or wraps ErrLife. A store refuses such a
// character as a whole: it never stores a part.
func CheckLife(c *Character) error {
	l := &c.Life
	switch {
	case c.Version > math.MaxInt64:
		return fmt.Errorf("%w: version %d", ErrLife, c.Version)
	case l.MoneyCopper > MaxMoney:
		return fmt.Errorf("%w: %d copper", ErrLife, l.MoneyCopper)
	case len(l.Spells) > life.MaxSpells, len(l.Cooldowns) > life.MaxCooldowns, len(l.Auras) > life.MaxAuras,
		len(l.Actions) > life.MaxActions, len(l.Items) > life.MaxItems:
		return fmt.Errorf("%w: too many of a kind", ErrLife)
	}
	for _, f := range [...]float32{
		c.X, c.Y, c.Z, c.O, l.Bind.X, l.Bind.Y, l.Bind.Z, l.Bind.O,
		l.Death.Body.X, l.Death.Body.Y, l.Death.Body.Z, l.Death.Body.O,
	} {
		if f-f != 0 { // infinite, or no number
			return fmt.Errorf("%w: it is at %v", ErrLife, f)
		}
	}
	if err := checkBook(l); err != nil {
		return err
	}
	return checkItems(l.Items)
}

// checkBook checks for spells and buttons that come twice.
func checkBook(l *life.Life) error {
	var spells [life.MaxSpells]uint32
	var buttons [life.MaxActions]uint8
	copy(spells[:], l.Spells)
	for i, a := range l.Actions {
		buttons[i] = a.Button
	}
	if twice(spells[:len(l.Spells)]) || twice(buttons[:len(l.Actions)]) {
		return fmt.Errorf("%w: a spell twice, or two actions on one button", ErrLife)
	}
	return nil
}

// checkItems checks for empty items, and for two with one GUID or in one slot.
func checkItems(items []life.Item) error {
	var guids [life.MaxItems]uint64
	var slots [life.MaxItems]uint16
	for i, it := range items {
		if it.GUID == 0 || it.GUID > math.MaxInt64 || it.Count == 0 {
			return fmt.Errorf("%w: %d of item %#x", ErrLife, it.Count, it.GUID)
		}
		guids[i], slots[i] = it.GUID, slot(it)
	}
	if twice(guids[:len(items)]) || twice(slots[:len(items)]) {
		return fmt.Errorf("%w: two items are one, or in one slot", ErrLife)
	}
	return nil
}

func slot(it life.Item) uint16 { return uint16(it.Bag)<<8 | uint16(it.Slot) }

// twice sorts a list, and reports whether it has duplicates.
func twice[T cmp.Ordered](list []T) bool {
	slices.Sort(list)
	return len(slices.Compact(list)) != len(list)
}

// SortItems puts items in the order of a Life.
func SortItems(items []life.Item) {
	slices.SortFunc(items, func(a, b life.Item) int { return cmp.Compare(slot(a), slot(b)) })
}

// SortActions puts actions in the order of a Life.
func SortActions(actions []life.Action) {
	slices.SortFunc(actions, func(a, b life.Action) int { return cmp.Compare(a.Button, b.Button) })
}

// DropItem removes an item from a character, if it is there, within the same array.
func DropItem(items []life.Item, guid uint64) []life.Item {
	return slices.DeleteFunc(items, func(it life.Item) bool { return it.GUID == guid })
}

// Clone returns a character that shares no memory with c. Its spells, actions and items are in order, and empty lists are nil.
func (c *Character) Clone() Character {
	d := *c
	d.Spells, d.Cooldowns, d.Auras = clone(c.Spells), clone(c.Cooldowns), clone(c.Auras)
	d.Actions, d.Items = clone(c.Actions), clone(c.Items)
	slices.Sort(d.Spells)
	SortActions(d.Actions)
	SortItems(d.Items)
	return d
}

func clone[T any](list []T) []T { return append([]T(nil), list...) }
