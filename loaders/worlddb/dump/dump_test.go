package dump_test

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/components/defs"
	"muster/loaders/synth"
	"muster/loaders/worlddb"
	"muster/loaders/worlddb/content"
	"muster/loaders/worlddb/dump"
)

// load imports the dump of a folder, and makes the definitions of it.
func load(t *testing.T, dir string) *content.World {
	t.Helper()
	at := t.TempDir()
	r, err := worlddb.Import(t.Context(), worlddb.Config{Paths: []string{dir}, Dir: at, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Report.Clean() || r.Report.Family != worlddb.AzerothCore {
		t.Errorf("%s, %+v, %+v", r.Report.Family, r.Report.Problems, r.Report.Dangling)
	}
	s, ok, err := content.FindSynthetic(t.Context(), at)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	base, err := synth.New(synth.Config{Seed: s.Seed, Start: synth.Start(s.Start), Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := content.Load(t.Context(), at, base)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The definitions of the dump of a synthetic world are those of the synthetic world, to the last bit.
func TestSameWorld(t *testing.T) {
	for _, c := range []synth.Config{{Seed: 1, Start: synth.Spread}, {Seed: math.MaxUint64, Creatures: 3000, Start: synth.One}, {Seed: 7, Creatures: -1, Start: synth.Spread}} {
		want, err := synth.New(c)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "dump")
		if err := dump.Write(dir, want, dump.Config{Start: string(c.Start), Base: synth.Base}); err != nil {
			t.Fatal(err)
		}
		loaded := load(t, dir)
		got := *loaded.World
		if got.Digest == "" {
			t.Error("no digest")
		}
		got.Digest = ""
		compare(t, &got, want)
		for table, use := range loaded.Use {
			if len(use.Not) > 0 {
				t.Errorf("seed %d: of %s are not executed: %v", c.Seed, table, use.Not)
			}
		}
	}
}

// compare says where two worlds differ.
func compare(t *testing.T, got, want *defs.World) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	a, b := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range a.NumField() {
		x, y := a.Field(i), b.Field(i)
		if reflect.DeepEqual(x.Interface(), y.Interface()) {
			continue
		}
		name := a.Type().Field(i).Name
		if x.Kind() != reflect.Slice || x.Len() != y.Len() || name == "Maps" {
			t.Errorf("%s differ", name)
			continue
		}
		for k := range x.Len() {
			if !reflect.DeepEqual(x.Index(k).Interface(), y.Index(k).Interface()) {
				t.Errorf("%s %d: %+v, want %+v", name, k, x.Index(k), y.Index(k))
				break
			}
		}
	}
	for i := range want.Maps {
		if i >= len(got.Maps) {
			t.Errorf("%d maps", len(got.Maps))
			break
		}
		a, b := reflect.ValueOf(got.Maps[i]), reflect.ValueOf(want.Maps[i])
		for f := range a.NumField() {
			x, y := a.Field(f), b.Field(f)
			if reflect.DeepEqual(x.Interface(), y.Interface()) {
				continue
			}
			t.Errorf("map %d: %s differ", i, a.Type().Field(f).Name)
			if x.Kind() != reflect.Slice {
				continue
			}
			for k := range min(x.Len(), y.Len()) {
				if !reflect.DeepEqual(x.Index(k).Interface(), y.Index(k).Interface()) {
					t.Errorf("%d of %d, %d: %+v, want %+v", k, x.Len(), y.Len(), x.Index(k), y.Index(k))
					break
				}
			}
		}
	}
}

// With samples every table that is executed has rows that are, and only those rows make the difference.
func TestSamples(t *testing.T) {
	want, err := synth.New(synth.Config{Seed: 3, Creatures: 500})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "dump")
	if err := dump.Write(dir, want, dump.Config{Start: "spread", Samples: true, Base: synth.Base}); err != nil {
		t.Fatal(err)
	}
	w := load(t, dir)
	for _, table := range strings.Fields("areatrigger areatrigger_scripts areatrigger_teleport broadcast_text conditions creature creature_addon creature_classlevelstats creature_default_trainer creature_equip_template " +
		"creature_formations creature_immunities creature_loot_template creature_model_info creature_template creature_template_addon creature_template_model creature_template_resistance creature_template_spell creature_text factiontemplate_dbc game_event game_event_condition game_event_creature game_event_gameobject game_event_model_equip game_event_npc_vendor game_event_npcflag game_event_pool game_event_prerequisite game_graveyard game_tele gameobject gameobject_addon gameobject_loot_template gameobject_template " +
		"gameobject_template_addon gossip_menu gossip_menu_option graveyard_zone instance_template item_template linked_respawn npc_text npc_vendor player_class_stats player_race_stats player_xp_for_level playercreateinfo playercreateinfo_action playercreateinfo_item playercreateinfo_spell_custom points_of_interest pool_creature pool_gameobject pool_pool " +
		"pool_template reference_loot_template smart_scripts synthetic_world trainer trainer_spell waypoint_data waypoint_scripts waypoints") {
		if use := w.Use[table]; use == nil || use.Executed == 0 || len(use.Not) > 0 {
			t.Errorf("%s: %+v", table, use)
		}
		delete(w.Use, table)
	}
	if len(w.Use) > 0 {
		t.Errorf("executed, and without samples: %v", w.Use)
	}
	if n := len(w.Maps[0].Spawns) - len(want.Maps[0].Spawns); n != 6 || len(w.Maps[0].Objects) != 7 || len(w.Maps[0].ObjectPools) != 2 || len(w.Vendors) != 1 || len(w.GameEvents) != 4 || len(w.Maps[0].EventObjects) != 1 || len(w.Maps[0].EventLooks) != 1 || len(w.EventWares) != 1 ||
		len(w.Maps[0].EventSpawns) != 1 || len(w.Teleports) != len(want.Teleports)+1 || len(w.Hubs) != len(want.Hubs)+1 || len(w.Creatures) != len(want.Creatures)+4 {
		t.Errorf("%d spawns more, %d objects, %d vendors, %d events, %d hubs", n, len(w.Maps[0].Objects), len(w.Vendors), len(w.GameEvents), len(w.Hubs))
	}
	brawler := w.Maps[0].Spawns[len(w.Maps[0].Spawns)-3]
	if im := w.Immunity(brawler.Entry); im == nil || im.Schools != defs.SchoolFrost || !im.Mechanic(defs.MechanicStun) || im.Mechanic(defs.MechanicRoot) {
		t.Errorf("immune to %+v", im)
	}
	if c := w.Creature(brawler.Entry); len(c.Spells) != 1 || c.Spells[0] != (defs.CreatureSpell{Spell: 100002, FirstMs: 5000, CooldownMs: 5000, MaxYards: 30}) {
		t.Errorf("casts %+v", c.Spells)
	}
	if look := w.Maps[0].Looks[brawler.Look-1]; look.Auras != [defs.MaxLookAuras]uint32{101009} {
		t.Errorf("look %+v", look)
	}
	if links := w.Maps[0].Links; len(links) != 4 || w.Maps[0].Spawns[links[1].Of] != brawler || w.Maps[0].Spawns[links[1].To].Entry != 900002 || links[2] != (defs.RespawnLink{Of: defs.ObjectPoint(0), To: defs.ObjectPoint(1)}) {
		t.Errorf("links %+v", links)
	}
	if area := w.Trigger(900003); area == nil || area.To != (defs.Hub{}) || w.World.Scripts[area.Script-1].Rows[0].Event != defs.ScriptAreaEntered {
		t.Errorf("area %+v", area)
	}
	if len(w.NodeScripts) != 1 || len(w.NodeScripts[0].Rows) != 2 || len(w.Maps[0].EventPools) != 1 || len(w.StartActions) != 2 || len(w.StartSpells) != 1 {
		t.Errorf("%+v, %+v, %+v, %+v", w.NodeScripts, w.Maps[0].EventPools, w.StartActions, w.StartSpells)
	}
	if v := w.Vendors[0].Items; v[0].Conditions != 0 || v[1].Conditions == 0 || w.World.Conditions[v[1].Conditions-1][0].Kind != defs.ConditionLevel {
		t.Errorf("sells %+v", v)
	}
	if len(w.GossipMenus) != 2 || len(w.NPCTexts) != 2 || w.NPCTexts[1].Choices[0].Male != "At the first of places." || len(w.PointsOfInterest) != 1 ||
		len(w.Trainers) != 1 || len(w.Trainers[0].Spells) != 1 || w.Spell(w.Trainers[0].Spells[0].Spell).Name != "Rush" || len(w.World.Scripts) != 3 ||
		len(w.ScriptLists) != 1 || len(w.Texts) != 3 || len(w.Maps[0].Looks) != 2 || w.Creature(900001).Look.Items[0] != 100001 ||
		w.Creature(900003).Faction != defs.FactionFriendly || w.Scripts.Loaded != 9 || w.Scripts.Executed != 9 || len(w.ScriptPaths) != 1 {
		t.Errorf("%d menus, %d texts, %d trainers, %d scripts, %d lists, %d lines, %+v", len(w.GossipMenus), len(w.NPCTexts), len(w.Trainers), len(w.World.Scripts),
			len(w.ScriptLists), len(w.Texts), w.Maps[0].Looks)
	}
}

// Rows of a dump that are changed change the world.
func TestChangedRows(t *testing.T) {
	want, err := synth.New(synth.Config{Seed: 3, Creatures: -1})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "dump")
	if err := dump.Write(dir, want, dump.Config{Start: "spread", Base: synth.Base}); err != nil {
		t.Fatal(err)
	}
	at := t.TempDir()
	update := strings.NewReader("UPDATE creature_template SET DamageModifier = 5, ArmorModifier = 2, name = 'Other' WHERE entry = 111; UPDATE item_template SET SellPrice = 9 WHERE entry = 100001;" +
		"DELETE FROM creature WHERE guid = 1;")
	if _, err := worlddb.Import(t.Context(), worlddb.Config{Paths: []string{dir, "-"}, Stdin: update, Dir: at, Strict: true}); err != nil {
		t.Fatal(err)
	}
	base, err := synth.New(synth.Config{Seed: 3, Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := content.Load(t.Context(), at, base)
	if err != nil {
		t.Fatal(err)
	}
	c, was := w.Creature(111), want.Creature(111)
	if c.Name != "Other" || math.Abs(float64(c.MinDamage/was.MinDamage)-5) > 0.01 || c.Armor < 2*was.Armor-1 || w.Item(100_001).SellPrice != 9 {
		t.Errorf("%+v, was %+v", c, was)
	}
	if got := w.Maps[0].Spawns[0]; got != want.Maps[0].Spawns[1] || len(w.Maps[0].Spawns) != len(want.Maps[0].Spawns)-1 {
		t.Errorf("%+v", got)
	}
}

// A folder that has something is left alone.
func TestFolderIsNotEmpty(t *testing.T) {
	dir := t.TempDir()
	w, err := synth.New(synth.Config{Creatures: -1})
	if err != nil {
		t.Fatal(err)
	}
	c := dump.Config{Start: "spread", Base: synth.Base}
	if err := dump.Write(dir, w, c); err != nil {
		t.Fatal(err)
	}
	if err := dump.Write(dir, w, c); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("%v", err)
	}
}

// The areas of the base that lead elsewhere, and what map of it is instanced, are those of its dump alone: another database has no such map.
func TestTriggersOfTheBase(t *testing.T) {
	base, err := synth.New(synth.Config{Seed: 3, Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(base.Triggers) == 0 || !base.Map(3).Instanced {
		t.Fatal("the synthetic world has no dungeon")
	}
	at := t.TempDir()
	other := strings.NewReader("CREATE TABLE playercreateinfo (race int, class int, map int, position_x float, position_y float, PRIMARY KEY (race, class));" +
		"INSERT INTO playercreateinfo VALUES (1,1,0,0,0), (1,2,3,0,0);")
	if _, err := worlddb.Import(t.Context(), worlddb.Config{Paths: []string{"-"}, Stdin: other, Dir: at, Strict: true}); err != nil {
		t.Fatal(err)
	}
	w, err := content.Load(t.Context(), at, base)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Triggers) != 0 || w.Map(0).Instanced || w.Map(3).Instanced {
		t.Errorf("triggers %+v, maps %+v", w.Triggers, w.Maps)
	}
}
