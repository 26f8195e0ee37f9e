package msg

import (
	"encoding/binary"
	"math"

	"muster/components"
	"muster/net/protocol/wire"
)

// MoveFlags is how a mover moves: components.MoveForward and following.
type MoveFlags uint32

// Flags for writers of movement that do not import components.
const (
	MoveForward     MoveFlags = components.MoveForward
	MoveOnTransport MoveFlags = components.MoveOnTransport
)

// MoveExtra holds rarer movement flags: components.MoveNoStrafe and following.
type MoveExtra uint16

// Movement is where a unit is and how it moves, as of Time. Parts whose flags are not set are not on the
// wire, and are zero after reading.
//
// The numbers of a client are its claim: they may be anything, infinite or NaN too.
//
// Source: WorldSession::ReadMovementInfo and WriteMovementInfo, AzerothCore.
type Movement struct {
	Flags MoveFlags
	Extra MoveExtra
	Time  uint32 // milliseconds on the sender's clock

	X, Y, Z, O float32 // yards, and radians counter-clockwise from the x axis

	Transport Passenger // with MoveOnTransport
	Pitch     float32   // radians, upwards; with MoveSwimming, MoveFlying or MoveAlwaysPitch
	FallTime  uint32    // milliseconds
	Jump      Jump      // with MoveFalling

	SplineElevation float32 // with MoveElevation
}

// A Passenger is a place on a transport, relative to it.
type Passenger struct {
	GUID       uint64
	X, Y, Z, O float32
	Time       uint32
	Seat       int8
	Time2      uint32 // with MoveInterpolate
}

// A Jump is how a fall began: speeds in yards per second, upwards negative, and the direction over ground.
type Jump struct {
	ZSpeed, Sin, Cos, XYSpeed float32
}

// Wire walks a Movement as it is in messages and in create blocks. It does not allocate.
func (m *Movement) Wire(c *wire.Codec) {
	if c.Reading() {
		*m = Movement{}
	}
	wire.U32(c, &m.Flags)
	wire.U16(c, &m.Extra)
	wire.U32(c, &m.Time)
	wire.F32x4(c, &m.X, &m.Y, &m.Z, &m.O)
	if m.Flags&components.MoveOnTransport != 0 {
		t := &m.Transport
		wire.PackedGUID(c, &t.GUID)
		wire.F32(c, &t.X)
		wire.F32(c, &t.Y)
		wire.F32(c, &t.Z)
		wire.F32(c, &t.O)
		wire.U32(c, &t.Time)
		wire.I8(c, &t.Seat)
		if m.Extra&components.MoveInterpolate != 0 {
			wire.U32(c, &t.Time2)
		}
	}
	if m.Flags&(components.MoveSwimming|components.MoveFlying) != 0 || m.Extra&components.MoveAlwaysPitch != 0 {
		wire.F32(c, &m.Pitch)
	}
	wire.U32(c, &m.FallTime)
	if m.Flags&components.MoveFalling != 0 {
		wire.F32(c, &m.Jump.ZSpeed)
		wire.F32(c, &m.Jump.Sin)
		wire.F32(c, &m.Jump.Cos)
		wire.F32(c, &m.Jump.XYSpeed)
	}
	if m.Flags&components.MoveElevation != 0 {
		wire.F32(c, &m.SplineElevation)
	}
}

// A Move is the body of every MSG_MOVE_ message with the common layout, from the mover's client and to
// observers. Reading and writing one does not allocate.
//
// Source: WorldSession::HandleMovementOpcodes, AzerothCore.
type Move struct {
	Mover uint64
	Movement
}

// Wire walks the body.
func (m *Move) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	m.Movement.Wire(c)
}

// The most frequent packet there is has none of the parts that flags call for. It is read and written by hand, to the
// same bytes as by Wire, which does all others.
const (
	plainFlags = components.MoveOnTransport | components.MoveSwimming | components.MoveFlying | components.MoveFalling |
		components.MoveElevation // not in a plain one
	plainExtra = components.MoveAlwaysPitch
	plainBytes = 30 // after the mover
)

// readPlain reads a plain body, and reports whether it is one. If not, m is as it was.
func (m *Move) readPlain(body []byte) bool {
	mover, n := wire.ReadPackedGUID(body)
	if n == 0 || len(body) != n+plainBytes {
		return false
	}
	b := body[n : n+plainBytes]
	flags, extra := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:])
	if flags&plainFlags != 0 || extra&plainExtra != 0 {
		return false
	}
	m.Mover, m.Flags, m.Extra, m.Time = mover, MoveFlags(flags), MoveExtra(extra), binary.LittleEndian.Uint32(b[6:])
	m.X = math.Float32frombits(binary.LittleEndian.Uint32(b[10:]))
	m.Y = math.Float32frombits(binary.LittleEndian.Uint32(b[14:]))
	m.Z = math.Float32frombits(binary.LittleEndian.Uint32(b[18:]))
	m.O = math.Float32frombits(binary.LittleEndian.Uint32(b[22:]))
	m.FallTime = binary.LittleEndian.Uint32(b[26:])
	return true
}

