// Package fall deals the damage of falls.
package fall

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System deals the damage of landings.
type System struct {
	book        rules.Book
	out         change.Out
	landed      ecs.Events[move.Landed]
	objects     ecs.Read[components.Object]
	vitals      ecs.View[components.Vitals]
	appearances ecs.Read[components.PlayerAppearance]
	packet      msg.EnvironmentalDamageLog // kept here, since a packet takes its message by reference
}

// Run damages players that have fallen far. The damage is not absorbed and has no attacker; units that are immune to
// damage are not damaged by falls.
//
// Source: Player::HandleFall, AzerothCore.
func (s *System) Run(t sched.Tick) {
	for _, l := range s.landed.All() {
		if !s.book.Alive(l.Entity) || s.appearances.Get(l.Entity).Flags&components.PlayerGM != 0 ||
			s.book.Immune(l.Entity, defs.SchoolPhysical) {
			continue
		}
		damage := Damage(l.Yards, s.vitals.Get(l.Entity).MaxHealth)
		if damage == 0 {
			continue
		}
		result := s.book.DealDamage(t, &rules.Damage{To: l.Entity, Amount: damage, Quiet: true})
		s.packet = msg.EnvironmentalDamageLog{
			GUID: s.objects.Get(l.Entity).GUID, Kind: msg.DamageFall, Damage: result.Dealt, Absorbed: result.Absorbed,
		}
		s.out.Broadcast(l.Entity, msg.OpEnvironmentalDamageLog, &s.packet)
	}
}

// A fall from safeYards on deals damage, a fraction of maximum health that grows with each yard.
//
// Source: Player::HandleFall, AzerothCore.
const (
	safeYards = 14.57
	perYard   = 0.018
	less      = 0.2426
)

// Damage is the damage of a fall for a unit with that maximum health, which it does not exceed.
func Damage(yards float32, health uint32) uint32 {
	if !(yards >= safeYards) {
		return 0
	}
	part := min(float64(perYard*float64(yards))-less, 1)
	return uint32(part * float64(health))
}
