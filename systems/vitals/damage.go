package vitals

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// damage deals damage. Dead, evading and despawned units take none, and those that died before their swing in the same
// tick deal none by it.
func (s *System) damage(t sched.Tick, d *rules.Damage) {
	if !s.Alive(d.To) || d.Kind == rules.MeleeDamage && !s.Alive(d.By) {
		return
	}
	if s.threatStates.Get(d.To).Evading != 0 {
		if d.Kind == rules.MeleeDamage {
			d.Melee = rules.MeleeHit{Info: d.Melee.Info&msg.HitOffHand | msg.HitMiss, State: msg.VictimEvades}
			d.Blocked = 0
			s.reportSwing(d, &rules.DamageResult{})
		}
		return
	}
	result := s.resolve(t, d)
	s.report(d, &result)
	if result.Immune && (d.Kind == rules.PeriodicDamage || d.Kind == rules.ShieldDamage) {
		return // is no hostile act
	}
	s.apply(t, d, &result)
}

// resolve computes the result of damage to a unit, and lets auras absorb their part of it.
//
// Source: Unit::IsImmunedToDamageOrSchool, which stands before all else in CalculateMeleeDamage, DealMeleeDamage and
// AuraEffect::PeriodicTick, AzerothCore.
func (s *System) resolve(t sched.Tick, d *rules.Damage) (r rules.DamageResult) {
	if s.immunity.Immune(d.To, d.School) {
		r.Immune = true
		return r
	}
	health := s.vitals.Get(d.To).Health
	r.Absorbed = min(s.absorb(t, d.To, d.School, d.Amount), d.Amount)
	r.Dealt = d.Amount - r.Absorbed
	if s.cheats.Has(d.To) && s.cheats.Get(d.To).Set&components.CheatGod != 0 {
		r.Dealt = min(r.Dealt, health-1)
	}
	if r.Dealt >= health {
		r.Overkill, r.Killed = r.Dealt-health, true
	}
	return r
}

// apply takes what was resolved from a unit's health, and gives rage and leeched health for it.
func (s *System) apply(t sched.Tick, d *rules.Damage, r *rules.DamageResult) {
	dealt := rules.DamageDealt{Damage: *d, DamageResult: *r}
	*s.damageDealt.Next() = dealt
	if dealt.Hit() {
		s.vitalsStates.Get(d.To).LastHitMs = t.NowMs
	}
	switch {
	case r.Killed:
		s.kill(t, d.To, d.By, d.Spell)
	case r.Dealt > 0:
		s.setHealth(d.To, s.vitals.Get(d.To).Health-r.Dealt)
		if d.By != (ecs.Entity{}) && d.By != d.To && s.rages(d.To) {
			s.energize(d.To, components.PowerRage, rageTaken(r.Dealt, s.units.Get(d.To).Level))
		}
	}
	if d.Melee.Rage && !r.Immune && s.entities.Alive(d.By) && s.rages(d.By) {
		s.energize(d.By, components.PowerRage, rageDealt(d, r.Dealt, s.units.Get(d.By).Level))
	}
	if d.Leech && s.entities.Alive(d.By) {
		s.heal(&rules.Heal{
			By: d.By, To: d.By, Caster: s.objects.Get(d.By).GUID, Spell: d.Spell, Amount: r.Dealt - r.Overkill,
			Kind: leechReport(d.Kind), Quiet: d.Quiet,
		})
	}
}

// leechReport is the report of health that is leeched by a spell or by an aura.
func leechReport(k rules.DamageKind) rules.ReportKind {
	if k == rules.PeriodicDamage {
		return rules.PeriodicReport
	}
	return rules.SpellReport
}

// kill ends a living unit.
func (s *System) kill(t sched.Tick, e, by ecs.Entity, spell uint32) {
	s.vitals.Get(e).Health = 0
	s.vitalsStates.Get(e).LastHitMs = t.NowMs
	s.dirty.Mark(e, components.DirtyVitals)
	s.deaths.Emit(rules.Death{Entity: e, By: by, Spell: spell})
	death := change.Happening{Kind: change.HappenedDeath, Subject: s.objects.Get(e).GUID, ID: spell}
	if s.entities.Alive(by) {
		death.Other = s.objects.Get(by).GUID
	}
	s.out.Happen(death)
}
