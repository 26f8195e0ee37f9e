package msg

import "muster/net/protocol/wire"

// A TargetMask is which kinds of target a spell has.
//
// Source: SpellCastTargetFlags, SpellInfo.h, AzerothCore.
type TargetMask uint32

// The parts of a TargetMask that have fields in Targets. Without any, a spell is cast at its caster, or at
// what it finds itself.
const (
	TargetUnit        TargetMask = 0x2
	TargetItem        TargetMask = 0x10
	TargetSource      TargetMask = 0x20
	TargetDest        TargetMask = 0x40
	TargetEnemyCorpse TargetMask = 0x200
	TargetGameObject  TargetMask = 0x800
	TargetTradeItem   TargetMask = 0x1000
	TargetString      TargetMask = 0x2000
	TargetAllyCorpse  TargetMask = 0x8000
	TargetMinipet     TargetMask = 0x10000

	targetObject  = TargetUnit | TargetGameObject | TargetEnemyCorpse | TargetAllyCorpse | TargetMinipet
	targetAnyItem = TargetItem | TargetTradeItem
)

// maxTargetText bounds the text of Targets, in bytes. It is the name of a unit.
const maxTargetText = 128

// Targets is the targets of a spell, in the order of the wire. Parts that Mask leaves out are not on the
// wire, and are zero after reading.
//
// The positions of a client are its claim: they may be anything, infinite or NaN too.
//
// Source: SpellCastTargets::Read and SpellCastTargets::Write, AzerothCore.
type Targets struct {
	Mask TargetMask
	Unit uint64     // or a game object, or a corpse
	Item uint64     // the number of a slot, with TargetTradeItem
	Src  TargetSpot // with TargetSource
	Dst  TargetSpot // with TargetDest
	Text string     // with TargetString
}

// A TargetSpot is a place at which a spell is cast.
type TargetSpot struct {
	Transport uint64 // to which Position is relative; 0 for the map
	Position  wire.Vec3
}

// Wire walks Targets as it is in messages. Writing does not allocate.
func (t *Targets) Wire(c *wire.Codec) {
	if c.Reading() {
		*t = Targets{}
	}
	wire.U32(c, &t.Mask)
	if t.Mask&targetObject != 0 {
		wire.PackedGUID(c, &t.Unit)
	}
	if t.Mask&targetAnyItem != 0 {
		wire.PackedGUID(c, &t.Item)
	}
	if t.Mask&TargetSource != 0 {
		t.Src.wire(c)
	}
	if t.Mask&TargetDest != 0 {
		t.Dst.wire(c)
	}
	if t.Mask&TargetString != 0 {
		wire.CString(c, &t.Text, maxTargetText)
	}
}

func (s *TargetSpot) wire(c *wire.Codec) {
	wire.PackedGUID(c, &s.Transport)
	wire.XYZ(c, &s.Position)
}
