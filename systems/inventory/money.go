package inventory

import (
	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// Money gives and takes the copper of players. It alone writes it.
type Money struct {
	entities ecs.Entities
	tally    ecs.ResMut[goods.MoneyTally]
	gives    ecs.Requests[goods.GiveMoney]
	given    ecs.Emit[goods.MoneyGiven]
	objects  ecs.Read[components.Object]
	progress ecs.Write[components.Progress]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved
}

// React implements sched.Reactor.
func (s *Money) React(sched.Tick) {
	for _, g := range s.gives.Take() {
		answer := goods.MoneyGiven{GiveMoney: g}
		if s.entities.Exists(g.To) {
			answer.OK = s.give(&g)
			answer.Has = s.progress.Get(g.To).Coinage
		}
		if answer.OK && g.From != (ecs.Entity{}) {
			s.looted(&g)
		}
		s.given.Emit(answer)
	}
}

// looted reports copper that a player has taken from a body, which may be gone.
func (s *Money) looted(g *goods.GiveMoney) {
	h := change.Happening{Kind: change.HappenedMoney, Subject: s.objects.Get(g.To).GUID, Amount: uint32(g.Copper)}
	if s.entities.Exists(g.From) {
		h.Other = s.objects.Get(g.From).GUID
	}
	s.out.Happen(h)
}

// give gives a player copper, or takes it, and reports whether there was room for it.
func (s *Money) give(g *goods.GiveMoney) bool {
	p := s.progress.Get(g.To)
	after := max(int64(p.Coinage)+g.Copper, 0)
	if g.Partly {
		after = min(after, goods.MaxMoney)
	}
	switch {
	case g.Exact && int64(p.Coinage)+g.Copper < 0:
		return false
	case after > goods.MaxMoney:
		return false
	case g.Copper < 0:
		s.tally.Get().Unmade += uint64(int64(p.Coinage) - after)
	case g.From == (ecs.Entity{}):
		s.tally.Get().Made += uint64(after - int64(p.Coinage))
	}
	p.Coinage = uint32(after)
	s.dirty.Mark(g.To, components.DirtyProgress)
	s.unsaved.MarkNow(g.To, 0)
	return true
}
