package combat

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
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

// Swings finds the weapons that are ready of units that attack, and whether the unit can swing them: system weaponhits
// does. It alone writes when weapons are ready.
type Swings struct {
	rules.Units
	rules.Reach

	entities ecs.Entities
	out      change.Out

	begun   ecs.Requests[attackBegun]
	changes ecs.Requests[rules.SwingChanged]
	hastes  ecs.Requests[rules.HasteChanged]
	swings  ecs.Emit[swing]
	stops   ecs.Emit[rules.StopAttack]

	unitAuras ecs.Read[components.UnitAuras]
	units     ecs.Read[components.Unit]
	stats     ecs.ReadRef[components.CombatStats]
	castings  ecs.ReadRef[components.Casting]
	attacks   ecs.Read[components.Attack]
	ready     ecs.Write[components.SwingTimers]

	timers sched.Wheel[swingTimer]
	empty  msg.Empty
}

// A swing is a weapon of a unit that is swung at its victim.
type swing struct {
	entity, victim ecs.Entity
	hand           int
}

// A swingTimer is when a weapon of a unit may be ready. It is stale if the unit has got another since.
type swingTimer struct {
	entity ecs.Entity
	tick   uint32
}

// Run swings the weapons that are ready.
func (s *Swings) Run(t sched.Tick) {
	s.begin(t)
	for _, due := range s.timers.Take(t.N) {
		if !s.entities.Exists(due.entity) {
			continue
		}
		if ready := s.ready.Get(due.entity); ready.Tick == due.tick {
			ready.Tick = 0
			s.swingWeapons(t, due.entity)
		}
	}
}

// React changes the swing timers for other systems.
func (s *Swings) React(t sched.Tick) {
	s.begin(t)
	for _, it := range s.hastes.Take() {
		if s.entities.Exists(it.Entity) {
			s.scaleSwings(t, &it)
		}
	}
	for _, it := range s.changes.Take() {
		if !s.entities.Exists(it.Entity) {
			continue
		}
		if it.NextShotMs != 0 {
			s.ready.Get(it.Entity).NextMs[components.RangedHand] = it.NextShotMs
		}
		if it.Parried {
			s.parryHaste(t, it.Entity)
		}
	}
}

// begin schedules the swings of units that begin to attack.
func (s *Swings) begin(t sched.Tick) {
	for _, it := range s.begun.Take() {
		if s.entities.Exists(it.entity) {
			s.ready.Get(it.entity).Error = 0
			s.scheduleSwing(t, it.entity, 0)
		}
	}
}

