package respawn

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
)

// How long bodies lie, and those in which nothing is left.
//
// Source: Corpse.Decay.NORMAL and ELITE, Rate.Corpse.Decay.Looted, worldserver.conf.dist, AzerothCore.
const (
	bodyMs      = 60_000
	eliteBodyMs = 300_000
	emptyMs     = bodyMs / 2
)

// bury has a dead creature's body go after a while, and the next creature come: the body is gone before.
func (s *System) bury(t sched.Tick, e ecs.Entity) {
	if !s.entities.Alive(e) || !s.spawnInfos.Has(e) {
		return
	}
	lies := uint32(bodyMs)
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); template.Rank != defs.RankNormal {
		lies = eliteBodyMs
	}
	if point := s.spawnInfos.Get(e).Point; point != 0 {
		next := s.respawnMs(point - 1)
		s.after(t, next, timer{point: point})
		lies = min(lies, next-min(next, clearMs))
	}
	s.after(t, lies, timer{entity: e})
}

// clearMs is how long a place is empty at least between a body and the next creature, our own choice: longer
// than any client waits for its flush.
const clearMs = 1000

// empty has a body go soon in which nothing is left.
func (s *System) empty(t sched.Tick, e ecs.Entity) {
	if s.entities.Alive(e) && s.spawnInfos.Has(e) && s.vitals.Get(e).Health == 0 {
		s.after(t, emptyMs, timer{entity: e})
	}
}

// remove takes a creature out of the world, alive or dead. It is gone after the tick, or after the next one if
// something happens to it in this.
func (s *System) remove(e ecs.Entity) {
	if !s.entities.Alive(e) {
		return
	}
	s.book.LeaveWorld(s.tick, e)
	s.part(e)
	home := s.homeCells.Get(e).Cell
	s.space.Get().Drop(e, home)
	s.space.Get().Hunt(e, false)
	s.left.Mark(home) // it hunts no more: the cell is to be put in order anew
	s.leaving.Emit(change.Leaving{Entity: e})
}

// part takes a creature out of the formation it is in.
func (s *System) part(e ecs.Entity) {
	mind := s.aiStates.Get(e)
	if s.entities.Alive(mind.Leader) {
		at := &s.aiStates.Get(mind.Leader).Follower
		for *at != (ecs.Entity{}) && *at != e {
			at = &s.aiStates.Get(*at).Next
		}
		*at = mind.Next
	}
	for f := mind.Follower; f != (ecs.Entity{}); {
		follower := s.aiStates.Get(f)
		f = follower.Next
		follower.Leader, follower.Next = ecs.Entity{}, ecs.Entity{}
	}
	mind.Leader, mind.Follower, mind.Next = ecs.Entity{}, ecs.Entity{}, ecs.Entity{}
}
