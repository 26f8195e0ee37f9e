package respawn

import (
	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
)

// A creature that has slept for long, whole and at peace, is what its spawn point would make of it: so it goes, and its
// point lies dormant again. What a world holds is then what was seen lately, not what was ever seen.

const (
	// forgetMs is how long a creature sleeps before it is forgotten, our own choice: longer than most come back after.
	forgetMs = 600_000
	// looksPerTick is how many of those who sleep are looked at in a tick, our own choice: with the default step, all of
	// the default world in seven minutes.
	looksPerTick = 8
)

// forget takes a creature that sleeps out of the world, if its spawn point can bring it back as it is.
// The point is offered once it has gone: should somebody come by in this tick, it is there a tick later.
func (s *System) forget(e ecs.Entity) bool {
	if !s.forgettable(e) {
		return false
	}
	s.book.LeaveWorld(s.tick, e)
	s.space.Get().Hunt(e, false)
	s.leaving.Emit(change.Leaving{Entity: e})
	s.timers.Add(s.tick.N+1, timer{point: s.spawnInfos.Get(e).Point})
	s.forgotten.Count()
	return true
}

// forgettable reports whether a creature has slept for long and is what its spawn point makes, standing about where it
// does. Those on a path, of a formation or of a pool are more than that.
func (s *System) forgettable(e ecs.Entity) bool {
	if !s.entities.Alive(e) || !s.spawnInfos.Has(e) {
		return false
	}
	mind := s.aiStates.Get(e)
	if s.tick.NowMs-mind.SleptAtMs < forgetMs || mind.SleptAtMs == 0 || mind.Mode != components.Idle ||
		mind.Leader != (ecs.Entity{}) || mind.Follower != (ecs.Entity{}) {
		return false
	}
	post := s.spawnInfos.Get(e)
	if post.Point == 0 || post.Path >= 0 || s.pools.ofPoint[post.Point-1] != 0 {
		return false
	}
	v, bout := s.vitals.Get(e), s.combats.Get(e)
	whole := v.Health > 0 && v.Health == v.MaxHealth && v.Power[components.PowerMana] == v.MaxPower[components.PowerMana]
	return whole && !s.book.InCombat(e) && bout.Victim == (ecs.Entity{}) && len(s.book.ThreatList(e)) == 0 &&
		bout.ThreatenedBy|bout.Auras == 0 && bout.States == 0 && bout.Pending|bout.Evading|bout.Gone == 0
}
