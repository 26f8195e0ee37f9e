package update

import (
	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// AppendWalk appends the packet that sends a unit along what is left of its walk, from where it is now;
// nothing if it has arrived. At the start of a walk that is all of it. It does not allocate.
func AppendWalk(dst []byte, guid uint64, w *components.Walk, at *components.Position, nowMs uint32) []byte {
	legs, leftMs := w.Remaining(nowMs)
	if len(legs) == 0 {
		return dst
	}
	var path [components.MaxLegs]wire.Vec3
	for i := range legs {
		path[i] = wire.Vec3(legs[i].To)
	}
	start := len(dst)
	dst = append(dst, make([]byte, wire.ServerHeaderLen)...)
	dst = msg.AppendMonsterMove(dst, &msg.MonsterMove{
		Mover: guid, Start: wire.Vec3{X: at.X, Y: at.Y, Z: at.Z}, ID: w.SplineID,
		Flags: msg.SplineFlags(w.Flags), DurationMs: leftMs, Path: path[:len(legs)],
	})
	wire.PutServerHeader(dst[start:], msg.OpMonsterMove)
	return dst
}

// AppendHalt appends the packet that stops a unit where it is, in the midst of a walk. It does not allocate.
func AppendHalt(dst []byte, guid uint64, w *components.Walk, at *components.Position) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, wire.ServerHeaderLen)...)
	dst = msg.AppendMonsterMove(dst, &msg.MonsterMove{
		Mover: guid, Start: wire.Vec3{X: at.X, Y: at.Y, Z: at.Z}, ID: w.SplineID, Facing: msg.FaceStop,
	})
	wire.PutServerHeader(dst[start:], msg.OpMonsterMove)
	return dst
}
