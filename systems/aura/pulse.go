package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// take executes what is due of an aura: all pulses up to now, in order, and its end. So a unit whose cell slept, or
// whose map was not stepped, catches up. If a pulse ends the aura, nothing more of it is executed.
func (s *System) take(t sched.Tick, due turn) {
	if !s.entities.Alive(due.entity) {
		return
	}
	for n := 0; ; n++ {
		auras := s.auras(due.entity)
		at := find(auras, due.number)
		if at < 0 {
			return
		}
		a := &auras.List[at]
		i := s.first(t, a)
		switch {
		case i >= 0 && n >= maxPulses:
			a.NextMs[i] = t.NowMs + s.template(a).Effects[i].PulseMs
			s.skipped.Count()
			continue
		case i >= 0:
			a.NextMs[i] += s.template(a).Effects[i].PulseMs
			s.pulse(t, due.entity, *a, i)
			continue
		case a.Ended(t.NowMs):
			s.remove(t, due.entity, at, byTime)
		default:
			s.schedule(t, due.entity, a)
		}
		return
	}
}

// maxPulses is how many pulses of an aura are caught up with at once, our own choice: those of an hour. A permanent
// aura may have been left alone for weeks.
const maxPulses = 3600

// find is the index of a turn's aura, -1 if it is gone.
func find(auras *components.Auras, number uint32) int {
	if auras == nil {
		return -1
	}
	for i := range auras.List[:auras.Count] {
		if auras.List[i].Turn == number {
			return i
		}
	}
	return -1
}

// first is the effect of an aura whose pulse has been due longest, -1 if there is none. Pulses after the end of the
// aura do not count.
func (s *System) first(t sched.Tick, a *components.Aura) int {
	sp, first := s.template(a), -1
	for i := range a.NextMs {
		if a.Effects&(1<<i) == 0 || sp.Effects[i].PulseMs == 0 || int32(t.NowMs-a.NextMs[i]) < 0 ||
			a.MaxMs != 0 && int32(a.EndMs-a.NextMs[i]) < 0 {
			continue
		}
		if first < 0 || int32(a.NextMs[i]-a.NextMs[first]) < 0 {
			first = i
		}
	}
	return first
}

// pulse executes one pulse of an effect of an aura.
//
// Source: AuraEffect::PeriodicTick, AzerothCore.
func (s *System) pulse(t sched.Tick, e ecs.Entity, a components.Aura, i int) {
	if !s.Alive(e) {
		return
	}
	effect := &s.template(&a).Effects[i]
	amount := float32(a.Amount[i] * int32(max(a.Stacks, 1)))
	if !s.entities.Alive(a.Caster) {
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
			Kind: rules.PeriodicReport, Quiet: s.template(&a).Has(defs.SpellNoThreat),
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
func (s *System) hurt(t sched.Tick, e ecs.Entity, a *components.Aura, i int, amount uint32) {
	sp := s.template(a)
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
func (s *System) resist(t sched.Tick, e ecs.Entity, a *components.Aura, i int, h *rules.Damage) (resisted uint32) {
	average := rules.Resistance(s.stats.Get(e), h.School, uint32(a.Level))
	if average == 0 || s.template(a).Has(defs.SpellBinary) {
		return 0
	}
	pulse := uint64(a.NextMs[i])<<2 | uint64(i)
	dice := t.Dice("aura.resist", a.CasterGUID^s.objects.Get(e).GUID<<20^uint64(a.Spell)<<40^pulse<<28)
	resisted = uint32(rules.Resists(&dice, average, float32(h.Amount)))
	h.Amount -= resisted
	return resisted
}
