package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// roll throws whether a cast misses somebody whom it meets, and whether it hits it hard.
//
// Source: Unit::SpellHitResult, AzerothCore.
func (s *System) roll(t sched.Tick, c *cast, m *met) {
	dice := t.Dice("spell.roll", s.objects.Get(c.by).GUID^s.objects.Get(m.entity).GUID<<20^uint64(c.spell.ID)<<40)
	if c.spell.Has(defs.SpellHarmful) && m.entity != c.by {
		m.miss, m.blocked = s.miss(&dice, c, m.entity)
	}
	switch {
	case c.spell.Has(defs.SpellNeverCrits):
	case s.kind(c.spell) == byMagic:
		m.crit = 100*dice.Float32() < s.book.CombatStats(c.by).Crit[byMagic]
	default:
		clash := s.clash(c, m.entity)
		m.crit = clash.Hard(dice.Intn(rules.Rolls))
	}
}

// The kinds of components.CombatStats.Crit.
const (
	byBlow = iota
	byShot
	byMagic
)

func (s *System) kind(sp *defs.Spell) int {
	switch {
	case sp.Has(defs.SpellMelee | defs.SpellNextSwing):
		return byBlow
	case sp.Has(defs.SpellRanged):
		return byShot
	}
	return byMagic
}

// miss throws why a harmful cast does nothing to somebody, MissNone if it does something, and whether a shield takes
// some of what it does.
func (s *System) miss(dice *sched.Dice, c *cast, to ecs.Entity) (why msg.MissReason, blocked bool) {
	switch {
	case s.combats.Get(to).Evading != 0:
		return msg.MissEvade, false
	case s.book.Immune(to, c.spell.School):
		return msg.MissImmune, false
	case c.spell.Has(defs.SpellAlwaysHits):
		return msg.MissNone, false
	}
	if s.kind(c.spell) == byMagic {
		return s.missMagic(dice, c, to), false
	}
	return s.missBlow(dice, c, to)
}

// hitPercent is how often a spell hits somebody so many levels above its caster, before what the caster's hit
// rating adds.
//
// Source: Unit::MagicSpellHitResult, AzerothCore.
func hitPercent(levels int, player bool) float32 {
	beyond := 11
	if player {
		beyond = 7
	}
	if levels < 3 {
		return float32(96 - levels)
	}
	return float32(94 - (levels-2)*beyond)
}

// missMagic throws the hit of a spell, and whether one that is resisted as a whole is.
func (s *System) missMagic(dice *sched.Dice, c *cast, to ecs.Entity) msg.MissReason {
	percent := hitPercent(int(s.units.Get(to).Level)-int(c.level), s.book.Player(to)) + s.book.SpellHit(c.by)
	if 100*dice.Float32() >= min(max(percent, 1), 100) {
		return msg.MissMiss
	}
	if c.spell.Has(defs.SpellBinary) && dice.Float32() < s.book.Resistance(to, c.spell.School, c.level) {
		return msg.MissResist
	}
	return msg.MissNone
}

// missBlow throws what becomes of a blow or shot, by the table of a special one.
//
// Source: Unit::MeleeSpellHitResult, AzerothCore.
func (s *System) missBlow(dice *sched.Dice, c *cast, to ecs.Entity) (why msg.MissReason, blocked bool) {
	clash := s.clash(c, to)
	table := clash.Table()
	switch table.Roll(dice.Intn(rules.Rolls)) {
	case rules.Miss:
		return msg.MissMiss, false
	case rules.Dodge:
		return msg.MissDodge, false
	case rules.Parry:
		return msg.MissParry, false
	case rules.Block:
		return msg.MissNone, true
	}
	return msg.MissNone, false
}

// clash is that of the weapon with which a spell strikes.
func (s *System) clash(c *cast, to ecs.Entity) rules.AttackChances {
	clash := s.book.AttackChances(c.by, to, hand(c.spell))
	clash.Special = true
	return clash
}

// hand is where the weapon is with which a spell strikes.
func hand(sp *defs.Spell) int {
	if sp.Has(defs.SpellRanged) {
		return components.RangedHand
	}
	return components.MainHand
}

// school is the number of the first school of a set.
func school(set uint32) int {
	for i := range 7 {
		if set&(1<<i) != 0 {
			return i
		}
	}
	return 0
}
