package death

import (
	"muster/components/life"
	"muster/sched"
)

// grant executes requests of other systems: levels, and resurrections.
func (s *System) grant(t sched.Tick) {
	for _, r := range s.setLevels.Take() {
		if level := min(max(r.Level, 1), s.defs.Get().Players.MaxLevel); s.entities.Alive(r.Entity) && s.sessions.Has(r.Entity) &&
			s.units.Get(r.Entity).Level != level {
			s.progress.Get(r.Entity).XP = 0
			s.rise(t, r.Entity, level)
		}
	}
	for _, r := range s.revives.Take() {
		if s.entities.Alive(r.Entity) && s.sessions.Has(r.Entity) && s.records.Get(r.Entity).Death.State != life.Alive {
			s.live(t, r.Entity, r.Health, r.Mana)
		}
	}
}
