package msg

import (
	"math"

	"muster/components"
	"muster/net/protocol/wire"
)

// SplineFlags is how a unit follows a path: components.SplineWalk and following.
type SplineFlags uint32

// splineUnpacked means that all points of the path are whole vectors.
const splineUnpacked = components.SplineFlying | components.SplineCatmullRom

// A Facing is the orientation of a unit at the end of its path.
type Facing uint8

// The facings. With FaceStop the unit stops where it is, and there is no path.
const (
	FaceAlong Facing = iota // the path
	FaceStop
	FaceSpot
	FaceTarget
	FaceAngle
)

// MonsterMove sends a unit along a path, or stops it.
//
// A path neither flying nor Catmull-Rom is packed: all points but the last are sent as an offset from the
// middle between Start and the last point, rounded to a quarter yard. An offset reaches 255.75 yards in x
// and y and 127.75 in z, and is cut off there.
//
// Source: PacketBuilder::WriteMonsterMove, AzerothCore; 4.4 and 6.4 of protocol.md for where others differ.
type MonsterMove struct {
	Mover  uint64
	Zero   uint8
	Start  wire.Vec3 // where it is now
	ID     uint32    // increased with each path of a unit
	Facing Facing
	Spot   wire.Vec3 // with FaceSpot
	Target uint64    // with FaceTarget
	Angle  float32   // with FaceAngle; radians

	Flags          SplineFlags
	Animation      uint8  // with SplineAnimation
	AnimationStart uint32 // with SplineAnimation; milliseconds
	DurationMs     uint32
	VerticalAccel  float32 // with SplineParabolic
	ParabolicStart uint32  // with SplineParabolic; milliseconds

	Path []wire.Vec3 // without Start; at least one point
}

// maxPath bounds the points of a path that is read.
const maxPath = 1024

// Wire walks the body. Writing does not allocate; reading reuses the Path that is there.
func (m *MonsterMove) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Mover)
	if c.Version >= wire.V12340 {
		wire.U8(c, &m.Zero)
	}
	wire.XYZ(c, &m.Start)
	wire.U32(c, &m.ID)
	wire.U8(c, &m.Facing)
	switch m.Facing {
	case FaceAlong:
	case FaceStop:
		return
	case FaceSpot:
		wire.XYZ(c, &m.Spot)
	case FaceTarget:
		wire.U64(c, &m.Target)
	case FaceAngle:
		wire.F32(c, &m.Angle)
	default:
		c.Fail(wire.ErrValue)
	}
	wire.U32(c, &m.Flags)
	if m.Flags&components.SplineAnimation != 0 {
		wire.U8(c, &m.Animation)
		wire.U32(c, &m.AnimationStart)
	}
	wire.U32(c, &m.DurationMs)
	if m.Flags&components.SplineParabolic != 0 {
		wire.F32(c, &m.VerticalAccel)
		wire.U32(c, &m.ParabolicStart)
	}
	m.path(c)
}

func (m *MonsterMove) path(c *wire.Codec) {
	n := uint32(len(m.Path))
	wire.U32(c, &n)
	if n == 0 {
		c.Fail(wire.ErrValue)
	} else if n > maxPath {
		c.Fail(wire.ErrLimit)
	}
	if c.Err() != nil {
		return
	}
	if c.Reading() {
		if uint32(cap(m.Path)) < n {
			m.Path = make([]wire.Vec3, n)
		}
		m.Path = m.Path[:n]
	}
	if m.Flags&splineUnpacked != 0 {
		for i := range m.Path {
			wire.XYZ(c, &m.Path[i])
		}
		return
	}
	between, last := m.Path[:n-1], &m.Path[n-1]
	wire.XYZ(c, last)
	middle := wire.Vec3{X: (m.Start.X + last.X) / 2, Y: (m.Start.Y + last.Y) / 2, Z: (m.Start.Z + last.Z) / 2}
	for i := range between {
		packed := packOffset(middle, between[i])
		if wire.U32(c, &packed); c.Reading() {
			between[i] = unpackOffset(middle, packed)
		}
	}
}

// AppendMonsterMove appends the body of m for build 12340 to dst, without allocating. It panics like Append
// if m has no path and does not stop, or one of more than 1,024 points.
func AppendMonsterMove(dst []byte, m *MonsterMove) []byte {
	c := wire.NewWriter(wire.V12340, dst)
	m.Wire(&c)
	if c.Err() != nil {
		panic(&DecodeError{Name: "SMSG_MONSTER_MOVE", Offset: c.Offset() - len(dst), Err: c.Err()})
	}
	return c.Bytes()
}

// A packed offset holds quarter yards in two's complement: 11 bits of x, 11 of y, 10 of z.
const (
	xyBits = 11
	zBits  = 10
)

func packOffset(middle, p wire.Vec3) uint32 {
	return quarters(middle.X-p.X, xyBits) | quarters(middle.Y-p.Y, xyBits)<<xyBits | quarters(middle.Z-p.Z, zBits)<<(2*xyBits)
}

func unpackOffset(middle wire.Vec3, packed uint32) wire.Vec3 {
	return wire.Vec3{
		X: middle.X - yards(packed, xyBits),
		Y: middle.Y - yards(packed>>xyBits, xyBits),
		Z: middle.Z - yards(packed>>(2*xyBits), zBits),
	}
}

// quarters is an offset in quarter yards, rounded, as a number of so many bits. NaN is 0.
func quarters(offset float32, bits uint) uint32 {
	limit := float64(int(1)<<(bits-1)) - 1
	q := math.Floor(float64(offset)*4 + 0.5)
	if q != q {
		return 0
	}
	q = max(-limit-1, min(limit, q))
	return uint32(int32(q)) & (1<<bits - 1)
}

// yards is what the low bits of packed mean.
func yards(packed uint32, bits uint) float32 {
	return float32(int32(packed<<(32-bits))>>(32-bits)) / 4
}
