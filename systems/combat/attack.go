package combat

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// attack starts a unit's attack on another, if it is allowed. Attacking the same victim again changes nothing and costs
// next to nothing.
//
// Source: Unit::Attack, AzerothCore.
func (s *Attacks) attack(e, victim ecs.Entity, how uint32) {
	attack := s.attacks.Get(e)
	switch {
	case !s.Alive(e) || !s.Attackable(e, victim):
		return
	case attack.Victim == victim && attack.Swinging == how:
		return
	case attack.Victim != victim && attack.Swinging != 0:
		s.sendStop(e, attack.Victim)
	}
	if attack.Victim != victim || attack.Swinging == 0 {
		s.sendStart(e, victim)
	}
	changed := attack.Victim != victim
	attack.Victim, attack.Swinging = victim, how
	s.standUps.Emit(rules.StandUp{Entity: e})
	if !s.Player(e) {
		s.targets.Emit(rules.SetTarget{Entity: e, GUID: s.objects.Get(victim).GUID})
		if changed {
			s.victims.Emit(rules.VictimChanged{Entity: e, Victim: victim})
		}
	}
	s.begun.Emit(attackBegun{e})
}

// stop ends a unit's attack. The swing timers of its weapons are kept.
//
// Source: Unit::AttackStop, AzerothCore.
func (s *Attacks) stop(e ecs.Entity) {
	attack := s.attacks.Get(e)
	if attack.Swinging != 0 {
		s.sendStop(e, attack.Victim)
	}
	if attack.Victim != (ecs.Entity{}) && !s.Player(e) {
		s.targets.Emit(rules.SetTarget{Entity: e})
	}
	attack.Victim, attack.Swinging = ecs.Entity{}, 0
}

// stopTeleported ends the attack of a player that was teleported on its map; creatures pursue it up to their leash
// range.
//
// Source: Player::TeleportTo, Unit::CombatStop and Player::SendAttackSwingCancelAttack, AzerothCore.
func (s *Attacks) stopTeleported(e ecs.Entity) {
	if s.units.Get(e).Flags&components.UnitInCombat != 0 || s.attacks.Get(e).Swinging != 0 {
		s.out.Send(e, msg.OpCancelCombat, &s.packets.nothing)
	}
	s.stop(e)
}

func (s *Attacks) sendStart(e, victim ecs.Entity) {
	s.packets.start = msg.AttackStart{Attacker: s.objects.Get(e).GUID, Victim: s.objects.Get(victim).GUID}
	s.out.Broadcast(e, msg.OpAttackStart, &s.packets.start)
}

func (s *Attacks) sendStop(e, victim ecs.Entity) {
	s.packets.stop = msg.AttackStopped{Attacker: s.objects.Get(e).GUID}
	if s.entities.Exists(victim) {
		s.packets.stop.Victim = s.objects.Get(victim).GUID
		if s.vitals.Get(victim).Health == 0 {
			s.packets.stop.VictimDead = 1
		}
	}
	s.out.Broadcast(e, msg.OpAttackStopped, &s.packets.stop)
}
