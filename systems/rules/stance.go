package rules

import "muster/ecs"

// A SetStand sets the posture of a unit: components.Standing and following. System stance takes it.
type SetStand struct {
	Entity ecs.Entity
	State  uint8
}

// A StandUp makes a unit stand up that sits, sleeps or kneels, if it can. System stance takes it.
type StandUp struct{ Entity ecs.Entity }

// A SetEmoteState sets the emote that a unit shows until it is set again; 0 is none. System stance takes it.
type SetEmoteState struct {
	Entity ecs.Entity
	Emote  uint32
}

// A SetTapped shows whether a creature is tapped: components.DynamicTapped. System stance takes it.
type SetTapped struct {
	Entity ecs.Entity
	On     bool
}
