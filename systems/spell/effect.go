package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// SpellHits has casts affect the targets at which they have arrived: for each effect there is a system that executes
// it.
type SpellHits struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	landings ecs.Requests[landed]
	objects  ecs.Read[components.Object]

	engages    ecs.Emit[rules.Engage]
	hits       ecs.Emit[rules.SpellHit]
	damageHits ecs.Emit[damageHit]
	healHits   ecs.Emit[healHit]
	threatHits ecs.Emit[threatHit]
	dispelHits ecs.Emit[dispelHit]
	moveHits   ecs.Emit[moveHit]
	callHits   ecs.Emit[callHit]
	auraHits   ecs.Emit[auraHit]
	triggered  ecs.Emit[attempt]

	refusedEffect sched.Counter `name:"spell.refused_effect"` // effects that are not implemented
	tooDeep       sched.Counter `name:"spell.too_deep"`       // spells that were triggered by too many in a row
	unknown       sched.Counter `name:"spell.unknown"`        // spells that do not exist
}

// React implements sched.Reactor.
func (s *SpellHits) React(sched.Tick) {
	all := s.landings.Take()
	for i := range all {
		if l := &all[i]; s.entities.Exists(l.target.entity) && s.entities.Exists(l.cast.by) {
			s.affect(l)
		}
	}
}

// affect has the effects of a cast happen to one target, in order.
//
// Source: Spell::DoAllEffectOnTarget, AzerothCore.
func (s *SpellHits) affect(l *landed) {
	c, m := l.cast.in(s.defs.Get()), &l.target
	if hostile := c.spell.Has(defs.SpellHarmful) && m.entity != c.by; hostile && !c.spell.Has(defs.SpellNoThreat) {
		s.engages.Emit(rules.Engage{By: c.by, To: m.entity})
	}
	if m.miss != msg.MissNone || !c.spell.Has(defs.SpellOnDead) && !s.Alive(m.entity) {
		return
	}
	if len(s.defs.Get().Scripts) > 0 { // no other system reads it
		s.hits.Emit(rules.SpellHit{By: c.by, To: m.entity, Spell: c.spell.ID})
	}
	h := hitEvent{event: l.cast, target: *m, byGUID: s.objects.Get(c.by).GUID, toGUID: s.objects.Get(m.entity).GUID}
	auras := uint32(0)
	for i := range c.spell.Effects {
		e := &c.spell.Effects[i]
		if m.effects&(1<<i) == 0 || c.spell.Has(defs.SpellChannelled) && l.pulse != pulsing(e) {
			continue
		}
		do := effects[e.Kind].do
		switch {
		case Refusal(c.spell, i) != "" || do == nil:
			s.refusedEffect.Count()
		case e.Kind == defs.EffectApplyAura:
			auras |= 1 << i
		default:
			h.effect = i
			do(s, h)
		}
	}
	if auras != 0 {
		h.effect = 0
		s.auraHits.Emit(auraHit{h, auras})
	}
}

// pulsing reports whether an effect of a channelled spell happens at each pulse.
func pulsing(e *defs.Effect) bool { return e.PulseMs > 0 && e.Kind != defs.EffectApplyAura }

// trigger casts the triggered spell at a target. Chains of triggered spells are bounded by maxTriggered.
//
// Source: Spell::EffectTriggerSpell, AzerothCore, which trusts its data.
func (s *SpellHits) trigger(h hitEvent) {
	c := &h.event
	id := s.defs.Get().Spell(c.id).Effects[h.effect].Trigger
	switch {
	case c.depth == maxTriggered:
		s.tooDeep.Count()
	case s.defs.Get().Spell(id) == nil:
		s.unknown.Count()
	default:
		s.triggered.Emit(newAttempt(atBegin, castEvent{
			by: c.by, target: h.target.entity, to: c.to, placed: c.placed, id: id, depth: c.depth + 1, triggered: true,
		}))
	}
}

// maxTriggered is how many spells in a row may trigger each other, with missiles in between or without, our own
// choice.
const maxTriggered = 4

// An effect is how a defs.EffectKind is executed: by do, which has a system do it, or the reason why it is not.
type effect struct {
	name    string
	do      func(s *SpellHits, h hitEvent)
	refused string
}

// effects is indexed by defs.EffectKind. Kinds without a name are refused as unknown.
var effects = [256]effect{
	defs.EffectSchoolDamage:     {name: "school damage", do: (*SpellHits).hitDamage},
	defs.EffectTeleport:         {name: "teleport home", do: (*SpellHits).hitMove},
	defs.EffectApplyAura:        {name: "apply aura", do: (*SpellHits).hitAura},
	defs.EffectHealthLeech:      {name: "health leech", do: (*SpellHits).hitDamage},
	defs.EffectHeal:             {name: "heal", do: (*SpellHits).hitHeal},
	defs.EffectResurrect:        {name: "resurrect", do: (*SpellHits).hitCall},
	defs.EffectSummon:           {name: "summon", do: (*SpellHits).hitCall},
	defs.EffectEnergize:         {name: "energize", do: (*SpellHits).hitHeal},
	defs.EffectWeaponPercent:    {name: "weapon percent", do: (*SpellHits).hitDamage},
	defs.EffectLearn:            {name: "learn", do: (*SpellHits).hitCall},
	defs.EffectDispel:           {name: "dispel", do: (*SpellHits).hitDispel},
	defs.EffectWeaponDamage:     {name: "weapon damage", do: (*SpellHits).hitDamage},
	defs.EffectThreat:           {name: "threat", do: (*SpellHits).hitThreat},
	defs.EffectTriggerSpell:     {name: "trigger spell", do: (*SpellHits).trigger},
	defs.EffectHealMax:          {name: "heal by the caster's health", do: (*SpellHits).hitHeal},
	defs.EffectInterrupt:        {name: "interrupt", do: (*SpellHits).hitDispel},
	defs.EffectPull:             {name: "pull", refused: "creatures cannot be dragged"},
	defs.EffectScript:           {name: "script", refused: "there are no scripts for spells"},
	defs.EffectCharge:           {name: "charge", do: (*SpellHits).hitMove},
	defs.EffectKnockBack:        {name: "knock back", do: (*SpellHits).hitMove},
	defs.EffectResurrectNew:     {name: "resurrect with so much", do: (*SpellHits).hitCall},
	defs.EffectAttackMe:         {name: "attack me", do: (*SpellHits).hitThreat},
	defs.EffectNormalizedWeapon: {name: "normalized weapon damage", do: (*SpellHits).hitDamage},
	defs.EffectHealPercent:      {name: "heal percent", do: (*SpellHits).hitHeal},
	defs.EffectEnergizePercent:  {name: "energize percent", do: (*SpellHits).hitHeal},
}

func (s *SpellHits) hitDamage(h hitEvent) { s.damageHits.Emit(damageHit(h)) }
func (s *SpellHits) hitHeal(h hitEvent)   { s.healHits.Emit(healHit(h)) }
func (s *SpellHits) hitThreat(h hitEvent) { s.threatHits.Emit(threatHit(h)) }
func (s *SpellHits) hitDispel(h hitEvent) { s.dispelHits.Emit(dispelHit(h)) }
func (s *SpellHits) hitMove(h hitEvent)   { s.moveHits.Emit(moveHit(h)) }
func (s *SpellHits) hitCall(h hitEvent)   { s.callHits.Emit(callHit(h)) }

// hitAura does nothing: all auras of a cast are one hit.
func (s *SpellHits) hitAura(hitEvent) {}
