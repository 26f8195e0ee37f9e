package components

// Unit has the basic values of a unit, which change seldom. It fills a cache line.
//
// Source: UNIT_FIELD_BYTES_0 and following, protocol.md appendix A.
type Unit struct {
	Bytes0             [4]uint8  `v12340:"0x17"` // ByteRace, ByteClass, ByteGender, BytePower
	Level              uint32    `v12340:"0x36"`
	Faction            uint32    `v12340:"0x37"` // faction template
	VirtualItem        [3]uint32 `v12340:"0x38"` // item entries in main hand, off hand, ranged
	Flags              uint32    `v12340:"0x3B"` // UnitNonAttackable and following
	Flags2             uint32    `v12340:"0x3C"`
	AuraState          uint32    `v12340:"0x3D"`
	AttackTimeMs       [2]uint32 `v12340:"0x3E"` // main hand, off hand
	RangedAttackTimeMs uint32    `v12340:"0x40"` // private
	BoundingRadius     float32   `v12340:"0x41"` // yards
	CombatReach        float32   `v12340:"0x42"` // yards
	DisplayID          uint32    `v12340:"0x43"`
	NativeDisplayID    uint32    `v12340:"0x44"`
}

// The bytes of Unit.Bytes0.
//
// Source: protocol.md 4.6.
const (
	ByteRace   = 0
	ByteClass  = 1
	ByteGender = 2 // 0 male, 1 female
	BytePower  = 3 // the power type that is shown
)

// The bits of Unit.Flags.
//
// Source: protocol.md 4.6.
const (
	UnitNonAttackable    = 0x2
	UnitDisableMove      = 0x4
	UnitPlayerControlled = 0x8
	UnitNotAttackable1   = 0x80
	UnitImmuneToPlayers  = 0x100
	UnitImmuneToNPC      = 0x200
	UnitLooting          = 0x400
	UnitPvP              = 0x1000
	UnitSilenced         = 0x2000
	UnitNotAttackable2   = 0x10000
	UnitPacified         = 0x20000
	UnitStunned          = 0x40000
	UnitInCombat         = 0x80000
	UnitOnTaxi           = 0x100000
	UnitDisarmed         = 0x200000
	UnitConfused         = 0x400000
	UnitFleeing          = 0x800000
	UnitPossessed        = 0x1000000
	UnitNotSelectable    = 0x2000000
	UnitSkinnable        = 0x4000000
	UnitMount            = 0x8000000
	UnitSheathe          = 0x40000000
)
