package worlddb

import "strings"

// tables are those that are kept, of all families. Rows of other tables are counted and ignored.
var tables = set(`
	creature creature_template creature_addon creature_template_addon creature_text creature_equip_template
	creature_equip_template_raw creature_template_spell creature_template_spells creature_template_resistance
	creature_template_model creature_template_movement creature_template_armor creature_template_classlevelstats
	creature_template_npcflag creature_template_outfits creature_immunities creature_model_info creature_classlevelstats
	creature_formations creature_summon_groups creature_onkill_reputation creature_movement_override creature_default_trainer
	creature_static_flags_override creature_queststarter creature_questender creature_questitem creature_linking
	creature_linking_template creature_conditional_spawn creature_spawn_entry creature_spawn_data creature_spawn_data_template
	creature_cooldowns creature_ai_scripts creature_ai_summons creature_ai_texts creature_spell_list creature_spell_list_entry
	creature_spell_targeting creature_questrelation creature_involvedrelation creature_battleground linked_respawn
	creature_movement creature_movement_template waypoint_data waypoint_data_addon waypoints waypoint_scripts script_waypoint
	waypoint_path waypoint_path_name waypoint_path_node spawn_group spawn_group_template spawn_group_spawn spawn_group_entry
	spawn_group_formation spawn_group_linked_group spawn_group_squad worldstate_name
	gameobject gameobject_template gameobject_template_addon gameobject_addon gameobject_overrides gameobject_queststarter
	gameobject_questender gameobject_questitem gameobject_questrelation gameobject_involvedrelation gameobject_spawn_entry
	gameobject_battleground gameobject_summon_groups
	smart_scripts conditions condition_strings event_scripts spell_scripts scripts script_texts script_string db_script_string
	dbscript_string dbscript_random_templates dbscripts_on_creature_death dbscripts_on_creature_movement dbscripts_on_event
	dbscripts_on_go_template_use dbscripts_on_go_use dbscripts_on_gossip dbscripts_on_quest_end dbscripts_on_quest_start
	dbscripts_on_relay dbscripts_on_spell broadcast_text
	creature_loot_template disenchant_loot_template fishing_loot_template gameobject_loot_template item_loot_template
	mail_loot_template milling_loot_template pickpocketing_loot_template player_loot_template prospecting_loot_template
	reference_loot_template reference_loot_template_names skinning_loot_template spell_loot_template
	item_template item_template_addon item_enchantment_template item_set_names item_convert item_expire_convert
	quest_template quest_template_addon quest_details quest_offer_reward quest_request_items quest_mail_sender quest_poi
	quest_poi_points quest_greeting quest_money_reward quest_relations
	pool_template pool_creature pool_creature_template pool_gameobject pool_gameobject_template pool_pool pool_quest pool_members
	game_event game_event_arena_seasons game_event_battleground_holiday game_event_condition game_event_creature
	game_event_creature_data game_event_creature_quest game_event_gameobject game_event_gameobject_quest game_event_mail
	game_event_model_equip game_event_npc_vendor game_event_npcflag game_event_pool game_event_prerequisite game_event_quest
	game_event_quest_condition game_event_seasonal_questrelation game_event_time game_event_group_relation
	game_event_outdoorpvp game_event_linked holiday_dates
	npc_vendor npc_vendor_template npc_trainer npc_trainer_template npc_trainer_greeting trainer trainer_spell npc_gossip
	npc_spellclick_spells npc_text npc_text_broadcast_text gossip_menu gossip_menu_option gossip_texts page_text points_of_interest
	playercreateinfo playercreateinfo_action playercreateinfo_item playercreateinfo_skills playercreateinfo_cast_spell
	playercreateinfo_spell playercreateinfo_spell_custom player_class_stats player_race_stats player_levelstats
	player_classlevelstats player_xp_for_level player_factionchange_achievement player_factionchange_items
	player_factionchange_quests player_factionchange_reputations player_factionchange_spells player_factionchange_titles
	pet_levelstats pet_name_generation petcreateinfo_spell vehicle_accessory vehicle_template_accessory vehicle_template
	vehicle_seat_addon
	game_tele areatrigger areatrigger_teleport areatrigger_tavern areatrigger_scripts areatrigger_involvedrelation
	areatrigger_template areatrigger_dbc areatrigger_polygon_vertices world_safe_locs game_graveyard game_graveyard_zone graveyard_zone game_weather
	instance_template instance_encounters instance_spawn_groups instance_dungeon_encounters access_requirement
	dungeon_access_template dungeon_access_requirements lfg_dungeon_template lfg_dungeon_rewards lfg_entrances world_template
	transports exploration_basexp fishing_skill_base_level skill_fishing_base_level skill_discovery_template skill_extra_item_template
	skill_perfect_item_template reputation_reward_rate reputation_spillover_template achievement_criteria_data
	achievement_reward mail_level_reward battleground_template battlemaster_entry battleground_events outdoorpvp_template
	factiontemplate_dbc spell_dbc spell_template spell_script_names spell_bonus_data spell_linked_spell spell_target_position spell_proc
	spell_proc_event spell_area spell_affect spell_chain spell_cone spell_cooldown_overrides spell_custom_attr spell_elixir
	spell_enchant_proc_data spell_facing spell_group spell_group_spell spell_group_stack_rules spell_jump_distance
	spell_learn_spell spell_mixology spell_pet_auras spell_proc_item_enchant spell_ranks spell_required spell_script_target
	spell_scripts_targets spell_targets spell_threat spelldifficulty_dbc disables antidos_opcode_policies
	acore_string trinity_string mangos_string command version db_version synthetic_world
`)

