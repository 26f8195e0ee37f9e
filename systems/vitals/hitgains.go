package vitals

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// HitGains asks for what damage gives: rage to attacker and victim, and leeched health.
type HitGains struct {
	entities    ecs.Entities
	damageDealt ecs.EventReader[rules.DamageDealt]
	powers      ecs.Emit[rules.PowerChange]
	heals       ecs.Emit[rules.Heal]
	vitals      ecs.Read[components.Vitals]
	units       ecs.Read[components.Unit]
	objects     ecs.Read[components.Object]
}

// React implements sched.Reactor.
func (s *HitGains) React(sched.Tick) {
	dealt := s.damageDealt.Next()
	for i := range dealt {
		d := &dealt[i]
		if d.Dealt > 0 && !d.Killed && d.By != (ecs.Entity{}) && d.By != d.To && s.rages(d.To) {
			s.giveRage(d.To, rageTaken(d.Dealt, s.units.Get(d.To).Level))
		}
		if d.Weapon.Rage && !d.Immune && s.rages(d.By) {
			s.giveRage(d.By, rageDealt(&d.Damage, d.Dealt, s.units.Get(d.By).Level))
		}
		if d.Leech && s.entities.Exists(d.By) {
			s.heals.Emit(rules.Heal{
				By: d.By, To: d.By, Caster: s.objects.Get(d.By).GUID, Spell: d.Spell, Amount: d.Dealt - d.Overkill,
				Kind: leechReport(d.Kind), Quiet: d.Quiet,
			})
		}
	}
}

// leechReport is the report of health that is leeched by a spell or by an aura.
func leechReport(k rules.DamageKind) rules.ReportKind {
	if k == rules.PeriodicDamage {
		return rules.PeriodicReport
	}
	return rules.SpellReport
}

// rages reports whether a unit exists, and its power is rage.
func (s *HitGains) rages(e ecs.Entity) bool {
	return s.entities.Exists(e) && s.vitals.Get(e).MaxPower[components.PowerRage] > 0
}

func (s *HitGains) giveRage(e ecs.Entity, tenths int32) {
	s.powers.Emit(rules.PowerChange{To: e, Power: components.PowerRage, Delta: tenths, Kind: rules.NoReport})
}

// rageDealt returns the rage, in tenths, for damage dealt with a weapon to an attacker of a level.
//
// Source: Unit::RewardRage and Unit::DealMeleeDamage, AzerothCore (build 12340): damage over the conversion of the
// level times 7.5, and 3.5 for each second of a main hand's swing, half of it for an off hand's, twice for a critical
// hit; half of the sum.
func rageDealt(d *rules.Damage, damage, level uint32) int32 {
	factor := 3.5
	if d.Weapon.Info&msg.HitOffHand != 0 {
		factor /= 2
	}
	if d.Critical {
		factor *= 2
	}
	return tenths((float64(float64(damage)/conversion(level)*7.5) + float64(float64(d.Weapon.SwingMs)/1000*factor)) / 2)
}

// rageTaken returns the rage, in tenths, for damage taken.
//
// Source: Unit::RewardRage, AzerothCore (2.5 times the damage over the conversion).
func rageTaken(damage, level uint32) int32 {
	return tenths(float64(damage) / conversion(level) * 2.5)
}

// conversion returns the damage that a point of rage stands for. Above level 70 it grows faster.
//
// Source: Unit::RewardRage, AzerothCore.
func conversion(level uint32) float64 {
	l := float64(level)
	c := float64(0.0091107836*l*l) + float64(3.225598133*l) + 4.2652911
	if level > 70 {
		c += float64(13.27 * (l - 70))
	}
	return c
}

func tenths(rage float64) int32 { return int32(math.Min(rage*10, 1000)) }
