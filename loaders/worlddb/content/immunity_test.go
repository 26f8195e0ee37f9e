package content

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"muster/components/defs"
)

// Creatures are immune to what AzerothCore's table of immunities says, or to the masks of their templates in the other databases; the bits of
// the former are one higher.
func TestImmunities(t *testing.T) {
	const template = `CREATE TABLE creature_template (entry int NOT NULL, name text, faction int, modelid1 int, AIName text, spell1 int NOT NULL DEFAULT 0, spell3 int NOT NULL DEFAULT 0, %s, PRIMARY KEY (entry));
CREATE TABLE creature (guid int NOT NULL, id int, map int, position_x float, position_y float, PRIMARY KEY (guid)); INSERT INTO creature VALUES (1,7,0,1,1);`
	stunAndFear := fmt.Sprint(1<<(defs.MechanicStun-1) | 1<<(defs.MechanicFear-1))
	for name, rows := range map[string]string{
		"AzerothCore": fmt.Sprintf(template, "CreatureImmunitiesId int") + `
INSERT INTO creature_template (entry, modelid1, CreatureImmunitiesId) VALUES (7,1,-3), (8,1,0), (9,1,4);
CREATE TABLE creature_immunities (ID int NOT NULL, SchoolMask tinyint, DispelTypeMask smallint, MechanicsMask bigint, Effects text, Auras text, ImmuneAoE int, ImmuneChain int, PRIMARY KEY (ID));
INSERT INTO creature_immunities VALUES (-3,20,0,` + fmt.Sprint(1<<defs.MechanicStun|1<<defs.MechanicFear) + `,'','',0,0), (4,0,2,0,'98, 38,0,x,99999','11 26',0,1), (5,1,0,0,'','',0,0);`,
		"an older fork": fmt.Sprintf(template, "mechanic_immune_mask int unsigned, spell_school_immune_mask int") + `
INSERT INTO creature_template (entry, modelid1, mechanic_immune_mask, spell_school_immune_mask) VALUES (7,1,` + stunAndFear + `,20), (8,1,0,0);`,
		"CMaNGOS": fmt.Sprintf(template, "MechanicImmuneMask int unsigned, SchoolImmuneMask int, HealthMultiplier float NOT NULL DEFAULT 1") + `
INSERT INTO creature_template (entry, modelid1, MechanicImmuneMask, SchoolImmuneMask) VALUES (7,1,` + stunAndFear + `,20), (8,1,0,0);`,
	} {
		w := load(t, imported(t, dump(t, rows)))
		want := []defs.Immunity{{Entry: 7, Schools: defs.SchoolFire | defs.SchoolFrost, Mechanics: 1<<11 | 1<<4}}
		if name == "AzerothCore" {
			want = append(want, defs.Immunity{Entry: 9, Dispels: 1 << defs.DispelMagic, Effects: []defs.EffectKind{defs.EffectDispel, defs.EffectKnockBack}, Auras: []defs.AuraKind{defs.AuraTaunt, defs.AuraRoot}})
		}
		if !reflect.DeepEqual(w.Immunities, want) {
			t.Errorf("%s: %+v, want %+v", name, w.Immunities, want)
		}
		if im := w.Immunity(7); im == nil || !im.Mechanic(defs.MechanicStun) || im.Mechanic(defs.MechanicRoot) || im.Mechanic(0) || w.Immunity(8) != nil {
			t.Errorf("%s: %+v", name, im)
		}
		if name == "AzerothCore" {
			if got, want := usedOf(w, "creature_immunities"), `creature_immunities 2
  in part 1: its immunities to areas and chains
  not 1: no creature that is executed has it
`; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

// Creatures with CombatAI cast the spells of their templates that are there: the harmful ones on their victims, none sooner than after 5 s, and no more
// than they can.
func TestCreatureSpells(t *testing.T) {
	from := base()
	from.Spells = []defs.Spell{
		{ID: 21, MaxRange: 30, CooldownMs: 9000, Flags: defs.SpellHarmful}, {ID: 22, CooldownMs: 1000}, {ID: 23, Flags: defs.SpellHarmful},
		{ID: 24, Effects: [defs.MaxEffects]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraDodge, Amount: 3}}},
	}
	w, err := Load(t.Context(), imported(t, dump(t, `
CREATE TABLE creature_template (entry int NOT NULL, name text, faction int, modelid1 int, AIName text, spell1 int NOT NULL DEFAULT 0, spell3 int NOT NULL DEFAULT 0, PRIMARY KEY (entry));
CREATE TABLE creature (guid int NOT NULL, id int, map int, position_x float, position_y float, PRIMARY KEY (guid)); INSERT INTO creature VALUES (1,7,0,1,1), (2,7,0,2,1), (3,8,1,2,1), (4,8,0,3,1);
INSERT INTO creature_template VALUES (7,'Duellist',14,1,'CombatAI',22,77), (8,'Bystander',14,1,'',21,0);
CREATE TABLE creature_template_spell (CreatureID int NOT NULL, `+"`Index`"+` int NOT NULL, Spell int, PRIMARY KEY (CreatureID, `+"`Index`"+`));
INSERT INTO creature_template_spell VALUES (7,0,21), (7,1,23), (7,2,99), (8,0,21), (9,0,21);
CREATE TABLE creature_addon (guid int NOT NULL, auras text, PRIMARY KEY (guid)); INSERT INTO creature_addon VALUES (1,' 24  24'), (2,'24 22 99'), (3,'x 99');
CREATE TABLE linked_respawn (guid int NOT NULL, linkedGuid int NOT NULL, linkType int NOT NULL, PRIMARY KEY (guid, linkType));
INSERT INTO linked_respawn VALUES (1,4,0), (2,3,0), (4,4,0), (4,2,1), (5,1,3), (6,1,0);
`)), from)
	if err != nil {
		t.Fatal(err)
	}
	want := []defs.CreatureSpell{
		{Spell: 22, FirstMs: 5000, CooldownMs: 5000, OnSelf: true}, {Spell: 21, FirstMs: 9000, CooldownMs: 9000, MaxYards: 30}, {Spell: 23, FirstMs: 5000, CooldownMs: 5000, MaxYards: 5},
	}
	if got := w.Creature(7).Spells; !slices.Equal(got, want) || w.Creature(8).Spells != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
	m := w.Map(0)
	if len(m.Spawns) != 3 || !slices.Equal(m.Links, []defs.RespawnLink{{Of: 0, To: 2}, {Of: 2, To: 2}}) ||
		m.LookOf(w.Creature(7), 1).Auras != [defs.MaxLookAuras]uint32{24, 24} || m.LookOf(w.Creature(7), 2).Auras != [defs.MaxLookAuras]uint32{24} {
		t.Errorf("%+v, %+v, %+v", m.Spawns, m.Links, m.Looks)
	}
	for table, want := range map[string]string{
		"creature_template_spell": `creature_template_spell 2
  not 1: its spell is not there: spells are those of muster
  not 1: its template is not there, or is not executed
  not 1: only creatures whose AIName is CombatAI cast the spells of their templates
`,
		"creature_template": `creature_template 2
  in part 2: its spells: they are not there, or its AIName is not CombatAI
  in part 2: without stats of its level and class: with 1 health
`,
		"creature_addon": `creature_addon 2
  in part 1: its auras: those of spells that are not there, or more than 4
  not 1: it has nothing that is executed
`,
		"linked_respawn": `linked_respawn 2
  not 3: what it links is not executed
  not 1: what it links is on different maps
`,
	} {
		if got := usedOf(w, table); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
