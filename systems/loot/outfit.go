package loot

import (
	"muster/components"
	"muster/sched"
	"muster/systems/goods"
)

// dress gives who has never been in a world what its class begins with, as soon as there are GUIDs for it. Who leaves
// before that has not begun, and is given it the next time.
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
