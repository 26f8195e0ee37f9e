package worlddb

import (
	"slices"
	"strconv"
)

// A Family is a line of databases whose tables are alike.
type Family string

// The families, and Unknown of what has none of their marks.
const (
	AzerothCore Family = "AzerothCore"
	TrinityCore Family = "TrinityCore"
	CMaNGOS     Family = "CMaNGOS"
	Unknown     Family = "unknown"
)

// A mark is a table or a column that one family has, and others have not.
type mark struct {
	family        Family
	table, column string // "" for the table
}

var marks = []mark{
	{AzerothCore, "acore_string", ""},
	{AzerothCore, "creature", "id1"},
	{AzerothCore, "creature_template", "speed_swim"},
	{AzerothCore, "creature_template", "detection_range"},
	{AzerothCore, "creature_template", "creatureimmunitiesid"},
	{AzerothCore, "smart_scripts", "event_param6"},
	{AzerothCore, "player_class_stats", ""},
	{AzerothCore, "antidos_opcode_policies", ""},
	{TrinityCore, "trinity_string", ""},
	{TrinityCore, "creature", "stringid"},
	{TrinityCore, "pool_members", ""},
	{TrinityCore, "player_classlevelstats", ""},
	{CMaNGOS, "creature_template", "healthmultiplier"},
	{CMaNGOS, "creature_template", "displayid1"},
	{CMaNGOS, "creature", "spawntimesecsmin"},
	{CMaNGOS, "creature_movement", ""},
	{CMaNGOS, "creature_ai_scripts", ""},
	{CMaNGOS, "mangos_string", ""},
	{CMaNGOS, "db_version", ""},
}

// A schema has the columns of each table, by their names.
type schema map[string][]string

func (s schema) has(table, column string) bool {
	columns, ok := s[table]
	return ok && (column == "" || slices.Contains(columns, column))
}

// family is the one with most marks. TrinityCore is what the other two tables of SmartAI began with: it is meant where
// nothing says more.
func (s schema) family() Family {
	count := make(map[Family]int)
	for _, m := range marks {
		if s.has(m.table, m.column) {
			count[m.family]++
		}
	}
	best := Unknown
	if s.has("smart_scripts", "") || s.has("creature_template", "modelid1") {
		best = TrinityCore
	}
	for _, f := range []Family{AzerothCore, TrinityCore, CMaNGOS} {
		if count[f] > count[best] {
			best = f
		}
	}
	return best
}

// A variant is where the databases of a family differ by their age.
type variant struct {
	of            string
	table, column string // that make it so, "" for the table
	name          string
}

// variants are in the order in which they are looked for.
var variants = []variant{
	{"models", "creature_template_model", "", "creature_template_model"},
	{"models", "creature_template", "modelid1", "modelid1..4"},
	{"models", "creature_template", "displayid1", "displayid1..4"},
	{"spawns", "creature", "id1", "id1..3"},
	{"spawns", "creature_spawn_entry", "", "id, or creature_spawn_entry"},
	{"spawns", "creature", "id", "id"},
	{"paths", "waypoint_path_node", "", "waypoint_path_node"},
	{"paths", "creature_movement", "", "creature_movement"},
	{"paths", "waypoint_data", "", "waypoint_data"},
	{"immunities", "creature_template", "creatureimmunitiesid", "creature_immunities"},
	{"immunities", "creature_template", "mechanic_immune_mask", "mechanic_immune_mask"},
	{"immunities", "creature_template", "mechanicimmunemask", "mechanicimmunemask"},
	{"scripts", "smart_scripts", "", "smart_scripts"},
	{"scripts", "creature_ai_scripts", "", "creature_ai_scripts"},
}

// variant says which columns of several that mean the same are there.
func (s schema) variant(f Family) map[string]string {
	found := make(map[string]string)
	for _, v := range variants {
		if found[v.of] == "" && s.has(v.table, v.column) {
			found[v.of] = v.name
		}
	}
	for n := range 9 {
		if s.has("smart_scripts", "event_param"+strconv.Itoa(n+1)) {
			found["event parameters"] = strconv.Itoa(n + 1)
		}
	}
	if f == CMaNGOS && s.has("creature", "") {
		switch {
		case s.has("creature", "phasemask"):
			found["expansion"] = "wotlk"
		case s.has("creature_template", "difficultyentry1"), s.has("creature_template", "heroicentry"):
			found["expansion"] = "tbc"
		default:
			found["expansion"] = "classic"
		}
	}
	return found
}
