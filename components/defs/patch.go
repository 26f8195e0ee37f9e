package defs

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Part is what of a World can be replaced while worlds run.
type Part uint8

// The parts.
const (
	PartScripts Part = iota + 1 // scripts of SmartAI, their lists and paths, and which creatures, game objects and areas have them
	PartTexts                   // what scripts say
	PartGossip                  // menus, their options, texts, and marks on the map
	PartVendors                 // what vendors sell
	PartWays                    // nodes of paths, and what happens at them
	PartEvents                  // game events, and what they change
	partsEnd
)

var partNames = [...]string{PartScripts: "scripts", PartTexts: "texts", PartGossip: "gossip menus", PartVendors: "vendors", PartWays: "paths", PartEvents: "game events"}

func (p Part) String() string {
	if p < PartScripts || p >= partsEnd {
		return fmt.Sprintf("part %d", uint8(p))
	}
	return partNames[p]
}

// A Patch is a part of a World as a map has it, in place of what the World has. The other fields are empty.
type Patch struct {
	Part Part
	Map  uint32 // of the spawn points below

	Scripts     []Script     `json:",omitempty"`
	ScriptLists []ScriptList `json:",omitempty"`
	ScriptPaths []ScriptPath `json:",omitempty"` // of PartWays: in place of those with the same ID and Patrols
	Creatures   []ScriptOf   `json:",omitempty"` // entries with a script; all others have none
	Objects     []ScriptOf   `json:",omitempty"`
	Spawns      []ScriptOf   `json:",omitempty"` // indices of spawn points
	ObjectAt    []ScriptOf   `json:",omitempty"`
	Areas       []ScriptOf   `json:",omitempty"` // IDs of areas of all maps

	Texts Texts `json:",omitempty"`

	GossipMenus      []GossipMenu      `json:",omitempty"`
	NPCTexts         []NPCText         `json:",omitempty"`
	PointsOfInterest []PointOfInterest `json:",omitempty"`

	Vendors []Vendor `json:",omitempty"`

	Paths       []Path       `json:",omitempty"` // by index into Map.Paths; one without nodes stays as it is
	NodeScripts []NodeScript `json:",omitempty"`

	GameEvents   []GameEvent  `json:",omitempty"`
	EventSpawns  []EventSpawn `json:",omitempty"`
	EventObjects []EventSpawn `json:",omitempty"`
	EventLooks   []EventLook  `json:",omitempty"`
	EventPools   []EventSpawn `json:",omitempty"`
	EventWares   []EventWare  `json:",omitempty"`

	Conditions []Conditions `json:",omitempty"` // that scripts, menus or vendors name, by one more than the index
}

// A ScriptOf is the script of an entry or of a spawn point: one more than its index.
type ScriptOf struct{ Of, Script uint32 }

// Cut is a part of a World, for one of its maps. Its slices are the World's.
func (w *World) Cut(part Part, m *Map) *Patch {
	p := &Patch{Part: part, Map: m.ID}
	switch part {
	case PartScripts:
		p.Scripts, p.ScriptLists, p.ScriptPaths, p.Conditions = w.Scripts, w.ScriptLists, w.ScriptPaths, w.Conditions
		note := func(to *[]ScriptOf, of, script uint32) {
			if script != 0 {
				*to = append(*to, ScriptOf{of, script})
			}
		}
		for i := range w.Creatures {
			note(&p.Creatures, w.Creatures[i].Entry, w.Creatures[i].Script)
		}
		for i := range w.GameObjects {
			note(&p.Objects, w.GameObjects[i].Entry, w.GameObjects[i].Script)
		}
		for i := range m.Spawns {
			note(&p.Spawns, uint32(i), m.Spawns[i].Script)
		}
		for i := range m.Objects {
			note(&p.ObjectAt, uint32(i), m.Objects[i].Script)
		}
		for i := range w.Triggers {
			note(&p.Areas, w.Triggers[i].ID, w.Triggers[i].Script)
		}
	case PartTexts:
		p.Texts = w.Texts
	case PartGossip:
		p.GossipMenus, p.NPCTexts, p.PointsOfInterest, p.Conditions = w.GossipMenus, w.NPCTexts, w.PointsOfInterest, w.Conditions
	case PartVendors:
		p.Vendors, p.Conditions = w.Vendors, w.Conditions
	case PartWays:
		p.ScriptPaths, p.Paths, p.NodeScripts = w.ScriptPaths, m.Paths, w.NodeScripts
	case PartEvents:
		p.GameEvents, p.EventWares = w.GameEvents, w.EventWares
		p.EventSpawns, p.EventObjects, p.EventLooks, p.EventPools = m.EventSpawns, m.EventObjects, m.EventLooks, m.EventPools
	}
	return p
}

