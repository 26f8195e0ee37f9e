package systems

import (
	"time"

	"muster/sched"
	"muster/systems/rules"
)

// Damage deals damage, as a system would in tick n: for tools and tests, before that tick.
func (w *World) Damage(n uint64, h rules.Damage) rules.DamageResult {
	t := sched.Tick{N: n, NowMs: uint32(time.Duration(n) * w.config.Step / time.Millisecond), Step: w.config.Step, Seed: w.config.Seed}
	return rules.New(w.ecs).DealDamage(t, &h)
}
