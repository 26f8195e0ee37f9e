package msg

import "muster/net/protocol/wire"

// maxThreats bounds a list of threats, so that it fits into a packet many times over.
const maxThreats = 255

// A Threat is a unit's threat with another.
//
// Source: Unit::SendThreatUpdate, CMaNGOS.
type Threat struct {
	Unit   uint64
	Amount uint32 // whole points
}

func wireThreat(c *wire.Codec, t *Threat) {
	wire.PackedGUID(c, &t.Unit)
	wire.U32(c, &t.Amount)
}

// ThreatUpdate is the threat list of a unit.
//
// Source: Unit::SendThreatListUpdate, AzerothCore.
type ThreatUpdate struct {
	Unit    uint64
	Threats []Threat
}

// Wire walks the body.
func (m *ThreatUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	wire.Slice[uint32](c, &m.Threats, maxThreats, wireThreat)
}

// HighestThreatUpdate is a ThreatUpdate with a new victim.
//
// Source: Unit::SendChangeCurrentVictimOpcode, AzerothCore.
type HighestThreatUpdate struct {
	Unit    uint64
	Victim  uint64 // the unit with the highest threat
	Threats []Threat
}

// Wire walks the body.
func (m *HighestThreatUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	wire.PackedGUID(c, &m.Victim)
	wire.Slice[uint32](c, &m.Threats, maxThreats, wireThreat)
}

// ThreatRemove reports that a unit is removed from the threat list of another.
//
// Source: Unit::SendRemoveFromThreatListOpcode, AzerothCore.
type ThreatRemove struct{ Unit, Victim uint64 }

// Wire walks the body.
func (m *ThreatRemove) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	wire.PackedGUID(c, &m.Victim)
}

// ThreatClear reports that the threat list of a unit is empty.
//
// Source: Unit::SendClearThreatListOpcode, AzerothCore.
type ThreatClear struct{ Unit uint64 }

// Wire walks the body.
func (m *ThreatClear) Wire(c *wire.Codec) { wire.PackedGUID(c, &m.Unit) }
