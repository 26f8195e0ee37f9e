package invented

import (
	"fmt"
	"strings"
)

// Shares of rows to what they belong to.
const (
	perTemplate = 5
	perScript   = 3
	perPath     = 8
	perLoot     = 6
	locales     = 8
	firstEntry  = 1000
	firstItem   = 100_000
)

// templates is how many templates so many spawn points have.
func templates(spawns int) int { return (spawns + perTemplate - 1) / perTemplate }

func creatures(c Config) int   { return c.Creatures }
func gameObjects(c Config) int { return c.GameObjects }
func scripts(c Config) int     { return min(c.Scripts, perScript*templates(c.Creatures)) }

// repeat is the declaration of columns that differ by a number.
func repeat(format string, from, to int) string {
	var all []string
	for i := from; i <= to; i++ {
		all = append(all, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return strings.Join(all, ",")
}

var tables = []table{
	{
		name: "creature", key: "`guid`", rows: creatures,
		columns: "guid int unsigned NOT NULL AUTO_INCREMENT,id1 int unsigned NOT NULL DEFAULT '0',id2 int unsigned NOT NULL DEFAULT '0',id3 int unsigned NOT NULL DEFAULT '0'," +
			"map smallint unsigned NOT NULL DEFAULT '0',zoneId smallint unsigned NOT NULL DEFAULT '0',areaId smallint unsigned NOT NULL DEFAULT '0'," +
			"spawnMask tinyint unsigned NOT NULL DEFAULT '1',phaseMask int unsigned NOT NULL DEFAULT '1',equipment_id tinyint NOT NULL DEFAULT '0'," +
			"position_x float NOT NULL DEFAULT '0',position_y float NOT NULL DEFAULT '0',position_z float NOT NULL DEFAULT '0',orientation float NOT NULL DEFAULT '0'," +
			"spawntimesecs int unsigned NOT NULL DEFAULT '120',wander_distance float NOT NULL DEFAULT '0',currentwaypoint int unsigned NOT NULL DEFAULT '0'," +
			"curhealth int unsigned NOT NULL DEFAULT '1',curmana int unsigned NOT NULL DEFAULT '0',MovementType tinyint unsigned NOT NULL DEFAULT '0'," +
			"npcflag int unsigned NOT NULL DEFAULT '0',unit_flags int unsigned NOT NULL DEFAULT '0',dynamicflags int unsigned NOT NULL DEFAULT '0'," +
			"ScriptName char(64) DEFAULT '',VerifiedBuild int DEFAULT NULL,CreateObject tinyint unsigned NOT NULL DEFAULT '0',Comment text",
		row: func(w *writer, n int, c Config) {
			w.ints(7*n+1, firstEntry+n%templates(c.Creatures), 0, 0, Maps[n%len(Maps)], 0, 0, 1, 1, n%2)
			w.place()
			w.reals(5, 6*w.dice.Float64())
			w.ints(300, 5*(n%2), 0, 1+w.dice.IntN(9000), 0, n%2, 0, 0, 0)
			w.text("")
			w.ints(12340, 0)
			w.null()
		},
	},
	{
		name: "creature_template", key: "`entry`", rows: func(c Config) int { return templates(c.Creatures) },
		columns: "entry int unsigned NOT NULL DEFAULT '0'," + repeat("difficulty_entry_# int unsigned NOT NULL DEFAULT '0'", 1, 3) + "," + repeat("KillCredit# int unsigned NOT NULL DEFAULT '0'", 1, 2) +
			",name char(100) NOT NULL DEFAULT '0',subname char(100) DEFAULT NULL,IconName char(100) DEFAULT NULL,gossip_menu_id int unsigned NOT NULL DEFAULT '0'," +
			"minlevel tinyint unsigned NOT NULL DEFAULT '1',maxlevel tinyint unsigned NOT NULL DEFAULT '1',exp smallint NOT NULL DEFAULT '0',faction smallint unsigned NOT NULL DEFAULT '0'," +
			"npcflag int unsigned NOT NULL DEFAULT '0',speed_walk float NOT NULL DEFAULT '1',speed_run float NOT NULL DEFAULT '1.14286',speed_swim float NOT NULL DEFAULT '1'," +
			"speed_flight float NOT NULL DEFAULT '1',detection_range float NOT NULL DEFAULT '20',rank tinyint unsigned NOT NULL DEFAULT '0',dmgschool tinyint NOT NULL DEFAULT '0'," +
			"DamageModifier float NOT NULL DEFAULT '1',BaseAttackTime int unsigned NOT NULL DEFAULT '0',RangeAttackTime int unsigned NOT NULL DEFAULT '0'," +
			"unit_class tinyint unsigned NOT NULL DEFAULT '0',unit_flags int unsigned NOT NULL DEFAULT '0',family tinyint NOT NULL DEFAULT '0',type tinyint unsigned NOT NULL DEFAULT '0'," +
			"lootid int unsigned NOT NULL DEFAULT '0',mingold int unsigned NOT NULL DEFAULT '0',maxgold int unsigned NOT NULL DEFAULT '0',AIName char(64) NOT NULL DEFAULT ''," +
			"MovementType tinyint unsigned NOT NULL DEFAULT '0',HealthModifier float NOT NULL DEFAULT '1',ManaModifier float NOT NULL DEFAULT '1',ArmorModifier float NOT NULL DEFAULT '1'," +
			"ExperienceModifier float NOT NULL DEFAULT '1',flags_extra int unsigned NOT NULL DEFAULT '0',ScriptName char(64) NOT NULL DEFAULT '',VerifiedBuild int DEFAULT NULL",
		row: func(w *writer, n int, c Config) {
			w.ints(firstEntry + n)
			w.zeros(5)
			w.words(2 + n%2)
			w.text("")
			w.null()
			level := 1 + n%80
			w.ints(0, level, level+n%2, n%3, []int{14, 35, 7}[n%3], 0, 1)
			w.reals(5, 1.14286)
			w.ints(1, 1, 20, 0, 0)
			w.reals(1, 1.5)
			w.ints(2000, 2000, 1, 0, 0, 7, 0, level, 2*level)
			if n < scripts(c)/perScript {
				w.text("SmartAI")
			} else {
				w.text("")
			}
			w.ints(n % 2)
			w.reals(2, 1.05)
			w.ints(1, 1, 1, 0)
			w.text("")
			w.ints(12340)
		},
	},
	{
		name: "creature_template_model", key: "`CreatureID`,`Idx`", rows: func(c Config) int { return templates(c.Creatures) },
		columns: "CreatureID int unsigned NOT NULL,Idx smallint unsigned NOT NULL DEFAULT '0',CreatureDisplayID int unsigned NOT NULL,DisplayScale float NOT NULL DEFAULT '1'," +
			"Probability float NOT NULL DEFAULT '0',VerifiedBuild int DEFAULT NULL",
		row: func(w *writer, n int, _ Config) { w.ints(firstEntry+n, 0, 100+w.dice.IntN(20_000), 1, 1, 12340) },
	},
	{
		name: "creature_text", key: "`CreatureID`,`GroupID`,`ID`", rows: func(c Config) int { return scripts(c) / perScript },
		columns: "CreatureID int unsigned NOT NULL DEFAULT '0',GroupID tinyint unsigned NOT NULL DEFAULT '0',ID tinyint unsigned NOT NULL DEFAULT '0',Text longtext," +
			"Type tinyint unsigned NOT NULL DEFAULT '0',Language tinyint NOT NULL DEFAULT '0',Probability float NOT NULL DEFAULT '0',Emote int unsigned NOT NULL DEFAULT '0'," +
			"Duration int unsigned NOT NULL DEFAULT '0',Sound int unsigned NOT NULL DEFAULT '0',BroadcastTextId int NOT NULL DEFAULT '0',TextRange tinyint unsigned NOT NULL DEFAULT '0',comment varchar(255) DEFAULT ''",
		row: func(w *writer, n int, _ Config) {
			w.ints(firstEntry+n, 0, 0)
			w.words(12)
			w.ints(12, 0, 100, 0, 0, 0, 0, 0)
			w.words(3)
		},
	},
	{
		name: "smart_scripts", key: "`entryorguid`,`source_type`,`id`,`link`", rows: scripts,
		columns: "entryorguid int NOT NULL,source_type tinyint unsigned NOT NULL DEFAULT '0',id smallint unsigned NOT NULL DEFAULT '0',link smallint unsigned NOT NULL DEFAULT '0'," +
			"event_type tinyint unsigned NOT NULL DEFAULT '0',event_phase_mask smallint unsigned NOT NULL DEFAULT '0',event_chance tinyint unsigned NOT NULL DEFAULT '100'," +
			"event_flags smallint unsigned NOT NULL DEFAULT '0'," + repeat("event_param# int unsigned NOT NULL DEFAULT '0'", 1, 6) + ",action_type tinyint unsigned NOT NULL DEFAULT '0'," +
			repeat("action_param# int unsigned NOT NULL DEFAULT '0'", 1, 6) + ",target_type tinyint unsigned NOT NULL DEFAULT '0'," + repeat("target_param# int unsigned NOT NULL DEFAULT '0'", 1, 4) +
			",target_x float NOT NULL DEFAULT '0',target_y float NOT NULL DEFAULT '0',target_z float NOT NULL DEFAULT '0',target_o float NOT NULL DEFAULT '0',comment text NOT NULL",
		row: func(w *writer, n int, _ Config) {
			w.ints(firstEntry+n/perScript, 0, n%perScript, 0)
			switch n % perScript { // talks when it is attacked; an emote every now and then; counts in combat
			case 0:
				w.ints(4, 0, 100, 0, 0, 0, 0, 0, 0, 0, 1)
			case 1:
				w.ints(1, 0, 100, 0, 5000, 15_000, 20_000, 45_000, 0, 0, 5, 1)
				w.zeros(5)
			default:
				w.ints(0, 0, 100, 0, 4000, 8000, 9000, 12_000, 0, 0, 63, 1, 1)
				w.zeros(4)
			}
			if n%perScript == 0 {
				w.zeros(6)
			}
			w.ints(1)
			w.zeros(8)
			w.text("Invented Creature - On Some Event - Do Something (No Repeat)")
		},
	},
	{
		name: "waypoint_data", key: "`id`,`point`", rows: func(c Config) int { return c.Nodes },
		columns: "id int unsigned NOT NULL DEFAULT '0',point int unsigned NOT NULL DEFAULT '0',position_x float NOT NULL DEFAULT '0',position_y float NOT NULL DEFAULT '0'," +
			"position_z float NOT NULL DEFAULT '0',orientation float DEFAULT NULL,delay int unsigned NOT NULL DEFAULT '0',move_type int NOT NULL DEFAULT '0'," +
			"action int NOT NULL DEFAULT '0',action_chance smallint NOT NULL DEFAULT '100',wpguid int unsigned NOT NULL DEFAULT '0'",
		row: func(w *writer, n int, _ Config) {
			w.ints(10*(7*(n/perPath)+1), n%perPath+1)
			w.place()
			w.null()
			w.ints(0, 0, 0, 100, 0)
		},
	},
	{
		name: "gameobject", key: "`guid`", rows: gameObjects,
		columns: "guid int unsigned NOT NULL AUTO_INCREMENT,id int unsigned NOT NULL DEFAULT '0',map smallint unsigned NOT NULL DEFAULT '0',zoneId smallint unsigned NOT NULL DEFAULT '0'," +
			"areaId smallint unsigned NOT NULL DEFAULT '0',spawnMask tinyint unsigned NOT NULL DEFAULT '1',phaseMask int unsigned NOT NULL DEFAULT '1',position_x float NOT NULL DEFAULT '0'," +
			"position_y float NOT NULL DEFAULT '0',position_z float NOT NULL DEFAULT '0',orientation float NOT NULL DEFAULT '0'," + repeat("rotation# float NOT NULL DEFAULT '0'", 0, 3) +
			",spawntimesecs int NOT NULL DEFAULT '0',animprogress tinyint unsigned NOT NULL DEFAULT '0',state tinyint unsigned NOT NULL DEFAULT '0',ScriptName char(64) DEFAULT ''," +
			"VerifiedBuild int DEFAULT NULL,Comment text",
		row: func(w *writer, n int, c Config) {
			w.ints(11*n+1, firstEntry+n%templates(c.GameObjects), Maps[n%len(Maps)], 0, 0, 1, 1)
			w.place()
			w.reals(5, 6*w.dice.Float64())
			w.ints(0, 0)
			w.reals(6, 0.707107, 0.707107)
			w.ints(300, 100, 1)
			w.text("")
			w.null()
			w.null()
		},
	},
	{
		name: "gameobject_template", key: "`entry`", rows: func(c Config) int { return templates(c.GameObjects) },
		columns: "entry int unsigned NOT NULL DEFAULT '0',type tinyint unsigned NOT NULL DEFAULT '0',displayId int unsigned NOT NULL DEFAULT '0',name varchar(100) NOT NULL DEFAULT ''," +
			"IconName varchar(100) NOT NULL DEFAULT '',castBarCaption varchar(100) NOT NULL DEFAULT '',unk1 varchar(100) NOT NULL DEFAULT '',size float NOT NULL DEFAULT '1'," +
			repeat("Data# int NOT NULL DEFAULT '0'", 0, 23) + ",AIName char(64) NOT NULL DEFAULT '',ScriptName varchar(64) NOT NULL DEFAULT '',VerifiedBuild int DEFAULT NULL",
		row: func(w *writer, n int, _ Config) {
			w.ints(firstEntry+n, []int{0, 1, 3, 5}[n%4], 100+w.dice.IntN(8000))
			w.words(2)
			w.text("")
			w.text("")
			w.text("")
			w.ints(1)
			w.zeros(24)
			w.text("")
			w.text("")
			w.ints(12340)
		},
	},
	{
		name: "item_template", key: "`entry`", rows: func(c Config) int { return c.Items },
		columns: "entry int unsigned NOT NULL DEFAULT '0',class tinyint unsigned NOT NULL DEFAULT '0',subclass tinyint unsigned NOT NULL DEFAULT '0',SoundOverrideSubclass tinyint NOT NULL DEFAULT '-1'," +
			"name varchar(255) NOT NULL DEFAULT '',displayid int unsigned NOT NULL DEFAULT '0',Quality tinyint unsigned NOT NULL DEFAULT '0',Flags int unsigned NOT NULL DEFAULT '0'," +
			"BuyCount tinyint unsigned NOT NULL DEFAULT '1',BuyPrice bigint NOT NULL DEFAULT '0',SellPrice int unsigned NOT NULL DEFAULT '0',InventoryType tinyint unsigned NOT NULL DEFAULT '0'," +
			"AllowableClass int NOT NULL DEFAULT '-1',AllowableRace int NOT NULL DEFAULT '-1',ItemLevel smallint unsigned NOT NULL DEFAULT '0',RequiredLevel tinyint unsigned NOT NULL DEFAULT '0'," +
			repeat("stat_type# tinyint unsigned NOT NULL DEFAULT '0',stat_value# int NOT NULL DEFAULT '0'", 1, 10) + "," + repeat("dmg_min# float NOT NULL DEFAULT '0',dmg_max# float NOT NULL DEFAULT '0'", 1, 2) +
			",armor smallint unsigned NOT NULL DEFAULT '0',delay smallint unsigned NOT NULL DEFAULT '1000'," +
			repeat("spellid_# int NOT NULL DEFAULT '0',spelltrigger_# tinyint unsigned NOT NULL DEFAULT '0',spellcharges_# smallint NOT NULL DEFAULT '0',spellppmRate_# float NOT NULL DEFAULT '0',"+
				"spellcooldown_# int NOT NULL DEFAULT '-1',spellcategory_# smallint unsigned NOT NULL DEFAULT '0',spellcategorycooldown_# int NOT NULL DEFAULT '-1'", 1, 5) +
			",bonding tinyint unsigned NOT NULL DEFAULT '0',description varchar(255) NOT NULL DEFAULT '',stackable int DEFAULT '1',ContainerSlots tinyint unsigned NOT NULL DEFAULT '0'," +
			"block int unsigned NOT NULL DEFAULT '0',MaxDurability smallint unsigned NOT NULL DEFAULT '0'," + repeat("socketColor_# tinyint NOT NULL DEFAULT '0',socketContent_# int NOT NULL DEFAULT '0'", 1, 3) +
			",ScriptName varchar(64) NOT NULL DEFAULT '',VerifiedBuild int DEFAULT NULL",
		row: func(w *writer, n int, _ Config) {
			level := 1 + n%80
			w.ints(firstItem+n, 2, n%10, -1)
			w.words(3)
			w.ints(1000+w.dice.IntN(50_000), n%5, 0, 1, 500*level, 100*level, 13, -1, -1, 2*level, level, 7, level, 4, n%20)
			w.zeros(16)
			w.reals(1, 10.5, 20.5)
			w.ints(0, 0, 0, 2400)
			for range 5 {
				w.ints(0, 0, 0, 0, -1, 0, -1)
			}
			w.ints(1)
			w.text("")
			w.ints(1, 0, 0, 75)
			w.zeros(6)
			w.text("")
			w.ints(12340)
		},
	},
	{
		name: "quest_template", key: "`ID`", rows: func(c Config) int { return c.Quests },
		columns: "ID int unsigned NOT NULL DEFAULT '0',QuestType tinyint unsigned NOT NULL DEFAULT '2',QuestLevel smallint NOT NULL DEFAULT '1',MinLevel tinyint unsigned NOT NULL DEFAULT '0'," +
			repeat("RewardItem# int unsigned NOT NULL DEFAULT '0',RewardAmount# smallint unsigned NOT NULL DEFAULT '0'", 1, 4) + "," + repeat("RequiredNpcOrGo# int NOT NULL DEFAULT '0'", 1, 4) +
			",LogTitle text,LogDescription text,QuestDescription text,AreaDescription text,QuestCompletionLog text,VerifiedBuild int DEFAULT NULL",
		row: func(w *writer, n int, _ Config) {
			w.ints(n+1, 2, 1+n%80, 1+n%80)
			w.zeros(12)
			w.words(4)
			w.words(20)
			w.words(80)
			w.text("")
			w.words(10)
			w.ints(12340)
		},
	},
	{
		name: "creature_loot_template", key: "`Entry`,`Item`,`Reference`,`GroupId`", rows: func(c Config) int { return c.Loot },
		columns: "Entry int unsigned NOT NULL DEFAULT '0',Item int unsigned NOT NULL DEFAULT '0',Reference int NOT NULL DEFAULT '0',Chance float NOT NULL DEFAULT '100',QuestRequired tinyint NOT NULL DEFAULT '0'," +
			"LootMode smallint unsigned NOT NULL DEFAULT '1',GroupId tinyint unsigned NOT NULL DEFAULT '0',MinCount tinyint unsigned NOT NULL DEFAULT '1',MaxCount tinyint unsigned NOT NULL DEFAULT '1',Comment varchar(255) DEFAULT NULL",
		row: func(w *writer, n int, c Config) {
			w.ints(firstEntry+n/perLoot, firstItem+n%perLoot, 0)
			w.reals(2, 100*w.dice.Float64())
			w.ints(0, 1, 0, 1, 1)
			w.words(4)
		},
	},
	{
		name: "creature_text_locale", key: "`CreatureID`,`Locale`", rows: func(c Config) int { return c.Locales },
		columns: "CreatureID int unsigned NOT NULL DEFAULT '0',Locale varchar(4) NOT NULL,Text text",
		row: func(w *writer, n int, _ Config) {
			w.ints(firstEntry + n/locales)
			w.text([locales]string{"deDE", "esES", "esMX", "frFR", "koKR", "ruRU", "zhCN", "zhTW"}[n%locales])
			w.words(14)
		},
	},
}
