package combat

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// requestAttack starts the attack that a client asks for. A request for the present attack is ignored: some clients repeat
// it five times a second.
//
// Source: WorldSession::HandleAttackSwingOpcode, AzerothCore; the answers, protocol.md 3.1.2.
func (s *System) requestAttack(t sched.Tick, by ecs.Entity, guid uint64) {
	victim := s.space.Get().Find(guid)
	if swings := s.attacks.Get(by); victim != (ecs.Entity{}) && swings.Victim == victim && swings.Swinging == components.SwingMelee {
		return
	}
	switch {
	case !s.Alive(by):
		s.dead.Count()
	case !s.entities.Alive(victim):
		s.missing.Count()
		s.out.Send(by, msg.OpAttackSwingCantAttack, &s.packets.nothing)
	case !s.Alive(victim):
		s.out.Send(by, msg.OpAttackSwingDeadTarget, &s.packets.nothing)
	case !s.attack(t, by, victim, components.SwingMelee):
		s.out.Send(by, msg.OpAttackSwingCantAttack, &s.packets.nothing)
	}
}

// sheathe shows the weapons that a player has in hand.
//
// Source: WorldSession::HandleSetSheathedOpcode, AzerothCore (0 none, 1 melee, 2 ranged).
func (s *System) sheathe(by ecs.Entity, sheath uint32) {
	if sheath > 2 {
		s.badStance.Count()
		return
	}
	if stance := s.stances.Get(by); stance.Bytes2[components.ByteSheath] != uint8(sheath) {
		stance.Bytes2[components.ByteSheath] = uint8(sheath)
		s.dirty.Mark(by, components.DirtyStance)
	}
}

// pose has a player stand, sit, sleep or kneel, if it is alive and can move.
//
// Source: WorldSession::HandleStandStateChangeOpcode and Unit::SetStandState, AzerothCore.
func (s *System) pose(by ecs.Entity, state uint32) {
	switch state {
	case components.Standing, components.Sitting, components.Sleeping, components.Kneeling:
	default:
		s.badStance.Count()
		return
	}
	if !s.Alive(by) || s.units.Get(by).Flags&components.UnitStunned != 0 ||
		s.stances.Get(by).Bytes1[components.ByteStand] == uint8(state) {
		return
	}
	s.setStand(by, uint8(state))
}

func milliseconds(ms uint32) time.Duration { return time.Duration(ms) * time.Millisecond }
