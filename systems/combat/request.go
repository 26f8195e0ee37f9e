package combat

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// An order is what a player's client asks for: an attack, or its end.
type order struct {
	by, victim ecs.Entity
	stop       bool
	refusal    uint16 // the opcode of the reason why the attack is not allowed, 0 if it is
}

// AttackRequests reads what clients ask for of attacks. System attacks executes it in the same tick.
type AttackRequests struct {
	rules.Units

	entities ecs.Entities
	space    ecs.Res[space.Space]
	swings   ecs.Events[change.Sent[msg.AttackSwing]]
	wishes   ecs.Events[change.Sent[msg.Empty]]
	orders   ecs.Emit[order]

	dead    sched.Counter `name:"combat.dead"`
	missing sched.Counter `name:"combat.no_target"`
}

// OnEvents reads starts and stops in the order in which they arrived.
func (s *AttackRequests) OnEvents(sched.Tick) {
	swings, wishes := s.swings.All(), s.wishes.All()
	for len(swings) > 0 || len(wishes) > 0 {
		if len(wishes) == 0 || len(swings) > 0 && swings[0].N < wishes[0].N {
			s.request(swings[0].By, swings[0].Msg.GUID)
			swings = swings[1:]
			continue
		}
		if it := &wishes[0]; it.Op == msg.OpAttackStop {
			s.orders.Emit(order{by: it.By, stop: true})
		}
		wishes = wishes[1:]
	}
}

// Source: WorldSession::HandleAttackSwingOpcode, AzerothCore; the answers, protocol.md 3.1.2.
func (s *AttackRequests) request(by ecs.Entity, guid uint64) {
	o := order{by: by, victim: s.space.Get().Find(guid)}
	switch {
	case !s.Alive(by):
		s.dead.Count()
		return
	case !s.entities.Alive(o.victim), !s.Unit(o.victim):
		s.missing.Count()
		o.refusal = msg.OpAttackSwingCantAttack
	case !s.Alive(o.victim):
		o.refusal = msg.OpAttackSwingDeadTarget
	case !s.Attackable(by, o.victim):
		o.refusal = msg.OpAttackSwingCantAttack
	}
	s.orders.Emit(o)
}

// execute executes an order. A request for the present attack is ignored: some clients repeat it five times a second.
func (s *Attacks) execute(o *order) {
	swings := s.attacks.Get(o.by)
	switch {
	case o.stop:
		s.stop(o.by)
	case o.victim != (ecs.Entity{}) && swings.Victim == o.victim && swings.Swinging == components.SwingMelee:
	case o.refusal != 0:
		s.out.Send(o.by, o.refusal, &s.packets.nothing)
	default:
		s.attack(o.by, o.victim, components.SwingMelee)
	}
}
