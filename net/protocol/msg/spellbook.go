package msg

import "muster/net/protocol/wire"

// maxCooldowns bounds the spells of a SpellCooldown.
const maxCooldowns = 1024

// SpellCooldown is which spells cannot be cast for how long.
//
// Source: Unit::BuildCooldownPacket, AzerothCore.
type SpellCooldown struct {
	Caster uint64
	Flags  uint8 // 1 counts the global cooldown in
	Spells []CooldownSpell
}

// A CooldownSpell is one spell of a SpellCooldown.
type CooldownSpell struct {
	Spell uint32
	Ms    uint32 // 0 for the time that the client knows
}

// Wire walks the body.
func (m *SpellCooldown) Wire(c *wire.Codec) {
	wire.U64(c, &m.Caster)
	wire.U8(c, &m.Flags)
	rest(c, &m.Spells, maxCooldowns, wireCooldownSpell)
}

func wireCooldownSpell(c *wire.Codec, s *CooldownSpell) {
	wire.U32(c, &s.Spell)
	wire.U32(c, &s.Ms)
}

// CooldownEvent starts the cooldown of a spell that waits for something, such as the end of its aura.
//
// Source: Player::SendCooldownEvent, AzerothCore.
type CooldownEvent struct {
	Spell uint32
	GUID  uint64 // of the caster
}

// Wire walks the body.
func (m *CooldownEvent) Wire(c *wire.Codec) {
	wire.U32(c, &m.Spell)
	wire.U64(c, &m.GUID)
}

// ClearCooldown ends the cooldown of a spell.
//
// Source: Player::SendClearCooldown, AzerothCore.
type ClearCooldown struct {
	Spell uint32
	GUID  uint64 // of the caster
}

// Wire walks the body.
func (m *ClearCooldown) Wire(c *wire.Codec) {
	wire.U32(c, &m.Spell)
	wire.U64(c, &m.GUID)
}

// LearnedSpell puts a spell into the spell book.
//
// Source: Player::SendLearnPacket, AzerothCore.
type LearnedSpell struct {
	Spell uint32
	Zero  uint16
}

// Wire walks the body.
func (m *LearnedSpell) Wire(c *wire.Codec) {
	wire.U32(c, &m.Spell)
	wire.U16(c, &m.Zero)
}

// RemovedSpell takes a spell out of the spell book.
//
// Source: Player::SendLearnPacket, AzerothCore.
type RemovedSpell struct{ Spell uint32 }

// Wire walks the body.
func (m *RemovedSpell) Wire(c *wire.Codec) { wire.U32(c, &m.Spell) }

// SupercededSpell puts a higher rank of a spell into the place of the one before.
//
// Source: Player::learnSpell, AzerothCore (the old one first).
type SupercededSpell struct{ Old, New uint32 }

// Wire walks the body.
func (m *SupercededSpell) Wire(c *wire.Codec) {
	wire.U32(c, &m.Old)
	wire.U32(c, &m.New)
}

// SetProficiency is which weapons or armour the player can use.
//
// Source: Player::SendProficiency, AzerothCore.
type SetProficiency struct {
	Class      uint8 // of items: 2 weapons, 4 armour
	Subclasses uint32
}

// Wire walks the body.
func (m *SetProficiency) Wire(c *wire.Codec) {
	wire.U8(c, &m.Class)
	wire.U32(c, &m.Subclasses)
}

// SetActionButton puts an action on a button, or takes it off with 0. It is stored with the character.
//
// Source: WorldSession::HandleSetActionButtonOpcode, AzerothCore.
type SetActionButton struct {
	Button uint8
	Action uint32 // as in ActionButtons
}

// Wire walks the body.
func (m *SetActionButton) Wire(c *wire.Codec) {
	wire.U8(c, &m.Button)
	wire.U32(c, &m.Action)
}
