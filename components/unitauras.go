package components

// UnitAuras is where the auras of a unit are, and the states that they put it in. System appliedauras alone writes it.
type UnitAuras struct {
	Block  uint32 `block:"Auras"` // of its auras in the world's slab of Auras; 0 none
	States uint16 // StateStunned and following, recomputed from them
	Held   uint16 // those that its script has it in besides
}

// The bits of UnitAuras.States.
const (
	StateStunned  = 1 << iota // does nothing
	StateRooted               // does not move
	StateSilenced             // casts no spells that silence prevents
	StateFeared               // runs about, does nothing else
	StateConfused
	StatePacified // does not attack

	// StateIncapacitated has the states in which a unit neither attacks nor casts.
	StateIncapacitated = StateStunned | StateFeared | StateConfused
)
