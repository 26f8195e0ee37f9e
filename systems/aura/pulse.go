package aura

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// AuraPulses executes the pulses of auras: it emits their damage, healing, power and casts.
type AuraPulses struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	pulses   ecs.Events[pulse]
	damages  ecs.Emit[rules.Damage]
	heals    ecs.Emit[rules.Heal]
	powers   ecs.Emit[rules.PowerChange]
	casts    ecs.Emit[rules.Cast]

	objects ecs.Read[components.Object]
	vitals  ecs.Read[components.Vitals]
	attacks ecs.Read[components.Attack]
	stats   ecs.ReadRef[components.CombatStats]

	own ecs.Prefetch[pulseTarget]
	foe ecs.Prefetch[pulseFoe]
}

// A pulse is one of an effect of an aura on a unit.
type pulse struct {
	entity ecs.Entity
	aura   components.Aura
	effect int
}

// A pulseTarget has what a pulse reads of the unit with the aura.
type pulseTarget struct{}

// Components implements ecs.Bundle.
func (pulseTarget) Components() []ecs.Type {
	return slices.Concat(ecs.Of4[components.VitalsState, components.Vitals, components.Unit, components.Object](),
		ecs.Of2[components.Attack, components.CombatStats]())
}

// A pulseFoe has what a pulse reads of the victim of the unit with the aura.
type pulseFoe struct{}

// Components implements ecs.Bundle.
func (pulseFoe) Components() []ecs.Type {
	return ecs.Of4[components.ThreatState, components.VitalsState, components.Vitals, components.Unit]()
}

// OnEvents implements sched.Handler.
func (s *AuraPulses) OnEvents(t sched.Tick) {
	pulses := s.pulses.All()
	for i := range pulses {
		next := ecs.PrefetchNext(pulses, i)
		for k := range next {
			s.own.Of(next[k].entity)
		}
		for k := range next {
			if e := next[k].entity; s.entities.Exists(e) {
				s.foe.Of(s.attacks.Get(e).Victim) // most of these auras are of the unit that it fights
			}
		}
		p := &pulses[i]
		s.execute(t, p.entity, p.aura, p.effect)
	}
}

// template is the spell of an aura.
func (s *AuraPulses) template(id uint32) *defs.Spell { return s.defs.Get().Spell(id) }

// execute executes one pulse of an effect of an aura.
//
// Source: AuraEffect::PeriodicTick, AzerothCore.
func (s *AuraPulses) execute(t sched.Tick, e ecs.Entity, a components.Aura, i int) {
	if !s.Alive(e) {
		return
	}
	effect := &s.template(a.Spell).Effects[i]
	amount := float32(a.Amount[i] * int32(max(a.Stacks, 1)))
	if !s.entities.Exists(a.Caster) {
		a.Caster = ecs.Entity{}
	}
	switch effect.Aura {
	case defs.AuraPeriodicDamage, defs.AuraPeriodicLeech:
		s.hurt(t, e, &a, i, uint32(max(amount, 0)))
	case defs.AuraPeriodicDamagePercent:
		s.hurt(t, e, &a, i, uint32(max(float32(amount/100*float32(s.vitals.Get(e).MaxHealth)), 0)))
	case defs.AuraPeriodicHeal:
		s.heals.Emit(rules.Heal{
			By: a.Caster, To: e, Caster: a.CasterGUID, Spell: a.Spell, Amount: uint32(max(float32(amount*s.stats.Get(e).Healed), 0)),
			Kind: rules.PeriodicReport, Quiet: s.template(a.Spell).Has(defs.SpellNoThreat),
		})
	case defs.AuraPeriodicEnergize:
		s.powers.Emit(rules.PowerChange{
			To: e, Caster: a.CasterGUID, Spell: a.Spell, Power: uint8(uint32(effect.Misc) % 7), Delta: int32(amount),
			Kind: rules.PeriodicReport,
		})
	case defs.AuraPeriodicTrigger:
		by := a.Caster
		if by == (ecs.Entity{}) {
			by = e
		}
		s.casts.Emit(rules.Cast{By: by, Target: e, Spell: effect.Trigger, Triggered: true})
	}
}

// hurt emits the damage of a pulse; a leech heals its caster by it.
//
// Source: AuraEffect::HandlePeriodicDamageAurasTick and HandlePeriodicHealthLeechAuraTick, AzerothCore.
func (s *AuraPulses) hurt(t sched.Tick, e ecs.Entity, a *components.Aura, i int, amount uint32) {
	sp := s.template(a.Spell)
	kind := sp.Effects[i].Aura
	if kind != defs.AuraPeriodicDamagePercent { // this is a part of the unit's health, and not reduced
		amount = uint32(float32(float32(amount) * s.stats.Get(e).DamageTaken))
	}
	d := rules.Damage{
		By: a.Caster, To: e, Caster: a.CasterGUID, Spell: a.Spell, School: sp.School, Amount: amount,
		Kind: rules.PeriodicDamage, Quiet: sp.Has(defs.SpellNoThreat), Leech: kind == defs.AuraPeriodicLeech,
		Percent: kind == defs.AuraPeriodicDamagePercent,
	}
	d.Resisted = s.resist(t, e, a, i, &d)
	s.damages.Emit(d)
}

// resist subtracts what a unit resists of a pulse. Pulses that are caught up with in one tick have dice of their own.
//
// Source: Unit::CalcAbsorbResist, which AuraEffect::HandlePeriodicDamageAurasTick asks, AzerothCore.
func (s *AuraPulses) resist(t sched.Tick, e ecs.Entity, a *components.Aura, i int, h *rules.Damage) (resisted uint32) {
	average := rules.Resistance(s.stats.Get(e), h.School, uint32(a.Level))
	if average == 0 || s.template(a.Spell).Has(defs.SpellBinary) {
		return 0
	}
	pulse := uint64(a.NextMs[i])<<2 | uint64(i)
	dice := t.Dice("aura.resist", a.CasterGUID^s.objects.Get(e).GUID<<20^uint64(a.Spell)<<40^pulse<<28)
	resisted = uint32(rules.Resists(&dice, average, float32(h.Amount)))
	h.Amount -= resisted
	return resisted
}
