package rules

import (
	"muster/ecs"
	"muster/sched"
)

// absorb lets the auras of a unit take damage upon themselves, and says how much they took. Those that are
// used up end with the tick's next look at them.
func (b *Book) absorb(_ sched.Tick, e ecs.Entity, school, amount uint32) (absorbed uint32) {
	block := b.bouts.Get(e).Auras
	if block == 0 || amount == 0 {
		return 0
	}
	return 0
}
