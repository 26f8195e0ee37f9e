package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/loaders/worlddb"
	"muster/net/protocol/msg"
)

// The rows of a creature that speaks, talks, sells and walks, and of an event.
const reloadRows = `
ALTER TABLE creature_template ADD COLUMN gossip_menu_id int unsigned NOT NULL DEFAULT '0';
CREATE TABLE gossip_menu (MenuID int, TextID int, PRIMARY KEY (MenuID, TextID));
CREATE TABLE gossip_menu_option (MenuID int, OptionID int, OptionIcon int, OptionText text, OptionType int, OptionNpcFlag int, ActionMenuID int, ActionPoiID int, PRIMARY KEY (MenuID, OptionID));
CREATE TABLE npc_text (ID int, text0_0 text, text0_1 text, Probability0 float, em0_0 int, em0_1 int, PRIMARY KEY (ID));
CREATE TABLE smart_scripts (entryorguid int, source_type int, id int, link int, event_type int, event_phase_mask int, event_chance int, event_flags int, event_param1 int, event_param2 int, event_param3 int, event_param4 int,
  action_type int, action_param1 int, target_type int, comment text, PRIMARY KEY (entryorguid, source_type, id, link));
CREATE TABLE creature_text (CreatureID int, GroupID int, ID int, Text text, Type int, PRIMARY KEY (CreatureID, GroupID, ID));
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type, gossip_menu_id, AIName) VALUES (7101, 'Juniper Oakes', 9, 9, 35, 129, 1, 7, 61, 'SmartAI');
INSERT INTO creature_template_model VALUES (7101,0,53,1,1);
INSERT INTO creature (guid, id1, map, position_x, position_y, position_z) VALUES (1,7101,0,-97,200,30);
INSERT INTO playercreateinfo VALUES (1,1,0,12,-100,200,30,0);
INSERT INTO gossip_menu VALUES (61,801);
INSERT INTO gossip_menu_option VALUES (61,0,0,'News?',1,1,61,0);
INSERT INTO npc_text VALUES (801,'Rain again.','',1,0,1),(802,'None.','',1,0,0);
INSERT INTO smart_scripts VALUES (7101,0,0,0, 64,0,100,0, 0,0,0,0, 1,0, 7, 'on talk');
INSERT INTO creature_text VALUES (7101,0,0,'Mind the step.',12);
INSERT INTO item_template (entry, class, name, displayid, Quality, BuyCount, BuyPrice, SellPrice, stackable) VALUES (31, 0, 'Reed Cake', 902, 1, 5, 25, 1, 20);
INSERT INTO npc_vendor (entry, slot, item, maxcount, incrtime, ExtendedCost) VALUES (7101,0,31,0,0,0);
CREATE TABLE game_event (eventEntry int, start_time timestamp NULL, end_time timestamp NULL, occurence bigint, length bigint, description text, world_event int, PRIMARY KEY (eventEntry));
INSERT INTO game_event VALUES (3,NULL,NULL,0,0,'Fair',0);
`

