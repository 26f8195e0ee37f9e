package rules

import (
	"muster/components"
	"muster/ecs"
)

// An Outcome is the result of an attack roll.
type Outcome uint8

// The outcomes, in the order in which a roll is compared with them.
const (
	Miss Outcome = iota
	Dodge
	Parry
	Block
	Glancing
	Crit
	Crushing
	Hit // an ordinary hit: what is left
	outcomes
)

// Lands reports whether an attack with this outcome reaches its victim, which may block it.
func (o Outcome) Lands() bool { return o != Miss && o != Dodge && o != Parry }

// An AttackChances is what the outcome of a melee attack or shot depends on. Every unit has weapon skill and defence
// of five for each level.
//
// Source: Unit::GetMaxSkillValueForLevel, AzerothCore.
type AttackChances struct {
	Level, VictimLevel   int
	Player, VictimPlayer bool
	OffHand              bool // dual wielding: both weapons miss more
	Ranged               bool // is neither dodged, parried nor blocked
	Behind               bool // the attacker is behind its victim, or the victim is incapacitated
	Seated               bool // the victim sits: each hit on it is critical
	Special              bool // a melee or ranged ability: its table has only the outcomes that avoid it

	Hit                 float32 // percent that the attacker misses less
	Crit                float32 // percent, of the attacker
	Dodge, Parry, Block float32 // percent, of the victim
}

// A Fighter is what the chances of an attack depend on, of the unit that attacks and of its victim.
type Fighter struct {
	Stats  *components.CombatStats
	Level  uint32
	Player bool
	States uint16 // components.StateStunned and following
	Stand  uint8  // components.Standing and following
}

// Fighters reads Fighter values of units, as a part of the systems that ask.
type Fighters struct {
	sessions  ecs.Read[components.Session]
	units     ecs.Read[components.Unit]
	stats     ecs.ReadRef[components.CombatStats]
	unitAuras ecs.Read[components.UnitAuras]
	stances   ecs.Read[components.Stance]
}

// Of returns what the chances of an attack depend on, of one of its sides.
func (s *Fighters) Of(e ecs.Entity) Fighter {
	return Fighter{
		Stats: s.stats.Get(e), Level: s.units.Get(e).Level, Player: s.sessions.Has(e), States: s.unitAuras.Get(e).States,
		Stand: s.stances.Get(e).Bytes1[components.ByteStand],
	}
}

// ChancesOf returns the chances of an attack with one of a unit's weapons on a victim that the unit is in front of,
// or not.
func ChancesOf(attacker, victim *Fighter, hand int, inFront bool) AttackChances {
	p, q := attacker.Stats, victim.Stats
	c := AttackChances{
		Level: int(attacker.Level), VictimLevel: int(victim.Level),
		Player: attacker.Player, VictimPlayer: victim.Player,
		OffHand: p.SwingMs[components.OffHand] != 0, Ranged: hand == components.RangedHand, Behind: !inFront,
		Hit: p.Hit, Crit: p.Crit[0], Dodge: q.Dodge, Parry: q.Parry, Block: q.Block,
	}
	if c.Ranged {
		c.Crit = p.Crit[1]
	}
	if victim.States&components.StateIncapacitated != 0 {
		c.Dodge, c.Parry, c.Block = 0, 0, 0
	}
	c.Seated = c.VictimPlayer && victim.Stand != components.Standing && victim.Stand != components.LyingDead
	return c
}

// Rolls is how many rolls there are. The chance of an outcome is its share of them; the sum is at most Rolls.
const Rolls = 10_000

// A Table has, for each outcome, the first roll that is beyond it.
type Table [outcomes]int

// Roll returns the outcome of a roll from 0 to 9,999.
func (t *Table) Roll(roll int) Outcome {
	for o := range Hit {
		if roll < t[o] {
			return o
		}
	}
	return Hit
}

