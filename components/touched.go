package components

import "reflect"

// Touched says which components with update fields were written since they were last compared: one
// bit each, TouchedObject and following. Whoever writes such a component sets its bit; a bit too many
// costs a comparison, a bit too few is a change that nobody learns of.
type Touched struct{ Mask uint32 }

// The bits of Touched, in the order of CreatureParts and PlayerParts.
const (
	TouchedObject uint32 = 1 << iota
	TouchedVitals
	TouchedUnit
	TouchedStance
	TouchedTarget
	TouchedStats
	TouchedGuise
	TouchedWorn
	TouchedProgress
	TouchedCarried
)

// CreatureParts are the components with update fields that a creature has.
func CreatureParts() []reflect.Type { return PlayerParts()[:5] }

// PlayerParts are the components with update fields that a player has.
func PlayerParts() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[Object](), reflect.TypeFor[Vitals](), reflect.TypeFor[Unit](), reflect.TypeFor[Stance](),
		reflect.TypeFor[Target](),
		reflect.TypeFor[Stats](), reflect.TypeFor[Guise](), reflect.TypeFor[Worn](), reflect.TypeFor[Progress](),
		reflect.TypeFor[Carried](),
	}
}

// A CreatureImage is the public words of a creature as they were last sent, in the order of its parts.
type CreatureImage [49]uint32

// A PlayerImage is the public words of a player as they were last sent, in the order of its parts.
type PlayerImage [94]uint32
