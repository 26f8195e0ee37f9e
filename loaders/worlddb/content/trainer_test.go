package content

import (
	"reflect"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/loaders/worlddb"
)

// school are three trainers, of which 602 teaches what is not there.
const school = `
INSERT INTO creature_template_model VALUES (600,0,1003,1,1),(601,0,1003,1,1),(602,0,1003,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,600,0,1), (2,601,0,2), (3,602,0,3);
`

// In the tables of TrinityCore and of AzerothCore, the newer and the older ones.
func TestTrainers(t *testing.T) {
	for _, c := range []struct {
		name, sql, greeting, use string
		skilled                  defs.TrainerSpell
	}{
		{
			"lists", `
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type) VALUES
(600, 'Ember', 5, 5, 35, 17, 1, 7), (601, 'Smith', 5, 5, 35, 16, 1, 7), (602, 'Fool', 5, 5, 35, 16, 1, 7);
CREATE TABLE trainer (Id int, Type int, Requirement int, Greeting text, PRIMARY KEY (Id));
CREATE TABLE trainer_spell (TrainerId int, SpellId int, MoneyCost int, ReqSkillLine int, ReqSkillRank int, ReqAbility1 int, ReqAbility2 int, ReqAbility3 int, ReqLevel int, PRIMARY KEY (TrainerId, SpellId));
CREATE TABLE creature_default_trainer (CreatureId int, TrainerId int, PRIMARY KEY (CreatureId));
INSERT INTO trainer VALUES (1, 0, 8, 'Sparks?'), (2, 2, 0, 'Sparks?'), (3, 0, 1, '');
INSERT INTO trainer_spell VALUES (1,72,100,0,0,71,0,0,6), (1,71,0,0,0,0,0,0,1), (2,71,9,164,75,0,0,0,5), (3,99,1,0,0,0,0,0,1), (4,71,1,0,0,0,0,0,1), (1,73,5,0,0,0,0,0,1);
INSERT INTO creature_default_trainer VALUES (600,1), (601,2), (602,3), (603,1), (604,4);
INSERT INTO creature_template (entry, name, npcflag) VALUES (604, 'Of a list without a trainer', 16);
INSERT INTO creature_template_model VALUES (604,0,1003,1,1);
`, "Sparks?", `creature_default_trainer 3
  not 1: its trainer is not there
  not 1: no trainer that is executed has it
trainer 3
trainer_spell 3
  not 1: its spell is not there
  not 1: no trainer that is executed teaches it
  not 1: what its spell teaches is not there
`, defs.TrainerSpell{Spell: 71, Copper: 9, Skill: 164, SkillRank: 75, Level: 5},
		},
		{
			"rows of creatures", `
ALTER TABLE creature_template ADD COLUMN trainer_type int NOT NULL DEFAULT 0, ADD COLUMN trainer_spell int NOT NULL DEFAULT 0, ADD COLUMN trainer_class int NOT NULL DEFAULT 0, ADD COLUMN trainer_race int NOT NULL DEFAULT 0;
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type, trainer_type, trainer_spell, trainer_class, trainer_race) VALUES
(600, 'Ember', 5, 5, 35, 17, 1, 7, 0, 0, 8, 0), (601, 'Smith', 5, 5, 35, 16, 1, 7, 2, 0, 8, 1), (602, 'Fool', 5, 5, 35, 16, 1, 7, 0, 0, 1, 0);
CREATE TABLE npc_trainer (ID int, SpellID int, MoneyCost int, ReqSkillLine int, ReqSkillRank int, ReqLevel int, ReqSpell int, PRIMARY KEY (ID, SpellID));
INSERT INTO npc_trainer VALUES (600,-200,0,0,0,0,0), (200,72,100,0,0,6,71), (200,71,0,0,0,1,0), (200,-600,0,0,0,0,0), (601,71,9,164,75,5,0), (602,99,1,0,0,1,0), (201,71,1,0,0,1,0);
`, "", `npc_trainer 5
  not 1: its spell is not there
  not 1: no trainer that is executed teaches it
`, defs.TrainerSpell{Spell: 71, Copper: 9, Skill: 164, SkillRank: 75, Level: 5},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := base()
			from.Spells = []defs.Spell{{ID: 71, Name: "Spark"}, {ID: 72, Name: "Flame"}, {ID: 73, Effects: [3]defs.Effect{{Kind: defs.EffectLearn, Trigger: 98}}}}
			w, err := Load(t.Context(), imported(t, "testdata/azerothcore.sql", dump(t, c.sql+school)), from)
			if err != nil {
				t.Fatal(err)
			}
			trainers := []defs.Trainer{
				{Entry: 600, Requirement: 8, Greeting: c.greeting, Spells: []defs.TrainerSpell{{Spell: 71, Level: 1}, {Spell: 72, Copper: 100, Abilities: [3]uint32{71}, Level: 6}}},
				{Entry: 601, Kind: defs.TrainerProfession, Greeting: c.greeting, Spells: []defs.TrainerSpell{c.skilled}},
			}
			if !reflect.DeepEqual(w.Trainers, trainers) {
				t.Errorf("got  %+v\nwant %+v", w.Trainers, trainers)
			}
			for entry, flags := range map[uint32]uint32{600: components.NPCGossip | components.NPCTrainer, 601: components.NPCTrainer, 602: 0} {
				if got := w.Creature(entry).NPCFlags; got != flags {
					t.Errorf("%d has flags %#x, want %#x", entry, got, flags)
				}
			}
			kept := make(map[string]*worlddb.TableUse)
			for _, table := range []string{"trainer", "trainer_spell", "creature_default_trainer", "npc_trainer"} {
				if u := w.Use[table]; u != nil && u.Executed > 0 {
					kept[table] = u
				}
			}
			if got := use(&World{Use: kept}); got != c.use {
				t.Errorf("got\n%s\nwant\n%s", got, c.use)
			}
		})
	}
}

