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

// Delays after a swing that was not possible.
//
// Source: Player::Update, AzerothCore (100 ms after a wrong place or facing; 200 ms between two hands,
// ATTACK_DISPLAY_DELAY).
const (
	retryDelay = 100 * time.Millisecond
	handDelay  = 200
)

// swing swings each weapon of a unit that is ready, if the unit can attack, and schedules the next swing.
//
// Source: Player::Update and Creature's DoMeleeAttackIfReady, AzerothCore.
func (s *System) swing(t sched.Tick, e ecs.Entity) {
	swings := s.attacks.Get(e)
	victim := swings.Victim
	switch {
	case swings.Swinging == 0:
		return
	case !s.Alive(e):
		s.stop(e)
		return
	case !s.Alive(victim):
		s.refuse(e, msg.OpAttackSwingDeadTarget)
		s.stop(e)
		return
	case !s.Attackable(e, victim):
		s.refuse(e, msg.OpAttackSwingCantAttack)
		s.stop(e)
		return
	case s.busy(e):
		s.scheduleSwing(t, e, retryDelay)
		return
	}
	if why := s.attackError(e, victim, swings.Swinging); why != 0 {
		s.refuse(e, why)
		s.scheduleSwing(t, e, retryDelay)
		return
	}
	swings.Error = 0
	hands := melee
	if swings.Swinging == components.SwingRanged {
		hands = ranged
	}
	for i, hand := range hands {
		swingMs := s.stats.Get(e).SwingMs[hand]
		if swingMs == 0 || !rules.Due(swings.NextMs[hand], t.NowMs) {
			continue
		}
		swings.NextMs[hand] = t.NowMs + swingMs
		if other := hands[len(hands)-1-i]; other != hand && !far(swings.NextMs[other], t.NowMs) {
			swings.NextMs[other] = t.NowMs + handDelay
		}
		if hand == components.MainHand && s.castings.Get(e).NextSwing != 0 {
			s.swingReplaced.Emit(rules.SwingReplaced{Entity: e, Victim: victim})
			continue
		}
		s.attackOnce(t, e, victim, hand)
	}
	s.scheduleNext(t, e, hands)
}

// The weapons of each way to attack.
var (
	melee  = []int{components.MainHand, components.OffHand}
	ranged = []int{components.RangedHand}
)

// far reports whether a weapon's next swing is further away than the delay between two hands.
func far(nextMs, nowMs uint32) bool {
	return !rules.Due(nextMs, nowMs) && nextMs-nowMs >= handDelay
}

// scheduleSwing sets a unit's swing timer to a delay, or leaves it if it is due earlier.
func (s *System) scheduleSwing(t sched.Tick, e ecs.Entity, delay time.Duration) {
	attack, at := s.attacks.Get(e), t.N
	if delay > 0 {
		at = t.After(delay)
	}
	if attack.SwingTick != 0 && int32(uint32(at)-attack.SwingTick) >= 0 {
		return
	}
	attack.SwingTick = uint32(at)
	s.timers.Add(at, swingTimer{e, attack.SwingTick})
}

// scaleSwings scales the remaining time to the next swings by a change of haste: a change of weapon does not. The time
// to the next shot stays, and only the one after it changes.
//
// Source: Unit::ApplyAttackTimePercentMod, AzerothCore, which does so to shots too.
func (s *System) scaleSwings(t sched.Tick, h *rules.HasteChanged) {
	attack, stats := s.attacks.Get(h.Entity), s.stats.Get(h.Entity)
	for _, hand := range melee {
		left, most := int32(attack.NextMs[hand]-t.NowMs), int32(stats.SwingMs[hand])
		if most == 0 || left <= 0 || left > int32(h.SwingMs[hand]) {
			continue
		}
		left = min(int32(float64(left)*float64(h.After)/float64(h.Before)), most)
		attack.NextMs[hand] = t.NowMs + uint32(left)
		if attack.Swinging != 0 {
			s.scheduleSwing(t, h.Entity, milliseconds(uint32(left)))
		}
	}
}

// scheduleNext schedules a unit's next swing for the time at which a weapon is ready.
func (s *System) scheduleNext(t sched.Tick, e ecs.Entity, hands []int) {
	swings, p := s.attacks.Get(e), s.stats.Get(e)
	next := uint32(math.MaxUint32)
	for _, hand := range hands {
		if p.SwingMs[hand] != 0 {
			next = min(next, swings.NextMs[hand]-t.NowMs)
		}
	}
	if next != math.MaxUint32 {
		s.scheduleSwing(t, e, milliseconds(next))
	}
}

// busy reports whether a unit cannot attack: it casts, or is held by auras or by a logout request.
//
// Source: Unit::AttackerStateUpdate and Player::Update, AzerothCore (UNIT_STATE_CANNOT_AUTOATTACK, UNIT_FLAG_PACIFIED).
func (s *System) busy(e ecs.Entity) bool {
	const flags = components.UnitStunned | components.UnitPacified
	const states = components.StateIncapacitated | components.StatePacified
	return s.auraStates.Get(e).States&states != 0 || s.units.Get(e).Flags&flags != 0 || s.castings.Get(e).Cast.Spell != 0
}

// attackError returns the opcode of the reason for which a unit cannot hit another from where it is, 0 if it can. A
// creature turns to its victim by itself.
func (s *System) attackError(e, victim ecs.Entity, how uint8) uint16 {
	reaches, faces := s.InReach, s.Faces
	if how == components.SwingRanged {
		reaches, faces = s.InShot, s.InFront
	}
	switch {
	case !reaches(e, victim):
		return msg.OpAttackSwingNotInRange
	case !faces(e, victim):
		return msg.OpAttackSwingBadFacing
	}
	return 0
}

// refuse sends a player the reason why it cannot attack, once until the reason changes.
//
// Source: Player::Update (m_swingErrorMsg), AzerothCore.
func (s *System) refuse(e ecs.Entity, why uint16) {
	attack := s.attacks.Get(e)
	if attack.Error != why && s.Player(e) {
		s.out.Send(e, why, &s.packets.nothing)
	}
	attack.Error = why
}
