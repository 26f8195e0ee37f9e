package msg

import "muster/net/protocol/wire"

// CastFailed reports to a player that its cast has failed, and why.
//
// Source: Spell::SendCastResult and Spell::WriteCastResultInfo, AzerothCore.
type CastFailed struct {
	Count  uint8
	Spell  uint32
	Result CastResult
	Extra  []uint32 // up to two, with a few of the results
}

// maxCastExtra bounds the details of a CastFailed.
//
// Source: Spell::WriteCastResultInfo, AzerothCore.
const maxCastExtra = 2

// Wire walks the body.
func (m *CastFailed) Wire(c *wire.Codec) {
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
	wire.U8(c, &m.Result)
	rest(c, &m.Extra, maxCastExtra, wire.U32)
}

// SpellFailure reports to a player that its spell is interrupted; SpellFailedOther to observers.
//
// Source: Spell::SendInterrupted, AzerothCore; protocol.md 6.4.
type SpellFailure struct {
	Caster uint64
	Count  uint8
	Spell  uint32
	Result CastResult
}

// Wire walks the body.
func (m *SpellFailure) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Caster)
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
	wire.U8(c, &m.Result)
}

// SpellFailedOther is SpellFailure for observers.
type SpellFailedOther SpellFailure

// Wire walks the body.
func (m *SpellFailedOther) Wire(c *wire.Codec) { (*SpellFailure)(m).Wire(c) }
