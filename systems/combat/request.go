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

func milliseconds(ms uint32) time.Duration { return time.Duration(ms) * time.Millisecond }
