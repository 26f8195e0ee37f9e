package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
)

// Interaction answers whether a player can deal with a creature, as a part of the systems that ask.
type Interaction struct {
	Units
	space     ecs.Res[space.Space]
	stances   ecs.Read[components.Stance]
	positions ecs.Read[components.Position]
}

// interactionYards is the largest distance of a player from what it deals with, without the combat reach of both.
//
// Source: INTERACTION_DISTANCE, ObjectDefines.h, AzerothCore.
const interactionYards = 5.5

// Find is the creature with a GUID, if a player can deal with it and it offers a service, of its NPC flags: both are alive, it is
// near, and not hostile. Else it is zero.
//
// Source: Player::GetNPCIfCanInteractWith, AzerothCore.
func (s *Interaction) Find(player ecs.Entity, guid uint64, service uint32) ecs.Entity {
	e := s.space.Get().Find(guid)
	if !s.Alive(player) || !s.Alive(e) || s.Player(e) || s.stances.Get(e).NPCFlags&service == 0 || s.Hostile(e, player) {
		return ecs.Entity{}
	}
	p, q := s.positions.Get(player), s.positions.Get(e)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	far := interactionYards + s.units.Get(player).CombatReach + s.units.Get(e).CombatReach
	if float32(dx*dx)+float32(dy*dy)+float32(dz*dz) > float32(far*far) {
		return ecs.Entity{}
	}
	return e
}
