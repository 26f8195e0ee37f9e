package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// Exchanges has items and money of two players change hands. It writes what both have at once, so that there is no moment, and no
// save, with a half of it.
type Exchanges struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	reporter
	dirty     change.Dirty
	progress  ecs.Write[components.Progress]
	exchanges ecs.Requests[goods.Exchange]
	exchanged ecs.Emit[goods.Exchanged]
}

// React implements sched.Reactor.
func (s *Exchanges) React(sched.Tick) {
	exchanges := s.exchanges.Take()
	for i := range exchanges {
		s.exchanged.Emit(s.execute(&exchanges[i]))
	}
}

// execute executes an exchange, if both players can give and take all of it.
//
// Source: WorldSession::HandleAcceptTradeOpcode, AzerothCore.
func (s *Exchanges) execute(x *goods.Exchange) goods.Exchanged {
	var after [2]components.Inventory
	for side := range x.Between {
		if why := s.prepare(x, side, &after[side]); why != goods.ExchangeDone {
			return goods.Exchanged{Between: x.Between, Why: why, Side: side}
		}
	}
	for side, e := range x.Between {
		s.commit(e, &after[side])
		if gets := x.Copper[1-side]; gets != x.Copper[side] {
			s.progress.Get(e).Coinage += gets - x.Copper[side]
			s.dirty.Mark(e, components.DirtyProgress)
			s.unsaved.MarkNow(e, 0)
		}
	}
	return goods.Exchanged{Between: x.Between}
}

// prepare sets after to what one of two players has after an exchange, or returns why there is none.
func (s *Exchanges) prepare(x *goods.Exchange, side int, after *components.Inventory) goods.ExchangeResult {
	e, gives, gets := x.Between[side], x.Copper[side], x.Copper[1-side]
	if !s.entities.Exists(e) {
		return goods.ExchangeNoPlayer
	}
	switch has := s.progress.Get(e).Coinage; {
	case has < gives:
		return goods.ExchangeTooPoor
	case uint64(has-gives)+uint64(gets) > goods.MaxMoney:
		return goods.ExchangeTooRich
	}
	*after = *s.inventories.Get(e)
	for _, it := range x.Items[side] {
		if it.Counter == 0 {
			continue
		}
		place := after.Find(it.Counter)
		if place < components.FirstPack || after.Items[place] != it {
			return goods.ExchangeChanged
		}
		after.Items[place] = components.Item{}
	}
	for _, it := range x.Items[1-side] {
		it.Moves++
		if it.Counter != 0 && !stow(after, s.defs.Get().Item(it.Entry), it) {
			return goods.ExchangeNoRoom
		}
	}
	return goods.ExchangeDone
}

// stow puts a stack into the backpack and bags of an inventory, onto existing stacks before a free place. It is false if there is no
// room for all of it.
//
// Source: Player::CanStoreItems, AzerothCore.
func stow(v *components.Inventory, template *defs.Item, it components.Item) bool {
	if template == nil || it.Count > template.Stack {
		return false
	}
	for place := components.FirstPack; place < components.Places; place++ {
		if on := &v.Items[place]; on.Counter != 0 && on.Entry == it.Entry && on.Count < template.Stack {
			n := min(it.Count, template.Stack-on.Count)
			on.Count += n
			if it.Count -= n; it.Count == 0 {
				return true
			}
		}
	}
	for place := components.FirstPack; place < components.Places; place++ {
		if v.Items[place].Counter == 0 && v.Room(place) {
			v.Items[place] = it
			return true
		}
	}
	return false
}

// commit writes what a player has now, and reports each place that has changed.
func (s *Exchanges) commit(e ecs.Entity, after *components.Inventory) {
	v := s.inventories.Get(e)
	for place := components.FirstPack; place < components.Places; place++ {
		was, is := v.Items[place], after.Items[place]
		if was == is {
			continue
		}
		v.Items[place] = is
		if was.Counter == is.Counter {
			s.showChange(e, place)
			continue
		}
		if is.Counter != 0 {
			s.showNew(e, place)
		}
		s.settle(e, place)
		if was.Counter != 0 {
			s.showGone(e, was.Counter)
		}
	}
}
