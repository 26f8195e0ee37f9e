package ai

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Posts changes where creatures are when idle, and whether they wander there, as their scripts say.
type Posts struct {
	entities  ecs.Entities
	requests  ecs.Requests[rules.SetPost]
	changes   ecs.Emit[rules.SpawnInfoChanged]
	positions ecs.Read[components.Position]
	posts     ecs.Write[components.SpawnInfo]
}

// OnEvents implements sched.Handler.
func (s *Posts) OnEvents(sched.Tick) {
	for _, it := range s.requests.Take() {
		if !s.entities.Exists(it.Entity) || !s.posts.Has(it.Entity) {
			continue
		}
		post := s.posts.Get(it.Entity)
		switch {
		case !it.Wanders:
			post.At = it.At
		case it.Yards > 0:
			post.Wander, post.Path = it.Yards, -1
		default:
			post.Wander, post.Path, post.At = 0, -1, s.positions.Get(it.Entity)
		}
		s.changes.Emit(rules.SpawnInfoChanged{Entity: it.Entity})
	}
}
