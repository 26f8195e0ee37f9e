// Package defs has the templates of a world: maps, places, creatures, items and spells. A loader builds a World once;
// from then on many goroutines read it and none changes it.
package defs

import "math"

// A World is all templates of a realm.
type World struct {
	Seed       uint64      // what it was made from; 0 if it was not made from a seed
	Maps       []Map       // each ID once
	Creatures  []Creature  // by ascending Entry, each once
	Immunities []Immunity  // by ascending Entry, each once
	Spells     []Spell     // by ascending ID, each once
	Hubs       []Hub       // where new characters begin; at least one
	Starts     []Start     // which of them characters of a race and class begin at; all others begin at all in turn
	Teleports  []Teleport  // places that game masters know by name
	GameEvents []GameEvent // by ascending ID, each once
	Players    Players
	Items      []Item               // by ascending Entry, each once
	Vendors    []Vendor             // by ascending Entry, each once
	EventWares []EventWare          `json:",omitempty"` // by ascending Entry, then Event
	Loots      []Loot               // by ascending ID, each once
	Outfits    [MaxClass + 1]Outfit // by class
	Marker     uint32               // entry of the creatures that show game masters the nodes of a path; 0 none
	Digest     string               // of all of them, if they were made from a database; "" if from Seed

	StartItems   []StartItem   // in any order
	StartSpells  []StartSpell  // in any order
	StartActions []StartAction // in any order
	Graveyards   []Graveyard   // by ascending ID, each once

	GameObjects []GameObject // by ascending Entry, each once
	Triggers    []Trigger    // by ascending ID, each once

	Scripts     []Script     // of SmartAI, in any order
	ScriptLists []ScriptList // by ascending ID, each once
	Texts       Texts        // by ascending Entry, then Group, each once
	ScriptPaths []ScriptPath // along which scripts have creatures go, in any order
	NodeScripts []NodeScript // of nodes of paths, in any order

	Conditions []Conditions // in any order

	GossipMenus      []GossipMenu      // by ascending ID, each once
	NPCTexts         []NPCText         // by ascending ID, each once
	Trainers         []Trainer         // by ascending Entry, each once
	PointsOfInterest []PointOfInterest // by ascending ID, each once
}

// Creature is the template of an entry, or nil if there is none. It aliases the World. The cost is
// logarithmic in the number of templates.
func (w *World) Creature(entry uint32) *Creature {
	i, ok := find(len(w.Creatures), entry, func(i int) uint32 { return w.Creatures[i].Entry })
	if !ok {
		return nil
	}
	return &w.Creatures[i]
}

// find is the index of the template with a number among n in ascending order, and whether there is one. It reads
// numbers alone: a template is hundreds of bytes, and system appliedauras looks up several for each hit.
func find(n int, number uint32, at func(i int) uint32) (i int, ok bool) {
	i, end := 0, n
	for i < end {
		if middle := int(uint(i+end) / 2); at(middle) < number {
			i = middle + 1
		} else {
			end = middle
		}
	}
	return i, i < n && at(i) == number
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

// NearestHub is the nearest Hub of the map of a point, or the point itself on a map without one.
func (w *World) NearestHub(at Hub) (to Hub) {
	nearest := float32(0)
	to = at
	for i := range w.Hubs {
		h := &w.Hubs[i]
		dx, dy := h.X-at.X, h.Y-at.Y
		if d := float32(dx*dx) + float32(dy*dy); h.Map == at.Map && (nearest == 0 || d < nearest) {
			nearest, to = max(d, 1e-6), *h
		}
	}
	return to
}

// A Start is where the characters of a race and class begin.
type Start struct {
	Race, Class uint8
	Hub         uint32 // index into World.Hubs
}

// StartOf is where characters of a race and class begin; ok is false for those that begin at the hubs in turn.
func (w *World) StartOf(race, class uint8) (at Hub, ok bool) {
	for _, s := range w.Starts {
		if s.Race == race && s.Class == class {
			return w.Hubs[s.Hub], true
		}
	}
	return at, false
}

// A Trigger is an area that has something happen to players who walk into it: its script, or without one they are taken to another place.
//
// Source: AreaTrigger.dbc and areatrigger_teleport, AzerothCore.
type Trigger struct {
	ID      uint32
	Map     uint32
	X, Y, Z float32
	Radius  float32 // of a sphere, yards; 0 is a box
	Box     Box     `json:",omitzero"`
	To      Hub

	Script uint32 `json:",omitempty"` // one more than the index of its script among World.Scripts; 0 none
}

// A Box is the sizes of a box in yards, and by how much it is turned.
type Box struct{ Length, Width, Height, O float32 }

// Near reports whether a point is in the area, or no further from its edge than some yards, in each direction of a box.
//
// Source: Player::IsInAreaTriggerRadius, AzerothCore.
func (t *Trigger) Near(x, y, z, yards float32) bool {
	dx, dy, dz := x-t.X, y-t.Y, z-t.Z
	if t.Radius > 0 {
		reach := t.Radius + yards
		return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(reach*reach)
	}
	sin, cos := math.Sincos(-float64(t.Box.O))
	along := float64(float64(dx)*cos) - float64(float64(dy)*sin)
	across := float64(float64(dx)*sin) + float64(float64(dy)*cos)
	in := func(v float64, size float32) bool { return math.Abs(v) <= float64(size)/2+float64(yards) }
	return in(along, t.Box.Length) && in(across, t.Box.Width) && in(float64(dz), t.Box.Height)
}

// Trigger is that of an ID, or nil if there is none. It aliases the World.
func (w *World) Trigger(id uint32) *Trigger {
	i, ok := find(len(w.Triggers), id, func(i int) uint32 { return w.Triggers[i].ID })
	if !ok {
		return nil
	}
	return &w.Triggers[i]
}

// A Teleport is a place with a name.
type Teleport struct {
	Name string
	Hub
}
