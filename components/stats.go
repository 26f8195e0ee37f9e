package components

// Stats are a unit's stats as its own client sees them; BaseMana alone is public.
//
// Source: UNIT_FIELD_MINDAMAGE and following, protocol.md appendix A.
type Stats struct {
	MinDamage        float32   `v12340:"0x46"`
	MaxDamage        float32   `v12340:"0x47"`
	MinOffHandDamage float32   `v12340:"0x48"`
	MaxOffHandDamage float32   `v12340:"0x49"`
	Stat             [5]uint32 `v12340:"0x54"` // strength, agility, stamina, intellect, spirit
	Resistance       [7]uint32 `v12340:"0x63"` // by school; 0 is armour
	BaseMana         uint32    `v12340:"0x78"` // public
	BaseHealth       uint32    `v12340:"0x79"`
	AttackPower      uint32    `v12340:"0x7B"`
}
