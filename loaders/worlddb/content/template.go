package content

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"muster/components"
	"muster/components/defs"
)

// maxEntry is the largest entry of a creature: GUIDs have 24 bits for it.
const maxEntry = 0xFFFFFF

// A templateRow is a row of creature_template.
type templateRow struct {
	Entry   int64  `column:"entry" key:""`
	Name    string `column:"name" or:""`
	SubName string `column:"subname" or:""`

	MinLevel  int64 `column:"minlevel" or:"1"`
	MaxLevel  int64 `column:"maxlevel" or:"1"`
	Expansion int64 `column:"exp expansion" or:"0"` // which columns of the stats; CMaNGOS: -1 none
	Class     int64 `column:"unit_class unitclass" or:"1"`
	Type      int64 `column:"type creaturetype" or:"0"`
	Family    int64 `column:"family" or:"0"`
	Rank      int64 `column:"rank" or:"0"`

	Faction         int64  `column:"faction faction_a factionalliance" or:"0"`
	NPCFlags        int64  `column:"npcflag npcflags" or:"0"`
	Flags           int64  `column:"unit_flags unitflags" or:"0"`
	AI              string `column:"ainame" or:"SmartAI"`
	GossipMenu      int64  `column:"gossip_menu_id gossipmenuid" or:"0"`
	TrainerKind     int64  `column:"trainer_type trainertype" or:"0"`
	TrainerSpell    int64  `column:"trainer_spell trainerspell" or:"0"`
	TrainerClass    int64  `column:"trainer_class trainerclass" or:"0"`
	TrainerRace     int64  `column:"trainer_race trainerrace" or:"0"`
	TrainerTemplate int64  `column:"trainertemplateid" or:"0"`                // CMaNGOS
	Equipment       int64  `column:"equipmenttemplateid equipment_id" or:"0"` // CMaNGOS
	VendorTemplate  int64  `column:"vendortemplateid" or:"0"`                 // CMaNGOS
	Loot            int64  `column:"lootid" or:"0"`
	Extra           int64  `column:"flags_extra" or:"0"` // those of CMaNGOS mean something else

	Immunities int64 `column:"creatureimmunitiesid" or:"0"` // of creature_immunities
	Mechanics  int64 `column:"mechanic_immune_mask mechanicimmunemask" or:"0"`
	Schools    int64 `column:"spell_school_immune_mask schoolimmunemask" or:"0"`

	Scale float64 `column:"scale" or:"1"`
	Walk  float64 `column:"speed_walk speedwalk" or:"1"`
	Run   float64 `column:"speed_run speedrun" or:"1.14286"`

	AttackMs int64   `column:"baseattacktime meleebaseattacktime" or:"2000"`
	Variance float64 `column:"basevariance damagevariance" or:"1"`
	Health   float64 `column:"healthmodifier healthmultiplier health_mod" or:"1"`
	Mana     float64 `column:"manamodifier powermultiplier mana_mod" or:"1"`
	Armor    float64 `column:"armormodifier armormultiplier armor_mod" or:"1"`
	Damage   float64 `column:"damagemodifier damagemultiplier dmg_multiplier" or:"1"`
	XP       float64 `column:"experiencemodifier experiencemultiplier" or:"1"`

	Holy   int64 `column:"resistance1 resistanceholy" or:"0"`
	Fire   int64 `column:"resistance2 resistancefire" or:"0"`
	Nature int64 `column:"resistance3 resistancenature" or:"0"`
	Frost  int64 `column:"resistance4 resistancefrost" or:"0"`
	Shadow int64 `column:"resistance5 resistanceshadow" or:"0"`
	Arcane int64 `column:"resistance6 resistancearcane" or:"0"`

	MinGold int64 `column:"mingold minlootgold" or:"0"`
	MaxGold int64 `column:"maxgold maxlootgold" or:"0"`

	Spell1 int64 `column:"spell1" or:"0"`
	Spell2 int64 `column:"spell2" or:"0"`
	Spell3 int64 `column:"spell3" or:"0"`
	Spell4 int64 `column:"spell4" or:"0"`
	Spell5 int64 `column:"spell5" or:"0"`
	Spell6 int64 `column:"spell6" or:"0"`
	Spell7 int64 `column:"spell7" or:"0"`
	Spell8 int64 `column:"spell8" or:"0"`

	Model1 int64 `column:"modelid1 displayid1" or:"0"`
	Model2 int64 `column:"modelid2 displayid2" or:"0"`
	Model3 int64 `column:"modelid3 displayid3" or:"0"`
	Model4 int64 `column:"modelid4 displayid4" or:"0"`

	// Of CMaNGOS, where no stats of the level and class are used.
	MinLevelHealth float64 `column:"minlevelhealth" or:"0"`
	MaxLevelHealth float64 `column:"maxlevelhealth" or:"0"`
	MinLevelMana   float64 `column:"minlevelmana" or:"0"`
	MaxLevelMana   float64 `column:"maxlevelmana" or:"0"`
	PlainArmor     float64 `column:"armor" or:"0"`
	MinMelee       float64 `column:"minmeleedmg" or:"0"`
	MaxMelee       float64 `column:"maxmeleedmg" or:"0"`
}

