package content

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"muster/components/defs"
)

// A nodeScriptRow is a row of waypoint_scripts: a step of what a creature does at a node that names its number.
type nodeScriptRow struct {
	GUID    int64   `column:"guid" key:""`
	ID      int64   `column:"id"`
	Delay   int64   `column:"delay" or:"0"` // seconds
	Command int64   `column:"command"`
	Long    int64   `column:"datalong" or:"0"`
	Long2   int64   `column:"datalong2" or:"0"`
	Int     int64   `column:"dataint" or:"0"`
	X       float64 `column:"x" or:"0"`
	Y       float64 `column:"y" or:"0"`
	Z       float64 `column:"z" or:"0"`
	O       float64 `column:"o" or:"0"`
}

// The commands that are executed. What they have to do with players and other creatures is not: a node has none.
//
// Source: ScriptCommands, ObjectMgr.h, and Map::ScriptsProcess, AzerothCore.
const (
	nodeTalk        = 0  // datalong: kind of text; datalong2: 1 a player says it; dataint: row of broadcast_text
	nodeEmote       = 1  // datalong: emote; datalong2: 1 lasts
	nodeMove        = 3  // datalong2: the time that it takes, 0 none; x, y, z
	nodeSetFlags    = 4  // datalong: field; datalong2: flags
	nodeRemoveFlags = 5  // as before
	nodeTeleport    = 6  // datalong2: 1 the creature, whatever map datalong is; x, y, z, o
	nodeSummon      = 10 // datalong: entry; datalong2: time in milliseconds; x, y, z, o
	nodeRemoveAura  = 14 // datalong: spell; datalong2: 1 its own
	nodeCast        = 15 // datalong: spell; datalong2: 1 at itself; dataint & 1: at once
	nodeSound       = 16 // datalong: sound; datalong2: 1 for a player, 2 from where it is, 4 as far as a radius
	nodeDespawn     = 18 // datalong: time in milliseconds
	nodeKill        = 22 // dataint: 1 without a corpse
	nodeOrientation = 30 // datalong: 1 to a target; o
	nodeModel       = 32 // datalong: display
	nodeMovement    = 35 // datalong: kind of movement; datalong2: how far from there, yards
)

// The fields whose flags scripts change.
//
// Source: UpdateFields.h, AzerothCore: OBJECT_END + 0x35, 0x36 and 0x4C.
const (
	fieldUnitFlags  = 0x3B
	fieldUnitFlags2 = 0x3C
	fieldNPCFlags   = 0x52
)

// nodeTalks are the types of messages of the kinds of texts: say, yell, emote and boss emote. Whispers need a player.
//
// Source: ChatType, ObjectMgr.h, AzerothCore.
var nodeTalks = []uint8{12, 14, 16, 41}

// nodeScripts are what creatures do at nodes.
type nodeScripts struct {
	of   map[int64]uint32 // by number: one more than its index among World.NodeScripts, 0 if none of its rows is executed
	rows map[uint32]int64 // how many each has, by the same
}

// readNodeScripts reads what happens at nodes. It comes after templates and broadcast_text, and before paths.
func (l *loader) readNodeScripts() error {
	n := &nodeScripts{make(map[int64]uint32), make(map[uint32]int64)}
	l.nodeScripts, l.world.NodeScripts = n, nil
	made := make(map[int64][]defs.ScriptRow)
	said := make(map[int64]bool)
	if err := read(l, "waypoint_scripts", func(r *nodeScriptRow) string {
		row, why := l.nodeRow(r)
		switch {
		case why != "":
			return why
		case r.Delay < 0 || r.Delay > maxPauseMs/1000:
			return scriptNumber
		case len(made[r.ID]) == defs.MaxScriptRows:
			return "what happens at its node has more than 64 rows"
		}
		row.When[0] = uint32(r.Delay) * 1000
		if row.Action == defs.ScriptTalk {
			kind, text := nodeTalks[r.Long], l.spoken.say(r.Int)
			row.Do[0] = row.Do[0]<<2 | uint32(r.Long)
			if key := int64(row.Do[0]); !said[key] {
				said[key] = true
				l.said = append(l.said, defs.Text{Group: row.Do[0], Lines: []defs.TextLine{{Text: textOf(text), Type: kind, Language: number(text.Language)}}})
			}
		}
		made[r.ID] = append(made[r.ID], row)
		return ""
	}); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(made)) {
		slices.SortStableFunc(made[id], func(a, b defs.ScriptRow) int { return cmp.Compare(a.When[0], b.When[0]) })
		l.world.NodeScripts = append(l.world.NodeScripts, defs.NodeScript{Rows: made[id]})
		n.of[id] = uint32(len(l.world.NodeScripts))
		n.rows[n.of[id]] = int64(len(made[id]))
	}
	return nil
}

// textOf is what a row of broadcast_text says.
func textOf(r spokenRow) string { return text(cmp.Or(r.Male, r.Female)) }