// swingWeapons swings each weapon of a unit that is ready, if the unit can attack, and schedules the next swing.
//
// Source: Player::Update and Creature's DoMeleeAttackIfReady, AzerothCore.
func (s *Swings) swingWeapons(t sched.Tick, e ecs.Entity) {
	attack, ready := s.attacks.Get(e), s.ready.Get(e)
	victim := attack.Victim
	switch {
	case attack.Swinging == 0:
		return
	case !s.Alive(e):
		s.stops.Emit(rules.StopAttack{Entity: e, Victim: victim})
		return
	case !s.Alive(victim):
		s.refuse(e, msg.OpAttackSwingDeadTarget)
		s.stops.Emit(rules.StopAttack{Entity: e, Victim: victim})
		return
	case !s.Attackable(e, victim):
		s.refuse(e, msg.OpAttackSwingCantAttack)
		s.stops.Emit(rules.StopAttack{Entity: e, Victim: victim})
		return
	case s.busy(e):
		s.scheduleSwing(t, e, retryDelay)
		return
	}
	if why := s.attackError(e, victim, attack.Swinging); why != 0 {
		s.refuse(e, why)
		s.scheduleSwing(t, e, retryDelay)
		return
	}
	ready.Error = 0
	hands := melee
	if attack.Swinging == components.SwingRanged {
		hands = ranged
	}
	for i, hand := range hands {
		swingMs := s.stats.Get(e).SwingMs[hand]
		if swingMs == 0 || !rules.Due(ready.NextMs[hand], t.NowMs) {
			continue
		}
		ready.NextMs[hand] = t.NowMs + swingMs
		if other := hands[len(hands)-1-i]; other != hand && !far(ready.NextMs[other], t.NowMs) {
			ready.NextMs[other] = t.NowMs + handDelay
		}
		s.swings.Emit(swing{e, victim, hand})
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
func (s *Swings) scheduleSwing(t sched.Tick, e ecs.Entity, delay time.Duration) {
	ready, at := s.ready.Get(e), t.N
	if delay > 0 {
		at = t.After(delay)
	}
	if ready.Tick != 0 && int32(uint32(at)-ready.Tick) >= 0 {
		return
	}
	ready.Tick = uint32(at)
	s.timers.Add(at, swingTimer{e, ready.Tick})
}

// scaleSwings scales the remaining time to the next swings by a change of haste: a change of weapon does not. The time
// to the next shot stays, and only the one after it changes.
//
// Source: Unit::ApplyAttackTimePercentMod, AzerothCore, which does so to shots too.
func (s *Swings) scaleSwings(t sched.Tick, h *rules.HasteChanged) {
	ready, stats := s.ready.Get(h.Entity), s.stats.Get(h.Entity)
	for _, hand := range melee {
		left, most := int32(ready.NextMs[hand]-t.NowMs), int32(stats.SwingMs[hand])
		if most == 0 || left <= 0 || left > int32(h.SwingMs[hand]) {
			continue
		}
		left = min(int32(float64(left)*float64(h.After)/float64(h.Before)), most)
		ready.NextMs[hand] = t.NowMs + uint32(left)
		if s.attacks.Get(h.Entity).Swinging != 0 {
			s.scheduleSwing(t, h.Entity, milliseconds(uint32(left)))
		}
	}
}

// scheduleNext schedules a unit's next swing for the time at which a weapon is ready.
func (s *Swings) scheduleNext(t sched.Tick, e ecs.Entity, hands []int) {
	ready, p := s.ready.Get(e), s.stats.Get(e)
	next := uint32(math.MaxUint32)
	for _, hand := range hands {
		if p.SwingMs[hand] != 0 {
			next = min(next, ready.NextMs[hand]-t.NowMs)
		}
	}
	if next != math.MaxUint32 {
		s.scheduleSwing(t, e, milliseconds(next))
	}
}

// busy reports whether a unit cannot attack: it casts, or is held by auras or by a logout request.
//
// Source: Unit::AttackerStateUpdate and Player::Update, AzerothCore (UNIT_STATE_CANNOT_AUTOATTACK, UNIT_FLAG_PACIFIED).
func (s *Swings) busy(e ecs.Entity) bool {
	const flags = components.UnitStunned | components.UnitPacified
	const states = components.StateIncapacitated | components.StatePacified
	return s.unitAuras.Get(e).States&states != 0 || s.units.Get(e).Flags&flags != 0 || s.castings.Get(e).Cast.Spell != 0
}

// attackError returns the opcode of the reason for which a unit cannot hit another from where it is, 0 if it can. A
// creature turns to its victim by itself.
func (s *Swings) attackError(e, victim ecs.Entity, how uint32) uint16 {
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
func (s *Swings) refuse(e ecs.Entity, why uint16) {
	ready := s.ready.Get(e)
	if ready.Error != uint32(why) && s.Player(e) {
		s.out.Send(e, why, &s.empty)
	}
	ready.Error = uint32(why)
}

// parryHaste shortens the time to the next swing of a unit that has parried: by two fifths of its swing time, but not
// below a fifth of it.
//
// Source: Unit::AttackerStateUpdate's parry haste, Unit::ProcDamageAndSpellFor, AzerothCore.
func (s *Swings) parryHaste(t sched.Tick, e ecs.Entity) {
	ready := s.ready.Get(e)
	swing := s.stats.Get(e).SwingMs[components.MainHand]
	left, least := int32(ready.NextMs[components.MainHand]-t.NowMs), int32(swing/5)
	if s.attacks.Get(e).Swinging == 0 || left <= least {
		return
	}
	left = max(left-int32(swing*2/5), least)
	ready.NextMs[components.MainHand] = t.NowMs + uint32(left)
	s.scheduleSwing(t, e, milliseconds(uint32(left)))
}

func milliseconds(ms uint32) time.Duration { return time.Duration(ms) * time.Millisecond }
