package content

import (
	"slices"
	"strconv"
	"strings"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// A pathKey is a path of a database: a table of nodes, and the number under which they are there.
type pathKey struct {
	table string
	id    int64
}

// A nodeRow is a row of waypoint_data, of waypoint_path_node, or of creature_movement, where the number is the GUID of a spawn point.
type nodeRow struct {
	ID    int64   `column:"id pathid" key:""`
	Point int64   `column:"point nodeid" key:""`
	X     float64 `column:"position_x positionx"`
	Y     float64 `column:"position_y positiony"`
	Z     float64 `column:"position_z positionz" or:"0"`
	Delay int64   `column:"delay waittime" or:"0"`
	Move  int64   `column:"move_type" or:"0"`
	Does  int64   `column:"action scriptid script_id" or:"0"`
	Often int64   `column:"action_chance" or:"100"` // percent
}

// A templateNodeRow is a row of creature_movement_template, which has paths of templates.
type templateNodeRow struct {
	ID    int64   `column:"entry" key:""`
	Path  int64   `column:"pathid" or:"0" key:""`
	Point int64   `column:"point" key:""`
	X     float64 `column:"position_x positionx"`
	Y     float64 `column:"position_y positiony"`
	Z     float64 `column:"position_z positionz" or:"0"`
	Delay int64   `column:"waittime" or:"0"`
	Does  int64   `column:"scriptid script_id" or:"0"`
}

// An addonRow is a row of creature_addon or of creature_template_addon.
type addonRow struct {
	ID   int64 `column:"guid entry" key:""`
	Path int64 `column:"path_id pathid" or:"0"`

	Mount      int64  `column:"mount" or:"0"`
	Emote      int64  `column:"emote" or:"0"`
	Auras      string `column:"auras" or:""`
	Bytes1     int64  `column:"bytes1" or:"-1"` // stand, -, visibility, tier, from the lowest
	Bytes2     int64  `column:"bytes2" or:"-1"` // sheath, PvP
	Stand      int64  `column:"standstate stand_state" or:"-1"`
	Visibility int64  `column:"visflags" or:"-1"`
	AnimTier   int64  `column:"animtier" or:"-1"`
	Sheath     int64  `column:"sheathstate sheath_state b2_0_sheath" or:"-1"`
	PvP        int64  `column:"pvpflags b2_1_flags" or:"-1"`
}

// nodes are the nodes of the paths of a database.
type nodes struct {
	of     map[pathKey][]defs.Node
	walked map[pathKey]bool

	looks looks // and addons, which have paths
}

// Why nodes are not executed.
const (
	unwalked = "no creature that is executed walks there"
	walksRun = "the creature walks where it should take off or land"
	noScript = "what the creature does there"
)

// How a creature moves to a node.
//
// Source: WaypointMoveType, WaypointDefines.h, AzerothCore.
const moveWalk, moveRun = 0, 1

// maxPauseMs is the longest pause at a node: that of a day.
const maxPauseMs = 86_400_000

// readNodes reads the paths of all tables that there are.
func (l *loader) readNodes() (n *nodes, err error) {
	n = &nodes{
		of: make(map[pathKey][]defs.Node), walked: make(map[pathKey]bool),
		looks: looks{ofPoint: make(map[int64]addonRow), ofTemplate: make(map[int64]addonRow)},
	}
	for _, addons := range []struct {
		table string
		rows  map[int64]addonRow
	}{{"creature_addon", n.looks.ofPoint}, {"creature_template_addon", n.looks.ofTemplate}} {
		if err := read(l, addons.table, func(r *addonRow) string {
			left := false
			r.Auras, left = l.auras(r.Auras)
			addons.rows[r.ID] = *r
			if r.Path == 0 && r.look() == (defs.Look{}) {
				return "it has nothing that is executed"
			}
			l.part(addons.table, left, "its auras: those of spells that are not there, or more than 4")
			return ""
		}); err != nil {
			return nil, err
		}
	}
	for _, table := range []string{"waypoint_data", "waypoint_path_node", "creature_movement"} {
		if err := l.readTable(n, table, func(add func(*nodeRow) string) error { return read(l, table, add) }); err != nil {
			return nil, err
		}
	}
	const table = "creature_movement_template"
	return n, l.readTable(n, table, func(add func(*nodeRow) string) error {
		return read(l, table, func(r *templateNodeRow) string {
			if r.Path != 0 {
				return unwalked
			}
			return add(&nodeRow{ID: r.ID, X: r.X, Y: r.Y, Z: r.Z, Delay: r.Delay, Does: r.Does})
		})
	})
}

// auras are those of the numbers of a column that a creature can have, as such a column; left reports that some are left out.
func (l *loader) auras(column string) (kept string, left bool) {
	n := 0
	for field := range strings.FieldsSeq(column) {
		id, err := strconv.ParseUint(field, 10, 32)
		sp := l.world.Spell(uint32(id))
		if err != nil || sp == nil || n == defs.MaxLookAuras || !slices.ContainsFunc(sp.Effects[:], func(e defs.Effect) bool { return e.Kind == defs.EffectApplyAura }) {
			left = true
			continue
		}
		kept += field + " "
		n++
	}
	return kept, left
}

// readTable reads the nodes of a table. All count as executed until it is known which creatures walk there.
func (l *loader) readTable(n *nodes, table string, each func(add func(*nodeRow) string) error) error {
	if !l.src.Has(table) {
		return nil
	}
	u := l.of(table)
	return each(func(r *nodeRow) string {
		x, y, z, _, ok := position(r.X, r.Y, r.Z, 0)
		if !ok {
			return offMap
		}
		if r.Move != moveWalk && r.Move != moveRun {
			u.Part[walksRun]++
		}
		node := defs.Node{X: x, Y: y, Z: z, PauseMs: uint32(min(max(r.Delay, 0), maxPauseMs)), Runs: r.Move == moveRun}
		if table == "waypoint_data" && l.nodeScripts.of[r.Does] != 0 && r.Often > 0 {
			node.Script, node.Chance = l.nodeScripts.of[r.Does], uint8(min(r.Often, 100))
		} else if r.Does != 0 {
			u.Part[noScript]++
		}
		key := pathKey{table, r.ID}
		n.of[key] = append(n.of[key], node)
		return ""
	})
}

// find is the path of a spawn point.
//
// Source: Creature::GetCreatureAddon, AzerothCore (that of the spawn point hides that of the template); for CMaNGOS,
// WaypointManager::GetDefaultPath.
func (n *nodes) find(guid, entry int64, family worlddb.Family) (key pathKey, ok bool) {
	if family == worlddb.CMaNGOS {
		key = pathKey{"creature_movement", guid}
		if n.of[key] == nil {
			key = pathKey{"creature_movement_template", entry}
		}
		return key, n.of[key] != nil
	}
	a, ok := n.looks.ofPoint[guid]
	if !ok {
		a = n.looks.ofTemplate[entry]
	}
	id := a.Path
	if id == 0 {
		return key, false
	}
	for _, table := range []string{"waypoint_data", "waypoint_path_node"} {
		if key := (pathKey{table, id}); n.of[key] != nil {
			return key, true
		}
	}
	return key, false
}

// walk gives a map the path of a key, and returns its index; -1 if it has fewer than two points.
func (n *nodes) walk(key pathKey, on *place) int32 {
	n.walked[key] = true
	if at, ok := on.paths[key]; ok {
		return int32(at)
	}
	at := -1
	if way := apart(n.of[key]); len(way) > 1 {
		at = len(on.Paths)
		on.Paths = append(on.Paths, defs.Path{Nodes: way})
		for _, p := range way {
			on.stand(p.X, p.Y, p.Z)
		}
	}
	on.paths[key] = at
	return int32(at)
}

// apart is a path without nodes at the place of the one before, whose pauses are added, round to the first.
func apart(way []defs.Node) (kept []defs.Node) {
	for _, p := range way {
		if last := len(kept) - 1; last >= 0 && kept[last].X == p.X && kept[last].Y == p.Y {
			kept[last].PauseMs = min(kept[last].PauseMs+p.PauseMs, maxPauseMs)
			if kept[last].Script == 0 {
				kept[last].Script, kept[last].Chance = p.Script, p.Chance
			}
			continue
		}
		kept = append(kept, p)
	}
	for len(kept) > 1 && kept[0].X == kept[len(kept)-1].X && kept[0].Y == kept[len(kept)-1].Y {
		kept[0].PauseMs = min(kept[0].PauseMs+kept[len(kept)-1].PauseMs, maxPauseMs)
		kept = kept[:len(kept)-1]
	}
	return kept
}

// countNodes moves nodes that no creature walks to those that are not executed, and counts conditions.
func (l *loader) countNodes() error {
	n := l.nodes
	for key, way := range n.of {
		if !n.walked[key] {
			u := l.of(key.table)
			u.Executed -= int64(len(way))
			u.Not[unwalked] += int64(len(way))
		}
	}
	l.nodeScripts.count(l)
	l.conditions.count()
	return nil
}
