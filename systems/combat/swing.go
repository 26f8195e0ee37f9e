package combat

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// What a unit waits for when it could not strike.
//
// Source: Player::Update, AzerothCore (100 ms after a wrong place or facing; 200 ms between two hands,
// ATTACK_DISPLAY_DELAY).
const (
	retryDelay = 100 * time.Millisecond
	handDelay  = 200
)

// turn has a unit strike with whatever is ready, if it can, and says when it is to look again.
//
// Source: Player::Update and Creature's DoMeleeAttackIfReady, AzerothCore.
func (s *System) turn(t sched.Tick, e ecs.Entity) {
	bout := s.combats.Get(e)
	victim := bout.Victim
	switch {
	case bout.Swinging == 0:
		return
	case !s.book.Alive(e):
		s.book.Stop(e)
		return
	case !s.book.Alive(victim):
		s.refuse(e, msg.OpAttackSwingDeadTarget)
		s.book.Stop(e)
		return
	case !s.book.Attackable(e, victim):
		s.refuse(e, msg.OpAttackSwingCantAttack)
		s.book.Stop(e)
		return
	case s.busy(e):
		s.book.ScheduleSwing(t, e, retryDelay)
		return
	}
	if why := s.hindrance(e, victim, bout.Swinging); why != 0 {
		s.refuse(e, why)
		s.book.ScheduleSwing(t, e, retryDelay)
		return
	}
	bout.Error = 0
	hands := melee
	if bout.Swinging == components.SwingRanged {
		hands = ranged
	}
	for i, hand := range hands {
		swingMs := s.book.CombatStats(e).SwingMs[hand]
		if swingMs == 0 || !rules.Due(bout.NextMs[hand], t.NowMs) {
			continue
		}
		bout.NextMs[hand] = t.NowMs + swingMs
		if other := hands[len(hands)-1-i]; other != hand && !far(bout.NextMs[other], t.NowMs) {
			bout.NextMs[other] = t.NowMs + handDelay
		}
		if hand == components.MainHand && s.castings.Get(e).NextSwing != 0 {
			s.book.ReplaceSwing(e, victim)
			continue
		}
		s.strike(t, e, victim, hand)
		if bout.Victim != victim || bout.Swinging == 0 {
			return // it is over, or it has another victim and another turn
		}
	}
	s.await(t, e, hands)
}

// The weapons of each way to attack.
var (
	melee  = []int{components.MainHand, components.OffHand}
	ranged = []int{components.RangedHand}
)

// far reports whether a weapon that may strike from a time on has to wait longer than two hands are apart.
func far(nextMs, nowMs uint32) bool {
	return !rules.Due(nextMs, nowMs) && nextMs-nowMs >= handDelay
}

// await has a unit look again when the next of its weapons is ready.
func (s *System) await(t sched.Tick, e ecs.Entity, hands []int) {
	bout, p := s.combats.Get(e), s.book.CombatStats(e)
	next := uint32(math.MaxUint32)
	for _, hand := range hands {
		if p.SwingMs[hand] != 0 {
			next = min(next, bout.NextMs[hand]-t.NowMs)
		}
	}
	if next != math.MaxUint32 {
		s.book.ScheduleSwing(t, e, milliseconds(next))
	}
}

// busy reports whether a unit is in no state to strike: it casts, or auras or a wish to log out hold it.
//
// Source: Unit::AttackerStateUpdate and Player::Update, AzerothCore (UNIT_STATE_CANNOT_AUTOATTACK, UNIT_FLAG_PACIFIED).
func (s *System) busy(e ecs.Entity) bool {
	const flags = components.UnitStunned | components.UnitPacified
	const states = components.StateIncapacitated | components.StatePacified
	return s.combats.Get(e).States&states != 0 || s.units.Get(e).Flags&flags != 0 || s.castings.Get(e).Cast.Spell != 0
}

// hindrance is the opcode that says why a unit cannot strike another from where it is, 0 if it can. A creature
// turns to its victim by itself.
func (s *System) hindrance(e, victim ecs.Entity, how uint8) uint16 {
	reaches, faces := s.book.InReach, s.book.Faces
	if how == components.SwingRanged {
		reaches, faces = s.book.InShot, s.book.InFront
	}
	switch {
	case !reaches(e, victim):
		return msg.OpAttackSwingNotInRange
	case !faces(e, victim):
		return msg.OpAttackSwingBadFacing
	}
	return 0
}

// refuse tells a player why it cannot strike, once until that has changed.
//
// Source: Player::Update (m_swingErrorMsg), AzerothCore.
func (s *System) refuse(e ecs.Entity, why uint16) {
	bout := s.combats.Get(e)
	if bout.Error != why && s.book.Player(e) {
		s.out.Send(e, why, &nothing)
	}
	bout.Error = why
}