func set(words string) map[string]bool {
	s := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// A reference says that what a column has is the key of another table. Tables and columns that a world lacks are not
// checked.
type reference struct {
	from, column string      // of the table that refers
	needs        string      // another column of it that is used
	where        []condition // of its rows that do; nil is column <> 0
	magnitude    bool        // they refer to the number without its sign
	to, key      string
	among        []condition // of the rows that are referred to
}

// A condition is one of a row: how the integer of a column compares with another.
type condition struct {
	column, is string // =, <>, < or >
	than       int64
}

// references are those that are checked.
var references = append(lootReferences(), []reference{
	{from: "creature", column: "id", to: "creature_template", key: "entry"},
	{from: "creature", column: "id1", to: "creature_template", key: "entry"},
	{from: "creature", column: "id2", to: "creature_template", key: "entry"},
	{from: "creature", column: "id3", to: "creature_template", key: "entry"},
	{from: "creature_spawn_entry", column: "entry", to: "creature_template", key: "entry"},
	{from: "creature_spawn_entry", column: "guid", to: "creature", key: "guid"},
	{from: "creature_template_model", column: "creatureid", to: "creature_template", key: "entry"},
	{from: "creature_template_model", column: "creaturedisplayid", to: "creature_model_info", key: "displayid"},
	{from: "creature_addon", column: "guid", to: "creature", key: "guid"},
	{from: "creature_addon", column: "path_id", to: "waypoint_data", key: "id"},
	{from: "creature_addon", column: "pathid", to: "waypoint_path", key: "pathid"},
	{from: "creature_template_addon", column: "entry", to: "creature_template", key: "entry"},
	{from: "creature_template_addon", column: "path_id", to: "waypoint_data", key: "id"},
	{from: "creature_equip_template", column: "creatureid", to: "creature_template", key: "entry"},
	{from: "creature_text", column: "creatureid", to: "creature_template", key: "entry"},
	{from: "creature_formations", column: "leaderguid", to: "creature", key: "guid"},
	{from: "creature_formations", column: "memberguid", to: "creature", key: "guid"},
	{from: "creature_queststarter", column: "id", to: "creature_template", key: "entry"},
	{from: "creature_queststarter", column: "quest", to: "quest_template", key: "id"},
	{from: "creature_questender", column: "id", to: "creature_template", key: "entry"},
	{from: "creature_questender", column: "quest", to: "quest_template", key: "id"},
	{from: "creature_template", column: "gossip_menu_id", to: "gossip_menu", key: "menuid"},
	{from: "creature_template", column: "gossipmenuid", to: "gossip_menu", key: "entry"},
	{from: "creature_template", column: "lootid", to: "creature_loot_template", key: "entry"},
	{from: "creature_template", column: "pickpocketloot", to: "pickpocketing_loot_template", key: "entry"},
	{from: "creature_template", column: "pickpocketlootid", to: "pickpocketing_loot_template", key: "entry"},
	{from: "creature_template", column: "skinloot", to: "skinning_loot_template", key: "entry"},
	{from: "creature_template", column: "skinninglootid", to: "skinning_loot_template", key: "entry"},
	{from: "creature_movement", column: "id", to: "creature", key: "guid"},
	{from: "creature_movement_template", column: "entry", to: "creature_template", key: "entry"},
	{from: "creature_ai_scripts", column: "creature_id", where: []condition{{"creature_id", ">", 0}}, to: "creature_template", key: "entry"},
	{from: "creature_ai_scripts", column: "creature_id", where: []condition{{"creature_id", "<", 0}}, magnitude: true, to: "creature", key: "guid"},
	{from: "waypoint_data", column: "action", to: "waypoint_scripts", key: "id"},
	{from: "spawn_group_spawn", column: "id", to: "spawn_group", key: "id"},
	{from: "spawn_group_entry", column: "id", to: "spawn_group", key: "id"},
	{from: "gameobject", column: "id", to: "gameobject_template", key: "entry"},
	{from: "gameobject_addon", column: "guid", to: "gameobject", key: "guid"},
	{from: "gameobject_template_addon", column: "entry", to: "gameobject_template", key: "entry"},
	{from: "smart_scripts", column: "entryorguid", where: []condition{{"source_type", "=", 0}, {"entryorguid", ">", 0}}, to: "creature_template", key: "entry"},
	{from: "smart_scripts", column: "entryorguid", where: []condition{{"source_type", "=", 0}, {"entryorguid", "<", 0}}, magnitude: true, to: "creature", key: "guid"},
	{from: "smart_scripts", column: "entryorguid", where: []condition{{"source_type", "=", 1}, {"entryorguid", ">", 0}}, to: "gameobject_template", key: "entry"},
	{from: "smart_scripts", column: "entryorguid", where: []condition{{"source_type", "=", 1}, {"entryorguid", "<", 0}}, magnitude: true, to: "gameobject", key: "guid"},
	{from: "smart_scripts", column: "action_param1", where: []condition{{"action_type", "=", 80}}, to: "smart_scripts", key: "entryorguid", among: []condition{{"source_type", "=", 9}}},
	{from: "pool_creature", column: "guid", to: "creature", key: "guid"},
	{from: "pool_creature", column: "pool_entry", to: "pool_template", key: "entry"},
	{from: "pool_gameobject", column: "guid", to: "gameobject", key: "guid"},
	{from: "pool_gameobject", column: "pool_entry", to: "pool_template", key: "entry"},
	{from: "pool_pool", column: "pool_id", to: "pool_template", key: "entry"},
	{from: "pool_pool", column: "mother_pool", to: "pool_template", key: "entry"},
	{from: "game_event_creature", column: "guid", to: "creature", key: "guid"},
	{from: "game_event_gameobject", column: "guid", to: "gameobject", key: "guid"},
	{from: "npc_vendor", column: "entry", to: "creature_template", key: "entry"},
	{from: "npc_vendor", column: "item", where: []condition{{"item", ">", 0}}, to: "item_template", key: "entry"},
	{from: "gossip_menu", column: "textid", to: "npc_text", key: "id"},
	{from: "gossip_menu", column: "text_id", to: "npc_text", key: "id"},
	{from: "gossip_menu_option", column: "menuid", to: "gossip_menu", key: "menuid"},
	{from: "gossip_menu_option", column: "actionmenuid", where: []condition{{"actionmenuid", ">", 0}}, to: "gossip_menu", key: "menuid"},
}...)

// lootTables refer to reference_loot_template and to items. There are two ways to say which: with a column of its own, and
// with a negative smallest count.
var lootTables = strings.Fields(`creature_loot_template disenchant_loot_template fishing_loot_template
	gameobject_loot_template item_loot_template mail_loot_template milling_loot_template pickpocketing_loot_template
	prospecting_loot_template reference_loot_template skinning_loot_template spell_loot_template`)

func lootReferences() (all []reference) {
	for _, t := range lootTables {
		all = append(all,
			reference{from: t, column: "reference", magnitude: true, to: "reference_loot_template", key: "entry"},
			reference{from: t, column: "mincountorref", where: []condition{{"mincountorref", "<", 0}}, magnitude: true, to: "reference_loot_template", key: "entry"},
			reference{from: t, column: "item", where: []condition{{"reference", "=", 0}}, needs: "reference", to: "item_template", key: "entry"},
			reference{from: t, column: "item", where: []condition{{"mincountorref", ">", 0}}, needs: "mincountorref", to: "item_template", key: "entry"})
	}
	return all
}

// A script is a table of scripts, whose rows have columns of kinds.
type script struct{ table, part, column string }

var scripts = []script{
	{"smart_scripts", "event", "event_type"},
	{"smart_scripts", "action", "action_type"},
	{"smart_scripts", "target", "target_type"},
	{"creature_ai_scripts", "event", "event_type"},
	{"creature_ai_scripts", "action1", "action1_type"},
	{"creature_ai_scripts", "action2", "action2_type"},
	{"creature_ai_scripts", "action3", "action3_type"},
}
