package msg

import "muster/net/protocol/wire"

// TextEmote asks to show an emote, with a text and an animation. TextEmoted and Emoted are for
// observers.
//
// Source: WorldSession::HandleTextEmoteOpcode, AzerothCore.
type TextEmote struct {
	Text   uint32 // of EmotesText.dbc
	Emote  uint32 // which of its texts
	Target uint64 // the target, or 0
}

// Wire walks the body.
func (m *TextEmote) Wire(c *wire.Codec) {
	wire.U32(c, &m.Text)
	wire.U32(c, &m.Emote)
	wire.U64(c, &m.Target)
}

// TextEmoted is the text of a TextEmote; the client makes the words.
//
// Source: EmoteChatBuilder, ChatHandler.cpp, AzerothCore.
type TextEmoted struct {
	GUID  uint64
	Text  uint32
	Emote uint32
	Name  string // of the target, or ""
}

// Wire walks the body.
func (m *TextEmoted) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Text)
	wire.U32(c, &m.Emote)
	wire.SizedCString(c, &m.Name, 255)
}

// Emote asks to make a gesture, or to stop with 0.
//
// Source: WorldSession::HandleEmoteOpcode, AzerothCore.
type Emote struct{ Emote uint32 }

// Wire walks the body.
func (m *Emote) Wire(c *wire.Codec) { wire.U32(c, &m.Emote) }

// Emoted is a gesture of a unit.
//
// Source: Unit::HandleEmoteCommand, AzerothCore.
type Emoted struct {
	Emote uint32 // of Emotes.dbc
	GUID  uint64
}

// Wire walks the body.
func (m *Emoted) Wire(c *wire.Codec) {
	wire.U32(c, &m.Emote)
	wire.U64(c, &m.GUID)
}

// PlaySound plays a sound, everywhere.
//
// Source: WorldObject::PlayDirectSound, AzerothCore.
type PlaySound struct{ Sound uint32 } // of SoundEntries.dbc

// Wire walks the body.
func (m *PlaySound) Wire(c *wire.Codec) { wire.U32(c, &m.Sound) }

// PlayObjectSound plays a sound where something is.
//
// Source: WorldObject::PlayDistanceSound, AzerothCore.
type PlayObjectSound struct {
	Sound uint32 // of SoundEntries.dbc
	GUID  uint64
}

// Wire walks the body.
func (m *PlayObjectSound) Wire(c *wire.Codec) {
	wire.U32(c, &m.Sound)
	wire.U64(c, &m.GUID)
}

// StandStateChange asks to sit, sleep, kneel or stand.
//
// Source: WorldSession::HandleStandStateChangeOpcode, AzerothCore (0 stands, 1 sits, 3 sleeps, 8 kneels;
// others are ignored).
type StandStateChange struct{ State uint32 }

// Wire walks the body.
func (m *StandStateChange) Wire(c *wire.Codec) { wire.U32(c, &m.State) }

// StandStateUpdate is a player's own stand state.
//
// Source: Unit::SetStandState, AzerothCore.
type StandStateUpdate struct{ State uint8 }

// Wire walks the body.
func (m *StandStateUpdate) Wire(c *wire.Codec) { wire.U8(c, &m.State) }

// ClientControlUpdate is whether a client may move a unit.
//
// Source: Player::SetClientControl, AzerothCore.
type ClientControlUpdate struct {
	Unit    uint64
	Allowed bool
}

// Wire walks the body.
func (m *ClientControlUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	wire.Bool(c, &m.Allowed)
}

// TogglePvP asks to be a target for players of the other side, or to be one no longer.
//
// Source: WorldSession::HandleTogglePvP, AzerothCore.
type TogglePvP struct {
	Explicit bool // On is there; without it, the other of what is so
	On       bool
}

// Wire walks the body.
func (m *TogglePvP) Wire(c *wire.Codec) {
	if c.Reading() {
		m.Explicit = c.Rest() > 0
	}
	if m.Explicit {
		wire.Bool(c, &m.On)
	}
}
