package components

// Speeds are a unit's speeds, in the order of the wire: yards per second, the last two radians per second.
type Speeds [9]float32

// The indexes of Speeds.
//
// Source: protocol.md 4.2.
const (
	SpeedWalk = iota
	SpeedRun
	SpeedRunBack
	SpeedSwim
	SpeedSwimBack
	SpeedFlight
	SpeedFlightBack
	SpeedTurn
	SpeedPitch
)

// NormalSpeeds are the speeds of a player on foot without any effect.
//
// Source: playerBaseMoveSpeed, Unit.cpp, AzerothCore; protocol.md 4.2.
func NormalSpeeds() Speeds {
	return Speeds{2.5, 7, 4.5, 4.722222, 2.5, 7, 4.5, 3.141594, 3.14}
}
