package msg

import "muster/net/protocol/wire"

// An XPSource is what experience is for.
//
// Source: Player::SendLogXPGain, AzerothCore.
type XPSource uint8

// The sources.
const (
	XPKill  XPSource = 0
	XPOther XPSource = 1
)

// XPGain reports that a player has gained experience.
//
// Source: Player::SendLogXPGain, AzerothCore.
type XPGain struct {
	Victim uint64 // 0 for none
	Total  uint32
	Kind   XPSource
	Base   uint32  // Total without the rested bonus; with XPKill
	Group  float32 // 1; with XPKill
	Friend bool    // a recruited friend has added to it
}

// Wire walks the body.
func (m *XPGain) Wire(c *wire.Codec) {
	wire.U64(c, &m.Victim)
	wire.U32(c, &m.Total)
	if wire.U8(c, &m.Kind); m.Kind == XPKill {
		wire.U32(c, &m.Base)
		wire.F32(c, &m.Group)
	}
	wire.Bool(c, &m.Friend)
}

// LevelUpInfo is a new level and what has grown with it.
//
// Source: Player::GiveLevel, AzerothCore.
type LevelUpInfo struct {
	Level  uint32
	Health uint32
	Powers [7]uint32 // by their kinds
	Stats  [5]uint32 // strength, agility, stamina, intellect, spirit
}

// Wire walks the body.
func (m *LevelUpInfo) Wire(c *wire.Codec) {
	wire.U32(c, &m.Level)
	wire.U32(c, &m.Health)
	words(c, m.Powers[:])
	words(c, m.Stats[:])
}

// PlayedTime asks how long the character has been in the world.
//
// Source: WorldSession::HandlePlayedTime, AzerothCore.
type PlayedTime struct{ Show uint8 } // 1 shows the answer in the chat

// Wire walks the body.
func (m *PlayedTime) Wire(c *wire.Codec) { wire.U8(c, &m.Show) }

// PlayedTimeResponse answers a PlayedTime, in seconds.
type PlayedTimeResponse struct {
	Total uint32
	Level uint32 // on this level
	Show  uint8  // as asked
}

// Wire walks the body.
func (m *PlayedTimeResponse) Wire(c *wire.Codec) {
	wire.U32(c, &m.Total)
	wire.U32(c, &m.Level)
	wire.U8(c, &m.Show)
}
