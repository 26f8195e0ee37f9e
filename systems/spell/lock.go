package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// SpellLocks sends players the spells that they cannot cast for a while, once a cast of theirs has been interrupted.
type SpellLocks struct {
	entities ecs.Entities

	defs    ecs.Res[defs.World]
	out     change.Out
	locks   ecs.Requests[spellLock]
	objects ecs.Read[components.Object]
	spells  ecs.ReadRef[components.Spellbook]

	cooldown msg.SpellCooldown // kept here, since a packet takes its message by reference
}

// A spellLock is a unit that cannot cast spells of some schools for a while.
type spellLock struct {
	entity      ecs.Entity
	schools, ms uint32
}

// React implements sched.Reactor.
//
// Source: Player::ProhibitSpellSchool, AzerothCore.
func (s *SpellLocks) React(sched.Tick) {
	for _, l := range s.locks.Take() {
		if s.entities.Exists(l.entity) && s.spells.Has(l.entity) {
			s.send(&l)
		}
	}
}

func (s *SpellLocks) send(l *spellLock) {
	m := &s.cooldown
	m.Caster, m.Flags, m.Spells = s.objects.Get(l.entity).GUID, 0, m.Spells[:0]
	book := s.spells.Get(l.entity)
	for _, id := range book.Spells[:book.Count] {
		if sp := s.defs.Get().Spell(id); sp != nil && sp.School&l.schools != 0 && !sp.Has(defs.SpellPassive) {
			m.Spells = append(m.Spells, msg.CooldownSpell{Spell: id, Ms: l.ms})
		}
	}
	if len(m.Spells) > 0 {
		s.out.SendNow(l.entity, msg.OpSpellCooldown, m)
	}
}