// Speeds of a creature whose factor is 1, yards per second.
//
// Source: playerBaseMoveSpeed, Unit.cpp, AzerothCore.
const walkSpeed, runSpeed = 2.5, 7

// Flags of a template that count here.
//
// Source: CreatureFlagsExtra, CreatureData.h, AzerothCore.
const (
	extraCivilian = 0x2
	extraNoXP     = 0x40
	extraTrigger  = 0x80
	extraGuard    = 0x8000
)

// executedServices are the NPC flags that systems execute. The others are not shown: a client would ask in vain.
const executedServices = spiritServices | components.NPCGossip | components.NPCTrainer | components.NPCVendor

// spiritServices are the NPC flags of spirit healers.
const spiritServices = components.NPCSpiritHealer | components.NPCSpiritGuide

// untouchable are the flags of units that players do not attack.
const untouchable = components.UnitNonAttackable | components.UnitNotAttackable1 | components.UnitNotAttackable2 |
	components.UnitImmuneToPlayers | components.UnitNotSelectable

// callYards is the radius within which creatures call for assistance.
//
// Source: CreatureFamilyAssistanceRadius, worldserver.conf.dist, AzerothCore.
const callYards = 10

// Sizes of a model that the database does not know.
//
// Source: DEFAULT_WORLD_OBJECT_SIZE and DEFAULT_COMBAT_REACH, ObjectDefines.h, AzerothCore.
const boundingRadius, combatReach = 0.389, 1.5

func (l *loader) readTemplates() error {
	stats, err := l.readStats()
	if err != nil {
		return err
	}
	models, err := l.readModels()
	if err != nil {
		return err
	}
	immune, err := l.readImmunities()
	if err != nil {
		return err
	}
	l.world.Immunities = nil
	if err := read(l, "creature_template", func(t *templateRow) string {
		if t.Entry <= 0 || t.Entry > maxEntry {
			return "the entry has more than 24 bits, or is 0"
		}
		m, ok := models.of(t)
		if !ok {
			return "the creature has no model"
		}
		l.straighten(t)
		low, known := stats.figures(t, t.MinLevel, l.src.Family)
		high, also := stats.figures(t, t.MaxLevel, l.src.Family)
		if !known || !also {
			l.of("creature_template").Part["without stats of its level and class: with 1 health"]++
		}
		c := t.creature(m, low, high.over(low), l.takes(t))
		l.talks(c, t.GossipMenu)
		l.synthetic.complete(c)
		l.templates[t.Entry] = c
		l.fighters[t.Entry] = t.AI == combatAI
		if im := immune.of(t); im.Schools|im.Mechanics|im.Dispels != 0 || len(im.Effects)+len(im.Auras) > 0 {
			l.world.Immunities = append(l.world.Immunities, im)
		}
		for _, spell := range [...]int64{t.Spell1, t.Spell2, t.Spell3, t.Spell4, t.Spell5, t.Spell6, t.Spell7, t.Spell8} {
			l.part("creature_template", spell != 0 && l.casts(c, spell) != "", spellsColumn)
		}
		l.equipped[t.Entry] = t.Equipment
		if t.Loot > 0 {
			l.looted[t.Entry] = t.Loot
		}
		l.seller(t)
		l.smart[t.Entry] = t.AI == "SmartAI" || t.AI == "EventAI"
		l.teacher(t)
		return ""
	}); err != nil {
		return err
	}
	immune.finish(l)
	return l.readResistances()
}

