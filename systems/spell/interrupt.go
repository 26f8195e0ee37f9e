package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// CastInterrupts finds what ends or delays casts: clients that cancel them, movement, damage, death, and other systems.
type CastInterrupts struct {
	rules.Living
	motion

	entities ecs.Entities
	defs     ecs.Res[defs.World]

	cancels    ecs.Events[change.Sent[msg.CancelCast]]
	unchosen   ecs.Events[change.Sent[msg.CancelChannelling]]
	moves      ecs.Events[change.Sent[msg.Move]]
	interrupts ecs.Requests[rules.InterruptCast]
	damages    ecs.EventReader[rules.DamageDealt]
	deaths     ecs.EventReader[rules.Death]
	casting    ecs.ReadRef[components.Casting]
	ends       ecs.Emit[castEnd]
}

// A castEnd ends or delays what a unit casts. System casts takes it.
type castEnd struct {
	entity  ecs.Entity
	how     ending
	why     msg.CastResult // of endIt
	spell   uint32         // of a cancellation
	schools uint32         // of endSchools: those of which it ends a cast, 0 any
	lockMs  uint32         // for how long it locks the school of the cast that it ends, 0 not at all
}

// An ending is what a castEnd ends.
type ending uint8

const (
	endIt            ending = iota // the cast or channel
	endAll                         // also what waits for the next swing
	endSchools                     // the cast or channel, of some schools
	endInterruptible               // the cast or channel, if it can be interrupted
	endCancelled                   // the cast of a spell, or its wait for the next swing
	endChannelled                  // the channel of a spell
	delayIt                        // nothing: the cast is delayed, the channel shortened
)

// OnEvents implements sched.Handler.
func (s *CastInterrupts) OnEvents(sched.Tick) {
	for dealt, i := s.damages.Next(), 0; i < len(dealt); i++ {
		s.damaged(&dealt[i])
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Exists(d.Entity) {
			s.ends.Emit(castEnd{entity: d.Entity, how: endAll})
		}
	}
	for _, sent := range s.cancels.All() {
		s.ends.Emit(castEnd{entity: sent.By, how: endCancelled, spell: sent.Msg.Spell})
	}
	for _, sent := range s.unchosen.All() {
		s.ends.Emit(castEnd{entity: sent.By, how: endChannelled, spell: sent.Msg.Spell})
	}
	for i, moves := 0, s.moves.All(); i < len(moves); i++ {
		s.moved(moves[i].By)
	}
	for _, h := range s.interrupts.Take() {
		switch {
		case !s.entities.Exists(h.Entity):
		case !s.Alive(h.Entity):
			s.ends.Emit(castEnd{entity: h.Entity, how: endAll})
		default:
			s.ends.Emit(castEnd{entity: h.Entity, how: endSchools, schools: h.Schools, lockMs: h.LockMs})
		}
	}
}

// damaged delays the cast of a unit that has been damaged, but not by a pulse or by itself.
//
// Source: Unit::DealDamage, AzerothCore, where only players are put off; here every unit is.
func (s *CastInterrupts) damaged(d *rules.DamageDealt) {
	if d.Dealt == 0 || d.Kind == rules.PeriodicDamage || d.By == d.To || !s.entities.Exists(d.To) {
		return
	}
	if c := s.casting.Get(d.To).Cast.Spell; c != 0 && s.defs.Get().Spell(c).Has(defs.SpellPushedBack) {
		s.ends.Emit(castEnd{entity: d.To, how: delayIt})
	}
}

// moved ends the cast of a player that moves.
//
// Source: Spell::update, AzerothCore.
func (s *CastInterrupts) moved(e ecs.Entity) {
	if c := s.casting.Get(e).Cast.Spell; c != 0 && s.isMoving(e) && s.defs.Get().Spell(c).Has(defs.SpellStill) {
		s.ends.Emit(castEnd{entity: e, why: msg.CastMoving})
	}
}

// motion answers whether units move, as a part of the systems that ask.
type motion struct {
	sessions ecs.Read[components.Session]
	walks    ecs.ReadRef[components.Walk]
	motions  ecs.Read[components.Motion]
}

// moving is each bit of components.Motion.Flags with which a unit moves.
//
// Source: MOVEMENTFLAG_MASK_MOVING, UnitDefines.h, AzerothCore.
const moving = components.MoveForward | components.MoveBackward | components.MoveStrafeLeft | components.MoveStrafeRight |
	components.MoveFalling | components.MoveFallingFar | components.MoveAscending | components.MoveDescending

// isMoving reports whether a unit moves.
func (m *motion) isMoving(e ecs.Entity) bool {
	return m.walks.Get(e).Walking() || m.sessions.Has(e) && m.motions.Get(e).Flags&moving != 0
}
