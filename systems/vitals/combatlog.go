package vitals

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A CombatLog broadcasts the packets that explain damage, healing and gains of power, before their consequences.
type CombatLog struct {
	entities ecs.Entities
	out      change.Out
	objects  ecs.Read[components.Object]

	averted     ecs.Requests[avertedDamage]
	damageDealt ecs.EventReader[rules.DamageDealt]
	healed      ecs.EventReader[rules.Healed]
	powers      ecs.EventReader[rules.PowerChange]
	deaths      ecs.EventReader[rules.Death]

	packets packets `snapshot:"-"` // rewritten for each message
}

// packets are the messages of the system, kept so that sending them does not allocate.
type packets struct {
	attack      msg.AttackerState
	spell       msg.SpellDamageLog
	miss        msg.SpellLogMiss
	immune      msg.SpellOrDamageImmune
	periodic    msg.PeriodicAuraLog
	environment msg.EnvironmentalDamageLog
	heal        msg.SpellHealLog
	energize    msg.SpellEnergizeLog
}

// React implements sched.Reactor.
func (s *CombatLog) React(sched.Tick) {
	averted := s.averted.Take()
	for i := range averted {
		s.report((*rules.DamageDealt)(&averted[i]))
	}
	dealt := s.damageDealt.Next()
	for i := range dealt {
		s.report(&dealt[i])
	}
	healed := s.healed.Next()
	for i := range healed {
		s.reportHeal(&healed[i])
	}
	powers := s.powers.Next()
	for i := range powers {
		if s.entities.Exists(powers[i].To) {
			s.reportPower(&powers[i])
		}
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Exists(d.Entity) {
			s.out.Happen(change.Happening{Kind: change.HappenedDeath, Subject: s.guid(d.Entity), Other: s.guid(d.By), ID: d.Spell})
		}
	}
}

// report broadcasts the packet that explains damage.
func (s *CombatLog) report(d *rules.DamageDealt) {
	switch d.Kind {
	case rules.WeaponDamage:
		s.reportSwing(d)
	case rules.SpellDamage:
		if d.Immune {
			s.reportMiss(d)
		} else {
			s.reportSpell(d)
		}
		if s.entities.Exists(d.By) {
			s.out.FlushNow(d.By)
		}
	case rules.ShieldDamage:
		if d.Immune {
			s.reportImmune(d, false)
		} else {
			s.reportSpell(d)
		}
	case rules.PeriodicDamage:
		if d.Immune {
			s.reportImmune(d, true)
		} else {
			s.reportPulse(d)
		}
	case rules.FallDamage:
		s.packets.environment = msg.EnvironmentalDamageLog{
			GUID: s.objects.Get(d.To).GUID, Kind: msg.DamageFall, Damage: d.Dealt, Absorbed: d.Absorbed,
		}
		s.out.Broadcast(d.To, msg.OpEnvironmentalDamageLog, &s.packets.environment)
	}
}

// guid is the GUID of a unit, 0 if it does not exist.
func (s *CombatLog) guid(e ecs.Entity) uint64 {
	if s.entities.Exists(e) {
		return s.objects.Get(e).GUID
	}
	return 0
}

// reportSwing broadcasts a hit of a weapon, or its failure.
func (s *CombatLog) reportSwing(d *rules.DamageDealt) {
	m := &s.packets.attack
	*m = msg.AttackerState{
		HitInfo: d.Weapon.Info, Attacker: s.guid(d.By), Victim: s.objects.Get(d.To).GUID, Damage: d.Dealt,
		Overkill: d.Overkill, Count: 1, Subs: [2]msg.SubDamage{{School: defs.SchoolPhysical, Damage: d.Dealt, Absorbed: d.Absorbed}},
		VictimState: d.Weapon.State, Blocked: d.Blocked,
	}
	switch {
	case d.Immune:
		m.HitInfo &= msg.HitOffHand
		m.VictimState, m.Blocked = msg.VictimImmune, 0
	case d.Absorbed > 0 && d.Dealt == 0:
		m.HitInfo |= msg.HitFullAbsorb
	case d.Absorbed > 0:
		m.HitInfo |= msg.HitPartialAbsorb
	}
	s.out.Broadcast(d.To, msg.OpAttackerState, m)
}

