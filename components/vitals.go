package components

// Vitals is a unit's health and powers. Power and MaxPower are indexed by power type (PowerMana and following); rage
// and runic power are stored times ten.
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

// The bits of Unit.AuraState that follow from a unit's health: clients enable spells by them.
//
// Source: AuraStateType, SharedDefines.h, AzerothCore (2, 13 and 23; bits are numbered from 1).
const (
	HealthBelow20 = 1 << 1
	HealthBelow35 = 1 << 12
	HealthAbove75 = 1 << 22
)

// AuraState returns those bits. A dead unit has none.
//
// Source: Unit::Update, AzerothCore.
func (v *Vitals) AuraState() (state uint32) {
	part, all := uint64(v.Health)*100, uint64(v.MaxHealth)
	switch {
	case v.Health == 0:
		return 0
	case part < all*20:
		return HealthBelow20 | HealthBelow35
	case part < all*35:
		return HealthBelow35
	case part > all*75:
		return HealthAbove75
	}
	return 0
}
