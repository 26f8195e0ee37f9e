package naive

import (
	"muster/components"
	"muster/components/defs"
)

// How often a creature in a fight thinks, as muster's do.
const (
	castPace  = 400
	meleePace = 500
)

// A Creature is a unit that thinks for itself. It fights where it stands.
type Creature struct {
	Unit
	template *defs.Creature
	fighting bool
	turn     uint64 // tick of its next thought
	spellMs  [components.MaxCreatureSpells]uint32
}

func (c *Creature) base() *Unit     { return &c.Unit }
func (c *Creature) player() *Player { return nil }

// update is a tick of a creature.
//
// Source: Creature::Update and UnitAI::UpdateAI, AzerothCore.
func (c *Creature) update() {
	if !c.alive() {
		return
	}
	c.updateUnit()
	switch {
	case c.engaged:
		c.begin()
	case c.fighting && c.turn <= c.world.tick.N:
		c.turn = c.world.tick.After(ticks(c.think()))
	}
}

// begin begins a fight.
func (c *Creature) begin() {
	c.engaged = false
	if c.fighting || len(c.threats) == 0 {
		return
	}
	c.fighting = true
	c.turn = c.world.tick.N + 1
	for i := range c.template.Spells {
		c.spellMs[i] = c.now() + c.template.Spells[i].FirstMs
	}
}

// think does the next thing of a fight, and says after how many milliseconds it thinks again.
func (c *Creature) think() uint32 {
	victim := c.choose()
	switch {
	case victim == nil:
		c.evade()
		return meleePace
	case c.casting != nil, c.cast(victim):
		return castPace
	}
	c.attack(victim)
	return meleePace
}

// evade ends a fight.
func (c *Creature) evade() {
	c.stopAttack()
	c.clearThreat()
	c.fighting, c.tappedBy = false, nil
	c.set(fieldHealth, c.values[fieldMaxHealth])
	c.set(fieldPower, c.values[fieldMaxPower])
	for len(c.auras) > 0 {
		c.removeAura(len(c.auras) - 1)
	}
}

// choose is the unit that a creature attacks: the one that it attacks already, unless another has enough more threat.
//
// Source: ThreatContainer::SelectNextVictim, AzerothCore.
func (c *Creature) choose() *Unit {
	var best *threat
	var have *threat
	for _, ref := range c.threats {
		switch {
		case !c.hostile(ref.target):
		case ref.target == c.victim:
			have = ref
		case best == nil || ref.amount > best.amount:
			best = ref
		}
	}
	switch {
	case have == nil && best == nil:
		return nil
	case have == nil, best != nil && best.amount > float32(1.3*have.amount):
		return best.target
	}
	return have.target
}

// cast wishes for the first of its spells that it can cast.
func (c *Creature) cast(victim *Unit) bool {
	yards := far(&c.Unit, victim)
	dice := c.world.tick.Dice("ai.cast", c.guid)
	for i := range c.template.Spells {
		s := &c.template.Spells[i]
		if int32(c.now()-c.spellMs[i]) < 0 || !s.OnSelf && yards > s.MaxYards ||
			s.BelowHealth > 0 && uint64(c.values[fieldHealth])*100 >= uint64(c.values[fieldMaxHealth])*uint64(s.BelowHealth) {
			continue
		}
		c.spellMs[i] = c.now() + s.CooldownMs
		if s.Chance > 0 && uint32(dice.Intn(100)) >= s.Chance {
			continue
		}
		target := victim
		if s.OnSelf {
			target = &c.Unit
		}
		c.wishes = append(c.wishes, wish{target: target, spell: s.Spell})
		return true
	}
	return false
}

// figures are those of its template and level.
func (c *Creature) figures() {
	t, u := c.template, &c.Unit
	up := float32(u.level() - min(u.level(), uint32(t.MinLevel)))
	more := float32(t.DamagePerLevel * up)
	u.arm(t.MinDamage+more, t.MaxDamage+more, max(t.AttackTimeMs, 500), float32(u.auraSum(defs.AuraAttackPower)))
	u.armor = t.Armor + float32(t.ArmorPerLevel*up) + float32(u.auraSum(defs.AuraResistance))
	u.dodge, u.block, u.crit, u.blockValue = 5, 5, 5, float32(u.level()/2)
	if t.Type == defs.TypeHumanoid || t.Type == defs.TypeUndead {
		u.parry = 5
	}
}
