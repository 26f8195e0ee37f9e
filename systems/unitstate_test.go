package systems

import (
	"muster/components"
	"muster/ecs"
)

// unitStates gives access to the components of combat of any unit.
type unitStates struct {
	attacks ecs.Accessor[components.Attack]
	swings  ecs.Accessor[components.SwingTimers]
	threats ecs.Accessor[components.ThreatState]
	taps    ecs.Accessor[components.Tapped]
	auras   ecs.Accessor[components.UnitAuras]
	vitals  ecs.Accessor[components.VitalsState]
}

func newUnitStates(w *ecs.World) unitStates {
	return unitStates{
		ecs.NewAccessor[components.Attack](w), ecs.NewAccessor[components.SwingTimers](w), ecs.NewAccessor[components.ThreatState](w), ecs.NewAccessor[components.Tapped](w),
		ecs.NewAccessor[components.UnitAuras](w), ecs.NewAccessor[components.VitalsState](w),
	}
}