// Table returns the attack table: one roll decides, and earlier outcomes displace later ones. That of an ability ends
// with the block; whether it is critical is a second roll (Critical).
//
// Source: Unit::RollMeleeOutcomeAgainst, AzerothCore: each point of skill is worth 0.04 % (skillBonus); those whose
// back is turned parry and block nothing, and players dodge nothing; a glancing hit is for players whose foe is of a
// higher level, 10 % and 1 % for each point that its defence is higher, at most 40 %; a crushing one for creatures
// four levels higher or more, 2 % for each point of skill beyond the victim's defence, less 15 %. Of special ones:
// Unit::MeleeSpellHitResult and Unit::isSpellBlocked, which have no glancing and no crushing hits, and by which a block
// takes its value away from shots too.
func (c *AttackChances) Table() (t Table) {
	skill, defence := 5*c.Level, 5*c.VictimLevel
	var odds [outcomes]int
	odds[Miss] = percent(c.miss(skill - defence))
	lead := c.lead()
	avoid := func(chance float32) int {
		if chance <= 0 {
			return 0
		}
		return max(percent(chance)-lead, 0)
	}
	if !c.Ranged {
		if !c.Behind || !c.VictimPlayer {
			odds[Dodge] = avoid(c.Dodge)
		}
		if !c.Behind {
			odds[Parry] = avoid(c.Parry)
		}
	}
	if !c.Behind && (!c.Ranged || c.Special) {
		odds[Block] = avoid(c.Block)
	}
	if !c.Ranged && !c.Special {
		if c.Player && !c.VictimPlayer && c.Level < c.VictimLevel {
			odds[Glancing] = min(10+defence-skill, 40) * 100
		}
		if !c.Player && c.Level >= c.VictimLevel+4 {
			odds[Crushing] = max((skill-defence)*200-1500, 0)
		}
	}
	if !c.Special {
		odds[Crit] = c.criticalRolls()
	}
	if c.Seated && !c.Special {
		odds = [outcomes]int{Miss: odds[Miss], Crit: Rolls}
	}
	sum := 0
	for o := range Hit {
		sum = min(sum+odds[o], Rolls)
		t[o] = sum
	}
	t[Hit] = Rolls
	return t
}

// Critical reports whether a roll makes an ability that hits critical.
//
// Source: Unit::GetUnitCriticalChance, AzerothCore: each point of skill is worth 0.04 %.
func (c *AttackChances) Critical(roll int) bool { return roll < c.criticalRolls() }

// criticalRolls returns how many rolls make a hit critical.
func (c *AttackChances) criticalRolls() int { return max(percent(c.Crit)+c.lead(), 0) }

// lead returns what skill beyond the victim's defence is worth, in rolls: less than 0 if the defence is higher.
func (c *AttackChances) lead() int { return 4 * 5 * (c.Level - c.VictimLevel) }

// miss returns the chance of a miss, percent, for a lead in skill.
//
// Source: Unit::MeleeSpellMissChance, AzerothCore: 5 %, with two weapons 19 % more, but not for spells; against players 0.04 % for each
// point that the defence is higher and 0.02 % less for each that it is lower, against creatures 0.1 %, and 0.4 % for
// each point beyond ten; from 0 to 60 %.
func (c *AttackChances) miss(lead int) float32 {
	chance := float32(5)
	if c.OffHand && !c.Ranged && !c.Special {
		chance += 19
	}
	behind := float32(-lead)
	switch {
	case c.VictimPlayer && behind > 0:
		chance += float32(behind * 0.04)
	case c.VictimPlayer:
		chance += float32(behind * 0.02)
	case behind > 10:
		chance += 1 + float32((behind-10)*0.4)
	default:
		chance += float32(behind * 0.1)
	}
	return min(max(chance-c.Hit, 0), 60)
}

// percent converts a percentage to rolls.
func percent(p float32) int { return int(float32(p*100) + 0.5) }