// ErrPatch is that a Patch is not one of the World that it is applied to.
var ErrPatch = errors.New("defs: the patch is of another world")

// Apply replaces a part of a World and of a map, which are copies: what it changes of their slices it makes anew. If it fails, with
// ErrPatch, they are as they were.
func (p *Patch) Apply(w *World, m *Map) error {
	if err := p.check(w, m); err != nil {
		return err
	}
	switch p.Part {
	case PartScripts:
		p.applyScripts(w, m)
	case PartTexts:
		w.Texts = p.Texts
	case PartGossip:
		w.NPCTexts, w.PointsOfInterest = p.NPCTexts, p.PointsOfInterest
		w.GossipMenus = slices.Clone(p.GossipMenus)
		base := p.addConditions(w)
		for i := range w.GossipMenus {
			menu := &w.GossipMenus[i]
			menu.Options, menu.Texts = slices.Clone(menu.Options), slices.Clone(menu.Texts)
			for k := range menu.Options {
				rebase(&menu.Options[k].Conditions, base)
			}
			for k := range menu.Texts {
				rebase(&menu.Texts[k].Conditions, base)
			}
		}
	case PartVendors:
		w.Vendors = slices.Clone(p.Vendors)
		base := p.addConditions(w)
		for i := range w.Vendors {
			v := &w.Vendors[i]
			v.Items = slices.Clone(v.Items)
			for k := range v.Items {
				rebase(&v.Items[k].Conditions, base)
			}
		}
	case PartWays:
		p.applyWays(w, m)
	case PartEvents:
		w.GameEvents, w.EventWares = p.GameEvents, p.EventWares
		m.EventSpawns, m.EventObjects, m.EventLooks, m.EventPools = p.EventSpawns, p.EventObjects, p.EventLooks, p.EventPools
	}
	return nil
}

// addConditions appends the conditions of the patch to those of a World, and returns how many there were.
func (p *Patch) addConditions(w *World) (base uint32) {
	base = uint32(len(w.Conditions))
	w.Conditions = slices.Concat(w.Conditions, p.Conditions)
	return base
}

func rebase(at *uint32, base uint32) {
	if *at != 0 {
		*at += base
	}
}

func (p *Patch) applyScripts(w *World, m *Map) {
	base := p.addConditions(w)
	w.ScriptPaths = p.ScriptPaths
	w.Scripts, w.ScriptLists = slices.Clone(p.Scripts), slices.Clone(p.ScriptLists)
	rows := func(rows []ScriptRow) []ScriptRow {
		rows = slices.Clone(rows)
		for i := range rows {
			rebase(&rows[i].Conditions, base)
		}
		return rows
	}
	for i := range w.Scripts {
		w.Scripts[i].Rows = rows(w.Scripts[i].Rows)
	}
	for i := range w.ScriptLists {
		w.ScriptLists[i].Rows = rows(w.ScriptLists[i].Rows)
	}
	w.Creatures, w.GameObjects, w.Triggers = slices.Clone(w.Creatures), slices.Clone(w.GameObjects), slices.Clone(w.Triggers)
	m.Spawns, m.Objects = slices.Clone(m.Spawns), slices.Clone(m.Objects)
	for i := range w.Creatures {
		w.Creatures[i].Script = 0
	}
	for i := range w.GameObjects {
		w.GameObjects[i].Script = 0
	}
	for i := range m.Spawns {
		m.Spawns[i].Script = 0
	}
	for i := range m.Objects {
		m.Objects[i].Script = 0
	}
	for i := range w.Triggers {
		w.Triggers[i].Script = 0
	}
	for _, it := range p.Creatures {
		w.Creature(it.Of).Script = it.Script
	}
	for _, it := range p.Objects {
		w.GameObject(it.Of).Script = it.Script
	}
	for _, it := range p.Spawns {
		m.Spawns[it.Of].Script = it.Script
	}
	for _, it := range p.ObjectAt {
		m.Objects[it.Of].Script = it.Script
	}
	for _, it := range p.Areas {
		w.Trigger(it.Of).Script = it.Script
	}
}

