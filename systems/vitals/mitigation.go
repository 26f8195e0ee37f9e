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
// auras absorb their part, of which they have less then.
type Mitigation struct {
	rules.Living
	immunities rules.Immunities

	defs ecs.Res[defs.World]
	slab ecs.ResMut[ecs.Slab[components.Auras]]

	damages   ecs.Requests[rules.Damage]
	mitigated ecs.Emit[mitigatedDamage]
	averted   ecs.Emit[avertedDamage]

	threatStates ecs.Read[components.ThreatState]
	unitAuras    ecs.Read[components.UnitAuras]
	cheats       ecs.Read[components.Cheats]
}

// A mitigatedDamage is damage that reaches a unit, and what becomes of it there. System vitals deals it.
type mitigatedDamage struct {
	rules.Damage
	Absorbed uint32 // of its Amount, by auras
	Immune   bool   // the unit is immune to all of its schools: nothing is dealt, and it is a hostile act
	God      bool   // it cannot kill the unit
}

// An avertedDamage is damage that does not reach a unit, because the unit evades or is immune: combatlog reports it, and nothing else
// follows from it.
type avertedDamage struct {
	rules.Damage
	rules.DamageResult
}

// React implements sched.Reactor.
func (s *Mitigation) React(t sched.Tick) {
	damages := s.damages.Take()
	for i := range damages {
		s.mitigate(t, &damages[i])
	}
}

// mitigate computes what of a damage reaches a unit. Dead, evading and despawned units take none, and dead ones deal
// none by a swing. What came before it in this round may have killed either, so vitals asks for that again.
//
// Source: Unit::IsImmunedToDamageOrSchool, which stands before all else in CalculateMeleeDamage, DealMeleeDamage and
// AuraEffect::PeriodicTick, AzerothCore.
func (s *Mitigation) mitigate(t sched.Tick, d *rules.Damage) {
	if !s.Alive(d.To) || d.Kind == rules.WeaponDamage && !s.Alive(d.By) {
		return
	}
	evades := s.threatStates.Get(d.To).Evading != 0
	immune := !evades && s.immunities.Immune(d.To, d.School)
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
