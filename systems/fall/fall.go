// Package fall deals the damage of falls.
package fall

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// FallDamage deals the damage of landings.
type FallDamage struct {
	rules.Living
	auras       rules.AuraSums
	landed      ecs.Events[move.Landed]
	damages     ecs.Emit[rules.Damage]
	vitals      ecs.Read[components.Vitals]
	appearances ecs.Read[components.PlayerAppearance]
}

// OnEvents damages players that have fallen far. The damage is not absorbed and has no attacker; units that are immune to
// damage are not damaged by falls.
//
// Source: Player::HandleFall, AzerothCore.
func (s *FallDamage) OnEvents(sched.Tick) {
	for _, l := range s.landed.All() {
		if !s.Alive(l.Entity) || s.appearances.Get(l.Entity).Flags&components.PlayerGM != 0 ||
			s.auras.Immune(l.Entity, defs.SchoolPhysical) {
			continue
		}
		if damage := Damage(l.Yards, s.vitals.Get(l.Entity).MaxHealth); damage > 0 {
			s.damages.Emit(rules.Damage{To: l.Entity, Amount: damage, Kind: rules.FallDamage, Quiet: true})
		}
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
