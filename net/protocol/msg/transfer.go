package msg

import "muster/net/protocol/wire"

// A Place is a position on a map.
type Place struct {
	Map         uint32
	Position    wire.Vec3
	Orientation float32 // radians
}

// Wire walks the body of LOGIN_VERIFY_WORLD, the position at which a client enters the world, and of
// NEW_WORLD, which ends a Transfer and makes it load the map.
//
// Source: Player::SendInitialPacketsBeforeAddToMap and Player::TeleportTo, AzerothCore.
func (m *Place) Wire(c *wire.Codec) {
	wire.U32(c, &m.Map)
	wire.XYZ(c, &m.Position)
	wire.F32(c, &m.Orientation)
}

// TransferPending reports that the player leaves for another map; NewWorld follows.
//
// Source: Player::TeleportTo, AzerothCore.
type TransferPending struct {
	Map         uint32
	OnTransport bool   // the next two are there
	Transport   uint32 // its entry
	OldMap      uint32
}

// Wire walks the body.
func (m *TransferPending) Wire(c *wire.Codec) {
	wire.U32(c, &m.Map)
	if c.Reading() {
		m.OnTransport = c.Rest() > 0
	}
	if m.OnTransport {
		wire.U32(c, &m.Transport)
		wire.U32(c, &m.OldMap)
	}
}

// TransferAborted is why the player stays on the map.
//
// Source: Player::SendTransferAborted, AzerothCore.
type TransferAborted struct {
	Map    uint32
	Reason uint8
	HasArg bool
	Arg    uint8 // with three of the reasons
}

// Wire walks the body.
func (m *TransferAborted) Wire(c *wire.Codec) {
	wire.U32(c, &m.Map)
	wire.U8(c, &m.Reason)
	if c.Reading() {
		m.HasArg = c.Rest() > 0
	}
	if m.HasArg {
		wire.U8(c, &m.Arg)
	}
}

// Teleport moves a player's own client to another place on the same map. TeleportAck answers it. Others get
// a Move, in MSG_MOVE_TELEPORT.
//
// Source: Player::SendTeleportAckPacket, AzerothCore.
type Teleport struct {
	Mover   uint64
	Counter uint32
	Movement
}

// Wire walks the body.
func (m *Teleport) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	m.Movement.Wire(c)
}

// TeleportAck confirms that the client is at the position of Teleport. Some clients have 0 for every
// Counter.
//
// Source: WorldSession::HandleMoveTeleportAck, AzerothCore.
type TeleportAck struct {
	Mover   uint64
	Counter uint32
	TimeMs  uint32
}

// Wire walks the body.
func (m *TeleportAck) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	wire.U32(c, &m.TimeMs)
}
