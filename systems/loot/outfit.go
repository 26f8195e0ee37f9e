package loot

import (
	"muster/components"
	"muster/sched"
	"muster/systems/goods"
)

// dress gives a player that has never been in a world the outfit of its class, as soon as there are GUIDs for it. A
// player that leaves before gets it on its next visit.
//
// Source: Player::Create, AzerothCore.
func (s *System) dress(t sched.Tick) {
	for _, n := range s.newcomers.All() {
		s.naked = append(s.naked, n.Entity)
	}
	waiting := s.naked[:0]
	for i, e := range s.naked {
		if !s.entities.Alive(e) {
			continue
		}
		outfit := s.defs.Get().Outfit(s.units.Get(e).Bytes0[components.ByteClass])
		if s.mint.Get().Left() < uint64(len(outfit.Worn)+len(outfit.Pack)) {
			waiting = append(waiting, s.naked[i:]...)
			break
		}
		for _, entry := range outfit.Worn {
			if !s.ledger.Dress(t, e, entry) {
				s.ledger.Give(t, e, goods.Gift{Entry: entry, Count: 1, Made: true, Quiet: true})
			}
		}
		for _, stack := range outfit.Pack {
			s.ledger.Give(t, e, goods.Gift{Entry: stack.Entry, Count: uint32(stack.Count), Made: true, Quiet: true})
		}
		if outfit.Copper > 0 {
			s.ledger.Earn(e, outfit.Copper, true)
		}
		s.records.Get(e).Begun = 1
		s.unsaved.MarkNow(e, 0)
	}
	clear(s.naked[len(waiting):])
	s.naked = waiting
}
