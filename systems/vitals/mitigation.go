package vitals

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// Mitigation takes the damage that is to be dealt, and computes what of it reaches a unit's health: immunity stops it,
// auras absorb their part.
type Mitigation struct {
	rules.Living
	immunity rules.Immunities

	defs ecs.Res[defs.World]
	slab ecs.ResMut[ecs.Slab[components.Auras]]

	damages   ecs.Requests[rules.Damage]
	mitigated ecs.Emit[mitigated]
	averted   ecs.Emit[averted]

	threatStates ecs.Read[components.ThreatState]
	unitAuras    ecs.Read[components.UnitAuras]
	cheats       ecs.Read[components.Cheats]
}

// A mitigated is what of a damage reaches a unit, for system vitals: it has not been Dealt yet.
type mitigated struct {
	rules.DamageDealt
	God bool // it cannot kill the unit
}

// An averted is damage that evasion or immunity has stopped: it is reported to clients, and causes no threat.
type averted struct{ rules.DamageDealt }

// React implements sched.Reactor.
func (s *Mitigation) React(t sched.Tick) {
	damages := s.damages.Take()
	for i := range damages {
		s.mitigate(t, &damages[i])
	}
}

// mitigate computes what of a damage reaches a unit. Dead, evading and despawned units take none, and dead ones deal
// none by a swing.
//
// Source: Unit::IsImmunedToDamageOrSchool, which stands before all else in CalculateMeleeDamage, DealMeleeDamage and
// AuraEffect::PeriodicTick, AzerothCore.
func (s *Mitigation) mitigate(t sched.Tick, d *rules.Damage) {
	if !s.Alive(d.To) || d.Kind == rules.WeaponDamage && !s.Alive(d.By) {
		return
	}
	evades := s.threatStates.Get(d.To).Evading != 0
	immune := !evades && s.immunity.Immune(d.To, d.School)
	switch {
	case evades && d.Kind == rules.WeaponDamage:
		a := s.averted.Next()
		a.Damage = *d
		a.Weapon = rules.WeaponHit{Info: d.Weapon.Info&msg.HitOffHand | msg.HitMiss, State: msg.VictimEvades}
		a.Blocked = 0
	case evades:
	case immune && (d.Kind == rules.PeriodicDamage || d.Kind == rules.ShieldDamage):
		a := s.averted.Next()
		a.Damage, a.Immune = *d, true
	default:
		m := s.mitigated.Next()
		m.Damage, m.Immune = *d, immune
		if !immune {
			m.Absorbed = s.absorb(t, d.To, d.School, d.Amount)
		}
		m.God = s.cheats.Has(d.To) && s.cheats.Get(d.To).Set&components.CheatGod != 0
	}
}
