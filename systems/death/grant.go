package death

import (
	"muster/components/life"
	"muster/sched"
)

// grant does what others have asked for on behalf of players: levels, and life for the dead.
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
