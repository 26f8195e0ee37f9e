package fanout

import (
	"slices"

	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// resets reports whether a player forgets everything in this tick, and sees anew: it was teleported, and is
// neither new nor going.
func (s *System) resets(e ecs.Entity) bool {
	if !slices.Contains(s.reset.All(), change.Reset{Entity: e}) || !s.entities.Alive(e) {
		return false
	}
	home := s.homeCells.Get(e)
	return home.Cell != grid.None && home.Before(s.tick) != grid.None
}

// lookAnew tells those who were teleported what they see, as if they had seen nothing before.
func (s *System) lookAnew() {
	for _, it := range s.reset.All() {
		e := it.Entity
		if !s.resets(e) {
			continue
		}
		home, sight := s.homeCells.Get(e), s.observers.Get(e)
		after := view(home.Cell, uint8(sight.Layers))
		s.lost.AddView(view(home.Before(s.tick), uint8(sight.Before(s.tick))))
		s.gained.AddView(after)
		s.log.Builder.SetView(s.ids.Get(e).ID, after, true)
	}
}

// tellOwn tells who forgets everything what happens to itself in this tick: it is not owed what is filed under
// its home. The rest of that is its own movement, of which it is never told.
func (s *System) tellOwn() {
	for i := range s.log.Broadcasts {
		f := &s.log.Broadcasts[i]
		if f.Span.Len == 0 || !s.resets(f.Entity) {
			continue
		}
		session, d := s.ids.Get(f.Entity).ID, &s.log.Builder
		switch f.Part {
		case frame.Events:
			d.Send(session, frame.Middle, f.Span)
		case frame.Values:
			s.bodies.scratch = append(s.bodies.scratch[:0], d.In(f.Span)...)
			d.Bytes = s.bodies.appendPacket(d.Bytes, frame.Block(s.bodies.scratch))
			d.Send(session, frame.Last, d.Cut())
		case frame.After:
			d.Send(session, frame.Last, f.Span)
		}
	}
}