func (p *Patch) applyWays(w *World, m *Map) {
	w.ScriptPaths, m.Paths = slices.Clone(w.ScriptPaths), slices.Clone(m.Paths)
	for i := range w.ScriptPaths {
		path := &w.ScriptPaths[i]
		for k := range p.ScriptPaths {
			if fresh := &p.ScriptPaths[k]; fresh.ID == path.ID && fresh.Patrols == path.Patrols {
				path.Nodes = fresh.Nodes
			}
		}
	}
	base := uint32(len(w.NodeScripts)) // which paths that stay as they are name
	w.NodeScripts = slices.Concat(w.NodeScripts, p.NodeScripts)
	for i := range p.Paths {
		if len(p.Paths[i].Nodes) > 0 {
			m.Paths[i].Nodes = slices.Clone(p.Paths[i].Nodes)
			for k := range m.Paths[i].Nodes {
				rebase(&m.Paths[i].Nodes[k].Script, base)
			}
		}
	}
}

// check returns ErrPatch for a patch that names what is not there.
func (p *Patch) check(w *World, m *Map) error {
	bad := func(what string, i int) error { return fmt.Errorf("%w: %s %d", ErrPatch, what, i) }
	if p.Part < PartScripts || p.Part >= partsEnd {
		return bad("part", int(p.Part))
	}
	if p.Map != m.ID {
		return bad("map", int(p.Map))
	}
	for _, of := range []struct {
		what string
		all  []ScriptOf
		ok   func(of uint32) bool
	}{
		{"creature", p.Creatures, func(of uint32) bool { return w.Creature(of) != nil }},
		{"game object", p.Objects, func(of uint32) bool { return w.GameObject(of) != nil }},
		{"spawn point", p.Spawns, func(of uint32) bool { return int(of) < len(m.Spawns) }},
		{"spawn point of a game object", p.ObjectAt, func(of uint32) bool { return int(of) < len(m.Objects) }},
		{"area", p.Areas, func(of uint32) bool { return w.Trigger(of) != nil }},
	} {
		for _, it := range of.all {
			if !of.ok(it.Of) || it.Script == 0 || int(it.Script) > len(p.Scripts) {
				return bad(of.what, int(it.Of))
			}
		}
	}
	if err := p.checkRows(w); err != nil {
		return err
	}
	for i := range p.ScriptPaths {
		if len(p.ScriptPaths[i].Nodes) == 0 {
			return bad("path of scripts", i)
		}
	}
	if len(p.Paths) > len(m.Paths) {
		return bad("path", len(p.Paths))
	}
	for i := range p.Paths {
		if len(p.Paths[i].Nodes) == 1 || slices.ContainsFunc(p.Paths[i].Nodes, func(n Node) bool { return int(n.Script) > len(p.NodeScripts) }) {
			return bad("path", i)
		}
	}
	for i := range p.GossipMenus {
		for _, o := range p.GossipMenus[i].Options {
			if int(o.Conditions) > len(p.Conditions) {
				return bad("menu", int(p.GossipMenus[i].ID))
			}
		}
		for _, text := range p.GossipMenus[i].Texts {
			if int(text.Conditions) > len(p.Conditions) {
				return bad("menu", int(p.GossipMenus[i].ID))
			}
		}
	}
	for i := range p.Texts {
		if n := len(p.Texts[i].Lines); n == 0 || n > MaxTextLines {
			return bad("text of", int(p.Texts[i].Entry))
		}
	}
	for i := range p.Vendors {
		for _, it := range p.Vendors[i].Items {
			if w.Item(it.Item) == nil || int(it.Conditions) > len(p.Conditions) {
				return bad("item", int(it.Item))
			}
		}
	}
	return p.checkEvents(w, m)
}

