package content

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// A trainerRow is a row of trainer.
type trainerRow struct {
	ID          int64  `column:"id" key:""`
	Kind        int64  `column:"type" or:"0"`
	Requirement int64  `column:"requirement" or:"0"`
	Greeting    string `column:"greeting" or:""`
}

// A trainerOfRow is a row of creature_default_trainer.
type trainerOfRow struct {
	Creature int64 `column:"creatureid" key:""`
	Trainer  int64 `column:"trainerid"`
}

// A lessonRow is a row of trainer_spell, npc_trainer or npc_trainer_template.
type lessonRow struct {
	List      int64 `column:"trainerid entry id" key:""`
	Spell     int64 `column:"spellid spell" key:""`
	Copper    int64 `column:"moneycost spellcost" or:"0"`
	Skill     int64 `column:"reqskillline reqskill" or:"0"`
	SkillRank int64 `column:"reqskillrank reqskillvalue" or:"0"`
	Level     int64 `column:"reqlevel" or:"0"`
	Ability1  int64 `column:"reqability1 reqspell" or:"0"`
	Ability2  int64 `column:"reqability2" or:"0"`
	Ability3  int64 `column:"reqability3" or:"0"`
	Condition int64 `column:"condition_id" or:"0"`
}

// A greetingRow is a row of npc_trainer_greeting of CMaNGOS.
type greetingRow struct {
	Entry int64  `column:"entry" key:""`
	Text  string `column:"content_default" or:""`
}

// lessons are the lists of trainers.
type lessons struct {
	loader *loader
	lists  map[string]map[int64][]lessonRow // by table, and by the number of the list
	taught map[string]map[int64]bool        // whose lists are used
}

// teacher notes a creature that is a trainer.
func (l *loader) teacher(t *templateRow) {
	if t.NPCFlags&components.NPCTrainer != 0 {
		l.teachers[t.Entry] = *t
	}
}

// readTrainers makes the lists of the creatures that are trainers. It comes after the templates. A creature that teaches nothing is
// no trainer here: clients would wait for its list.
//
// Source: Trainer::IsTrainerValidForPlayer, AzerothCore, for the requirements.
func (l *loader) readTrainers() error {
	t := &lessons{l, make(map[string]map[int64][]lessonRow), make(map[string]map[int64]bool)}
	for _, table := range []string{"trainer_spell", "npc_trainer", "npc_trainer_template"} {
		if err := t.read(table); err != nil {
			return err
		}
	}
	kinds, of, greetings := make(map[int64]trainerRow), make(map[int64]int64), make(map[int64]string)
	if err := read(l, "trainer", func(r *trainerRow) string {
		kinds[r.ID] = *r
		return ""
	}); err != nil {
		return err
	}
	if err := read(l, "creature_default_trainer", func(r *trainerOfRow) string {
		if _, ok := l.teachers[r.Creature]; !ok {
			return "no trainer that is executed has it"
		}
		if _, ok := kinds[r.Trainer]; !ok {
			return "its trainer is not there"
		}
		of[r.Creature] = r.Trainer
		return ""
	}); err != nil {
		return err
	}
	if err := read(l, "npc_trainer_greeting", func(r *greetingRow) string {
		greetings[r.Entry] = r.Text
		return ""
	}); err != nil {
		return err
	}
	l.world.Trainers = nil
	for _, entry := range slices.Sorted(maps.Keys(l.teachers)) {
		row := l.teachers[entry]
		kind := trainerRow{Kind: row.TrainerKind, Greeting: greetings[entry], Requirement: row.requirement()}
		var rows []lessonRow
		if id, ok := of[entry]; ok {
			kind = kinds[id]
			rows = t.list("trainer_spell", id)
		} else {
			used := map[int64]bool{entry: true}
			rows = t.referred(t.list("npc_trainer", entry), used)
			rows = append(rows, t.list("npc_trainer_template", row.TrainerTemplate)...)
		}
		made := defs.Trainer{
			Entry: uint32(entry), Kind: defs.TrainerKind(min(max(kind.Kind, 0), int64(defs.TrainerKinds)-1)), Requirement: number(kind.Requirement),
			Greeting: cut(kind.Greeting, msg.MaxTrainerGreeting), Spells: spellsOf(rows),
		}
		if len(made.Spells) == 0 {
			l.templates[entry].NPCFlags &^= components.NPCTrainer
			continue
		}
		l.world.Trainers = append(l.world.Trainers, made)
	}
	t.count()
	return nil
}

// requirement is what a trainer asks of a student, of tables where the template says it.
func (t *templateRow) requirement() int64 {
	switch defs.TrainerKind(t.TrainerKind) {
	case defs.TrainerMount:
		return t.TrainerRace
	case defs.TrainerProfession:
		return t.TrainerSpell
	}
	return t.TrainerClass
}

// read reads one of the tables of spells.
func (t *lessons) read(table string) error {
	l := t.loader
	lists := make(map[int64][]lessonRow)
	t.lists[table], t.taught[table] = lists, make(map[int64]bool)
	return read(l, table, func(r *lessonRow) string {
		if r.Spell < 0 && table == "npc_trainer" { // the spells of another trainer
			lists[r.List] = append(lists[r.List], *r)
			return ""
		}
		switch {
		case r.Condition != 0:
			return "it is taught under conditions"
		case r.Spell <= 0 || r.Spell > math.MaxUint32 || l.world.Spell(uint32(r.Spell)) == nil:
			return "its spell is not there"
		}
		for _, e := range l.world.Spell(uint32(r.Spell)).Effects {
			if e.Kind == defs.EffectLearn && l.world.Spell(e.Trigger) == nil {
				return "what its spell teaches is not there"
			}
		}
		lists[r.List] = append(lists[r.List], *r)
		return ""
	})
}

// list is what a table has of a list.
func (t *lessons) list(table string, id int64) []lessonRow {
	t.taught[table][id] = true
	return t.lists[table][id]
}

// referred is a list with those that it refers to in place of its references.
func (t *lessons) referred(rows []lessonRow, used map[int64]bool) (all []lessonRow) {
	for _, r := range rows {
		switch {
		case r.Spell > 0:
			all = append(all, r)
		case !used[-r.Spell]:
			used[-r.Spell] = true
			all = append(all, t.referred(t.list("npc_trainer", -r.Spell), used)...)
		}
	}
	return all
}

// spellsOf are the spells of rows, each once.
func spellsOf(rows []lessonRow) (all []defs.TrainerSpell) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b lessonRow) int { return cmp.Compare(a.Spell, b.Spell) })
	for _, r := range slices.CompactFunc(rows, func(a, b lessonRow) bool { return a.Spell == b.Spell }) {
		if len(all) == msg.MaxTrainerSpells {
			break
		}
		all = append(all, defs.TrainerSpell{
			Spell: uint32(r.Spell), Copper: number(r.Copper), Skill: number(r.Skill), SkillRank: number(r.SkillRank), Level: uint8(min(max(r.Level, 0), math.MaxUint8)),
			Abilities: [3]uint32{number(r.Ability1), number(r.Ability2), number(r.Ability3)},
		})
	}
	return all
}

// count moves rows of lists that no trainer has to those that are not executed.
func (t *lessons) count() {
	for table, lists := range t.lists {
		for id, rows := range lists {
			if u := t.loader.of(table); !t.taught[table][id] {
				u.Executed -= int64(len(rows))
				u.Not["no trainer that is executed teaches it"] += int64(len(rows))
			}
		}
	}
}
