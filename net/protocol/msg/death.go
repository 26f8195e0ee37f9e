package msg

import "muster/net/protocol/wire"

// RepopRequest asks to leave the body and become a ghost.
//
// Source: WorldSession::HandleRepopRequestOpcode, AzerothCore.
type RepopRequest struct{ Check uint8 }

// Wire walks the body.
func (m *RepopRequest) Wire(c *wire.Codec) { wire.U8(c, &m.Check) }

// ReclaimCorpse asks to go back into the body.
//
// Source: WorldSession::HandleReclaimCorpseOpcode, AzerothCore.
type ReclaimCorpse struct{ GUID uint64 } // of the corpse; some clients have their own

// Wire walks the body.
func (m *ReclaimCorpse) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// CorpseQueryResponse is the position of the player's corpse.
//
// Source: WorldSession::HandleCorpseQueryOpcode, AzerothCore.
type CorpseQueryResponse struct {
	Found     bool  // the rest is there
	Map       int32 // on which Position is: that of the entrance, for a body in a dungeon
	Position  wire.Vec3
	CorpseMap int32
	Unused    uint32
}

// Wire walks the body.
func (m *CorpseQueryResponse) Wire(c *wire.Codec) {
	if wire.Bool(c, &m.Found); !m.Found {
		return
	}
	wire.I32(c, &m.Map)
	wire.XYZ(c, &m.Position)
	wire.I32(c, &m.CorpseMap)
	wire.U32(c, &m.Unused)
}

// SpiritHealerActivate asks a spirit healer for a new life.
//
// Source: WorldSession::HandleSpiritHealerActivateOpcode, AzerothCore.
type SpiritHealerActivate struct{ GUID uint64 }

// Wire walks the body.
func (m *SpiritHealerActivate) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// DeathReleaseLoc is the position of the spirit healer of a ghost.
//
// Source: Player::RepopAtGraveyard, AzerothCore.
type DeathReleaseLoc struct {
	Map      int32 // -1 for nowhere any more
	Position wire.Vec3
}

// Wire walks the body.
func (m *DeathReleaseLoc) Wire(c *wire.Codec) {
	wire.I32(c, &m.Map)
	wire.XYZ(c, &m.Position)
}

// CorpseReclaimDelay is how long a ghost has to wait for its corpse.
//
// Source: Player::SendCorpseReclaimDelay, AzerothCore.
type CorpseReclaimDelay struct{ Ms uint32 }

// Wire walks the body.
func (m *CorpseReclaimDelay) Wire(c *wire.Codec) { wire.U32(c, &m.Ms) }

// PreResurrect reports that a player becomes a ghost.
//
// Source: Player::BuildPlayerRepop, AzerothCore.
type PreResurrect struct{ GUID uint64 }

// Wire walks the body.
func (m *PreResurrect) Wire(c *wire.Codec) { wire.PackedGUID(c, &m.GUID) }

// ResurrectRequest offers a new life. ResurrectResponse answers it.
//
// Source: Spell::SendResurrectRequest, AzerothCore.
type ResurrectRequest struct {
	Caster   uint64
	Name     string // of a caster that is no player, else ""
	Unused   uint8
	Sickness bool // the new life begins sick, as with a spirit healer
}

// Wire walks the body.
func (m *ResurrectRequest) Wire(c *wire.Codec) {
	wire.U64(c, &m.Caster)
	wire.SizedCString(c, &m.Name, 255)
	wire.U8(c, &m.Unused)
	wire.Bool(c, &m.Sickness)
}

// ResurrectResponse takes or refuses the offer of a ResurrectRequest.
//
// Source: WorldSession::HandleResurrectResponseOpcode, AzerothCore.
type ResurrectResponse struct {
	GUID   uint64 // the caster
	Accept uint8  // 0 refuses
}

// Wire walks the body.
func (m *ResurrectResponse) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U8(c, &m.Accept)
}

// ResurrectFailed reports that a resurrection has failed. AzerothCore never sends it.
//
// Source: smsg_resurrect_failed.wowm, wow_messages (1; what it counts is not known).
type ResurrectFailed struct{ Reason uint32 }

// Wire walks the body.
func (m *ResurrectFailed) Wire(c *wire.Codec) { wire.U32(c, &m.Reason) }
