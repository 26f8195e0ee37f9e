package content

import (
	"math"

	"muster/components/defs"
)

// A scriptNodeRow is a row of waypoints: a node of a path of scripts.
type scriptNodeRow struct {
	Path  int64   `column:"entry" key:""`
	Point int64   `column:"pointid" key:""`
	X     float64 `column:"position_x"`
	Y     float64 `column:"position_y"`
	Z     float64 `column:"position_z" or:"0"`
}

// scriptPaths is the table of paths of scripts. Those of waypoint_data and of waypoint_path_node are other paths.
const scriptPaths = "waypoints"

// maxScriptNodes is how many nodes a path of scripts has at most, our own choice.
const maxScriptNodes = 4096

// readScriptPaths reads the table of paths of scripts, as nodes that no creature walks yet. It comes after readNodes.
func (l *loader) readScriptPaths() error {
	n := l.nodes
	return read(l, scriptPaths, func(r *scriptNodeRow) string {
		x, y, z, _, ok := position(r.X, r.Y, r.Z, 0)
		key := pathKey{scriptPaths, r.Path}
		switch {
		case r.Path <= 0 || r.Path > math.MaxUint32:
			return scriptNumber
		case r.Point != int64(len(n.of[key]))+1:
			return "its number does not follow that of another node"
		case !ok:
			return offMap
		case len(n.of[key]) == maxScriptNodes:
			return "a path of scripts has at most 4,096 nodes"
		}
		n.of[key] = append(n.of[key], defs.Node{X: x, Y: y, Z: z})
		return ""
	})
}

// scriptPath is the path that an action begins; ok is false for one that is not there.
//
// Source: PathSource, AzerothCore: 0 WaypointMgr, 1 SmartWaypointMgr.
func (l *loader) scriptPath(r *scriptRow) (key pathKey, ok bool) {
	tables, id := []string{scriptPaths}, r.Do2
	if defs.ScriptAction(r.Action) == defs.ScriptWaypointStart {
		if id = r.Do1; r.Do3 == 0 {
			tables = []string{"waypoint_data", "waypoint_path_node"}
		}
	}
	for _, table := range tables {
		if key = (pathKey{table, id}); len(l.nodes.of[key]) > 0 {
			return key, true
		}
	}
	return key, false
}

// scriptWay is one more than the index of a path of scripts.
func (s *scripts) scriptWay(key pathKey) uint32 {
	l := s.loader
	if s.ways[key] == 0 {
		l.nodes.walked[key] = true
		l.world.ScriptPaths = append(l.world.ScriptPaths, defs.ScriptPath{ID: uint32(key.id), Patrols: key.table != scriptPaths, Nodes: l.nodes.of[key]})
		s.ways[key] = uint32(len(l.world.ScriptPaths))
	}
	return s.ways[key]
}

// refuseMove says why a row is refused for where it has a creature go.
func (s *scripts) refuseMove(r *scriptRow) string {
	const noPath, noQuest = "its path is not there", "it belongs to a quest, and quests are not executed"
	switch defs.ScriptAction(r.Action) {
	case defs.ScriptEscortStart:
		switch _, ok := s.loader.scriptPath(r); {
		case !ok:
			return noPath
		case r.Do4 != 0:
			return noQuest
		case r.Do1 > 2, r.Do6 > 2:
			return scriptNumber
		}
	case defs.ScriptEscortStop:
		if r.Do2 != 0 {
			return noQuest
		}
	case defs.ScriptMoveToPosition:
		_, _, _, _, ok := position(r.X, r.Y, r.Z, r.O)
		switch {
		case !ok:
			return offMap
		case r.Do2 != 0, r.Do3 != 0, r.Do5 != 0:
			return "it moves on a transport, in combat, or into reach"
		case defs.ScriptTarget(r.Target) == defs.ScriptNone:
			return "it moves nowhere"
		}
	case defs.ScriptWaypointStart:
		if _, ok := s.loader.scriptPath(r); !ok {
			return noPath
		}
		if r.Do3 > 1 {
			return scriptNumber
		}
	}
	return ""
}

// move makes the parameters of an action that has a creature go somewhere those of systems.
func (s *scripts) move(made *defs.ScriptRow, r *scriptRow) {
	switch made.Action {
	case defs.ScriptEscortStart:
		key, _ := s.loader.scriptPath(r)
		made.Do[1] = s.scriptWay(key)
		if s.forced { // 0 as before, 1 walks, 2 runs
			made.Do[0] = uint32(max(r.Do1-1, 0))
		}
	case defs.ScriptWaypointStart:
		key, _ := s.loader.scriptPath(r)
		made.Do[0], made.Do[2] = s.scriptWay(key), 0
	}
}
