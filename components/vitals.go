package components

// Vitals is what a unit can lose. Power and MaxPower are indexed by power type (PowerMana and
// following); rage and runic power are stored times ten.
//
// Source: UNIT_FIELD_HEALTH and following, protocol.md appendix A.
type Vitals struct {
	Health    uint32    `v12340:"0x18"`
	Power     [7]uint32 `v12340:"0x19"`
	MaxHealth uint32    `v12340:"0x20"`
	MaxPower  [7]uint32 `v12340:"0x21"`
}

// The power types.
//
// Source: enum Powers, SharedDefines.h, AzerothCore.
const (
	PowerMana = iota
	PowerRage
	PowerFocus
	PowerEnergy
	PowerHappiness
	PowerRune
	PowerRunic
)
