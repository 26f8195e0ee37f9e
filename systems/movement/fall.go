package movement

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// fall tracks a player in the air, and emits the depth of its fall when it lands. z is the height in the report
// before. A player that swims or flies does not fall.
//
// Source: Player::HandleFall and UpdateFallInformationIfNeed, AzerothCore.
func (s *Movement) fall(e ecs.Entity, validation *components.MoveValidation, op uint16, m *msg.Move, z float32) {
	switch {
	case m.Flags&(components.MoveSwimming|components.MoveFlying|components.MoveFallingSlow) != 0, op == msg.OpMoveFallReset:
		validation.Falling = 0
	case m.Flags&(components.MoveFalling|components.MoveFallingFar) != 0 && op != msg.OpMoveFallLand:
		if validation.Falling == 0 {
			validation.Falling, validation.FallStartZ = 1, z
		}
		validation.FallStartZ = max(validation.FallStartZ, m.Z)
	case validation.Falling != 0:
		validation.Falling = 0
		if deep := validation.FallStartZ - m.Z; deep > 0 {
			s.landed.Emit(move.Landed{Entity: e, Yards: deep})
		}
	}
}
