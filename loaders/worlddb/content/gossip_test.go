package content

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/loaders/worlddb"
)

// parlour has the tables of menus as AzerothCore and TrinityCore have them, which differ in the emotes of texts, and rows: 500 has a menu,
// 501 none, 502 is a spirit healer.
const parlour = `
ALTER TABLE creature_template ADD COLUMN gossip_menu_id int unsigned NOT NULL DEFAULT '0';
CREATE TABLE gossip_menu (MenuID int unsigned NOT NULL, TextID int unsigned NOT NULL, PRIMARY KEY (MenuID, TextID));
CREATE TABLE gossip_menu_option (MenuID int unsigned NOT NULL, OptionID int unsigned NOT NULL, OptionIcon int unsigned NOT NULL DEFAULT '0', OptionText text,
  OptionBroadcastTextID int NOT NULL DEFAULT '0', OptionType int unsigned NOT NULL DEFAULT '0', OptionNpcFlag int unsigned NOT NULL DEFAULT '0', ActionMenuID int unsigned NOT NULL DEFAULT '0',
  ActionPoiID int unsigned NOT NULL DEFAULT '0', BoxCoded int unsigned NOT NULL DEFAULT '0', BoxMoney int unsigned NOT NULL DEFAULT '0', BoxText text,
  BoxBroadcastTextID int NOT NULL DEFAULT '0', PRIMARY KEY (MenuID, OptionID));
CREATE TABLE points_of_interest (ID int unsigned NOT NULL, PositionX float NOT NULL, PositionY float NOT NULL, Icon int NOT NULL, Flags int NOT NULL, Importance int NOT NULL, Name text, PRIMARY KEY (ID));
CREATE TABLE broadcast_text (ID int unsigned NOT NULL, LanguageID int NOT NULL, MaleText text, FemaleText text, PRIMARY KEY (ID));
CREATE TABLE conditions (SourceTypeOrReferenceId int NOT NULL, SourceGroup int NOT NULL, SourceEntry int NOT NULL, ConditionTypeOrReference int NOT NULL,
  PRIMARY KEY (SourceTypeOrReferenceId, SourceGroup, SourceEntry));
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type, gossip_menu_id) VALUES
(500, 'Host', 5, 5, 35, 129, 1, 7, 41), (501, 'Guest', 5, 5, 35, 1, 1, 7, 0), (502, 'Shade', 5, 5, 35, 16385, 1, 7, 41);
INSERT INTO creature_template_model VALUES (500,0,1003,1,1),(501,0,1003,1,1),(502,0,1003,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,500,0,1), (2,501,0,2), (3,502,0,3);
INSERT INTO gossip_menu VALUES (41,901),(41,902),(41,903),(42,904),(43,0);
INSERT INTO gossip_menu_option (MenuID, OptionID, OptionIcon, OptionText, OptionBroadcastTextID, OptionType, OptionNpcFlag, ActionMenuID, ActionPoiID, BoxCoded, BoxMoney, BoxText, BoxBroadcastTextID) VALUES
(0,0,0,'Talk',0,1,1,0,0,0,0,'',0), (41,2,1,'Wares',0,3,128,0,0,0,0,'',0), (41,0,0,'Stories',0,1,1,42,0,0,0,'Really?',0), (41,1,4,'Unsaid',71,1,1,0,5,0,0,'',72),
(41,3,0,'Paid',0,1,1,0,0,0,100,'',0), (41,4,0,'Secret',0,1,1,0,0,1,0,'',0), (41,5,0,'Fly',0,4,8192,0,0,0,0,'',0), (41,6,0,'Guarded',0,1,1,0,0,0,0,'',0),
(41,7,0,'Other wares',0,3,128,77,0,0,0,'',0), (41,8,0,'Nobody',0,1,0,0,0,0,0,'',0), (42,0,3,'Learn',0,5,16,0,0,0,0,'',0);
INSERT INTO points_of_interest VALUES (5,10,-20,7,99,1,'Old well'), (6,90000,0,7,99,1,'Nowhere');
INSERT INTO broadcast_text VALUES (71,0,'Said',''), (72,0,'Sure?',''), (73,7,'Hello, sir','Hello, lady'), (74,0,'Of others','');
INSERT INTO conditions VALUES (14,41,903,8), (15,41,6,8);
`

