// Package rules is what the systems of combat have in common: the events by which they work together, parts that read
// units, and formulas, which are pure functions. No function of it writes a component.
//
// A hit goes through the systems as events: weaponhits, damageeffects, aurapulses and others emit a Damage; mitigation
// computes what of it reaches the unit; vitals applies that, and emits a DamageDealt and perhaps a Death; combatlog, threatsources,
// aurabreaks and others react to these.
package rules

import (
	"muster/components"
	"muster/ecs"
)

// Share adds the resources of a world that the systems of combat share.
func Share(w *ecs.World) {
	ecs.Share(w, new(ecs.Slab[components.ThreatList]))
	ecs.Share(w, new(ecs.Slab[components.Auras]))
	ecs.Share(w, new(ecs.Slab[components.ScriptState]))
	ecs.Share(w, new(Ways))
	ecs.Share(w, new(GameEvents))
	ecs.Share(w, new(ScriptLoad))
}
