package systems

import (
	"testing"

	"muster/components"
	"muster/ecs"
	"muster/systems/rules"
)

// What a creature can do when it comes into being is what is worked out for it ever after, and it recovers.
func TestBornAsWorkedOut(t *testing.T) {
	r := newDen(t, 5, 1)
	for i := range r.world.config.Defs.Creatures {
		r.world.config.Defs.Creatures[i].MaxLevel = 9
	}
	r.enter(1, 0, 0)
	r.tick()
	combatStats, units := ecs.NewAccessor[components.CombatStats](r.world.ecs), ecs.NewAccessor[components.Unit](r.world.ecs)
	for _, e := range r.living() {
		born, vitals, unit := *combatStats.Get(e), *r.vitals.Get(e), *units.Get(e)
		ask(r.world, rules.StatsDirty{Entity: e})
		r.tick()
		after := *combatStats.Get(e)
		if after.Batch = born.Batch; born != after {
			t.Errorf("born as\n%+v, worked out\n%+v", born, after)
		}
		if after := *r.vitals.Get(e); vitals != after || vitals.Health != vitals.MaxHealth {
			t.Errorf("born with %+v, worked out %+v", vitals, after)
		}
		if after := *units.Get(e); unit != after {
			t.Errorf("born as %+v, worked out %+v", unit, after)
		}
		if !(born.HealthRegen > 0) {
			t.Error("it does not recover")
		}
	}
}
