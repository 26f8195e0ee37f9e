package rules

import "muster/ecs"

// A SetStand sets the posture of a unit: components.Standing and following. System stances takes it.
type SetStand struct {
	Entity ecs.Entity
	State  uint8
	Say    bool // its client is sent SMSG_STANDSTATE_UPDATE
}

// A StandUp makes a unit stand up that sits, sleeps or kneels, if it can. System stances takes it.
type StandUp struct{ Entity ecs.Entity }

// A SetEmoteState sets the emote that a unit shows until it is set again; 0 is none. System stances takes it.
type SetEmoteState struct {
	Entity ecs.Entity
	Emote  uint32
}

// A SetTapped shows whether a creature is tapped: components.DynamicTapped. System stances takes it.
type SetTapped struct {
	Entity ecs.Entity
	On     bool
}

// A SetUnitFlags sets and clears bits of components.Unit.Flags: components.UnitNonAttackable and following. System
// unitfields takes it.
type SetUnitFlags struct {
	Entity     ecs.Entity
	Set, Clear uint32
}

// A ChangeUnit has a unit show something else. System unitfields takes the parts from UnitFlags2 to UnitItem3, system stances the others.
type ChangeUnit struct {
	Entity     ecs.Entity
	Part       UnitPart
	Set, Clear uint32 // of flags; else Set is the value
}

// A UnitPart is what a ChangeUnit is for.
type UnitPart uint8

// The parts.
const (
	UnitFlags2       UnitPart = iota // components.Unit.Flags2
	UnitModel                        // DisplayID, 0 its own
	UnitItem1                        // what it holds in the main hand,
	UnitItem2                        // in the off hand,
	UnitItem3                        // and as a ranged weapon
	UnitMount                        // components.Stance.MountDisplayID
	UnitSheath                       // which weapons it shows: components.ByteSheath
	UnitNPCFlags                     // components.Stance.NPCFlags
	UnitDynamicFlags                 // components.Stance.DynamicFlags, but for DynamicLootable, DynamicTapped and DynamicDead
)

// A SetTarget sets the target that a unit shows to observers, which need not exist; 0 is none. System target takes
// it.
type SetTarget struct {
	Entity ecs.Entity
	GUID   uint64
}

// A SetChannel sets the spell that a unit shows it channels, and at which target; 0 is none. System target takes it.
type SetChannel struct {
	Entity ecs.Entity
	GUID   uint64
	Spell  uint32
}

// A SetPlayerFlags sets and clears bits of components.PlayerAppearance.Flags: components.PlayerGM and following. System
// unitfields takes it.
type SetPlayerFlags struct {
	Entity     ecs.Entity
	Set, Clear uint32
}

// A SetSwingTimes sets the times between two swings of each weapon that a unit shows. System unitfields takes it.
type SetSwingTimes struct {
	Entity ecs.Entity
	Ms     [3]uint32
}
