package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// roll rolls whether a cast misses a target, and whether it is critical.
//
// Source: Unit::SpellHitResult, AzerothCore.
func (s *System) roll(t sched.Tick, c *cast, m *castTarget) {
	dice := t.Dice("spell.roll", s.objects.Get(c.by).GUID^s.objects.Get(m.entity).GUID<<20^uint64(c.spell.ID)<<40)
	if c.spell.Has(defs.SpellHarmful) && m.entity != c.by {
		m.miss, m.blocked = s.miss(&dice, c, m.entity)
	}
	switch {
	case c.spell.Has(defs.SpellNeverCrits):
	case kindOf(c.spell) == byMagic:
		m.crit = 100*dice.Float32() < s.combatStats.Get(c.by).Crit[byMagic]
	default:
		chances := s.attackChances(c, m.entity)
		m.crit = chances.Critical(dice.Intn(rules.Rolls))
	}
}

// The indices of components.CombatStats.Crit.
const (
	byMelee = iota
	byShot
	byMagic
)

func kindOf(sp *defs.Spell) int {
	switch {
	case sp.Has(defs.SpellMelee | defs.SpellNextSwing):
		return byMelee
	case sp.Has(defs.SpellRanged):
		return byShot
	}
	return byMagic
}

// miss rolls why a harmful cast misses a unit, MissNone if it does not, and whether the unit blocks.
func (s *System) miss(dice *sched.Dice, c *cast, to ecs.Entity) (why msg.MissReason, blocked bool) {
	switch {
	case s.threatStates.Get(to).Evading != 0:
		return msg.MissEvade, false
	case s.auras.Immune(to, c.spell.School):
		return msg.MissImmune, false
	case c.spell.Has(defs.SpellAlwaysHits):
		return msg.MissNone, false
	}
	if kindOf(c.spell) == byMagic {
		return s.missMagic(dice, c, to), false
	}
	return s.missWeapon(dice, c, to)
}

// hitPercent returns the chance that a spell hits a unit so many levels above its caster, before hit rating.
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

// missMagic rolls the hit of a spell, and the resistance to one that is resisted as a whole.
func (s *System) missMagic(dice *sched.Dice, c *cast, to ecs.Entity) msg.MissReason {
	percent := hitPercent(int(s.units.Get(to).Level)-int(c.level), s.Player(to)) + s.auras.SpellHit(c.by)
	if 100*dice.Float32() >= min(max(percent, 1), 100) {
		return msg.MissMiss
	}
	if c.spell.Has(defs.SpellBinary) && dice.Float32() < rules.Resistance(s.combatStats.Get(to), c.spell.School, c.level) {
		return msg.MissResist
	}
	return msg.MissNone
}

// missWeapon rolls the outcome of a melee or ranged ability on its attack table.
//
// Source: Unit::MeleeSpellHitResult, AzerothCore.
func (s *System) missWeapon(dice *sched.Dice, c *cast, to ecs.Entity) (why msg.MissReason, blocked bool) {
	chances := s.attackChances(c, to)
	table := chances.Table()
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

// attackChances returns the chances of the weapon that a spell uses.
func (s *System) attackChances(c *cast, to ecs.Entity) rules.AttackChances {
	attacker, defender := s.fighter(c.by), s.fighter(to)
	chances := rules.ChancesOf(&attacker, &defender, hand(c.spell), s.InFront(to, c.by))
	chances.Special = true
	return chances
}

func (s *System) fighter(e ecs.Entity) rules.Fighter {
	return rules.Fighter{
		Stats: s.combatStats.Get(e), Level: s.units.Get(e).Level, Player: s.Player(e), States: s.auraStates.Get(e).States,
		Stand: s.stances.Get(e).Bytes1[components.ByteStand],
	}
}

// hand returns the weapon slot that a spell uses.
func hand(sp *defs.Spell) int {
	if sp.Has(defs.SpellRanged) {
		return components.RangedHand
	}
	return components.MainHand
}

// school returns the index of the first school of a mask.
func school(set uint32) int {
	for i := range 7 {
		if set&(1<<i) != 0 {
			return i
		}
	}
	return 0
}