// In CMaNGOS' tables trainers share lists, and greet.
func TestTrainersOfCMaNGOS(t *testing.T) {
	from := base()
	from.Spells = []defs.Spell{{ID: 71, Name: "Spark"}, {ID: 72, Name: "Flame"}}
	w, err := Load(t.Context(), imported(t, dump(t, `
CREATE TABLE creature_template (Entry int, Name text, DisplayId1 int, NpcFlags int, TrainerType int, TrainerSpell int, TrainerClass int, TrainerRace int, TrainerTemplateId int, HealthMultiplier float, PRIMARY KEY (Entry));
CREATE TABLE creature (guid int, id int, map int, position_x float, position_y float, spawntimesecsmin int, PRIMARY KEY (guid));
CREATE TABLE npc_trainer (entry int, spell int, spellcost int, reqskill int, reqskillvalue int, reqlevel int, ReqAbility1 int, condition_id int, PRIMARY KEY (entry, spell));
CREATE TABLE npc_trainer_template (entry int, spell int, spellcost int, reqskill int, reqskillvalue int, reqlevel int, PRIMARY KEY (entry, spell));
CREATE TABLE npc_trainer_greeting (entry int, content_default text, PRIMARY KEY (entry));
INSERT INTO creature_template VALUES (5, 'Rider', 1, 16, 1, 0, 0, 4, 7, 1);
INSERT INTO creature VALUES (1, 5, 0, 1, 1, 60);
INSERT INTO npc_trainer VALUES (5,71,10,0,0,3,72,0), (5,72,10,0,0,3,0,44);
INSERT INTO npc_trainer_template VALUES (7,72,20,0,0,4), (8,72,20,0,0,4);
INSERT INTO npc_trainer_greeting VALUES (5, 'Saddle up');
`)), from)
	if err != nil {
		t.Fatal(err)
	}
	trainers := []defs.Trainer{{Entry: 5, Kind: defs.TrainerMount, Requirement: 4, Greeting: "Saddle up", Spells: []defs.TrainerSpell{
		{Spell: 71, Copper: 10, Abilities: [3]uint32{72}, Level: 3}, {Spell: 72, Copper: 20, Level: 4},
	}}}
	if !reflect.DeepEqual(w.Trainers, trainers) {
		t.Errorf("got  %+v\nwant %+v", w.Trainers, trainers)
	}
	if u := w.Use["npc_trainer"]; u.Executed != 1 || u.Not["it is taught under conditions"] != 1 || w.Use["npc_trainer_template"].Executed != 1 {
		t.Error(use(w))
	}
}