// reportSpell broadcasts the damage of a spell or of a damage shield.
func (s *CombatLog) reportSpell(d *rules.DamageDealt) {
	p := &s.packets.spell
	*p = msg.SpellDamageLog{
		Target: s.objects.Get(d.To).GUID, Attacker: s.guid(d.By), Spell: d.Spell, Damage: d.Dealt, Overkill: d.Overkill,
		School: uint8(d.School), Absorbed: d.Absorbed, Resisted: d.Resisted, Blocked: d.Blocked,
		Physical: d.Kind == rules.SpellDamage && d.School == defs.SchoolPhysical,
	}
	if d.Critical {
		p.HitInfo = msg.SpellHitCritical
	}
	s.out.Broadcast(d.To, msg.OpSpellDamageLog, p)
}

// reportMiss broadcasts that a unit is immune to a spell.
//
// Source: Unit::SendSpellMiss, AzerothCore.
func (s *CombatLog) reportMiss(d *rules.DamageDealt) {
	p := &s.packets.miss
	p.Spell, p.Caster = d.Spell, s.guid(d.By)
	p.Misses = append(p.Misses[:0], msg.LogMiss{Target: s.objects.Get(d.To).GUID, Reason: msg.MissImmune})
	s.out.Broadcast(d.To, msg.OpSpellLogMiss, p)
}

// reportImmune broadcasts that a unit is immune to an aura's damage.
func (s *CombatLog) reportImmune(d *rules.DamageDealt, periodic bool) {
	p := &s.packets.immune
	p.Caster, p.Target, p.Spell, p.Periodic = d.Caster, s.objects.Get(d.To).GUID, d.Spell, periodic
	s.out.Broadcast(d.To, msg.OpSpellOrDamageImmune, p)
}

// reportPulse broadcasts the damage of an aura.
func (s *CombatLog) reportPulse(d *rules.DamageDealt) {
	tick := msg.PeriodicTick{
		Type: msg.PeriodicDamage, Amount: d.Dealt, Over: d.Overkill, School: d.School, Absorbed: d.Absorbed,
		Resisted: d.Resisted,
	}
	if d.Percent {
		tick.Type = msg.PeriodicDamagePercent
	}
	s.sendPulse(d.To, d.Caster, d.Spell, tick)
}

func (s *CombatLog) sendPulse(e ecs.Entity, caster uint64, spell uint32, tick msg.PeriodicTick) {
	p := &s.packets.periodic
	p.Target, p.Caster, p.Spell = s.objects.Get(e).GUID, caster, spell
	p.Ticks = append(p.Ticks[:0], tick)
	s.out.Broadcast(e, msg.OpPeriodicAuraLog, p)
}

// reportHeal broadcasts healing, of which some was more than the unit lacked.
func (s *CombatLog) reportHeal(h *rules.Healed) {
	over := h.Amount - h.Health
	switch h.Kind {
	case rules.SpellReport:
		s.packets.heal = msg.SpellHealLog{
			Target: s.objects.Get(h.To).GUID, Caster: h.Caster, Spell: h.Spell, Heal: h.Amount, Overheal: over,
			Critical: h.Critical,
		}
		s.out.Broadcast(h.To, msg.OpSpellHealLog, &s.packets.heal)
	case rules.PeriodicReport:
		s.sendPulse(h.To, h.Caster, h.Spell, msg.PeriodicTick{Type: msg.PeriodicHeal, Amount: h.Amount, Over: over})
	}
}

// reportPower broadcasts a gain of power.
func (s *CombatLog) reportPower(p *rules.PowerChange) {
	amount := uint32(max(p.Delta, 0))
	switch p.Kind {
	case rules.SpellReport:
		s.packets.energize = msg.SpellEnergizeLog{
			Target: s.objects.Get(p.To).GUID, Caster: p.Caster, Spell: p.Spell, Power: uint32(p.Power), Amount: amount,
		}
		s.out.Broadcast(p.To, msg.OpSpellEnergizeLog, &s.packets.energize)
	case rules.PeriodicReport:
		s.sendPulse(p.To, p.Caster, p.Spell, msg.PeriodicTick{
			Type: msg.PeriodicEnergize, Power: uint32(p.Power), Amount: amount,
		})
	}
}
