package components

import "reflect"

// Dirty says which components with update fields were written since they were last compared: one bit each,
// DirtyObject and following. A system that writes such a component sets its bit; a bit too many costs a comparison, a
// bit too few is a change that no client is sent.
type Dirty struct{ Mask uint32 }

// The bits of Dirty, in the order of CreatureParts and PlayerParts.
const (
	DirtyObject uint32 = 1 << iota
	DirtyVitals
	DirtyUnit
	DirtyStance
	DirtyTarget
	DirtyStats
	DirtyAppearance
	DirtyVisibleItems
	DirtyProgress
	DirtyCarried
)

// CreatureParts are the components with update fields that a creature has.
func CreatureParts() []reflect.Type { return PlayerParts()[:5] }

// PlayerParts are the components with update fields that a player has.
func PlayerParts() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[Object](), reflect.TypeFor[Vitals](), reflect.TypeFor[Unit](), reflect.TypeFor[Stance](),
		reflect.TypeFor[Target](),
		reflect.TypeFor[Stats](), reflect.TypeFor[PlayerAppearance](), reflect.TypeFor[VisibleItems](), reflect.TypeFor[Progress](),
		reflect.TypeFor[Carried](),
	}
}

// CombatParts are the components of combat that every unit has, none of which is sent.
func CombatParts() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[CombatStats](), reflect.TypeFor[VitalsState](), reflect.TypeFor[Attack](), reflect.TypeFor[SwingTimers](), reflect.TypeFor[ThreatState](),
		reflect.TypeFor[CombatState](), reflect.TypeFor[Tapped](),
		reflect.TypeFor[UnitAuras](), reflect.TypeFor[Casting](), reflect.TypeFor[AutoRepeat](), reflect.TypeFor[CastLimits](),
	}
}

// A CreatureImage is the public words of a creature as they were last sent, in the order of its parts.
type CreatureImage [49]uint32

// A PlayerImage is the public words of a player as they were last sent, in the order of its parts.
type PlayerImage [94]uint32