// In the tables of AzerothCore and of TrinityCore.
func TestGossips(t *testing.T) {
	for family, columns := range map[string]string{
		"AzerothCore": "em0_0 int, em0_1 int, em0_2 int, em0_3 int, em0_4 int, em0_5 int, PRIMARY KEY (ID)",
		"TrinityCore": "EmoteDelay0_0 int, Emote0_0 int, EmoteDelay0_1 int, Emote0_1 int, EmoteDelay0_2 int, Emote0_2 int, PRIMARY KEY (ID)",
	} {
		t.Run(family, func(t *testing.T) {
			w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, parlour+`
CREATE TABLE npc_text (ID int unsigned NOT NULL, text0_0 text, text0_1 text, BroadcastTextID0 int, lang0 int, Probability0 float, text1_0 text, BroadcastTextID1 int, Probability1 float,
`+columns+`);
INSERT INTO npc_text VALUES (901,'Not last','',0,0,1,'',0,0, 0,0,0,0,0,0), (902,'Well met','Well met, lady',0,3,0.75,'x',73,0.25, 100,1,0,2,0,0), (904,'','Lo',0,0,1,'',0,0, 0,0,0,0,0,0);
`)))
			options := []defs.GossipOption{
				{ID: 0, Text: "Stories", BoxText: "Really?", NPCFlags: 1, Menu: 42},
				{ID: 1, Icon: 4, Text: "Said", BoxText: "Sure?", NPCFlags: 1, Point: 5},
				{ID: 2, Icon: 1, Text: "Wares", NPCFlags: 128, Opens: defs.GossipVendor},
			}
			menus := []defs.GossipMenu{
				{ID: 0, Text: defs.DefaultText, Options: []defs.GossipOption{{Text: "Talk", NPCFlags: 1}}},
				{ID: 41, Text: 902, Options: options},
				{ID: 42, Text: 904, Options: []defs.GossipOption{{Icon: 3, Text: "Learn", NPCFlags: 16, Opens: defs.GossipTrainer}}},
				{ID: 43, Text: defs.DefaultText},
			}
			if !reflect.DeepEqual(w.GossipMenus, menus) {
				t.Errorf("got  %+v\nwant %+v", w.GossipMenus, menus)
			}
			want := defs.NPCText{ID: 902, Choices: [8]defs.NPCTextChoice{
				{Probability: 0.75, Male: "Well met", Female: "Well met, lady", Language: 3, Emotes: [3]defs.NPCTextEmote{{DelayMs: 100, Emote: 1}, {Emote: 2}}},
				{Probability: 0.25, Male: "Hello, sir", Female: "Hello, lady", Language: 7},
			}}
			if got := w.NPCText(902); len(w.NPCTexts) != 3 || got == nil || *got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if points := []defs.PointOfInterest{{ID: 5, X: 10, Y: -20, Icon: 7, Flags: 99, Data: 1, Name: "Old well"}}; !slices.Equal(w.PointsOfInterest, points) {
				t.Errorf("points %+v", w.PointsOfInterest)
			}
			for entry, want := range map[uint32][2]uint32{
				500: {components.NPCGossip | components.NPCVendor, 41}, 501: {components.NPCGossip, 0}, 502: {components.NPCSpiritHealer, 0},
			} {
				if c := w.Creature(entry); c.NPCFlags != want[0] || c.GossipMenu != want[1] {
					t.Errorf("%d has flags %#x and menu %d, want %#x", entry, c.NPCFlags, c.GossipMenu, want)
				}
			}
			const wantUse = `broadcast_text 3
  not 1: no menu and no creature that is executed says it
gossip_menu 4
  in part 1: of several texts without conditions a menu has the last
  not 1: it depends on a condition that is not executed
gossip_menu_option 5
  not 1: it depends on a condition that is not executed
  not 1: the option asks for a text, which a script would read
  not 1: the option costs money
  not 1: the option is there without an NPC flag: creatures never have it
  not 1: the option opens the list of another vendor
  not 1: what the option opens is not executed
npc_text 3
points_of_interest 1
  not 1: the position is off its map
`
			kept := make(map[string]*worlddb.TableUse)
			for table, u := range w.Use {
				if strings.Contains("\n"+wantUse, "\n"+table+" ") {
					kept[table] = u
				}
			}
			if got := use(&World{Use: kept}); got != wantUse {
				t.Errorf("got\n%s\nwant\n%s", got, wantUse)
			}
		})
	}
}

