package combat

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// An order is what a player's client asks for: to attack a victim, zero if there is none of the GUID; or to stop.
type order struct {
	by, victim ecs.Entity
	stop       bool
}

// AttackRequests reads what clients ask for of attacks. System attacks executes it in the same tick.
type AttackRequests struct {
	space  ecs.Res[space.Space]
	swings ecs.Events[change.Sent[msg.AttackSwing]]
	empty  ecs.Events[change.Sent[msg.Empty]]
	orders ecs.Emit[order]
}

// OnEvents reads starts and stops in the order in which they arrived.
func (s *AttackRequests) OnEvents(sched.Tick) {
	swings, empty := s.swings.All(), s.empty.All()
	for len(swings) > 0 || len(empty) > 0 {
		if len(empty) == 0 || len(swings) > 0 && swings[0].N < empty[0].N {
			s.orders.Emit(order{by: swings[0].By, victim: s.space.Get().Find(swings[0].Msg.GUID)})
			swings = swings[1:]
			continue
		}
		if it := &empty[0]; it.Op == msg.OpAttackStop {
			s.orders.Emit(order{by: it.By, stop: true})
		}
		empty = empty[1:]
	}
}

// execute executes an order. A request for the present attack is ignored: some clients repeat it five times a second.
//
// Source: WorldSession::HandleAttackSwingOpcode, AzerothCore; the answers, protocol.md 3.1.2.
func (s *Attacks) execute(o *order) {
	attack := s.attacks.Get(o.by)
	switch {
	case o.stop:
		s.stop(o.by)
	case o.victim != (ecs.Entity{}) && attack.Victim == o.victim && attack.Swinging == components.SwingMelee:
	case !s.Alive(o.by):
		s.dead.Count()
	case !s.entities.Exists(o.victim), !s.Unit(o.victim):
		s.missing.Count()
		s.refuse(o.by, msg.OpAttackSwingCantAttack)
	case !s.Alive(o.victim):
		s.refuse(o.by, msg.OpAttackSwingDeadTarget)
	case !s.Attackable(o.by, o.victim):
		s.refuse(o.by, msg.OpAttackSwingCantAttack)
	default:
		s.attack(o.by, o.victim, components.SwingMelee)
	}
}

// refuse sends a player an opcode that is the reason why it may not attack.
func (s *Attacks) refuse(e ecs.Entity, reason uint16) { s.out.Send(e, reason, &s.packets.nothing) }
