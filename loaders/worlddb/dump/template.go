package dump

import (
	"math"

	"muster/components"
	"muster/components/defs"
)

// Flags of templates.
//
// Source: CreatureFlagsExtra, CreatureData.h, AzerothCore.
const (
	extraCivilian = 0x2
	extraNoXP     = 0x40
	extraTrigger  = 0x80
	extraGuard    = 0x8000
)

// Sizes of a model, yards, at scale 1.
const boundingRadius, combatReach = 0.4, 1.5

// Speeds of a creature whose factor is 1, yards per second.
//
// Source: playerBaseMoveSpeed, Unit.cpp, AzerothCore.
const walkSpeed, runSpeed = 2.5, 7

// templates writes the templates of creatures, and their models, which have a size each.
func (d *writer) templates() {
	d.table("creature_template", "entry name subname minlevel maxlevel faction npcflag speed_walk speed_run rank DamageModifier BaseAttackTime "+
		"unit_class family type mingold maxgold HealthModifier ExperienceModifier flags_extra", func() {
		for i := range d.world.Creatures {
			c := &d.world.Creatures[i]
			d.row(c.Entry, c.Name, c.SubName, c.MinLevel, c.MaxLevel, c.Faction, c.NPCFlags, float64(c.WalkSpeed)/walkSpeed, float64(c.RunSpeed)/runSpeed,
				c.Rank, d.damage(c), c.AttackTimeMs, c.Class, c.Family, c.Type, c.MinMoney, c.MaxMoney, d.health(c), c.XP, extra(c))
		}
	})
	d.table("creature_template_model", "CreatureID Idx CreatureDisplayID DisplayScale Probability", func() {
		for i := range d.world.Creatures {
			c := &d.world.Creatures[i]
			d.row(c.Entry, 0, c.DisplayID, c.Scale, 1)
		}
	})
	d.table("creature_model_info", "DisplayID BoundingRadius CombatReach", func() {
		for i := range d.world.Creatures {
			d.row(d.world.Creatures[i].DisplayID, boundingRadius, combatReach)
		}
	})
}

// extra has the flags that say how a creature behaves, and whether its death is worth experience.
func extra(c *defs.Creature) int {
	switch {
	case c.ReactState == defs.Passive && c.NPCFlags&(components.NPCSpiritHealer|components.NPCSpiritGuide) == 0:
		return extraTrigger | extraNoXP
	case c.ReactState == defs.Guard:
		return extraGuard
	case c.ReactState == defs.Neutral && c.Faction == defs.FactionHostile:
		return extraCivilian
	}
	return 0
}

// health is the factor of a template with which its health at the lowest level is what it is: the product is rounded up.
func (d *writer) health(c *defs.Creature) float64 {
	base, _, _ := d.Base(c.MinLevel)
	factor := float64(c.MinHealth) / float64(base)
	for math.Ceil(float64(base)*factor) > float64(c.MinHealth) {
		factor = math.Nextafter(factor, 0)
	}
	return factor
}

// damage is the factor of a template on its damage.
func (d *writer) damage(c *defs.Creature) float64 {
	_, hit, _ := d.Base(c.MinLevel)
	return float64(c.MinDamage+c.MaxDamage) / 2 / float64(hit) * 2000 / float64(c.AttackTimeMs)
}

// levels writes what a creature of each level has. Its hits deal from 85 to 115 % of their average, in two seconds: what AzerothCore
// makes of base damage and attack power.
//
// Source: Creature::CalculateMinMaxDamage, AzerothCore.
func (d *writer) levels() {
	const least, most, seconds, attackPower = 0.85, 1.15, 2, 14
	levels := make(map[uint8]bool)
	for i := range d.world.Creatures {
		levels[d.world.Creatures[i].MinLevel], levels[d.world.Creatures[i].MaxLevel] = true, true
	}
	d.table("creature_classlevelstats", "level class basehp0 basearmor attackpower damage_base", func() {
		for level := range math.MaxUint8 {
			if !levels[uint8(level)] {
				continue
			}
			health, hit, armor := d.Base(uint8(level))
			base := (most - least) * float64(hit) / seconds / 0.5 // the most has half of it more
			power := (least*float64(hit)/seconds - base) * attackPower
			d.row(level, defs.ClassWarrior, health, int(math.Round(float64(armor))), power, base)
		}
	})
}
