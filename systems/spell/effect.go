package spell

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// launch applies the effects of a cast to its targets: at once, or when its missile arrives.
func (s *System) launch(t sched.Tick, c *cast) {
	for i := range s.gather.targets {
		m := &s.gather.targets[i]
		if m.miss == msg.MissNone && c.spell.MissileSpeed > 0 && m.entity != c.by {
			s.throw(t, c, m)
			continue
		}
		s.applyEffects(t, c, m, atOnce)
	}
}

// The effects of a channel: those that happen at once, and those of each of its pulses.
const (
	atOnce = iota
	atPulse
)

// applyEffects applies the effects of a cast to one target, in order.
//
// Source: Spell::DoAllEffectOnTarget, AzerothCore.
func (s *System) applyEffects(t sched.Tick, c *cast, m *castTarget, when int) {
	if !s.entities.Alive(m.entity) || !s.entities.Alive(c.by) {
		return
	}
	if hostile := c.spell.Has(defs.SpellHarmful) && m.entity != c.by; hostile && !c.spell.Has(defs.SpellNoThreat) {
		s.engages.Emit(rules.Engage{By: c.by, To: m.entity})
	}
	if m.miss != msg.MissNone {
		s.sendMiss(c, m)
		return
	}
	if !c.spell.Has(defs.SpellOnDead) && !s.Alive(m.entity) {
		return
	}
	apply := rules.ApplyAura{By: c.by, To: m.entity, Spell: c.spell.ID, Level: uint8(min(c.level, 255))}
	for i := range c.spell.Effects {
		e := &c.spell.Effects[i]
		if m.effects&(1<<i) == 0 || c.spell.Has(defs.SpellChannelled) && (when == atPulse) != pulsing(e) {
			continue
		}
		if Refusal(c.spell, i) != "" {
			s.refusedEffect.Count()
			continue
		}
		if e.Kind == defs.EffectApplyAura {
			apply.Effects |= 1 << i
			apply.Amount[i] = s.auraAmount(t, c, i, m)
			continue
		}
		if do := effects[e.Kind].do; do != nil {
			do(s, t, c, m, i)
		} else {
			s.refusedEffect.Count()
		}
	}
	if apply.Effects != 0 {
		s.auraApplies.Emit(apply)
	}
}

// pulsing reports whether an effect of a channelled spell happens at each pulse.
func pulsing(e *defs.Effect) bool { return e.PulseMs > 0 && e.Kind != defs.EffectApplyAura }

// auraAmount returns the amount of an aura's effect: that of periodic damage and healing includes the caster's
// bonuses and factors on damage done. Factors on damage taken apply at each pulse.
//
// Source: AuraEffect::CalculateAmount, AzerothCore.
func (s *System) auraAmount(t sched.Tick, c *cast, i int, m *castTarget) int32 {
	e := &c.spell.Effects[i]
	v, mine := s.value(t, c, i, m.entity), s.combatStats.Get(c.by)
	switch e.Aura {
	case defs.AuraPeriodicDamage, defs.AuraPeriodicLeech:
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
		v = float32(v * mine.DamageDone)
	case defs.AuraPeriodicHeal:
		v += float32(e.Coefficient * mine.Healing)
		v = float32(v * mine.HealingDone)
	case defs.AuraAbsorb, defs.AuraDamageShield:
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
	}
	return int32(v)
}

// An effect is how system spell executes a defs.EffectKind: do, or the reason why it does not. Auras are only
// requested here.
type effect struct {
	name    string
	do      func(s *System, t sched.Tick, c *cast, m *castTarget, i int)
	refused string
}

// effects is indexed by defs.EffectKind. Kinds without a name are refused as unknown.
var effects = [256]effect{
	defs.EffectSchoolDamage:     {name: "school damage", do: (*System).schoolDamage},
	defs.EffectTeleport:         {name: "teleport home", do: (*System).teleport},
	defs.EffectApplyAura:        {name: "apply aura", do: func(*System, sched.Tick, *cast, *castTarget, int) {}},
	defs.EffectHealthLeech:      {name: "health leech", do: (*System).leech},
	defs.EffectHeal:             {name: "heal", do: (*System).heal},
	defs.EffectResurrect:        {name: "resurrect", do: (*System).resurrect},
	defs.EffectSummon:           {name: "summon", do: (*System).summon},
	defs.EffectEnergize:         {name: "energize", do: (*System).energize},
	defs.EffectWeaponPercent:    {name: "weapon percent", do: (*System).weaponDamage},
	defs.EffectLearn:            {name: "learn", do: (*System).teach},
	defs.EffectDispel:           {name: "dispel", do: (*System).dispel},
	defs.EffectWeaponDamage:     {name: "weapon damage", do: (*System).weaponDamage},
	defs.EffectThreat:           {name: "threat", do: (*System).threaten},
	defs.EffectTriggerSpell:     {name: "trigger spell", do: (*System).trigger},
	defs.EffectHealMax:          {name: "heal by the caster's health", do: (*System).heal},
	defs.EffectInterrupt:        {name: "interrupt", do: (*System).interruptCast},
	defs.EffectPull:             {name: "pull", refused: "creatures cannot be dragged"},
	defs.EffectScript:           {name: "script", refused: "there are no scripts for spells"},
	defs.EffectCharge:           {name: "charge", do: (*System).charge},
	defs.EffectKnockBack:        {name: "knock back", do: (*System).knockBack},
	defs.EffectResurrectNew:     {name: "resurrect with so much", do: (*System).resurrect},
	defs.EffectAttackMe:         {name: "attack me", do: (*System).taunt},
	defs.EffectNormalizedWeapon: {name: "normalized weapon damage", do: (*System).weaponDamage},
	defs.EffectHealPercent:      {name: "heal percent", do: (*System).heal},
	defs.EffectEnergizePercent:  {name: "energize percent", do: (*System).energize},
}