// A resistanceRow is a row of creature_template_resistance.
type resistanceRow struct {
	Entry      int64 `column:"creatureid" key:""`
	School     int64 `column:"school" key:""`
	Resistance int64 `column:"resistance" or:"0"`
}

// readResistances reads the resistances of templates from the table that AzerothCore and TrinityCore have for them. It comes after the templates.
func (l *loader) readResistances() error {
	return read(l, "creature_template_resistance", func(r *resistanceRow) string {
		c := l.templates[r.Entry]
		switch {
		case c == nil:
			return noTemplate
		case r.School < 1 || r.School >= int64(len(c.Resistances)):
			return "its school is not from 1 to 6"
		}
		c.Resistances[r.School] = resistance(r.Resistance)
		return ""
	})
}

// resistance is one that can be computed with.
func resistance(v int64) int32 { return int32(min(max(v, math.MinInt16), math.MaxInt16)) }

// straighten has the values that are meant where a column has one that means nothing.
//
// Source: ObjectMgr::CheckCreatureTemplate, AzerothCore.
func (l *loader) straighten(t *templateRow) {
	t.MinLevel = min(max(t.MinLevel, 1), math.MaxUint8)
	t.MaxLevel = min(max(t.MaxLevel, t.MinLevel), math.MaxUint8)
	l.bound("creature_template", "walking speed", &t.Walk, mostFactor, 1)
	l.bound("creature_template", "running speed", &t.Run, mostFactor, 1.14286)
	l.bound("creature_template", "scale", &t.Scale, mostFactor, 1)
	if t.AttackMs <= 0 || t.AttackMs > math.MaxUint32 {
		t.AttackMs = 2000
	}
	if t.Class <= 0 || t.Class > math.MaxUint8 {
		t.Class = defs.ClassWarrior
	}
}

// The largest factor and scale, and the largest size of a model in yards. One divided by it is the smallest.
const mostFactor, mostYards = 100, 1000

// bound has another value where a column has 0, which means it, or one that is not from 1/most to most, which is counted.
func (l *loader) bound(table, what string, v *float64, most, or float64) {
	if *v >= 1/most && *v <= most {
		return
	}
	if *v != 0 {
		l.of(table).Part[fmt.Sprintf("its %s is not from %v to %v: with %v", what, 1/most, most, or)]++
	}
	*v = or
}

// creature makes the template.
func (t *templateRow) creature(m model, low, high figures, players reaction) *defs.Creature {
	c := &defs.Creature{
		Entry: uint32(t.Entry), Faction: defs.FactionHostile, DisplayID: m.display, NPCFlags: uint32(t.NPCFlags) & executedServices,
		Name: text(t.Name), SubName: text(t.SubName), MinLevel: uint8(t.MinLevel), MaxLevel: uint8(t.MaxLevel),
		Class: uint8(t.Class), Type: number(t.Type), Family: number(t.Family), Rank: number(t.Rank),
		Scale: float32(min(max(t.Scale*m.scale, 1./mostFactor), mostFactor)), WalkSpeed: float32(t.Walk * walkSpeed), RunSpeed: float32(t.Run * runSpeed),
		MinHealth: whole(low.health), MaxHealth: whole(high.health), Mana: uint32(low.mana),
		AttackTimeMs: uint32(t.AttackMs), MinDamage: float32(low.least), MaxDamage: float32(low.most), Armor: float32(low.armor),
		MinMoney: number(t.MinGold), MaxMoney: max(number(t.MinGold), number(t.MaxGold)), XP: float32(amount(t.XP)),
	}
	for i, v := range [...]int64{t.Holy, t.Fire, t.Nature, t.Frost, t.Shadow, t.Arcane} {
		c.Resistances[i+1] = resistance(v)
	}
	scale := min(max(t.Scale*m.scale, 1./mostFactor), mostFactor)
	c.BoundingRadius, c.CombatReach = float32(m.radius*scale), float32(m.reach*scale)
	if levels := float64(t.MaxLevel - t.MinLevel); levels > 0 {
		c.ArmorPerLevel = float32((high.armor - low.armor) / levels)
		c.DamagePerLevel = float32((high.least + high.most - low.least - low.most) / 2 / levels)
	}
	c.ReactState, c.CallYards = defs.Aggressive, callYards
	switch {
	case t.Extra&extraTrigger != 0:
		c.Faction, c.ReactState, c.CallYards = defs.FactionFriendly, defs.Passive, 0
	case t.Extra&extraGuard != 0:
		c.Faction, c.ReactState, c.CallYards = defs.FactionFriendly, defs.Guard, 0
	case t.Flags&untouchable != 0 || players == likes:
		c.Faction, c.ReactState, c.CallYards = defs.FactionFriendly, defs.Neutral, 0
	case c.Type == defs.TypeCritter:
		c.ReactState, c.CallYards = defs.Timid, 0
	case players == tolerates || t.Extra&extraCivilian != 0:
		c.ReactState, c.CallYards = defs.Neutral, 0
	}
	if c.NPCFlags&spiritServices != 0 {
		c.ReactState = defs.Passive
	}
	if c.Type == defs.TypeCritter || t.Extra&extraNoXP != 0 {
		c.XP = 0
	}
	return c
}

