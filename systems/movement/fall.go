package movement

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// fall follows a player through the air, and says how deep it fell when it comes down. z is where the report
// before had it. Who swims or flies does not fall.
//
// Source: Player::HandleFall and UpdateFallInformationIfNeed, AzerothCore.
func (s *System) fall(e ecs.Entity, pace *components.MoveValidation, op uint16, m *msg.Move, z float32) {
	switch {
	case m.Flags&(components.MoveSwimming|components.MoveFlying|components.MoveFallingSlow) != 0, op == msg.OpMoveFallReset:
		pace.Falling = 0
	case m.Flags&(components.MoveFalling|components.MoveFallingFar) != 0 && op != msg.OpMoveFallLand:
		if pace.Falling == 0 {
			pace.Falling, pace.FallStartZ = 1, z
		}
		pace.FallStartZ = max(pace.FallStartZ, m.Z)
	case pace.Falling != 0:
		pace.Falling = 0
		if deep := pace.FallStartZ - m.Z; deep > 0 {
			s.landed.Emit(move.Landed{Entity: e, Yards: deep})
		}
	}
}
