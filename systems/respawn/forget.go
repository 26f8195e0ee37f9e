package respawn

import (
	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
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

// forget despawns a sleeping creature if its spawn point can restore it as it is. The point is offered once it has
// despawned: for an observer that comes near in this tick, the creature appears a tick later.
func (s *System) forget(e ecs.Entity) bool {
	if !s.forgettable(e) {
		return false
	}
	s.departing.Emit(rules.LeaveCombat{Entity: e, Gone: true})
	s.space.Get().Hunt(e, false)
	s.leaving.Emit(change.Leaving{Entity: e})
	s.timers.Add(s.tick.N+1, timer{point: s.spawnInfos.Get(e).Point})
	s.forgotten.Count()
	return true
}

// forgettable reports whether a creature has slept for long and is what its spawn point makes, near the place where
// it makes it. Creatures on a path, of a formation or of a pool are not forgettable.
func (s *System) forgettable(e ecs.Entity) bool {
	if !s.entities.Alive(e) || !s.spawnInfos.Has(e) {
		return false
	}
	state := s.aiStates.Get(e)
	if s.tick.NowMs-state.SleptAtMs < forgetMs || state.SleptAtMs == 0 || state.Mode != components.Idle ||
		state.Leader != (ecs.Entity{}) || state.Follower != (ecs.Entity{}) {
		return false
	}
	info := s.spawnInfos.Get(e)
	if info.Point == 0 || info.Path >= 0 || s.pools.ofPoint[info.Point-1] != 0 {
		return false
	}
	v, threat, own := s.vitals.Get(e), s.threatStates.Get(e), s.vitalsStates.Get(e)
	whole := v.Health > 0 && v.Health == v.MaxHealth && v.Power[components.PowerMana] == v.MaxPower[components.PowerMana]
	return whole && s.units.Get(e).Flags&components.UnitInCombat == 0 && s.attacks.Get(e).Victim == (ecs.Entity{}) && s.auraStates.Get(e).Block == 0 &&
		threat.List|threat.ThreatenedBy == 0 && threat.Evading == 0 && own.Regenerating|own.Gone == 0
}
