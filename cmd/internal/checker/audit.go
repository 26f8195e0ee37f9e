package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"muster/components/life"
	"muster/loaders/store"
)

// An Audit compares what a store has with what it had at the last audit.
type Audit struct {
	Spends func(*store.Character) bool // whether it may have less money than before; none does without it
	Keeps  func(*store.Character) bool // whether it has the items that it had, as they were, and no others; without it, none needs to
	Gains  func(*store.Character) bool // whether it has at least the items that it had; without it, none needs to

	before map[uint64]store.Character // by GUID
}

// Check returns what is wrong with the characters of a store, whose accounts have one each: a character is there twice, or not any more; it
// has less experience or money than it had, or an older version; an account has two characters; an item is with two. Those that were saved while all were read, one after the other, are
// named: an item may have gone from one of them to one that was read later, or the other way, and be with both.
func (a *Audit) Check(all []store.Character, saved ...uint64) (wrong []string) {
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	now, accounts, items := make(map[uint64]store.Character), make(map[uint32]uint64), make(map[uint64]uint64)
	for i := range all {
		c := &all[i]
		if _, twice := now[c.GUID]; twice {
			report("character %d is there twice", c.GUID)
			continue
		}
		now[c.GUID] = *c
		if other, twice := accounts[c.Account]; twice {
			report("account %d has characters %d and %d", c.Account, other, c.GUID)
		}
		accounts[c.Account] = c.GUID
		for _, it := range c.Items {
			if other, twice := items[it.GUID]; twice && (other == c.GUID || !slices.Contains(saved, other) && !slices.Contains(saved, c.GUID)) {
				report("item %d is with characters %d and %d", it.GUID, other, c.GUID)
			}
			items[it.GUID] = c.GUID
		}
	}
	for _, guid := range slices.Sorted(maps.Keys(a.before)) {
		was := a.before[guid]
		is, ok := now[guid]
		switch {
		case !ok:
			report("character %d is lost", guid)
			continue
		case cmp.Or(cmp.Compare(is.Level, was.Level), cmp.Compare(is.XP, was.XP)) < 0:
			report("character %d was set back to level %d with %d experience, from level %d with %d", guid, is.Level, is.XP, was.Level, was.XP)
		case is.MoneyCopper < was.MoneyCopper && (a.Spends == nil || !a.Spends(&is)):
			report("character %d was set back to %d copper, from %d", guid, is.MoneyCopper, was.MoneyCopper)
		case is.Version < was.Version:
			report("character %d was set back to version %d, from %d", guid, is.Version, was.Version)
		}
		if a.Keeps != nil && a.Keeps(&is) && !sameItems(is.Items, was.Items) {
			report("character %d had the items %v, and has %v", guid, was.Items, is.Items)
		}
		if a.Gains != nil && a.Gains(&is) {
			for _, it := range was.Items {
				if !slices.ContainsFunc(is.Items, func(i life.Item) bool { return i.GUID == it.GUID && i.Count >= it.Count }) {
					report("character %d had the item %v, and has %v", guid, it, is.Items)
				}
			}
		}
	}
	a.before = now
	return wrong
}

// sameItems reports whether two lists have the same items, in any order.
func sameItems(a, b []life.Item) bool {
	order := func(x, y life.Item) int { return cmp.Compare(x.GUID, y.GUID) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order))
}
