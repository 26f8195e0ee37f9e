package dbc

// Tables of build 12340 that are read.
//
// Source: AreaTriggerEntryfmt, FactionTemplateEntryfmt and MapEntryfmt, DBCfmt.h, AzerothCore.
var (
	// AreaTrigger is ID, map, x, y, z, radius, length, width, height and orientation.
	AreaTrigger = &Table{"AreaTrigger", 10, []Column{
		{0, []string{"id"}, Integer}, {1, []string{"continentid", "mapid", "map"}, Integer}, {2, []string{"x", "pos_0", "pos[0]"}, Float}, {3, []string{"y", "pos_1", "pos[1]"}, Float},
		{4, []string{"z", "pos_2", "pos[2]"}, Float}, {5, []string{"radius"}, Float}, {6, []string{"box_length", "length"}, Float}, {7, []string{"box_width", "width"}, Float},
		{8, []string{"box_height", "height"}, Float}, {9, []string{"box_yaw", "orientation"}, Float},
	}}
	// FactionTemplate is ID, groups of friends and groups of enemies.
	FactionTemplate = &Table{"FactionTemplate", 14, []Column{
		{0, []string{"id"}, Integer}, {4, []string{"friendgroup"}, Integer}, {5, []string{"enemygroup"}, Integer},
	}}
	// Map is ID and name.
	Map = &Table{"Map", 0, []Column{{0, []string{"id"}, Integer}, {5, []string{"mapname_lang_enus", "mapname_lang", "name"}, Text}}}
)