// checkRows checks what rows of scripts refer to.
func (p *Patch) checkRows(w *World) error {
	check := func(rows []ScriptRow, i int) error {
		if len(rows) == 0 || len(rows) > MaxScriptRows {
			return fmt.Errorf("%w: script %d has %d rows", ErrPatch, i, len(rows))
		}
		for k := range rows {
			row := &rows[k]
			path := uint32(0)
			switch row.Action {
			case ScriptEscortStart:
				path = row.Do[1]
			case ScriptWaypointStart:
				path = row.Do[0]
			case ScriptSummonCreature:
				if w.Creature(row.Do[0]) == nil {
					return fmt.Errorf("%w: script %d summons %d", ErrPatch, i, row.Do[0])
				}
			}
			if int(path) > len(p.ScriptPaths) || int(row.Next) > len(rows) || int(row.Conditions) > len(p.Conditions) || !row.Action.Executed() || !row.Event.Executed() || !row.Target.Executed() {
				return fmt.Errorf("%w: script %d, row %d", ErrPatch, i, row.ID)
			}
		}
		return nil
	}
	for i := range p.Scripts {
		if err := check(p.Scripts[i].Rows, i); err != nil {
			return err
		}
	}
	for i := range p.ScriptLists {
		if err := check(p.ScriptLists[i].Rows, i); err != nil {
			return err
		}
	}
	for i := range p.NodeScripts {
		if err := check(p.NodeScripts[i].Rows, i); err != nil {
			return err
		}
	}
	return nil
}

// checkEvents checks what game events change. A point of a pool is none of theirs.
func (p *Patch) checkEvents(w *World, m *Map) error {
	for _, it := range p.EventObjects {
		if int(it.Point) >= len(m.Objects) || int(it.Event) >= len(p.GameEvents) {
			return fmt.Errorf("%w: spawn point %d of an event's game object", ErrPatch, it.Point)
		}
	}
	for _, it := range p.EventPools {
		if int(it.Point) >= len(m.Pools) || int(it.Event) >= len(p.GameEvents) || nested(m, it.Point) {
			return fmt.Errorf("%w: pool %d of an event", ErrPatch, it.Point)
		}
	}
	for _, it := range p.EventLooks {
		if int(it.Point) >= len(m.Spawns) || int(it.Event) >= len(p.GameEvents) {
			return fmt.Errorf("%w: spawn point %d of an event's look", ErrPatch, it.Point)
		}
	}
	for _, it := range p.EventWares {
		if w.Item(it.Item) == nil || int(it.Event) >= len(p.GameEvents) {
			return fmt.Errorf("%w: item %d of an event", ErrPatch, it.Item)
		}
	}
	if len(p.EventSpawns) == 0 {
		return nil
	}
	pooled := make(map[uint32]bool)
	for i := range m.Pools {
		for _, member := range m.Pools[i].Members {
			pooled[member.Index] = pooled[member.Index] || !member.Nested
		}
	}
	for _, it := range p.EventSpawns {
		if int(it.Point) >= len(m.Spawns) || pooled[it.Point] || int(it.Event) >= len(p.GameEvents) {
			return fmt.Errorf("%w: spawn point %d of an event", ErrPatch, it.Point)
		}
	}
	return nil
}

// nested reports whether a pool lies in another.
func nested(m *Map, pool uint32) bool {
	for i := range m.Pools {
		if slices.ContainsFunc(m.Pools[i].Members, func(it PoolMember) bool { return it.Nested && it.Index == pool }) {
			return true
		}
	}
	return false
}

// MaxPatch bounds the bytes of a patch, and maxPatchText those of its text, our own choices: the scripts of a whole database, 60,000 rows, are
// less than a tenth of both.
const (
	MaxPatch     = 16 << 20
	maxPatchText = 256 << 20
)

// ErrPatchSize is that a patch is too large.
var ErrPatchSize = fmt.Errorf("defs: the patch has more than %d MiB", MaxPatch>>20)

// AppendBinary appends the patch as bytes: its JSON, deflated.
func (p *Patch) AppendBinary(b []byte) ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	to := bytes.NewBuffer(b)
	z, err := flate.NewWriter(to, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	z.Write(text)
	if err := z.Close(); err != nil {
		return nil, err
	}
	if to.Len()-len(b) > MaxPatch || len(text) > maxPatchText {
		return nil, ErrPatchSize
	}
	return to.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (p *Patch) UnmarshalBinary(b []byte) error {
	if len(b) > MaxPatch {
		return ErrPatchSize
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxPatchText+1))
	if err != nil {
		return err
	}
	if len(text) > maxPatchText {
		return ErrPatchSize
	}
	*p = Patch{}
	return json.Unmarshal(text, p)
}
