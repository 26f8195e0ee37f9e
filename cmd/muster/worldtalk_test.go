package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/loaders/synth"
	"muster/loaders/worlddb"
	"muster/net/protocol/msg"
)

// lesson is a spell of warriors that they do not begin with, and that replaces no other.
func lesson(t *testing.T) uint32 {
	t.Helper()
	w, err := synth.New(synth.Config{Seed: 1, Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Spells {
		if s := &w.Spells[i]; s.Class == defs.ClassWarrior && s.Level > 1 && s.Replaces == 0 && !s.Has(defs.SpellPassive) {
			return s.ID
		}
	}
	t.Fatal("there is no such spell")
	return 0
}

// A client of an imported world talks to a creature, reads what it says, buys of its wares and learns from it: what it asks for goes
// over its socket to the binary, and each answer has the values of the rows.
func TestWorldDBTalk(t *testing.T) {
	t.Parallel()
	tables, err := os.ReadFile("../../loaders/worlddb/content/testdata/azerothcore.sql")
	if err != nil {
		t.Fatal(err)
	}
	items, err := os.ReadFile("../../loaders/worlddb/content/testdata/vendors.sql")
	if err != nil {
		t.Fatal(err)
	}
	spell := lesson(t)
	rows := fmt.Sprintf(`
ALTER TABLE creature_template ADD COLUMN gossip_menu_id int unsigned NOT NULL DEFAULT '0';
CREATE TABLE gossip_menu (MenuID int, TextID int, PRIMARY KEY (MenuID, TextID));
CREATE TABLE gossip_menu_option (MenuID int, OptionID int, OptionIcon int, OptionText text, OptionType int, OptionNpcFlag int, ActionMenuID int, ActionPoiID int, PRIMARY KEY (MenuID, OptionID));
CREATE TABLE npc_text (ID int, text0_0 text, text0_1 text, Probability0 float, em0_0 int, em0_1 int, PRIMARY KEY (ID));
CREATE TABLE trainer (Id int, Type int, Requirement int, Greeting text, PRIMARY KEY (Id));
CREATE TABLE trainer_spell (TrainerId int, SpellId int, MoneyCost int, ReqLevel int, PRIMARY KEY (TrainerId, SpellId));
CREATE TABLE creature_default_trainer (CreatureId int, TrainerId int, PRIMARY KEY (CreatureId));
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type, gossip_menu_id) VALUES (7101, 'Juniper Oakes', 9, 9, 35, 145, 1, 7, 61);
INSERT INTO creature_template_model VALUES (7101,0,53,1,1);
INSERT INTO creature (guid, id1, map, position_x, position_y, position_z) VALUES (1,7101,0,-97,200,30);
CREATE TABLE creature_equip_template (CreatureID int, ID int, ItemID1 int, ItemID2 int, ItemID3 int, PRIMARY KEY (CreatureID, ID));
INSERT INTO creature_equip_template VALUES (7101,1,31,32,33);
ALTER TABLE creature ADD COLUMN equipment_id int NOT NULL DEFAULT '1';
ALTER TABLE creature_addon ADD COLUMN bytes1 int NOT NULL DEFAULT '0', ADD COLUMN bytes2 int NOT NULL DEFAULT '0', ADD COLUMN emote int NOT NULL DEFAULT '0';
INSERT INTO creature_addon (guid, mount, bytes1, bytes2, emote) VALUES (1, 2410, 8, 257, 375);
INSERT INTO playercreateinfo VALUES (1,1,0,12,-100,200,30,0);
INSERT INTO gossip_menu VALUES (61,801),(62,802);
INSERT INTO gossip_menu_option VALUES (61,0,0,'News?',1,1,62,0),(61,1,1,'Wares',3,128,0,0),(61,2,3,'Lessons',5,16,0,0);
INSERT INTO npc_text VALUES (801,'Rain again.','',1,0,1),(802,'None.','',1,0,0);
INSERT INTO trainer VALUES (3, 0, 1, 'Grip it lower');
INSERT INTO trainer_spell VALUES (3,%d,35,1);
INSERT INTO creature_default_trainer VALUES (7101,3);
INSERT INTO item_template (entry, class, name, displayid, Quality, BuyCount, BuyPrice, SellPrice, stackable) VALUES (31, 0, 'Reed Cake', 902, 1, 5, 25, 1, 20);
INSERT INTO npc_vendor (entry, slot, item, maxcount, incrtime, ExtendedCost) VALUES (7101,0,31,0,0,0);
`, spell)
	dir, into := t.TempDir(), t.TempDir()
	for name, sql := range map[string]string{"1.sql": string(tables), "2.sql": string(items), "3.sql": rows} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, stderr := execute(t, nil, "world", "import", "--strict", "--data", into, dir); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	s := serve(t, "--ephemeral", "--open-level", "3", "--world-db", filepath.Join(into, worlddb.File))
	v := visit(t, s, "TALKER")
	v.create("Talker")
	g := newPlain(0, 1, func(uint32, ...any) {})
	v.reads = g.hear
	v.enter()
	const entryField, flagsField = 0x3, 0x52 // OBJECT_FIELD_ENTRY, UNIT_NPC_FLAGS
	var oakes *thing
	for oakes == nil {
		v.pings++
		v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
		v.await(msg.OpPong, new(msg.Pong))
		for _, o := range g.things {
			if o.fields[entryField] == 7101 {
				oakes = o
			}
		}
	}
	if flags := oakes.fields[flagsField]; flags != components.NPCGossip|components.NPCVendor|components.NPCTrainer {
		t.Errorf("its flags are %#x", flags)
	}

	// UNIT_VIRTUAL_ITEM_SLOT_ID, UNIT_FIELD_MOUNTDISPLAYID, UNIT_FIELD_BYTES_1 (kneeling), UNIT_NPC_EMOTESTATE, UNIT_FIELD_BYTES_2 (sheath and PvP)
	for field, want := range map[uint16]uint32{0x38: 31, 0x39: 32, 0x3A: 33, 0x45: 2410, 0x4A: 8, 0x53: 375, 0x7A: 0x101} {
		if got := oakes.fields[field]; got != want {
			t.Errorf("field %#x is %d, want %d", field, got, want)
		}
	}

	var menu msg.GossipMessage
	v.say(msg.OpGossipHello, &msg.GossipHello{GUID: oakes.guid})
	if v.await(msg.OpGossipMessage, &menu); menu.Menu != 61 || menu.Text != 801 || len(menu.Options) != 3 || menu.Options[1].Text != "Wares" || menu.Options[1].Icon != 1 {
		t.Fatalf("its menu is %+v", menu)
	}
	var text msg.NPCText
	v.say(msg.OpNPCTextQuery, &msg.NPCTextQuery{Text: menu.Text, GUID: oakes.guid})
	if v.await(msg.OpNPCText, &text); text.Choices[0].Male != "Rain again." || text.Choices[0].Female != "Rain again." || text.Choices[0].Emotes[0].Emote != 1 {
		t.Errorf("it says %+v", text.Choices[0])
	}
	v.say(msg.OpGossipSelect, &msg.GossipSelect{GUID: oakes.guid, Menu: 61, Option: 0})
	if v.await(msg.OpGossipMessage, &menu); menu.Menu != 62 || menu.Text != 802 {
		t.Errorf("the other menu is %+v", menu)
	}
	v.say(msg.OpGossipHello, &msg.GossipHello{GUID: oakes.guid})
	v.await(msg.OpGossipMessage, &menu)

	var wares msg.VendorList
	v.say(msg.OpGossipSelect, &msg.GossipSelect{GUID: oakes.guid, Menu: 61, Option: 1})
	if v.await(msg.OpVendorList, &wares); len(wares.Items) != 1 || wares.Items[0].Item != 31 || wares.Items[0].Price != 25 || wares.Items[0].BuyCount != 5 {
		t.Fatalf("it sells %+v", wares)
	}
	buy := &msg.BuyItem{Vendor: oakes.guid, Item: 31, Slot: wares.Items[0].Slot, Count: 2}
	var failed msg.BuyFailed
	v.say(msg.OpBuyItem, buy)
	if v.await(msg.OpBuyFailed, &failed); failed.Item != 31 || failed.Result != msg.BuyTooExpensive {
		t.Errorf("without money: %+v", failed)
	}
	v.orders(msg.ChatSay, ".modify money 100")
	v.system()
	v.say(msg.OpBuyItem, buy)
	var pushed msg.ItemPushResult
	var bought msg.ItemBought
	if v.await(msg.OpItemBought, &bought); bought.Count != 2 || bought.Left != -1 {
		t.Errorf("bought %+v", bought)
	}
	if v.await(msg.OpItemPushResult, &pushed); pushed.Item != 31 || pushed.Count != 10 {
		t.Errorf("got %+v", pushed)
	}

	var lessons msg.TrainerList
	v.say(msg.OpTrainerListQuery, &msg.TrainerListQuery{GUID: oakes.guid})
	if v.await(msg.OpTrainerList, &lessons); lessons.Greeting != "Grip it lower" || len(lessons.Spells) != 1 || lessons.Spells[0].Spell != spell || lessons.Spells[0].Copper != 35 ||
		lessons.Spells[0].State != msg.TrainerAvailable {
		t.Fatalf("it teaches %+v", lessons)
	}
	v.say(msg.OpTrainerBuy, &msg.TrainerBuy{GUID: oakes.guid, Spell: spell})
	var learned msg.LearnedSpell
	v.await(msg.OpTrainerBought, new(msg.TrainerBought))
	if v.await(msg.OpLearnedSpell, &learned); learned.Spell != spell {
		t.Errorf("learned %+v", learned)
	}
	v.say(msg.OpTrainerBuy, &msg.TrainerBuy{GUID: oakes.guid, Spell: spell})
	var refused msg.TrainerBuyFailed
	if v.await(msg.OpTrainerBuyFailed, &refused); refused.Result != msg.TrainerNotEnough {
		t.Errorf("a second time: %+v", refused)
	}
	v.say(msg.OpBuyItem, buy) // 100 less 50 and 35 do not do for it
	if v.await(msg.OpBuyFailed, &failed); failed.Result != msg.BuyTooExpensive {
		t.Errorf("without enough money: %+v", failed)
	}
	s.stop(syscall.SIGTERM, 1)

	_, stdout, _ := execute(t, nil, "world", "report", "--data", into)
	for _, want := range []string{"gossip_menu_option", "npc_text", "trainer_spell", "npc_vendor"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the report does not name %s:\n%s", want, stdout)
		}
	}
}
