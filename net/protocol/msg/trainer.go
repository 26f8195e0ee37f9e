package msg

import "muster/net/protocol/wire"

// TrainerListQuery asks what a creature teaches. TrainerList answers it.
//
// Source: WorldSession::HandleTrainerListOpcode, AzerothCore.
type TrainerListQuery struct{ GUID uint64 }

// Wire walks the body.
func (m *TrainerListQuery) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// Bounds of a TrainerList: its spells, and the bytes of its greeting.
const (
	MaxTrainerSpells   = 800
	MaxTrainerGreeting = 1024
)

// TrainerList is what a creature teaches.
//
// Source: Trainer::SendSpells, AzerothCore; smsg_trainer_list.wowm, wow_messages.
type TrainerList struct {
	GUID     uint64
	Kind     uint32 // 0 of a class, 1 of mounts, 2 of a profession, 3 of pets
	Spells   []TrainerSpell
	Greeting string
}

// A TrainerSpell is one spell of a TrainerList.
type TrainerSpell struct {
	Spell            uint32
	State            TrainerState
	Copper           uint32
	ProfessionDialog uint32
	ProfessionButton uint32
	Level            uint8
	Skill            uint32
	SkillRank        uint32
	Abilities        [3]uint32 // spells that are to be known before; 0 none
}

// A TrainerState is whether a player can learn a TrainerSpell.
//
// Source: Trainer::GetSpellState, AzerothCore; TrainerSpellState, smsg_trainer_list.wowm, wow_messages.
type TrainerState uint8

// The states.
const (
	TrainerAvailable   TrainerState = 0
	TrainerUnavailable TrainerState = 1
	TrainerKnown       TrainerState = 2
)

// Wire walks the body.
func (m *TrainerList) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Kind)
	wire.Slice[uint32](c, &m.Spells, MaxTrainerSpells, wireTrainerSpell)
	wire.CString(c, &m.Greeting, MaxTrainerGreeting)
}

func wireTrainerSpell(c *wire.Codec, s *TrainerSpell) {
	wire.U32(c, &s.Spell)
	wire.U8(c, &s.State)
	wire.U32(c, &s.Copper)
	wire.U32(c, &s.ProfessionDialog)
	wire.U32(c, &s.ProfessionButton)
	wire.U8(c, &s.Level)
	wire.U32(c, &s.Skill)
	wire.U32(c, &s.SkillRank)
	for i := range s.Abilities {
		wire.U32(c, &s.Abilities[i])
	}
}

// TrainerBuy asks to learn a spell of a TrainerList.
//
// Source: WorldSession::HandleTrainerBuySpellOpcode, AzerothCore.
type TrainerBuy struct {
	GUID  uint64
	Spell uint32
}

// Wire walks the body.
func (m *TrainerBuy) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Spell)
}

// TrainerBought reports that a spell is paid for.
//
// Source: Trainer::TeachSpell, AzerothCore.
type TrainerBought struct {
	GUID  uint64
	Spell uint32
}

// Wire walks the body.
func (m *TrainerBought) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Spell)
}

// A TrainerResult is why a spell was not taught.
//
// Source: TrainingFailureReason, smsg_trainer_buy_failed.wowm, wow_messages.
type TrainerResult uint32

// The results.
const (
	TrainerNoService    TrainerResult = 0
	TrainerTooExpensive TrainerResult = 1
	TrainerNotEnough    TrainerResult = 2 // level, skill, or spells that are to be known before
)

// TrainerBuyFailed is why a spell was not taught.
//
// Source: Trainer::TeachSpell, AzerothCore.
type TrainerBuyFailed struct {
	GUID   uint64
	Spell  uint32
	Result TrainerResult
}

// Wire walks the body.
func (m *TrainerBuyFailed) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.Result)
}
