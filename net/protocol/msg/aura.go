package msg

import "muster/net/protocol/wire"

// AuraFlags is which parts an aura has.
//
// Source: AURA_FLAGS, SpellAuraDefines.h, AzerothCore.
type AuraFlags uint8

// The aura flags.
const (
	AuraEffect0    AuraFlags = 0x01 // the first effect of the spell is in the aura
	AuraEffect1    AuraFlags = 0x02
	AuraEffect2    AuraFlags = 0x04
	AuraOwn        AuraFlags = 0x08 // the unit has cast it itself: no Caster follows
	AuraPositive   AuraFlags = 0x10
	AuraHasTime    AuraFlags = 0x20 // MaxMs and LeftMs follow
	AuraHasAmounts AuraFlags = 0x40 // not used in build 12340
	AuraNegative   AuraFlags = 0x80
)

// maxAuras bounds the records of an AuraUpdate: slots are bytes.
//
// Source: MAX_AURAS, SpellAuraDefines.h, AzerothCore.
const maxAuras = 255

// AuraUpdate has auras of a unit: in SMSG_AURA_UPDATE one record, for a slot that has changed; in
// SMSG_AURA_UPDATE_ALL one for each slot in use, when a unit comes into sight. Writing it does not allocate.
//
// Source: AuraApplication::BuildUpdatePacket and Player::GetAurasForTarget, AzerothCore.
type AuraUpdate struct {
	Unit    uint64
	Records []AuraRecord
}

// An AuraRecord is the aura in one slot.
type AuraRecord struct {
	Slot   uint8
	Spell  uint32 // 0 clears the slot, and nothing follows
	Flags  AuraFlags
	Level  uint8  // of the caster
	Stacks uint8  // or charges
	Caster uint64 // without AuraOwn
	MaxMs  uint32 // with AuraHasTime
	LeftMs uint32 // with AuraHasTime
}

// Wire walks the body.
func (m *AuraUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	rest(c, &m.Records, maxAuras, wireAura)
}

func wireAura(c *wire.Codec, r *AuraRecord) {
	wire.U8(c, &r.Slot)
	if wire.U32(c, &r.Spell); r.Spell == 0 {
		return
	}
	wire.U8(c, &r.Flags)
	wire.U8(c, &r.Level)
	wire.U8(c, &r.Stacks)
	if r.Flags&AuraOwn == 0 {
		wire.PackedGUID(c, &r.Caster)
	}
	if r.Flags&AuraHasTime != 0 {
		wire.U32(c, &r.MaxMs)
		wire.U32(c, &r.LeftMs)
	}
}

// rest walks the elements of a list that goes on until the body ends.
func rest[T any](c *wire.Codec, s *[]T, limit int, element func(*wire.Codec, *T)) {
	if !c.Reading() && len(*s) > limit {
		c.Fail(wire.ErrLimit)
		return
	}
	each(c, s, limit, func() bool { return c.Rest() > 0 }, element)
}
