package msg

import "muster/net/protocol/wire"

// ForceRunSpeed gives a player's client another run speed. SpeedAck answers it; then MoveSpeed is sent to
// observers.
//
// Source: Unit::SetSpeed, AzerothCore (of all speeds only this one has the extra byte).
type ForceRunSpeed struct {
	Mover   uint64
	Counter uint32
	Zero    uint8
	Speed   float32 // yards per second
}

// Wire walks the body.
func (m *ForceRunSpeed) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	wire.U8(c, &m.Zero)
	wire.F32(c, &m.Speed)
}

// ForceSpeed gives a player's client another speed of any kind but ForceRunSpeed's. SpeedAck answers it; then
// MoveSpeed is sent to observers.
//
// Source: Unit::SetSpeed, AzerothCore.
type ForceSpeed struct {
	Mover   uint64
	Counter uint32
	Speed   float32 // yards per second, or radians for the turn rate
}

// Wire walks the body.
func (m *ForceSpeed) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	wire.F32(c, &m.Speed)
}

// A SpeedAck confirms that a client has the speed that ForceRunSpeed or ForceSpeed gave it. Counter is
// that of the order.
//
// Source: WorldSession::HandleForceSpeedChangeAck, AzerothCore.
type SpeedAck struct {
	Mover   uint64
	Counter uint32
	Movement
	Speed float32 // yards per second, or radians for the turn rate
}

// Wire walks the body.
func (m *SpeedAck) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	m.Movement.Wire(c)
	wire.F32(c, &m.Speed)
}

// A MoveSpeed reports another speed of a player to observers.
//
// Source: Unit::SetSpeed, AzerothCore.
type MoveSpeed struct {
	Mover uint64
	Movement
	Speed float32 // yards per second, or radians for the turn rate
}

// Wire walks the body.
func (m *MoveSpeed) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	m.Movement.Wire(c)
	wire.F32(c, &m.Speed)
}

// A SplineSpeed is another speed of a unit that no client moves.
//
// Source: Unit::SetSpeed, AzerothCore.
type SplineSpeed struct {
	Mover uint64
	Speed float32 // yards per second
}

// Wire walks the body.
func (m *SplineSpeed) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.F32(c, &m.Speed)
}

// A SplineOrder roots or unroots a unit that no client moves.
//
// Source: Unit::SendMoveRoot, AzerothCore.
type SplineOrder struct{ Mover uint64 }

// Wire walks the body.
func (m *SplineOrder) Wire(c *wire.Codec) { wire.PackedGUID(c, &m.Mover) }

// KnockedBack reports to observers that a player has been knocked back.
//
// Source: WorldSession::HandleMoveKnockBackAck, AzerothCore.
type KnockedBack struct {
	Mover uint64
	Movement
	Sin, Cos float32 // direction over ground
	Speed    float32 // over ground, yards per second
	ZSpeed   float32 // yards per second, upwards negative
}

// Wire walks the body.
func (m *KnockedBack) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	m.Movement.Wire(c)
	wire.F32(c, &m.Sin)
	wire.F32(c, &m.Cos)
	wire.F32(c, &m.Speed)
	wire.F32(c, &m.ZSpeed)
}

// CanFly lets a player fly, or walk on water, or no longer: each has an opcode. CanFlyAck answers it.
//
// Source: Unit::SetCanFly and Player::SetMovement, AzerothCore.
type CanFly struct {
	Mover   uint64
	Counter uint32
}

// Wire walks the body.
func (m *CanFly) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
}

// CanFlyAck confirms that a client has executed CanFly.
//
// Source: WorldSession::HandleMoveSetCanFlyAckOpcode and WorldSession::HandleMoveWaterWalkAck, CMaNGOS;
// cmsg_move_set_can_fly_ack.wowm, wow_messages.
type CanFlyAck struct {
	Mover   uint64
	Counter uint32
	Movement
	Applied uint32
}

// Wire walks the body.
func (m *CanFlyAck) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	m.Movement.Wire(c)
	wire.U32(c, &m.Applied)
}
