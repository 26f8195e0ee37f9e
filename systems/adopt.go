package systems

import (
	"muster/ecs"
	"muster/systems/death"
	"muster/systems/experience"
	"muster/systems/movement"
)

// Adopt gives a world that was restored the settings of its own configuration in which that differs from the one of the world that was
// saved: a snapshot has settings, as game masters change some. The others stay as they were.
func (w *World) Adopt(was Config) {
	c := &w.config
	if c.Strikes != was.Strikes {
		ecs.Shared[movement.Limits](w.ecs).Violations = c.Strikes
	}
	if c.Reclaim != was.Reclaim {
		ecs.Shared[death.Config](w.ecs).Reclaim = c.Reclaim
	}
	if c.XPRate != was.XPRate {
		*ecs.Shared[experience.Rate](w.ecs) = experience.Rate(c.XPRate)
	}
}
