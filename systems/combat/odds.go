package combat

// An Outcome is what becomes of a blow.
type Outcome uint8

// The outcomes, in the order in which a roll is held against them.
const (
	Miss Outcome = iota
	Dodge
	Parry
	Block
	Glancing
	Crit
	Crushing
	Hit // an ordinary blow: what is left
	outcomes
)

// A Clash is what the outcome of a blow depends on. Everybody has the weapon skill and the defence of its level,
// five for each.
//
// Source: Unit::GetMaxSkillValueForLevel, AzerothCore.
type Clash struct {
	Level, VictimLevel   int
	Player, VictimPlayer bool
	OffHand              bool // with a weapon in each hand: both miss more
	Ranged               bool // is neither dodged, parried nor blocked
	Behind               bool // the attacker is behind its victim, or the victim cannot move a hand
	Seated               bool // the victim sits: whatever hits it is critical

	Hit                 float32 // percent that the attacker misses less
	Crit                float32 // percent, of the attacker
	Dodge, Parry, Block float32 // percent, of the victim
}

// The odds of an outcome are its parts of rolls; they add up to no more than that.
const rolls = 10_000

// A Table has, for each outcome, the first roll that is beyond it.
type Table [outcomes]int

// Roll is the outcome of a roll from 0 to 9,999.
func (t *Table) Roll(roll int) Outcome {
	for o := range Hit {
		if roll < t[o] {
			return o
		}
	}
	return Hit
}

// Table works out the odds of a blow: one roll decides, and what comes first pushes out what comes last.
//
// Source: Unit::RollMeleeOutcomeAgainst, AzerothCore: each point of skill is worth 0.04 % (skillBonus); those whose
// back is turned parry and block nothing, and players dodge nothing; a glancing blow is for players whose foe is of a
// higher level, 10 % and 1 % for each point that its defence is higher, at most 40 %; a crushing one for creatures
// four levels higher or more, 2 % for each point of skill beyond the victim's defence, less 15 %.
func (c *Clash) Table() (t Table) {
	skill, defence := 5*c.Level, 5*c.VictimLevel
	var odds [outcomes]int
	odds[Miss] = percent(c.miss(skill - defence))
	lead := 4 * (skill - defence)
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
			odds[Parry], odds[Block] = avoid(c.Parry), avoid(c.Block)
		}
		if c.Player && !c.VictimPlayer && c.Level < c.VictimLevel {
			odds[Glancing] = min(10+defence-skill, 40) * 100
		}
		if !c.Player && c.Level >= c.VictimLevel+4 {
			odds[Crushing] = max((skill-defence)*200-1500, 0)
		}
	}
	odds[Crit] = max(percent(c.Crit)+lead, 0)
	if c.Seated {
		odds = [outcomes]int{Miss: odds[Miss], Crit: rolls}
	}
	sum := 0
	for o := range Hit {
		sum = min(sum+odds[o], rolls)
		t[o] = sum
	}
	t[Hit] = rolls
	return t
}

// miss is the chance of a miss, percent, for a lead in skill.
//
// Source: Unit::MeleeSpellMissChance, AzerothCore: 5 %, with two weapons 19 % more; against players 0.04 % for each
// point that the defence is higher and 0.02 % less for each that it is lower, against creatures 0.1 %, and 0.4 % for
// each point beyond ten; from 0 to 60 %.
func (c *Clash) miss(lead int) float32 {
	chance := float32(5)
	if c.OffHand && !c.Ranged {
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

// percent is a percentage in rolls.
func percent(p float32) int { return int(float32(p*100) + 0.5) }