// While a server runs, parts of its world are read again: what changes counts at once, rows that are bad are refused with their reason and leave
// everything as it is, and a recording of all that runs again to the same digests.
func TestReloadWorld(t *testing.T) {
	t.Parallel()
	dir, into := t.TempDir(), t.TempDir()
	var paths []string
	write := func(name, sql string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"azerothcore.sql", "vendors.sql"} {
		b, err := os.ReadFile("../../loaders/worlddb/content/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, write(name, string(b)))
	}
	paths = append(paths, write("z.sql", reloadRows))
	must := func(args ...string) {
		t.Helper()
		if code, stdout, stderr := execute(t, nil, args...); code != exitOK {
			t.Fatalf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
	must(append([]string{"world", "import", "--strict", "--data", into}, paths...)...)
	file, before, recordings := filepath.Join(into, worlddb.File), filepath.Join(dir, "before.db"), filepath.Join(dir, "recordings")
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(before, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	update := func(sql string) {
		t.Helper()
		n++
		must("world", "import", "--strict", "--update", "--data", into, write(fmt.Sprintf("update%d.sql", n), sql))
	}

	s := serve(t, "--ephemeral", "--open-level", "3", "--world-db", file, "--record", recordings)
	say := func(line string, want ...string) {
		t.Helper()
		got := s.must("POST", "/api/console", fmt.Sprintf(`{"line":%q}`, line))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %s, want %s", line, got, part)
			}
		}
	}
	v := visit(t, s, "RELOADER")
	v.create("Reloader")
	g := newPlain(0, 1, func(uint32, ...any) {})
	var said []string
	v.reads = func(op uint16, body []byte) {
		g.hear(op, body)
		var m msg.Chat
		if op == msg.OpChat && msg.Decode(12340, body, &m) == nil && m.Type == msg.ChatMonsterSay {
			said = append(said, m.Text)
		}
	}
	v.enter()
	var guid uint64
	for guid == 0 {
		v.pings++
		v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
		v.await(msg.OpPong, new(msg.Pong))
		for _, o := range g.things {
			if o.fields[0x3] == 7101 { // OBJECT_FIELD_ENTRY
				guid = o.guid
			}
		}
	}
	talk := func(text uint32, option, monster string) {
		t.Helper()
		var menu msg.GossipMessage
		said = nil
		v.say(msg.OpGossipHello, &msg.GossipHello{GUID: guid})
		if v.await(msg.OpGossipMessage, &menu); menu.Text != text || len(menu.Options) != 1 || menu.Options[0].Text != option {
			t.Errorf("its menu is %+v", menu)
		}
		for end := time.Now().Add(patience); len(said) == 0 && time.Now().Before(end); {
			v.pings++
			v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
			v.await(msg.OpPong, new(msg.Pong))
		}
		if len(said) != 1 || said[0] != monster {
			t.Errorf("it says %q, want %q", said, monster)
		}
	}
	left := func(want int32) {
		t.Helper()
		var wares msg.VendorList
		v.say(msg.OpListInventory, &msg.ListInventory{GUID: guid})
		if v.await(msg.OpVendorList, &wares); len(wares.Items) != 1 || wares.Items[0].Left != want {
			t.Errorf("it sells %+v", wares)
		}
	}
	talk(801, "News?", "Mind the step.")
	left(-1)

	update(`UPDATE creature_text SET Text = 'Mind the gap.'; INSERT INTO creature_text VALUES (7101,1,0,'You again?',12);
UPDATE gossip_menu SET TextID = 802; UPDATE gossip_menu_option SET OptionText = 'Tidings?';
UPDATE npc_vendor SET maxcount = 4, incrtime = 60;
UPDATE game_event SET description = 'Harvest';`)
	talk(801, "News?", "Mind the step.") // nothing is read by itself
	say("reload creature_text", `"ok":true`, "The texts are replaced.")
	talk(801, "News?", "Mind the gap.")
	say("reload gossip_menu", `"ok":true`, "The gossip menus are replaced.")
	talk(802, "Tidings?", "Mind the gap.")
	say("reload npc_vendor", `"ok":true`, "The vendors are replaced.")
	left(4)
	say("event list", "3 - Fair")
	say("reload game_event", `"ok":true`, "The game events are replaced.")
	say("event list", "3 - Harvest")

	update(`INSERT INTO smart_scripts VALUES (7101,0,1,0, 64,0,100,0, 0,0,0,0, 250,0, 7, 'no such action');
UPDATE smart_scripts SET action_param1 = 1 WHERE id = 0;`)
	say("reload smart_scripts", `"ok":false`, "Nothing is replaced: rows are not executed that were, or are new: smart_scripts 7101/0/1: actions of this kind are not executed")
	talk(802, "Tidings?", "Mind the gap.")
	update(`DELETE FROM smart_scripts WHERE id = 1;`)
	v.orders(msg.ChatSay, ".reload smart_scripts")
	if got := v.system(); got != "The scripts are replaced." {
		t.Errorf("a game master is told %q", got)
	}
	talk(802, "Tidings?", "You again?")
	say("reload waypoints", `"ok":true`, "The paths are replaced.")

	update(`INSERT INTO creature (guid, id1, map, position_x, position_y, position_z) VALUES (900,7101,0,-90,200,30);`)
	say("reload smart_scripts", `"ok":false`, "there are other spawn points than when the world was loaded")
	say("reload gossip_menus", `"ok":false`)
	s.stop(syscall.SIGTERM, 1)

	if code, stdout, stderr := execute(t, nil, "replay", recordings, "--world-db", before); code != exitOK || !strings.Contains(stdout, "map 0: ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
