package content

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"

	"muster/components/defs"
)

// partTables are the tables that a part of a world is made of.
var partTables = map[defs.Part][]string{
	defs.PartScripts: {"smart_scripts", "creature_ai_scripts", "areatrigger_scripts"},
	defs.PartTexts:   {"creature_text", "creature_ai_texts"},
	defs.PartGossip:  {"gossip_menu", "gossip_menu_option", "npc_text", "npc_text_broadcast_text", "points_of_interest"},
	defs.PartVendors: {"npc_vendor", "npc_vendor_template"},
	defs.PartWays:    {"waypoints", "waypoint_data", "waypoint_path_node", "creature_movement", "creature_movement_template", "waypoint_scripts"},
	defs.PartEvents: {
		"game_event", "game_event_time", "game_event_creature", "game_event_gameobject", "game_event_prerequisite", "game_event_condition", "game_event_npcflag",
		"game_event_model_equip", "game_event_npc_vendor", "game_event_pool",
	},
}

// A BadRowsError is that rows of a part are not executed, more than before it was read again.
type BadRowsError struct {
	Part defs.Part
	Rows []string // each a table, how many more rows, and why; or a row and why
}

func (e *BadRowsError) Error() string {
	return "rows are not executed that were, or are new: " + strings.Join(e.Rows, "; ")
}

// A ChangedError is that a part cannot be replaced alone, as the world has other things now that it refers to.
type ChangedError struct{ What string }

func (e *ChangedError) Error() string {
	return "there are other " + e.What + " than when the world was loaded: they count from the next start"
}

// maxBadRows is how many rows a BadRowsError names.
const maxBadRows = 8

// Replaces checks that a part of a world that was read again may take the place of that of another one, from which it differs in rows of
// the tables that may be reloaded alone. The error is a ChangedError or a BadRowsError.
func (w *World) Replaces(was *World, part defs.Part) error {
	for _, of := range referents {
		if of.hash(w.World) != of.hash(was.World) {
			return &ChangedError{of.what}
		}
	}
	bad := &BadRowsError{Part: part}
	if part == defs.PartScripts {
		bad.Rows = moreRefused(w.Scripts.Refused, was.Scripts.Refused)
	}
	for _, table := range partTables[part] {
		if now := w.Use[table]; now != nil && len(bad.Rows) == 0 {
			var before map[string]int64
			if old := was.Use[table]; old != nil {
				before = old.Not
			}
			for _, why := range slices.Sorted(maps.Keys(now.Not)) {
				if n := now.Not[why] - before[why]; n > 0 && why != unwalked {
					bad.Rows = append(bad.Rows, fmt.Sprintf("%s: %d: %s", table, n, why))
				}
			}
		}
	}
	if len(bad.Rows) == 0 {
		if someAreas.hash(w.World) != someAreas.hash(was.World) { // which follow from their scripts, too: rows that are refused say more
			return &ChangedError{someAreas.what}
		}
		return nil
	}
	bad.Rows = bad.Rows[:min(len(bad.Rows), maxBadRows)]
	return bad
}

// moreRefused names rows of scripts that are refused and were not.
func moreRefused(now, was []RefusedScript) (rows []string) {
	known := make(map[RefusedScript]bool, len(was))
	for _, r := range was {
		known[r] = true
	}
	for _, r := range now {
		if !known[r] {
			rows = append(rows, fmt.Sprintf("smart_scripts %d/%d/%d: %s", r.Of, r.Source, r.ID, r.Why))
		}
	}
	return rows
}

// A referent is what parts of a world refer to.
type referent struct {
	what string
	each func(w *defs.World, note func(...uint32))
}

// hash is of what there is of it.
func (r *referent) hash(w *defs.World) uint64 {
	h := fnv.New64a()
	var b [4]byte
	r.each(w, func(all ...uint32) {
		for _, n := range all {
			binary.LittleEndian.PutUint32(b[:], n)
			h.Write(b[:])
		}
	})
	return h.Sum64()
}

// someAreas are those that have something happen to players.
var someAreas = referent{"areas", func(w *defs.World, note func(...uint32)) {
	for i := range w.Triggers {
		note(w.Triggers[i].ID)
	}
}}

var referents = []referent{
	{"creature templates", func(w *defs.World, note func(...uint32)) {
		for i := range w.Creatures {
			note(w.Creatures[i].Entry)
		}
	}},
	{"game object templates", func(w *defs.World, note func(...uint32)) {
		for i := range w.GameObjects {
			note(w.GameObjects[i].Entry)
		}
	}},
	{"items", func(w *defs.World, note func(...uint32)) {
		for i := range w.Items {
			note(w.Items[i].Entry)
		}
	}},
	{"pools", func(w *defs.World, note func(...uint32)) {
		for i := range w.Maps {
			for k := range w.Maps[i].Pools {
				p := &w.Maps[i].Pools[k]
				note(uint32(i), p.Limit)
				for _, m := range p.Members {
					note(m.Index, math.Float32bits(m.Chance))
				}
			}
		}
	}},
	{"spawn points", func(w *defs.World, note func(...uint32)) {
		for i := range w.Maps {
			m := &w.Maps[i]
			note(m.ID, uint32(len(m.Spawns)), uint32(len(m.Objects)))
			for k := range m.Spawns {
				s := &m.Spawns[k]
				note(s.Entry, math.Float32bits(s.X), math.Float32bits(s.Y), math.Float32bits(s.Z))
			}
			for k := range m.Objects {
				s := &m.Objects[k]
				note(s.Entry, math.Float32bits(s.X), math.Float32bits(s.Y), math.Float32bits(s.Z))
			}
		}
	}},
}

// Patch is a part of a world that was read again, for a map of the world that it replaces a part of.
func (w *World) Patch(was *World, part defs.Part, mapID uint32) *defs.Patch {
	m, old := w.Map(mapID), was.Map(mapID)
	p := w.Cut(part, m)
	if part == defs.PartWays { // which path a spawn point has stays as it is
		p.Paths = make([]defs.Path, len(old.Paths))
		for i := range old.Spawns {
			if from, to := m.Spawns[i].Path, old.Spawns[i].Path; from >= 0 && to >= 0 {
				p.Paths[to] = m.Paths[from]
			}
		}
	}
	return p
}
