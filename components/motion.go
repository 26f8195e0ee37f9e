package components

// Motion is a unit's own movement by its last report, without the position. A value without its flag is zero.
//
// Source: MovementInfo, protocol.md 4.3; of it, everything that happens off a transport.
type Motion struct {
	Flags      uint32 // MoveForward and following
	FallTimeMs uint32 // how long it has been falling
	Extra      uint16 // MoveNoStrafe and following
	_          uint16
	Pitch      float32 // radians; with MoveSwimming, MoveFlying or MoveAlwaysPitch
	JumpZ      float32 // these four with MoveFalling: yards per second, upwards negative
	JumpSin    float32 // direction of the jump
	JumpCos    float32
	JumpXY     float32 // speed over ground, yards per second
	Elevation  float32 // with MoveElevation
	Beat       uint32  // broadcast of its last heartbeat,
	BeatTick   uint32  // valid in this tick alone
}

// The bits of Motion.Flags and msg.MoveFlags.
//
// Source: protocol.md 4.3; MovementFlags, UnitDefines.h, AzerothCore.
const (
	MoveForward        = 0x1
	MoveBackward       = 0x2
	MoveStrafeLeft     = 0x4
	MoveStrafeRight    = 0x8
	MoveTurnLeft       = 0x10
	MoveTurnRight      = 0x20
	MovePitchUp        = 0x40
	MovePitchDown      = 0x80
	MoveWalking        = 0x100
	MoveOnTransport    = 0x200
	MoveDisableGravity = 0x400
	MoveRoot           = 0x800
	MoveFalling        = 0x1000
	MoveFallingFar     = 0x2000
	MovePending        = 0x1FC000 // seven bits of the client's own: what it is about to do
	MoveSwimming       = 0x200000
	MoveAscending      = 0x400000
	MoveDescending     = 0x800000
	MoveCanFly         = 0x1000000
	MoveFlying         = 0x2000000
	MoveElevation      = 0x4000000
	MoveSpline         = 0x8000000
	MoveWaterWalking   = 0x10000000
	MoveFallingSlow    = 0x20000000
	MoveHover          = 0x40000000

	// MoveGoing is every bit with which a unit moves by itself.
	MoveGoing = MoveForward | MoveBackward | MoveStrafeLeft | MoveStrafeRight | MoveAscending | MoveDescending

	// MoveKnown is every bit that has a meaning. Strict clients drop a word with any other bit.
	MoveKnown = 0x7FFFFFFF
)

// The bits of Motion.Extra and msg.MoveExtra.
//
// Source: protocol.md 4.3; MovementFlags2, UnitDefines.h, AzerothCore.
const (
	MoveNoStrafe          = 0x1
	MoveNoJumping         = 0x2
	MoveFullSpeedTurning  = 0x8
	MoveFullSpeedPitching = 0x10
	MoveAlwaysPitch       = 0x20
	MoveInterpolate       = 0x400
	MoveInterpolateTurn   = 0x800
	MoveInterpolatePitch  = 0x1000

	// MoveExtraKnown is every bit that has a meaning.
	MoveExtraKnown = 0x1C3B
)