// nodeRow is the row of a step, or why it is refused. What it does is what an action of SmartAI does to the creature itself.
func (l *loader) nodeRow(r *nodeScriptRow) (row defs.ScriptRow, refused string) {
	const withPlayer, noField = "it needs a player or another creature", "it changes a field that is not executed"
	for _, n := range []int64{r.Long, r.Long2} {
		if n < 0 || n > math.MaxUint32 {
			return row, scriptNumber
		}
	}
	as := scriptRow{Target: int64(defs.ScriptSelf), Do1: r.Long}
	switch r.Command {
	case nodeTalk:
		said := l.spoken.rows[r.Int]
		switch {
		case r.Long >= int64(len(nodeTalks)) || r.Long2&1 != 0:
			return row, withPlayer
		case textOf(said) == "":
			return row, "its text is not there"
		case r.Int > math.MaxUint32>>2 || len(textOf(said)) > maxTextBytes:
			return row, scriptNumber
		}
		as.Action, as.Do1 = int64(defs.ScriptTalk), r.Int
	case nodeEmote:
		if as.Action = int64(defs.ScriptEmote); r.Long2&1 != 0 {
			as.Action = int64(defs.ScriptSetEmoteState)
		}
	case nodeMove:
		if r.Long2 == 0 {
			as = teleported(r)
			break
		}
		l.part("waypoint_scripts", true, "it walks or runs, however long that takes")
		as.Action, as.Target, as.Do1 = int64(defs.ScriptMoveToPosition), int64(defs.ScriptPosition), 0
		as.X, as.Y, as.Z = r.X, r.Y, r.Z
	case nodeTeleport:
		if r.Long2 != 1 {
			return row, withPlayer
		}
		as = teleported(r)
	case nodeMovement:
		switch r.Long {
		case moveIdle:
			as.Do1 = 0
		case moveRandom:
			as.Do1 = r.Long2
		default:
			return row, "it walks another path"
		}
		as.Action = int64(defs.ScriptRandomMove)
	case nodeSetFlags, nodeRemoveFlags:
		unit, npc := defs.ScriptSetUnitFlags, defs.ScriptAddNPCFlags
		if r.Command == nodeRemoveFlags {
			unit, npc = defs.ScriptRemoveUnitFlags, defs.ScriptRemoveNPCFlags
		}
		switch as.Do1 = r.Long2; r.Long {
		case fieldUnitFlags:
			as.Action = int64(unit)
		case fieldUnitFlags2:
			as.Action, as.Do2 = int64(unit), 1
		case fieldNPCFlags:
			as.Action = int64(npc)
		default:
			return row, noField
		}
	case nodeSummon:
		if r.Int != 0 {
			return row, "it summons one that is not there yet"
		}
		if _, _, _, _, ok := position(r.X, r.Y, r.Z, r.O); !ok {
			return row, offMap
		}
		const timedOrDead = 1 // Source: TempSummonType, Object.h, AzerothCore
		as.Action, as.Target, as.Do2, as.Do3 = int64(defs.ScriptSummonCreature), int64(defs.ScriptPosition), timedOrDead, r.Long2
		as.X, as.Y, as.Z, as.O = r.X, r.Y, r.Z, r.O
	case nodeRemoveAura:
		if as.Action = int64(defs.ScriptRemoveAuras); r.Long2&1 == 0 {
			return row, withPlayer
		}
		if r.Long == 0 {
			return row, noSpell
		}
	case nodeCast:
		if as.Action = int64(defs.ScriptSelfCast); r.Long2 != 1 {
			return row, withPlayer
		}
		if r.Int&1 != 0 {
			as.Do2 = defs.ScriptCastTriggered
		}
	case nodeSound:
		if r.Long2&^2 != 0 {
			return row, withPlayer
		}
		as.Action, as.Do3 = int64(defs.ScriptSound), r.Long2>>1&1
	case nodeDespawn:
		as.Action = int64(defs.ScriptForceDespawn)
	case nodeKill:
		if as.Action, as.Do1 = int64(defs.ScriptDie), 0; r.Int != 0 {
			return row, "it leaves no corpse"
		}
	case nodeOrientation:
		if r.Long&1 != 0 {
			return row, withPlayer
		}
		as.Action, as.Target, as.Do1, as.O = int64(defs.ScriptSetOrientation), int64(defs.ScriptPosition), 0, r.O
	case nodeModel:
		as.Action, as.Do1, as.Do2 = int64(defs.ScriptMorph), 0, r.Long
	default:
		return row, "commands of this kind are not executed"
	}
	s := &scripts{loader: l}
	if why := s.refuseAction(&as); why != "" {
		return row, why
	}
	row = s.row(&as)
	row.Flags = 0 // which are of events
	return row, ""
}

// teleported is the row of a step by which a creature is at once elsewhere on its map.
func teleported(r *nodeScriptRow) scriptRow {
	return scriptRow{
		Action: int64(defs.ScriptTeleport), Target: int64(defs.ScriptSelf), Do1: defs.ScriptSameMap, X: r.X, Y: r.Y, Z: r.Z, O: r.O,
	}
}

// count moves rows that no node names that is walked to those that are not executed. It comes after all paths.
func (n *nodeScripts) count(l *loader) {
	used := make(map[uint32]bool)
	for key, way := range l.nodes.of {
		for i := range way {
			if l.nodes.walked[key] {
				used[way[i].Script] = true
			}
		}
	}
	for script, rows := range n.rows {
		if !used[script] {
			u := l.of("waypoint_scripts")
			u.Executed -= rows
			u.Not["no node that a creature walks to names it"] += rows
		}
	}
}
