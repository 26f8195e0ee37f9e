package msg

import "muster/net/protocol/wire"

// This file has messages that a real client sends at login and muster has no use for yet. Stubs without a
// body are Empty.
//
// Source: the handlers of their opcodes in WorldSession, AzerothCore.

// ZoneUpdate is the zone that the client believes to be in.
type ZoneUpdate struct{ Zone uint32 }

// Wire walks the body.
func (m *ZoneUpdate) Wire(c *wire.Codec) { wire.U32(c, &m.Zone) }

// SetActionBarToggles is which action bars are shown.
type SetActionBarToggles struct{ Bars uint8 }

// Wire walks the body.
func (m *SetActionBarToggles) Wire(c *wire.Codec) { wire.U8(c, &m.Bars) }

// VoiceSessionEnable is which voice chat features are on.
type VoiceSessionEnable struct{ Voice, Microphone bool }

// Wire walks the body.
func (m *VoiceSessionEnable) Wire(c *wire.Codec) {
	wire.Bool(c, &m.Voice)
	wire.Bool(c, &m.Microphone)
}

// SetActiveVoiceChannel is the player's voice channel.
type SetActiveVoiceChannel struct {
	Type    uint32
	Channel string
}

// Wire walks the body.
func (m *SetActiveVoiceChannel) Wire(c *wire.Codec) {
	wire.U32(c, &m.Type)
	wire.CString(c, &m.Channel, maxChannel)
}

// ContactListQuery asks for a ContactList.
type ContactListQuery struct{ Kinds ContactFlags }

// Wire walks the body.
func (m *ContactListQuery) Wire(c *wire.Codec) { wire.U32(c, &m.Kinds) }

// WardenData answers a module that muster never sends.
type WardenData struct{ Data []byte }

// Wire walks the body.
func (m *WardenData) Wire(c *wire.Codec) { wire.Remainder(c, &m.Data, wire.MaxClientPayload) }

// SetTaxiBenchmarkMode asks for frame rates to be measured in flight.
type SetTaxiBenchmarkMode struct{ On bool }

// Wire walks the body.
func (m *SetTaxiBenchmarkMode) Wire(c *wire.Codec) { wire.Bool(c, &m.On) }