// In CMaNGOS' tables each row names its condition, a window is closed by a menu of -1, and texts are spoken.
func TestGossipsOfCMaNGOS(t *testing.T) {
	w := load(t, imported(t, dump(t, `
CREATE TABLE creature_template (Entry int, Name text, DisplayId1 int, NpcFlags int, GossipMenuId int, HealthMultiplier float, PRIMARY KEY (Entry));
CREATE TABLE creature (guid int, id int, map int, position_x float, position_y float, spawntimesecsmin int, PRIMARY KEY (guid));
CREATE TABLE gossip_menu (entry int, text_id int, script_id int, condition_id int, PRIMARY KEY (entry, text_id, script_id));
CREATE TABLE gossip_menu_option (menu_id int, id int, option_icon int, option_text text, option_broadcast_text int, option_id int, npc_option_npcflag int, action_menu_id int, action_poi_id int,
  action_script_id int, box_coded int, box_money int, box_text text, box_broadcast_text int, condition_id int, PRIMARY KEY (menu_id, id));
CREATE TABLE npc_text (ID int, text0_0 text, text0_1 text, lang0 int, prob0 float, em0_0_delay int, em0_0 int, em0_1_delay int, em0_1 int, em0_2_delay int, em0_2 int, PRIMARY KEY (ID));
CREATE TABLE npc_text_broadcast_text (Id int, Prob0 float, BroadcastTextId0 int, PRIMARY KEY (Id));
CREATE TABLE broadcast_text (Id int, Text text, Text1 text, LanguageID int, PRIMARY KEY (Id));
CREATE TABLE conditions (condition_entry int, type int, PRIMARY KEY (condition_entry));
INSERT INTO creature_template VALUES (5, 'Chandler', 1, 1, 8, 1);
INSERT INTO creature VALUES (1, 5, 0, 1, 1, 60);
INSERT INTO gossip_menu VALUES (8,20,0,0), (8,21,0,44);
INSERT INTO gossip_menu_option VALUES (8,0,2,'Farewell',0,1,1,-1,0,0,0,0,'',0,0), (8,1,0,'',30,1,1,9,0,66,0,0,'',0,0), (8,2,0,'Hm',0,1,1,9,0,0,0,0,'',0,44);
INSERT INTO npc_text VALUES (20,'Ah','',0,1, 10,1,20,2,0,0);
INSERT INTO npc_text_broadcast_text VALUES (20,1,30), (22,0.5,31);
INSERT INTO broadcast_text VALUES (30,'More','',0), (31,'Sir','Lady',7);
INSERT INTO conditions VALUES (44,1);
`)))
	menus := []defs.GossipMenu{{ID: 8, Text: 20, Options: []defs.GossipOption{
		{ID: 0, Icon: 2, Text: "Farewell", NPCFlags: 1, Close: true}, {ID: 1, Text: "More", NPCFlags: 1, Menu: 9},
	}}}
	if !reflect.DeepEqual(w.GossipMenus, menus) {
		t.Errorf("got  %+v\nwant %+v", w.GossipMenus, menus)
	}
	texts := []defs.NPCText{
		{ID: 20, Choices: [8]defs.NPCTextChoice{{Probability: 1, Male: "Ah", Emotes: [3]defs.NPCTextEmote{{DelayMs: 10, Emote: 1}, {DelayMs: 20, Emote: 2}}}}},
		{ID: 22, Choices: [8]defs.NPCTextChoice{{Probability: 0.5, Male: "Sir", Female: "Lady", Language: 7}}},
	}
	if !reflect.DeepEqual(w.NPCTexts, texts) {
		t.Errorf("got  %+v\nwant %+v", w.NPCTexts, texts)
	}
	if u := w.Use["gossip_menu_option"]; w.Creature(5).GossipMenu != 8 || u.Executed != 2 || u.Part["the script of the option"] != 1 {
		t.Error(use(w))
	}
}

