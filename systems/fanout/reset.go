package fanout

import (
	"slices"

	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// resetsView reports whether a player's client discards all entities in this tick and gets a new view; one that is new or leaving does not.
func (s *FanOut) resetsView(e ecs.Entity) bool {
	if !slices.Contains(s.resets.All(), change.ViewReset{Entity: e}) || !s.entities.Exists(e) {
		return false
	}
	home := s.homeCells.Get(e)
	return home.Cell != grid.None && home.Before(s.tick) != grid.None
}

// wasResumed reports whether a player's client is another one from this tick on.
func (s *FanOut) wasResumed(e ecs.Entity) bool {
	return slices.ContainsFunc(s.resumed.All(), func(r change.Resumed) bool { return r.Entity == e })
}

// refresh sends players that are sent all anew their own values, as of the end of the tick. Items and what else they alone know of is not missing.
func (s *FanOut) refresh() {
	for _, it := range s.refreshed.All() {
		e := it.Entity
		if !s.entities.Exists(e) || s.homeCells.Get(e).Cell == grid.None {
			continue
		}
		session, b := s.ids.Get(e).ID, &s.log.Builder
		layout, _ := s.blocks.loadWords(e)
		s.blocks.scratch = layout.All(s.blocks.scratch[:0], s.objects.Get(e).GUID, &s.blocks.words, ^uint32(0))
		b.Bytes = s.blocks.appendPacket(b.Bytes, s.blocks.scratch)
		b.SendNow(session, frame.Last, b.Cut())
		b.Refresh(session)
	}
}

// resetViews sends players whose clients learn anew what they see their whole view.
func (s *FanOut) resetViews() {
	for _, it := range s.resets.All() {
		e := it.Entity
		if !s.resetsView(e) {
			continue
		}
		home, observer := s.homeCells.Get(e), s.observers.Get(e)
		after := grid.NewView(home.Cell, uint8(observer.Layers))
		s.lost.AddView(grid.NewView(home.Before(s.tick), uint8(observer.Before(s.tick))))
		s.gained.AddView(after)
		s.log.Builder.SetView(s.ids.Get(e).ID, after, true)
	}
}

// sendOwn sends players whose view is reset the events of this tick that concern themselves: replay leaves out what
// stands under their cell. The rest of that is their own movement, which they are never sent. Players that were resumed
// are sent their auras alone: their own create block comes first and describes the end of the tick, and a hit that
// killed them would be one on the dead.
func (s *FanOut) sendOwn() {
	for i := range s.log.Broadcasts {
		f := &s.log.Broadcasts[i]
		if f.Span.Len == 0 || !s.resetsView(f.Entity) || f.Part != frame.After && s.wasResumed(f.Entity) {
			continue
		}
		session, b := s.ids.Get(f.Entity).ID, &s.log.Builder
		switch f.Part {
		case frame.Events:
			b.Send(session, frame.Middle, f.Span)
		case frame.Values:
			s.blocks.scratch = append(s.blocks.scratch[:0], b.In(f.Span)...)
			b.Bytes = s.blocks.appendPacket(b.Bytes, frame.Block(s.blocks.scratch))
			b.Send(session, frame.Last, b.Cut())
		case frame.After:
			b.Send(session, frame.Last, f.Span)
		}
	}
}
