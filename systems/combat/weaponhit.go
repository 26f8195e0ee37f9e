package combat

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// WeaponHits rolls on the attack table for each swing or shot, and emits a rules.Damage. A spell may replace a swing.
type WeaponHits struct {
	rules.Reach
	fighters   rules.Fighters
	immunities rules.Immunities

	swings   ecs.Events[swing]
	damages  ecs.Emit[rules.Damage]
	replaced ecs.Emit[rules.SwingReplaced]
	changes  ecs.Emit[rules.SwingChanged]

	objects      ecs.Read[components.Object]
	units        ecs.Read[components.Unit]
	threatStates ecs.Read[components.ThreatState]
	stats        ecs.ReadRef[components.CombatStats]
	castings     ecs.ReadRef[components.Casting]
}

// OnEvents implements sched.Handler.
func (s *WeaponHits) OnEvents(t sched.Tick) {
	for _, it := range s.swings.All() {
		if it.hand == components.MainHand && s.castings.Get(it.entity).NextSwing != 0 {
			s.replaced.Emit(rules.SwingReplaced{Entity: it.entity, Victim: it.victim})
			continue
		}
		s.attackOnce(t, it.entity, it.victim, it.hand)
	}
}

// attackOnce rolls one melee attack or shot on the attack table, and emits its damage. There is no roll on a victim that evades or is
// immune; system mitigation, which decides that for all damage, does it again for this one, since what comes before it in the
// stage may have changed it.
//
// Source: Unit::AttackerStateUpdate, CalculateMeleeDamage and DealMeleeDamage, AzerothCore.
func (s *WeaponHits) attackOnce(t sched.Tick, e, victim ecs.Entity, hand int) {
	d := rules.Damage{By: e, To: victim, School: defs.SchoolPhysical, Kind: rules.WeaponDamage}
	d.Weapon.SwingMs = s.stats.Get(e).SwingMs[hand]
	if hand == components.OffHand {
		d.Weapon.Info |= msg.HitOffHand
	}
	if s.threatStates.Get(victim).Evading != 0 {
		d.Weapon.Info |= msg.HitMiss
		d.Weapon.State = msg.VictimEvades
	} else if !s.immunities.Immune(victim, defs.SchoolPhysical) {
		// The name is a part of the seed: with another one no recording replays.
		dice := t.Dice("combat.strike", s.objects.Get(e).GUID<<2|uint64(hand))
		attacker, defender := s.fighters.Of(e), s.fighters.Of(victim)
		chances := rules.ChancesOf(&attacker, &defender, hand, s.InFront(victim, e))
		table := chances.Table()
		outcome := table.Roll(dice.Intn(rules.Rolls))
		s.rollDamage(&d, hand, outcome, &dice)
		d.Critical = outcome == rules.Crit
		d.Weapon.Rage = outcome.Lands() && hand != components.RangedHand
		if outcome == rules.Parry {
			s.changes.Emit(rules.SwingChanged{Entity: victim, Parried: true})
		}
	}
	s.damages.Emit(d)
}

// rollDamage sets the damage of an attack before absorption, and what of its packet follows from the outcome.
//
// Source: Unit::CalculateMeleeDamage, AzerothCore: a critical hit is worth two, a glancing one loses a tenth for
// each level that the victim is higher, at most three tenths; a crushing one is worth half as much again; a block
// takes its value away.
func (s *WeaponHits) rollDamage(d *rules.Damage, hand int, outcome rules.Outcome, dice *sched.Dice) {
	m := &d.Weapon
	switch outcome {
	case rules.Miss:
		m.Info |= msg.HitMiss
		return
	case rules.Dodge:
		m.State = msg.VictimDodge
		return
	case rules.Parry:
		m.State = msg.VictimParry
		return
	}
	p, q := s.stats.Get(d.By), s.stats.Get(d.To)
	level, above := s.units.Get(d.By).Level, s.units.Get(d.To).Level
	damage := float32(dice.Between(p.MinDamage[hand], p.MaxDamage[hand])*p.DamageDone) * q.DamageTaken
	damage = rules.ReduceByArmor(damage, q.Armor, level)
	m.Info |= msg.HitAffectsVictim
	m.State = msg.VictimHit
	switch outcome {
	case rules.Glancing:
		m.Info |= msg.HitGlancing
		damage -= float32(damage * float32(min(above-level, 3)) / 10)
	case rules.Crit:
		m.Info |= msg.HitCritical
		damage *= 2
	case rules.Crushing:
		m.Info |= msg.HitCrushing
		damage += damage / 2
	}
	d.Amount = uint32(damage + 0.5)
	if p.MaxDamage[hand] > 0 {
		d.Amount = max(d.Amount, 1)
	}
	if outcome == rules.Block {
		m.Info |= msg.HitBlock
		d.Blocked = min(uint32(q.BlockValue), d.Amount)
		if d.Amount -= d.Blocked; d.Amount == 0 {
			m.State = msg.VictimBlocks
		}
	}
}
