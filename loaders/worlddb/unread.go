package worlddb

import "strings"

// NotYet is why rows are not executed whose table no part of muster reads, if there is no other reason.
const NotYet = "muster does not execute such rows"

// unexecuted are the tables that no part of muster reads because of what there is not, by that.
var unexecuted = byTable(map[string]string{
	"there are no quests": `creature_queststarter creature_questender creature_questitem creature_questrelation creature_involvedrelation gameobject_queststarter
		gameobject_questender gameobject_questitem gameobject_questrelation gameobject_involvedrelation quest_template quest_template_addon quest_details
		quest_offer_reward quest_request_items quest_mail_sender quest_poi quest_poi_points quest_greeting quest_money_reward quest_relations pool_quest
		game_event_creature_quest game_event_gameobject_quest game_event_quest game_event_quest_condition game_event_seasonal_questrelation areatrigger_involvedrelation`,
	"there are no skills":         "playercreateinfo_skills fishing_skill_base_level skill_fishing_base_level skill_discovery_template skill_extra_item_template skill_perfect_item_template",
	"new characters cast nothing": "playercreateinfo_cast_spell",
	"only bodies and chests have loot": `disenchant_loot_template fishing_loot_template item_loot_template mail_loot_template milling_loot_template
		pickpocketing_loot_template player_loot_template prospecting_loot_template skinning_loot_template spell_loot_template`,
	"spells are those of muster": `creature_cooldowns creature_spell_list creature_spell_list_entry creature_spell_targeting creature_template_spells spell_dbc spell_template
		spell_script_names spell_bonus_data spell_linked_spell spell_target_position spell_proc spell_proc_event spell_area spell_affect spell_chain spell_cone
		spell_cooldown_overrides spell_custom_attr spell_elixir spell_enchant_proc_data spell_facing spell_group spell_group_spell spell_group_stack_rules
		spell_jump_distance spell_learn_spell spell_mixology spell_pet_auras spell_proc_item_enchant spell_ranks spell_required spell_script_target
		spell_scripts_targets spell_targets spell_threat spelldifficulty_dbc npc_spellclick_spells`,
	"of scripts those of smart_scripts, creature_ai_scripts and waypoint_scripts are executed": `event_scripts spell_scripts scripts script_texts script_string db_script_string
		dbscript_string dbscript_random_templates dbscripts_on_creature_death dbscripts_on_creature_movement dbscripts_on_event dbscripts_on_go_template_use
		dbscripts_on_go_use dbscripts_on_gossip dbscripts_on_quest_end dbscripts_on_quest_start dbscripts_on_relay dbscripts_on_spell script_waypoint creature_ai_summons`,
	"there are no pets":     "pet_levelstats pet_name_generation petcreateinfo_spell",
	"there are no vehicles": "vehicle_accessory vehicle_template_accessory vehicle_template vehicle_seat_addon",
	"there are no arenas, battlegrounds and fights for areas": `creature_battleground gameobject_battleground game_event_arena_seasons game_event_battleground_holiday
		game_event_outdoorpvp battleground_template battlemaster_entry battleground_events outdoorpvp_template`,
	"there are no letters":      "game_event_mail mail_level_reward",
	"there is no reputation":    "creature_onkill_reputation reputation_reward_rate reputation_spillover_template",
	"there are no achievements": "achievement_criteria_data achievement_reward",
	"characters do not change their side": `player_factionchange_achievement player_factionchange_items player_factionchange_quests player_factionchange_reputations
		player_factionchange_spells player_factionchange_titles`,
	"areas are not discovered":               "exploration_basexp",
	"there is no rest in taverns":            "areatrigger_tavern",
	"there is no weather":                    "game_weather",
	"there are no transports":                "transports",
	"there is no dungeon finder":             "lfg_dungeon_template lfg_dungeon_rewards lfg_entrances",
	"dungeons are open to all":               "access_requirement dungeon_access_template dungeon_access_requirements",
	"encounters of dungeons are not counted": "instance_encounters instance_dungeon_encounters",
	"items have no pages":                    "page_text",
	"they are about another server":          "acore_string trinity_string mangos_string command version db_version disables antidos_opcode_policies",
})

// byTable is reasons, each of many tables, by table.
func byTable(reasons map[string]string) map[string]string {
	all := make(map[string]string)
	for reason, names := range reasons {
		for _, table := range strings.Fields(names) {
			all[table] = reason
		}
	}
	return all
}
