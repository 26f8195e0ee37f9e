package respawn

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// followLinks has the respawns be due that have waited for what is back.
func (s *Respawn) followLinks(t sched.Tick) {
	s.links.Follow(s.pointChanges.Next(), func(held rules.HeldRespawn) {
		s.timers.Add(rules.AfterLink(t, held.Point), timer{point: uint32(held.Point) + 1, era: held.Era})
	})
}

// noteDeath notes the death of a creature that something is linked to.
func (s *Respawn) noteDeath(e ecs.Entity) {
	if !s.entities.Exists(e) || !s.spawnInfos.Has(e) {
		return
	}
	if point := s.spawnInfos.Get(e).Point; point != 0 {
		s.note(point-1, true)
	}
}

// note tells what is linked to a point that its creature is gone, or that the time of its respawn has come.
func (s *Respawn) note(point uint32, gone bool) {
	if p := defs.SpawnPoint(point); s.links.Counts(p) {
		s.changed.Emit(rules.PointChanged{Point: p, Gone: gone})
	}
}