// text is a name as clients can be sent it: valid, and without a zero byte.
func text(s string) string { return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?") }

// amount is a number that is not negative, and not too large to compute with.
func amount(v float64) float64 {
	if v > 0 {
		return min(v, 1e9)
	}
	return 0
}

func number(n int64) uint32 { return uint32(min(max(n, 0), math.MaxInt32)) }

// whole is health: at least 1.
func whole(v float64) uint32 { return uint32(max(v, 1)) }

// A model is what a creature looks like.
type model struct {
	display       uint32
	scale         float64
	radius, reach float64 // yards, at scale 1
}

// A modelRow is a row of creature_template_model.
type modelRow struct {
	Entry   int64   `column:"creatureid" key:""`
	Index   int64   `column:"idx" key:""`
	Display int64   `column:"creaturedisplayid"`
	Scale   float64 `column:"displayscale" or:"1"`
	Chance  float64 `column:"probability" or:"1"`
}

// A sizeRow is a row of creature_model_info.
type sizeRow struct {
	Display int64   `column:"displayid modelid" key:""`
	Radius  float64 `column:"boundingradius bounding_radius" or:"0.389"`
	Reach   float64 `column:"combatreach combat_reach" or:"1.5"`
}

// models are those of all creatures.
type models struct {
	likely map[int64]modelRow // by entry, of a table of models
	sizes  map[int64]sizeRow  // by display
}

func (l *loader) readModels() (m models, err error) {
	m = models{make(map[int64]modelRow), make(map[int64]sizeRow)}
	err = read(l, "creature_template_model", func(r *modelRow) string {
		if r.Display <= 0 {
			return "the model has no display"
		}
		l.bound("creature_template_model", "scale", &r.Scale, mostFactor, 1)
		best, ok := m.likely[r.Entry]
		if !ok || r.Chance > best.Chance {
			m.likely[r.Entry] = *r
		}
		if ok {
			return "a creature has one model here, the likeliest"
		}
		return ""
	})
	return m, cmp.Or(err, read(l, "creature_model_info", func(r *sizeRow) string {
		l.bound("creature_model_info", "bounding radius", &r.Radius, mostYards, boundingRadius)
		l.bound("creature_model_info", "combat reach", &r.Reach, mostYards, combatReach)
		m.sizes[r.Display] = *r
		return ""
	}))
}

// of is the model of a template; ok is false if it has none.
func (m *models) of(t *templateRow) (one model, ok bool) {
	row, ok := m.likely[t.Entry]
	if !ok {
		row = modelRow{Display: cmp.Or(t.Model1, t.Model2, t.Model3, t.Model4), Scale: 1}
	}
	if row.Display <= 0 || row.Display > math.MaxInt32 {
		return one, false
	}
	one = model{uint32(row.Display), row.Scale, boundingRadius, combatReach}
	if size, ok := m.sizes[row.Display]; ok {
		one.radius, one.reach = size.Radius, size.Reach
	}
	return one, true
}
