package content

import (
	"muster/components"
	"muster/components/defs"
)

// A creatureSpellRow is a row of creature_template_spell.
type creatureSpellRow struct {
	Entry int64 `column:"creatureid" key:""`
	Index int64 `column:"index" key:""`
	Spell int64 `column:"spell"`
}

// spellCooldownMs is the shortest time between two casts of a spell of a template.
//
// Source: AI_DEFAULT_COOLDOWN, UnitAI.h, AzerothCore.
const spellCooldownMs = 5000

// Why spells of creatures are not cast.
const (
	noCaster     = "only creatures whose AIName is CombatAI cast the spells of their templates"
	manySpells   = "its creature has as many spells as it can have"
	noTemplate   = "its template is not there, or is not executed"
	combatAI     = "CombatAI"
	spellsColumn = "its spells: they are not there, or its AIName is not CombatAI"
)

// readCreatureSpells has creatures with CombatAI cast the spells of their templates in a fight. It comes after the templates.
func (l *loader) readCreatureSpells() error {
	return read(l, "creature_template_spell", func(r *creatureSpellRow) string {
		c := l.templates[r.Entry]
		if c == nil {
			return noTemplate
		}
		return l.casts(c, r.Spell)
	})
}

// casts has a creature cast a spell, in its fights from the time on after which it casts it again. On its victim, if the spell is harmful, and else
// on itself.
//
// Source: CombatAI::EnterCombat and CombatAI::UpdateAI, AzerothCore, where the time is up to twice as long by chance.
func (l *loader) casts(c *defs.Creature, id int64) (refused string) {
	sp := l.world.Spell(uint32(id))
	switch {
	case !l.fighters[int64(c.Entry)]:
		return noCaster
	case id <= 0 || id > maxSpell || sp == nil:
		return noSpell
	case len(c.Spells) == components.MaxCreatureSpells:
		return manySpells
	}
	cooldown := max(sp.CooldownMs, spellCooldownMs)
	cast := defs.CreatureSpell{Spell: sp.ID, FirstMs: cooldown, CooldownMs: cooldown}
	if cast.OnSelf = !sp.Has(defs.SpellHarmful); !cast.OnSelf {
		cast.MaxYards = max(sp.MaxRange, meleeYards)
	}
	c.Spells = append(c.Spells, cast)
	return ""
}

// maxSpell is the largest number of a spell.
const maxSpell = 1<<32 - 1

// meleeYards is how far a spell without a range reaches, our own choice.
const meleeYards = 5