// Texts, options and rows of scripts depend on conditions that are executed, in groups; one that is not refuses what depends on it.
func TestConditions(t *testing.T) {
	const rows = `
DROP TABLE conditions;
CREATE TABLE conditions (SourceTypeOrReferenceId int NOT NULL, SourceGroup int NOT NULL, SourceEntry int NOT NULL, SourceId int NOT NULL, ElseGroup int NOT NULL,
  ConditionTypeOrReference int NOT NULL, ConditionTarget int NOT NULL, ConditionValue1 int NOT NULL, ConditionValue2 int NOT NULL, ConditionValue3 int NOT NULL, NegativeCondition int NOT NULL,
  PRIMARY KEY (SourceTypeOrReferenceId, SourceGroup, SourceEntry, SourceId, ElseGroup, ConditionTypeOrReference, ConditionTarget, ConditionValue1, ConditionValue2, ConditionValue3));
CREATE TABLE npc_text (ID int unsigned NOT NULL, text0_0 text, text0_1 text, Probability0 float, PRIMARY KEY (ID));
INSERT INTO npc_text VALUES (901,'a','',1), (902,'b','',1), (903,'c','',1);
UPDATE creature_template SET AIName = 'SmartAI' WHERE entry = 500;
INSERT INTO smart_scripts (entryorguid, source_type, id, event_type, event_param1, event_param2, action_type, action_param1, action_param2, target_type, comment) VALUES
(500,0,0, 62,41,0, 72,0,0, 7,''), (500,0,1, 62,41,1, 98,42,0, 7,''), (500,0,2, 62,41,1, 98,41,0, 7,''), (500,0,3, 62,41,1, 98,99,0, 7,''), (500,0,4, 62,41,1, 72,0,0, 7,'');
INSERT INTO conditions VALUES (14,41,903,0,0, 15,0,2,0,0,0), (15,41,6,0,1, 27,0,10,3,0,1), (15,41,6,0,0, 31,1,3,500,1,0), (15,41,6,0,0, 36,0,0,0,0,0), (15,41,0,0,0, 8,0,77,0,0,0),
(22,1,500,0,0, 29,1,501,20,0,0), (22,5,500,0,0, -7,0,0,0,0,0), (15,41,1,0,0, 12,0,9,0,0,0);`
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/smartai.sql", dump(t, strings.ReplaceAll(parlour, "CREATE TABLE broadcast_text", "DROP TABLE broadcast_text; CREATE TABLE broadcast_text")+rows)))
	menu := w.GossipMenu(41)
	if texts := []defs.GossipText{{Text: 901}, {Text: 902}, {Text: 903, Conditions: 1}}; !reflect.DeepEqual(menu.Texts, texts) || menu.Text != 902 {
		t.Errorf("%+v", menu)
	}
	if len(menu.Options) != 2 || menu.Options[1].Text != "Guarded" || menu.Options[1].Conditions != 2 || menu.Options[0].Conditions != 0 {
		t.Errorf("%+v", menu.Options)
	}
	want := []defs.Conditions{
		{{Kind: defs.ConditionClass, Value: [3]uint32{2}}},
		{{Kind: defs.ConditionEntry, Target: 1, Value: [3]uint32{3 | 1<<8, 500, 1}}, {Kind: defs.ConditionAlive}, {Group: 1, Kind: defs.ConditionLevel, Not: true, Value: [3]uint32{10, 3}}},
		{{Kind: defs.ConditionNearCreature, Target: 1, Value: [3]uint32{501, 20}}},
	}
	if !reflect.DeepEqual(w.Conditions, want) {
		t.Errorf("got  %+v\nwant %+v", w.Conditions, want)
	}
	var got []string
	for _, r := range w.World.Scripts[w.Creature(500).Script-1].Rows {
		got = append(got, fmt.Sprint(r.ID, r.Action, r.Do[0], r.Conditions))
	}
	for _, r := range w.Scripts.Refused {
		got = append(got, fmt.Sprintf("%d: %s", r.ID, r.Why))
	}
	if want := []string{"0 72 0 3", "1 98 42 0", "2: its menu has conditions", "3: its menu is not there", "4: it depends on a condition that is not executed"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if u := w.Use["conditions"]; u.Executed != 5 || u.Not["what depends on it is not executed"] != 3 {
		t.Errorf("%+v", u)
	}
}
