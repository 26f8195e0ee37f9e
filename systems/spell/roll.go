package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/msg"
	"muster/sched"
)

// roll throws whether a cast misses somebody whom it meets, and whether it hits it hard.
//
// Source: Unit::SpellHitResult, AzerothCore.
func (s *system) roll(t sched.Tick, c *cast, m *met) {
	dice := t.Dice("spell.roll", s.objects.Get(c.by).GUID^s.objects.Get(m.entity).GUID<<20^uint64(c.spell.ID)<<40)
	if c.spell.Has(defs.SpellHarmful) && m.entity != c.by {
		m.miss = s.miss(&dice, c, m.entity)
	}
	if !c.spell.Has(defs.SpellNeverCrits) {
		m.crit = 100*dice.Float32() < s.book.Prowess(c.by).Crit[s.kind(c.spell)]
	}
}

// The kinds of components.Prowess.Crit.
const (
	byBlow = iota
	byShot
	byMagic
)

func (s *system) kind(sp *defs.Spell) int {
	switch {
	case sp.Has(defs.SpellMelee | defs.SpellNextSwing):
		return byBlow
	case sp.Has(defs.SpellRanged):
		return byShot
	}
	return byMagic
}

// miss throws why a harmful cast does nothing to somebody, MissNone if it does something.
func (s *system) miss(dice *sched.Dice, c *cast, to ecs.Entity) msg.MissReason {
	switch {
	case s.bouts.Get(to).Evading != 0:
		return msg.MissEvade
	case s.book.Immune(to, c.spell.School):
		return msg.MissImmune
	case c.spell.Has(defs.SpellAlwaysHits):
		return msg.MissNone
	}
	if s.kind(c.spell) == byMagic {
		return s.missMagic(dice, c, to)
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
func (s *system) missMagic(dice *sched.Dice, c *cast, to ecs.Entity) msg.MissReason {
	percent := hitPercent(int(s.units.Get(to).Level)-int(c.level), s.book.Player(to)) + s.book.SpellHit(c.by)
	if 100*dice.Float32() >= min(max(percent, 1), 100) {
		return msg.MissMiss
	}
	if c.spell.Has(defs.SpellBinary) && dice.Float32() < s.resistance(c, to) {
		return msg.MissResist
	}
	return msg.MissNone
}

// missPercent is how often a special blow misses an equal.
//
// Source: Unit::MeleeSpellMissChance, AzerothCore.
const missPercent = 5

// missBlow throws what becomes of a blow or shot.
//
// Source: Unit::MeleeSpellHitResult, AzerothCore.
func (s *system) missBlow(dice *sched.Dice, c *cast, to ecs.Entity) msg.MissReason {
	thrown, mine, theirs := 100*dice.Float32(), s.book.Prowess(c.by), s.book.Prowess(to)
	if thrown -= max(missPercent-mine.Miss, 0); thrown < 0 {
		return msg.MissMiss
	}
	if c.spell.Has(defs.SpellRanged) || s.bouts.Get(to).States&components.StateHelpless != 0 {
		return msg.MissNone
	}
	if !inFront(s.positions.Get(to), s.positions.Get(c.by), math.Pi) {
		return msg.MissNone // nobody wards off what comes from behind
	}
	if thrown -= theirs.Dodge; thrown < 0 {
		return msg.MissDodge
	}
	if thrown -= theirs.Parry; thrown < 0 {
		return msg.MissParry
	}
	return msg.MissNone
}

// resistance is what part of a spell somebody resists on average.
//
// Source: Unit::CalculateAverageResistReduction, AzerothCore.
func (s *system) resistance(c *cast, to ecs.Entity) float32 {
	if c.spell.School&defs.SchoolMagic == 0 || c.spell.School&defs.SchoolHoly != 0 {
		return 0
	}
	worth := s.book.Prowess(to).Resistance[school(c.spell.School)]
	return worth / max(worth+float32(5*c.level), 1)
}

// resisted throws what part of damage is resisted, in tenths.
//
// Source: Unit::CalcSpellResistedDamage, AzerothCore.
func resisted(dice *sched.Dice, average float32) float32 {
	if average <= 0 {
		return 0
	}
	thrown := dice.Float32()
	for tenth := 0; tenth < 10; tenth++ {
		if thrown -= tenthChance(average, tenth); thrown < 0 {
			return float32(tenth) / 10
		}
	}
	return 1
}

// tenthChance is how likely just so many tenths are resisted.
func tenthChance(average float32, tenth int) float32 {
	if average <= 0.1 {
		switch tenth {
		case 0:
			return 1 - float32(7.5*average)
		case 1:
			return 5 * average
		case 2:
			return 2.5 * average
		}
		return 0
	}
	off := float32(tenth)/10 - average
	if off < 0 {
		off = -off
	}
	return max(0.5-float32(2.5*off), 0)
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
