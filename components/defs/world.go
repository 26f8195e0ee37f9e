// Package defs is what a world is made of before anybody enters it: maps, places and the templates of
// creatures. A loader builds a World once; from then on it is read by many goroutines and changed by none.
package defs

import (
	"cmp"
	"slices"
)

// A World is all templates of a realm.
type World struct {
	Seed      uint64     // what it was made from; 0 if it was not made from a seed
	Maps      []Map      // each ID once
	Creatures []Creature // by ascending Entry, each once
	Spells    []Spell    // by ascending ID, each once
	Hubs      []Hub      // where new characters begin; at least one
	Players   Players
	Items     []Item               // by ascending Entry, each once
	Loots     []Loot               // by ascending ID, each once
	Outfits   [MaxClass + 1]Outfit // by class
}

// Creature is the template of an entry, or nil if there is none. It aliases the World. The cost is
// logarithmic in the number of templates.
func (w *World) Creature(entry uint32) *Creature {
	i, ok := slices.BinarySearchFunc(w.Creatures, entry, func(c Creature, entry uint32) int {
		return cmp.Compare(c.Entry, entry)
	})
	if !ok {
		return nil
	}
	return &w.Creatures[i]
}

// Map is the map of an ID, or nil if there is none. It aliases the World. The maps are few: it looks at
// each.
func (w *World) Map(id uint32) *Map {
	for i := range w.Maps {
		if w.Maps[i].ID == id {
			return &w.Maps[i]
		}
	}
	return nil
}

// A Hub is a place where new characters begin.
type Hub struct {
	Map        uint32 // its ID
	X, Y, Z, O float32
}
