package respawn

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
)

// Formations has creatures join the formations of their spawn points, and leave them.
//
// Source: FormationMgr, AzerothCore.
type Formations struct {
	entities   ecs.Entities
	place      ecs.Res[defs.Map]
	space      ecs.Res[space.Space]
	births     ecs.Events[birth]
	removals   ecs.Events[removal]
	vitals     ecs.Read[components.Vitals]
	formations ecs.Write[components.Formation]

	// By spawn point, of a map that has formations:
	members []ecs.Entity
	first   []uint32 // one more than the first point that follows it
	next    []uint32 // one more than the next point with the same leader
}

// Init implements ecs.Initializer.
func (s *Formations) Init() {
	spawns := s.place.Get().Spawns
	for i := range spawns {
		if leader := spawns[i].Leader; leader > 0 {
			if s.first == nil {
				s.members, s.first, s.next = make([]ecs.Entity, len(spawns)), make([]uint32, len(spawns)), make([]uint32, len(spawns))
			}
			s.next[i] = s.first[leader-1]
			s.first[leader-1] = uint32(i) + 1
		}
	}
}

// OnEvents implements sched.Handler.
func (s *Formations) OnEvents(sched.Tick) {
	if s.first == nil {
		return
	}
	for _, it := range s.removals.All() {
		if s.formations.Has(it.entity) {
			s.part(it.entity)
		}
	}
	births := s.births.All()
	for i := range births {
		if b := &births[i]; b.info.Point != 0 {
			s.join(s.space.Get().Find(components.CreatureGUID(b.entry, b.counter)), b.info.Point-1)
		}
	}
}

// join puts a creature into the formation of its spawn point, with those members that exist.
func (s *Formations) join(e ecs.Entity, point uint32) {
	s.members[point] = e
	if leader := s.place.Get().Spawns[point].Leader; leader > 0 {
		if l := s.members[leader-1]; s.entities.Exists(l) && s.vitals.Get(l).Health > 0 {
			s.follow(e, l)
		}
		return
	}
	for f := s.first[point]; f != 0; f = s.next[f-1] {
		if follower := s.members[f-1]; s.entities.Exists(follower) && s.formations.Get(follower).Leader == (ecs.Entity{}) {
			s.follow(follower, e)
		}
	}
}

func (s *Formations) follow(e, leader ecs.Entity) {
	own, first := s.formations.Get(e), &s.formations.Get(leader).Follower
	own.Leader, own.Next = leader, *first
	*first = e
}

// part removes a creature from its formation.
func (s *Formations) part(e ecs.Entity) {
	own := s.formations.Get(e)
	if s.entities.Exists(own.Leader) {
		at := &s.formations.Get(own.Leader).Follower
		for *at != (ecs.Entity{}) && *at != e {
			at = &s.formations.Get(*at).Next
		}
		*at = own.Next
	}
	for f := own.Follower; f != (ecs.Entity{}); {
		follower := s.formations.Get(f)
		f = follower.Next
		follower.Leader, follower.Next = ecs.Entity{}, ecs.Entity{}
	}
	*own = components.Formation{}
}
