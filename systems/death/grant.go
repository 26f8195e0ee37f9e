package death

import (
	"muster/components/life"
	"muster/sched"
)

// grant resurrects the players that other systems ask for.
func (s *System) grant(t sched.Tick) {
	for _, r := range s.revives.Take() {
		if s.entities.Alive(r.Entity) && s.sessions.Has(r.Entity) && s.records.Get(r.Entity).Death.State != life.Alive {
			s.live(t, r.Entity, r.Health, r.Mana)
		}
	}
}
