package combat

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// attackOnce resolves one melee attack or shot, broadcasts its packet and applies the result.
//
// Source: Unit::AttackerStateUpdate, CalculateMeleeDamage and DealMeleeDamage, AzerothCore.
func (s *System) attackOnce(t sched.Tick, e, victim ecs.Entity, hand int) {
	s.book.Engage(t, e, victim)
	m := &s.state
	*m = msg.AttackerState{
		Attacker: s.objects.Get(e).GUID, Victim: s.objects.Get(victim).GUID,
		Count: 1, Subs: [2]msg.SubDamage{{School: defs.SchoolPhysical}},
	}
	if hand == components.OffHand {
		m.HitInfo |= msg.HitOffHand
	}
	damage := rules.Damage{By: e, To: victim, School: defs.SchoolPhysical}
	dice := t.Dice("combat.strike", m.Attacker<<2|uint64(hand))
	outcome := rules.Miss
	if s.combats.Get(victim).Evading != 0 {
		m.HitInfo |= msg.HitMiss
		m.VictimState = msg.VictimEvades
	} else {
		chances := s.book.AttackChances(e, victim, hand)
		table := chances.Table()
		outcome = table.Roll(dice.Intn(rules.Rolls))
		damage.Amount = s.rollDamage(e, victim, hand, outcome, &dice)
	}
	done := s.book.ResolveDamage(t, &damage)
	if done.Immune {
		outcome = rules.Miss
		m.HitInfo &= msg.HitOffHand
		m.VictimState, m.Blocked = msg.VictimImmune, 0
	}
	m.Damage, m.Overkill = done.Dealt, done.Overkill
	m.Subs[0].Damage, m.Subs[0].Absorbed = done.Dealt, done.Absorbed
	if done.Absorbed > 0 {
		m.HitInfo |= msg.HitPartialAbsorb
		if done.Dealt == 0 {
			m.HitInfo ^= msg.HitPartialAbsorb | msg.HitFullAbsorb
		}
	}
	s.out.Broadcast(victim, msg.OpAttackerState, m)
	if m.VictimState != msg.VictimEvades {
		s.book.ApplyDamage(t, &damage, &done)
	}
	if outcome == rules.Parry {
		s.parryHaste(t, victim)
	}
	if outcome >= rules.Block && hand != components.RangedHand {
		s.book.RewardRage(e, done.Dealt, s.book.CombatStats(e).SwingMs[hand], hand == components.OffHand, outcome == rules.Crit)
	}
}

// rollDamage returns the damage of an attack before absorption, and sets the fields of its packet that follow from the
// outcome.
//
// Source: Unit::CalculateMeleeDamage, AzerothCore: a critical blow is worth two, a glancing one loses a tenth for
// each level that the victim is higher, at most three tenths; a crushing one is worth half as much again; a block
// takes its value away.
func (s *System) rollDamage(e, victim ecs.Entity, hand int, outcome rules.Outcome, dice *sched.Dice) uint32 {
	m := &s.state
	switch outcome {
	case rules.Miss:
		m.HitInfo |= msg.HitMiss
		return 0
	case rules.Dodge:
		m.VictimState = msg.VictimDodge
		return 0
	case rules.Parry:
		m.VictimState = msg.VictimParry
		return 0
	}
	p, q := s.book.CombatStats(e), s.book.CombatStats(victim)
	level, above := s.units.Get(e).Level, s.units.Get(victim).Level
	damage := float32(dice.Between(p.MinDamage[hand], p.MaxDamage[hand])*p.DamageDone) * q.DamageTaken
	damage = rules.Mitigate(damage, q.Armor, level)
	m.HitInfo |= msg.HitAffectsVictim
	m.VictimState = msg.VictimHit
	switch outcome {
	case rules.Glancing:
		m.HitInfo |= msg.HitGlancing
		damage -= float32(damage * float32(min(above-level, 3)) / 10)
	case rules.Crit:
		m.HitInfo |= msg.HitCritical
		damage *= 2
	case rules.Crushing:
		m.HitInfo |= msg.HitCrushing
		damage += damage / 2
	}
	amount := uint32(damage + 0.5)
	if p.MaxDamage[hand] > 0 {
		amount = max(amount, 1)
	}
	if outcome == rules.Block {
		m.HitInfo |= msg.HitBlock
		m.Blocked = min(uint32(q.BlockValue), amount)
		if amount -= m.Blocked; amount == 0 {
			m.VictimState = msg.VictimBlocks
		}
	}
	return amount
}

// parryHaste shortens the time to the next swing of a unit that has parried: by two fifths of its swing time, but not
// below a fifth of it.
//
// Source: Unit::AttackerStateUpdate's parry haste, Unit::ProcDamageAndSpellFor, AzerothCore.
func (s *System) parryHaste(t sched.Tick, e ecs.Entity) {
	combat := s.combats.Get(e)
	swing := s.book.CombatStats(e).SwingMs[components.MainHand]
	left, least := int32(combat.NextMs[components.MainHand]-t.NowMs), int32(swing/5)
	if combat.Swinging == 0 || left <= least {
		return
	}
	left = max(left-int32(swing*2/5), least)
	combat.NextMs[components.MainHand] = t.NowMs + uint32(left)
	s.book.ScheduleSwing(t, e, milliseconds(uint32(left)))
}
