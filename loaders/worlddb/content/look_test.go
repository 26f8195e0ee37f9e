package content

import (
	"strings"
	"testing"

	"muster/components/defs"
)

// What creatures hold and how they hold themselves, in the tables of the three families.
func TestLooks(t *testing.T) {
	creatures := `
INSERT INTO creature_template_model VALUES (700,0,1003,1,1),(701,0,1003,1,1);
INSERT INTO creature_template (entry, name, minlevel, maxlevel, unit_class, type) VALUES (700, 'Guard', 5, 5, 1, 7), (701, 'Nobody', 5, 5, 1, 7);
INSERT INTO creature (guid, id1, map, position_x, equipment_id) VALUES (1,700,0,1,2), (2,700,0,2,-1), (3,700,0,3,0), (4,700,0,4,1), (5,701,0,5,0), (6,700,0,6,9), (7,700,0,7,1);
CREATE TABLE creature_equip_template (CreatureID int, ID int, ItemID1 int, ItemID2 int, ItemID3 int, PRIMARY KEY (CreatureID, ID));
INSERT INTO creature_equip_template VALUES (700,2,21,22,23), (700,1,11,12,0);
`
	for family, addons := range map[string]string{
		// Sitting is 1, kneeling 8; PvP 1; sneaking 2 of the third byte.
		"AzerothCore": `
ALTER TABLE creature_addon ADD COLUMN bytes1 int NOT NULL DEFAULT '0', ADD COLUMN bytes2 int NOT NULL DEFAULT '0', ADD COLUMN emote int NOT NULL DEFAULT '0';
ALTER TABLE creature_template_addon ADD COLUMN bytes1 int NOT NULL DEFAULT '0', ADD COLUMN bytes2 int NOT NULL DEFAULT '0', ADD COLUMN mount int NOT NULL DEFAULT '0';
INSERT INTO creature_addon (guid, mount, auras, bytes1, bytes2, emote) VALUES (4,0,'',131080,258,375), (5,2410,'1 2',0,0,0), (7,0,'',0,0,0);
INSERT INTO creature_template_addon (entry, bytes1, bytes2) VALUES (700,1,1);
`,
		"TrinityCore": `
ALTER TABLE creature_addon ADD COLUMN StandState int NOT NULL DEFAULT '0', ADD COLUMN AnimTier int NOT NULL DEFAULT '0', ADD COLUMN VisFlags int NOT NULL DEFAULT '0', ADD COLUMN SheathState int NOT NULL DEFAULT '1',
  ADD COLUMN PvPFlags int NOT NULL DEFAULT '0', ADD COLUMN emote int NOT NULL DEFAULT '0';
ALTER TABLE creature_template_addon ADD COLUMN StandState int NOT NULL DEFAULT '0', ADD COLUMN SheathState int NOT NULL DEFAULT '1';
INSERT INTO creature_addon (guid, mount, auras, StandState, VisFlags, SheathState, PvPFlags, emote) VALUES (4,0,'',8,2,2,1,375), (5,2410,'1 2',0,0,0,0,0), (7,0,'',0,0,0,0,0);
INSERT INTO creature_template_addon (entry, StandState, SheathState) VALUES (700,1,1);
`,
	} {
		t.Run(family, func(t *testing.T) {
			w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, "ALTER TABLE creature ADD COLUMN equipment_id int NOT NULL DEFAULT '0';\n"+addons+creatures)))
			if got, want := w.Creature(700).Look, (defs.Look{Items: [3]uint32{11, 12}, Stand: 1, Sheath: 1}); got != want {
				t.Errorf("what is summoned is %+v, want %+v", got, want)
			}
			for i, want := range []defs.Look{
				{Items: [3]uint32{21, 22, 23}, Stand: 1, Sheath: 1},
				{Items: [3]uint32{11, 12}, Stand: 1, Sheath: 1},
				{Stand: 1, Sheath: 1},
				{Items: [3]uint32{11, 12}, Stand: 8, Visibility: 2, Sheath: 2, PvP: 1, Emote: 375},
				{Mount: 2410},
				{Stand: 1, Sheath: 1},
				{Items: [3]uint32{11, 12}},
			} {
				if got := lookOf(w, i); got != want {
					t.Errorf("%d: %+v, want %+v", i+1, got, want)
				}
			}
			if u := w.Use["creature_addon"]; u.Executed != 2 || u.Part["its auras: those of spells that are not there, or more than 4"] != 1 || u.Not["it has nothing that is executed"] != 1 || w.Use["creature_equip_template"].Executed != 2 {
				t.Error(use(w))
			}
		})
	}
	t.Run("CMaNGOS", func(t *testing.T) {
		w := load(t, imported(t, dump(t, `
CREATE TABLE creature_template (Entry int, Name text, DisplayId1 int, EquipmentTemplateId int, HealthMultiplier float, PRIMARY KEY (Entry));
CREATE TABLE creature (guid int, id int, map int, position_x float, position_y float, spawntimesecsmin int, equipment_id int, PRIMARY KEY (guid));
CREATE TABLE creature_addon (guid int, mount int, stand_state int, sheath_state int, emote int, auras text, PRIMARY KEY (guid));
CREATE TABLE creature_equip_template (entry int, equipentry1 int, equipentry2 int, equipentry3 int, PRIMARY KEY (entry));
INSERT INTO creature_template VALUES (5, 'Sentry', 1, 77, 1);
INSERT INTO creature VALUES (1,5,0,1,1,60,0), (2,5,0,2,1,60,78), (3,5,0,3,1,60,0);
INSERT INTO creature_addon VALUES (3, 9, 8, 2, 64, '');
INSERT INTO creature_equip_template VALUES (77, 31, 0, 32), (78, 41, 42, 0);
`)))
		for i, want := range []defs.Look{
			{Items: [3]uint32{31, 0, 32}, Sheath: 1}, {Items: [3]uint32{41, 42}, Sheath: 1}, {Items: [3]uint32{31, 0, 32}, Mount: 9, Stand: 8, Sheath: 2, Emote: 64},
		} {
			if got := lookOf(w, i); got != want {
				t.Errorf("%d: %+v, want %+v", i+1, got, want)
			}
		}
		if !strings.Contains(use(w), "creature_equip_template 2\n") {
			t.Error(use(w))
		}
	})
}

// lookOf is the look of a spawn point of the first map.
func lookOf(w *World, point int) defs.Look {
	s := w.Maps[0].Spawns[point]
	if s.Look == 0 {
		return w.Creature(s.Entry).Look
	}
	return w.Maps[0].Looks[s.Look-1]
}
