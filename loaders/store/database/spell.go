package database

import (
	"slices"

	"muster/components/life"
	"muster/loaders/store"
)

var (
	makeSpell = insert("character_spell", "guid, spell", "ON CONFLICT (guid, spell) DO NOTHING")
	dropSpell = remove("character_spell", "guid, spell")

	makeAction   = insert("character_action", "guid, button, action, type", "ON CONFLICT (guid, button) DO NOTHING")
	changeAction = update("character_action", 2, "guid, button, action, type")
	dropAction   = remove("character_action", "guid, button")
)

// Of what a client packs for a button, the low 24 bits are an action, and the high ones its type.
//
// Source: ACTION_BUTTON_ACTION and ACTION_BUTTON_TYPE, Player.h, AzerothCore.
const typeShift = 24

func actionValues(guid uint64, a life.Action) []any {
	return []any{guid, a.Button, a.Packed & most24, uint8(a.Packed >> typeShift)}
}

func (l *rowLists) parseSpells(text []byte) (err error) {
	l.spells, err = parseRows(text, life.MaxSpells, []uint64{most32}, func(n []uint64) uint32 { return uint32(n[0]) })
	slices.Sort(l.spells)
	return err
}

var actionLimits = []uint64{most8, most24, most8}

func (l *rowLists) parseActions(text []byte) (err error) {
	l.actions, err = parseRows(text, life.MaxActions, actionLimits, func(n []uint64) life.Action {
		return life.Action{Button: uint8(n[0]), Packed: uint32(n[1] | n[2]<<typeShift)}
	})
	store.SortActions(l.actions)
	return err
}

// compareSpells adds what differs between two lists, both ascending.
func (w *changes) compareSpells(guid uint64, before, now []uint32) {
	merge(before, now, func(s uint32) uint32 { return s }, func(old, next *uint32) {
		switch {
		case next == nil:
			w.unlearned = append(w.unlearned, []any{guid, *old})
		case old == nil:
			w.learned = append(w.learned, []any{guid, *next})
		}
	})
}

// compareActions adds what differs between two lists, both by ascending button.
func (w *changes) compareActions(guid uint64, before, now []life.Action) {
	merge(before, now, func(a life.Action) uint32 { return uint32(a.Button) }, func(old, next *life.Action) {
		switch {
		case next == nil:
			w.cleared = append(w.cleared, []any{guid, old.Button})
		case old == nil:
			w.placed = append(w.placed, actionValues(guid, *next))
		case *old != *next:
			w.replaced = append(w.replaced, actionValues(guid, *next))
		}
	})
}

// merge walks two lists, both by ascending keys, and calls each with what they have of every key: nil if nothing.
func merge[T any](before, now []T, key func(T) uint32, each func(old, next *T)) {
	for len(before)+len(now) > 0 {
		var old, next *T
		if len(before) > 0 && (len(now) == 0 || key(before[0]) <= key(now[0])) {
			old = &before[0]
		}
		if len(now) > 0 && (len(before) == 0 || key(now[0]) <= key(before[0])) {
			next = &now[0]
		}
		if old != nil {
			before = before[1:]
		}
		if next != nil {
			now = now[1:]
		}
		each(old, next)
	}
}
