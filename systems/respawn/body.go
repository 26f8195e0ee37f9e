package respawn

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// The decay time of corpses, and of those without loot.
//
// Source: Corpse.Decay.NORMAL and ELITE, Rate.Corpse.Decay.Looted, worldserver.conf.dist, AzerothCore.
const (
	bodyMs      = 60_000
	eliteBodyMs = 300_000
	emptyMs     = bodyMs / 2
)

// scheduleCorpseRemoval schedules the despawn of a dead creature, and its respawn: the corpse has despawned before.
func (s *Respawn) scheduleCorpseRemoval(t sched.Tick, e ecs.Entity) {
	if !s.entities.Exists(e) || !s.spawnInfos.Has(e) {
		return
	}
	lies := uint32(bodyMs)
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); template.Rank != defs.RankNormal {
		lies = eliteBodyMs
	}
	if point := s.spawnInfos.Get(e).Point; point != 0 && !s.absent(point-1) {
		next := s.respawnMs(point - 1)
		s.after(t, next, s.due(point-1))
		lies = min(lies, next-min(next, clearMs))
	}
	s.after(t, lies, timer{entity: e})
}

// clearMs is the shortest time between a corpse's despawn and the respawn, our own choice: longer than any client
// waits for its flush.
const clearMs = 1000

// empty shortens the decay time of a corpse without loot.
func (s *Respawn) empty(t sched.Tick, e ecs.Entity) {
	if s.entities.Exists(e) && s.spawnInfos.Has(e) && s.vitals.Get(e).Health == 0 {
		s.after(t, emptyMs, timer{entity: e})
	}
}
