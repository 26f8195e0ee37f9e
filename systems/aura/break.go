package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// AuraBreaks finds what ends auras besides time: what their units do and suffer, their death, and players that cancel them.
type AuraBreaks struct {
	rules.Living
	auras rules.AuraSums

	entities   ecs.Entities
	clicks     ecs.Events[change.Sent[msg.CancelAura]]
	moves      ecs.Events[change.Sent[msg.Move]]
	broken     ecs.Requests[rules.AuraBroken]
	dealt      ecs.EventReader[rules.DamageDealt]
	absorbed   ecs.Requests[rules.DamageAbsorbed]
	deaths     ecs.EventReader[rules.Death]
	gone       ecs.EventReader[rules.Gone]
	ends       ecs.Emit[auraEnd]
	interrupts ecs.Emit[rules.InterruptCast]
	motions    ecs.Read[components.Motion]
	sessions   ecs.Read[components.Session]
}

// An auraEnd is what may end some auras of a unit, or take charges of them. System appliedauras takes it.
type auraEnd struct {
	entity   ecs.Entity
	attacker ecs.Entity // that damage shields damage; zero none
	breaks   defs.Break // ends the auras that one of these breaks,
	except   uint32     // but for those of this spell
	spent    defs.Spent // takes a charge of the auras that lose one by one of these
	cancels  uint32     // ends the auras of a spell, as far as a player may
	absorbed bool       // ends the auras that have absorbed all that they can
	cause    cause      // ends all auras
}

// A cause is why all auras of a unit end.
type cause uint8

const (
	noCause    cause = iota // they do not
	playerDied              // but for those that outlive it
	creatureDied
	creatureLeft // the world: no packet
	playerLeft   // the world: none ends, but cooldowns of others do not wait for them any more
)

// OnEvents looks at what clients do.
func (s *AuraBreaks) OnEvents(sched.Tick) {
	for i, moves := 0, s.moves.All(); i < len(moves); i++ {
		e := moves[i].By
		if auras := s.auras.Of(e); auras != nil && defs.Break(auras.Sum.Breaks)&defs.BreakMove != 0 && s.motions.Get(e).Flags&moving != 0 {
			s.ends.Emit(auraEnd{entity: e, breaks: defs.BreakMove})
		}
	}
	for _, sent := range s.clicks.All() {
		s.ends.Emit(auraEnd{entity: sent.By, cancels: sent.Msg.Spell})
	}
}

// moving has all bits of components.Motion.Flags with which a unit changes its place.
//
// Source: MOVEMENTFLAG_MASK_MOVING, UnitDefines.h, AzerothCore.
const moving = components.MoveForward | components.MoveBackward | components.MoveStrafeLeft | components.MoveStrafeRight |
	components.MoveFalling | components.MoveFallingFar | components.MoveAscending | components.MoveDescending

// React looks at acts, damage and deaths.
func (s *AuraBreaks) React(sched.Tick) {
	for _, b := range s.broken.Take() {
		end := auraEnd{entity: b.Entity, breaks: b.Why}
		if b.Why&defs.BreakCast != 0 {
			end.spent = defs.SpentCast
		}
		s.ends.Emit(end)
	}
	for dealt, i := s.dealt.Next(), 0; i < len(dealt); i++ {
		if dealt[i].Hit() {
			s.damaged(&dealt[i])
		}
	}
	for _, a := range s.absorbed.Take() {
		if s.entities.Exists(a.Entity) {
			s.ends.Emit(auraEnd{entity: a.Entity, absorbed: true})
		}
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Exists(d.Entity) && !s.Alive(d.Entity) {
			s.interrupts.Emit(rules.InterruptCast{Entity: d.Entity}) // system casts may not know yet
			why := creatureDied
			if s.sessions.Has(d.Entity) {
				why = playerDied
			}
			s.ends.Emit(auraEnd{entity: d.Entity, cause: why})
		}
	}
	for _, g := range s.gone.Next() {
		if s.entities.Exists(g.Entity) {
			why := creatureLeft
			if s.sessions.Has(g.Entity) {
				why = playerLeft // with its character, later in the tick
			}
			s.ends.Emit(auraEnd{entity: g.Entity, cause: why})
		}
	}
}

// damaged looks at damage: auras that break, charges that are used, and damage shields.
func (s *AuraBreaks) damaged(d *rules.DamageDealt) {
	attack := d.WithoutSpell()
	if attack && s.entities.Exists(d.By) && s.auras.Of(d.By) != nil {
		s.ends.Emit(auraEnd{entity: d.By, breaks: defs.BreakAttack, spent: defs.SpentStrike})
	}
	if !s.entities.Exists(d.To) || s.auras.Of(d.To) == nil {
		return
	}
	end := auraEnd{entity: d.To, spent: defs.SpentHurt, absorbed: d.Absorbed > 0}
	if d.Dealt > 0 {
		end.breaks, end.except = defs.BreakDamage, d.Spell
	}
	if attack {
		end.spent |= defs.SpentStruck
		if s.Alive(d.By) && s.Alive(d.To) {
			end.attacker = d.By
		}
	}
	s.ends.Emit(end)
}
