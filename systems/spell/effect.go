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
	auras := uint32(0)
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
			auras |= 1 << i
			continue
		}
		if do := effects[e.Kind].do; do != nil {
			do(s, t, c, m, i)
		} else {
			s.refusedEffect.Count()
		}
	}
	if auras != 0 {
		s.auraHits.Emit(auraHit{s.hit(c, m, 0), auras})
	}
}

// pulsing reports whether an effect of a channelled spell happens at each pulse.
func pulsing(e *defs.Effect) bool { return e.PulseMs > 0 && e.Kind != defs.EffectApplyAura }

// trigger casts the triggered spell at a target. Chains of triggered spells are bounded by maxTriggered.
//
// Source: Spell::EffectTriggerSpell, AzerothCore, which trusts its data.
func (s *System) trigger(_ sched.Tick, c *cast, m *castTarget, i int) {
	if c.depth == maxTriggered {
		s.tooDeep.Count()
		return
	}
	s.triggered.Emit(rules.Cast{
		By: c.by, Target: m.entity, To: c.to, Placed: c.placed, Spell: c.spell.Effects[i].Trigger, Depth: c.depth + 1,
		Triggered: true,
	})
}

// An effect is how system spell executes a defs.EffectKind: do, or the reason why it does not. What ends or begins casts
// it does itself; all else is a hit for another system.
type effect struct {
	name    string
	do      func(s *System, t sched.Tick, c *cast, m *castTarget, i int)
	refused string
}

// effects is indexed by defs.EffectKind. Kinds without a name are refused as unknown.
var effects = [256]effect{
	defs.EffectSchoolDamage:     {name: "school damage", do: (*System).hitDamage},
	defs.EffectTeleport:         {name: "teleport home", do: (*System).hitMove},
	defs.EffectApplyAura:        {name: "apply aura", do: func(*System, sched.Tick, *cast, *castTarget, int) {}},
	defs.EffectHealthLeech:      {name: "health leech", do: (*System).hitDamage},
	defs.EffectHeal:             {name: "heal", do: (*System).hitHeal},
	defs.EffectResurrect:        {name: "resurrect", do: (*System).hitCall},
	defs.EffectSummon:           {name: "summon", do: (*System).hitCall},
	defs.EffectEnergize:         {name: "energize", do: (*System).hitHeal},
	defs.EffectWeaponPercent:    {name: "weapon percent", do: (*System).hitDamage},
	defs.EffectLearn:            {name: "learn", do: (*System).hitCall},
	defs.EffectDispel:           {name: "dispel", do: (*System).dispel},
	defs.EffectWeaponDamage:     {name: "weapon damage", do: (*System).hitDamage},
	defs.EffectThreat:           {name: "threat", do: (*System).hitThreat},
	defs.EffectTriggerSpell:     {name: "trigger spell", do: (*System).trigger},
	defs.EffectHealMax:          {name: "heal by the caster's health", do: (*System).hitHeal},
	defs.EffectInterrupt:        {name: "interrupt", do: (*System).interruptCast},
	defs.EffectPull:             {name: "pull", refused: "creatures cannot be dragged"},
	defs.EffectScript:           {name: "script", refused: "there are no scripts for spells"},
	defs.EffectCharge:           {name: "charge", do: (*System).hitMove},
	defs.EffectKnockBack:        {name: "knock back", do: (*System).knockBack},
	defs.EffectResurrectNew:     {name: "resurrect with so much", do: (*System).hitCall},
	defs.EffectAttackMe:         {name: "attack me", do: (*System).hitThreat},
	defs.EffectNormalizedWeapon: {name: "normalized weapon damage", do: (*System).hitDamage},
	defs.EffectHealPercent:      {name: "heal percent", do: (*System).hitHeal},
	defs.EffectEnergizePercent:  {name: "energize percent", do: (*System).hitHeal},
}

func (s *System) hitDamage(_ sched.Tick, c *cast, m *castTarget, i int) {
	s.damageHits.Emit(damageHit(s.hit(c, m, i)))
}

func (s *System) hitHeal(_ sched.Tick, c *cast, m *castTarget, i int) {
	s.healHits.Emit(healHit(s.hit(c, m, i)))
}

func (s *System) hitThreat(_ sched.Tick, c *cast, m *castTarget, i int) {
	s.threatHits.Emit(threatHit(s.hit(c, m, i)))
}

func (s *System) hitMove(_ sched.Tick, c *cast, m *castTarget, i int) {
	s.moveHits.Emit(moveHit(s.hit(c, m, i)))
}

func (s *System) hitCall(_ sched.Tick, c *cast, m *castTarget, i int) {
	s.callHits.Emit(callHit(s.hit(c, m, i)))
}

// knockBack ends a unit's cast, and has it thrown.
func (s *System) knockBack(t sched.Tick, c *cast, m *castTarget, i int) {
	s.halt(t, rules.InterruptCast{Entity: m.entity})
	s.hitMove(t, c, m, i)
}
