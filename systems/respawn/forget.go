package respawn

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A creature that has slept for long, idle and at full health, is what its spawn point would make of it: it is
// despawned, and its point is dormant again. So a world holds what observers saw lately, not all that they ever saw.

const (
	// forgetMs is the time that a creature sleeps before it is despawned, our own choice: longer than most observers
	// stay away.
	forgetMs = 600_000
	// looksPerTick is the number of sleeping creatures checked in a tick, our own choice: with the default step, all
	// of the default world in seven minutes.
	looksPerTick = 8
)

// Forgets despawns creatures that have slept for long.
type Forgets struct {
	entities  ecs.Entities
	place     ecs.Res[defs.Map]
	space     ecs.ResMut[space.Space]
	departing ecs.Emit[rules.LeaveCombat]
	leaving   ecs.Emit[change.Leaving]
	vacancies ecs.Emit[vacancy]

	sleeps       ecs.Read[components.Sleep]
	aiStates     ecs.Read[components.AIState]
	formations   ecs.Read[components.Formation]
	spawnInfos   ecs.Read[components.SpawnInfo]
	vitals       ecs.Read[components.Vitals]
	vitalsStates ecs.Read[components.VitalsState]
	threatStates ecs.Read[components.ThreatState]
	units        ecs.Read[components.Unit]
	attacks      ecs.Read[components.Attack]
	unitAuras    ecs.Read[components.UnitAuras]

	forgotten sched.Counter `name:"respawn.forgotten"`

	nowMs  uint32
	pooled map[uint32]bool       // by spawn point: a pool chooses it
	gone   func(ecs.Entity) bool // forget, bound once
}

// Init implements ecs.Initializer.
func (s *Forgets) Init() {
	s.gone, s.pooled = s.forget, make(map[uint32]bool)
	for _, pool := range s.place.Get().Pools {
		for _, m := range pool.Members {
			if !m.Nested {
				s.pooled[m.Index] = true
			}
		}
	}
}

// Run implements sched.Runner.
func (s *Forgets) Run(t sched.Tick) {
	s.nowMs = t.NowMs
	s.space.Get().VisitSleeping(looksPerTick, s.gone)
}

// forget despawns a sleeping creature if its spawn point can restore it as it is. The point is offered once it has
// despawned: for an observer that comes near in this tick, the creature appears a tick later.
func (s *Forgets) forget(e ecs.Entity) bool {
	if !s.forgettable(e) {
		return false
	}
	s.departing.Emit(rules.LeaveCombat{Entity: e, Gone: true})
	s.space.Get().Hunt(e, false)
	s.leaving.Emit(change.Leaving{Entity: e})
	s.vacancies.Emit(vacancy{s.spawnInfos.Get(e).Point})
	s.forgotten.Count()
	return true
}

// forgettable reports whether a creature has slept for long and is what its spawn point makes, near the place where
// it makes it. Creatures on a path, of a formation or of a pool are not forgettable.
func (s *Forgets) forgettable(e ecs.Entity) bool {
	if !s.entities.Exists(e) || !s.spawnInfos.Has(e) {
		return false
	}
	info, since := s.spawnInfos.Get(e), s.sleeps.Get(e).SinceMs
	if since == 0 || s.nowMs-since < forgetMs || info.Point == 0 || info.Path >= 0 || s.pooled[info.Point-1] {
		return false
	}
	group := s.formations.Get(e)
	if s.aiStates.Get(e).Mode != components.Idle || group.Leader != (ecs.Entity{}) || group.Follower != (ecs.Entity{}) {
		return false
	}
	v, threat, own := s.vitals.Get(e), s.threatStates.Get(e), s.vitalsStates.Get(e)
	whole := v.Health > 0 && v.Health == v.MaxHealth && v.Power[components.PowerMana] == v.MaxPower[components.PowerMana]
	return whole && s.units.Get(e).Flags&components.UnitInCombat == 0 && s.attacks.Get(e).Victim == (ecs.Entity{}) && s.unitAuras.Get(e).Block == 0 &&
		threat.List|threat.ThreatenedBy == 0 && threat.Evading == 0 && own.Regenerating|own.Gone == 0
}