// AppendMove appends the packet of a move to a client, as Packet does.
func AppendMove(dst []byte, v wire.Version, op uint16, m *Move) []byte {
	at := len(dst)
	if m.Flags&plainFlags != 0 || m.Extra&plainExtra != 0 {
		c := wire.NewWriter(v, append(dst, make([]byte, wire.ServerHeaderLen)...))
		m.Wire(&c)
		wire.PutServerHeader(c.Bytes()[at:], op)
		return c.Bytes()
	}
	dst = wire.AppendPackedGUID(append(dst, 0, 0, 0, 0), m.Mover)
	body := len(dst)
	dst = append(dst, make([]byte, plainBytes)...)
	b := dst[body : body+plainBytes]
	binary.LittleEndian.PutUint32(b, uint32(m.Flags))
	binary.LittleEndian.PutUint16(b[4:], uint16(m.Extra))
	binary.LittleEndian.PutUint32(b[6:], m.Time)
	binary.LittleEndian.PutUint32(b[10:], math.Float32bits(m.X))
	binary.LittleEndian.PutUint32(b[14:], math.Float32bits(m.Y))
	binary.LittleEndian.PutUint32(b[18:], math.Float32bits(m.Z))
	binary.LittleEndian.PutUint32(b[22:], math.Float32bits(m.O))
	binary.LittleEndian.PutUint32(b[26:], m.FallTime)
	wire.PutServerHeader(dst[at:], op)
	return dst
}

// SetActiveMover is which unit the client moves from now on.
type SetActiveMover struct{ GUID uint64 }

// Wire walks the body.
func (m *SetActiveMover) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// SetSelection is the player's selection; 0 is none.
type SetSelection struct{ GUID uint64 }

// Wire walks the body.
func (m *SetSelection) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// MoveTimeSkipped reports that the client's clock stood still.
//
// Source: WorldSession::HandleMoveTimeSkippedOpcode, AzerothCore.
type MoveTimeSkipped struct {
	Mover     uint64
	SkippedMs uint32
}

// Wire walks the body.
func (m *MoveTimeSkipped) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.SkippedMs)
}

// TimeSyncReq asks for the client's clock. Counter is increased by one with each, from 0 on every map.
//
// Source: WorldSession::SendTimeSync, AzerothCore.
type TimeSyncReq struct{ Counter uint32 }

// Wire walks the body.
func (m *TimeSyncReq) Wire(c *wire.Codec) { wire.U32(c, &m.Counter) }

// TimeSyncResp is the client's clock as of the TimeSyncReq of the same Counter.
type TimeSyncResp struct {
	Counter uint32
	TimeMs  uint32
}

// Wire walks the body.
func (m *TimeSyncResp) Wire(c *wire.Codec) {
	wire.U32(c, &m.Counter)
	wire.U32(c, &m.TimeMs)
}

// Rooting roots a player, or unroots it. MoveAck answers it.
//
// Source: Unit::SendMoveRoot, AzerothCore.
type Rooting struct {
	Mover   uint64
	Counter uint32
}

// Wire walks the body.
func (m *Rooting) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
}

// KnockBack throws a player. MoveAck answers it.
//
// Source: Unit::KnockbackFrom, AzerothCore; smsg_move_knock_back.wowm, wow_messages.
type KnockBack struct {
	Mover    uint64
	Counter  uint32
	Cos, Sin float32 // direction over ground
	Speed    float32 // over ground, yards per second
	ZSpeed   float32 // yards per second, upwards negative
}

// Wire walks the body.
func (m *KnockBack) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	wire.F32(c, &m.Cos)
	wire.F32(c, &m.Sin)
	wire.F32(c, &m.Speed)
	wire.F32(c, &m.ZSpeed)
}

// A MoveAck confirms that a client has executed Rooting or KnockBack, and where that left it. Counter is
// that of the order.
//
// Source: WorldSession::HandleMoveRootAck and HandleMoveKnockBackAck, AzerothCore.
type MoveAck struct {
	Mover   uint64
	Counter uint32
	Movement
}

// Wire walks the body.
func (m *MoveAck) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	wire.U32(c, &m.Counter)
	m.Movement.Wire(c)
}
