// Package inventory is all that is done with items and money: it has the systems that alone write what players have,
// those that hand them the requests of clients and the outfits of new characters, and one that sends players what has
// become of their items.
//
// A system that gives or takes goods emits one of the requests in package goods. It is executed by the end of the
// stage, and the answer is an event within the same stage.
package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// Inventory makes, moves and removes items. It alone writes inventories, but for what players exchange.
type Inventory struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	mint     ecs.ResMut[goods.Mint]
	tally    ecs.ResMut[goods.ItemTally]
	reporter

	requests ecs.Requests[Request]
	gives    ecs.Requests[goods.GiveItem]
	takes    ecs.Requests[goods.TakeItem]
	uses     ecs.Requests[goods.UseItem]
	wears    ecs.Requests[goods.WearItems]
	given    ecs.Emit[goods.ItemGiven]
	taken    ecs.Emit[goods.ItemTaken]
	casts    ecs.Emit[rules.Cast]

	units ecs.Read[components.Unit]

	noGUID   sched.Counter `name:"goods.no_guid"`
	badPlace sched.Counter `name:"loot.bad_place"`
}

// React removes the items whose spells have been cast, before their owners can put them elsewhere. The requests of
// clients come next, in the order of their arrival: what they destroy makes room for what they are given.
func (s *Inventory) React(sched.Tick) {
	for _, u := range s.uses.Take() {
		if s.entities.Exists(u.Entity) {
			s.use(u.Entity, u.Counter)
		}
	}
	requests := s.requests.Take()
	for i := range requests {
		if s.entities.Exists(requests[i].By) {
			s.request(&requests[i])
		}
	}
	gives := s.gives.Take()
	for i := range gives {
		g := &gives[i]
		why := msg.InventoryItemNotFound
		if s.entities.Exists(g.To) {
			why = s.give(g)
		}
		s.given.Emit(goods.ItemGiven{GiveItem: *g, Why: why})
	}
	for _, r := range s.takes.Take() {
		answer := goods.ItemTaken{TakeItem: r}
		switch {
		case !s.entities.Exists(r.From):
		case r.Counter != 0:
			answer.Item = s.takeOut(r.From, &r)
			answer.Taken = uint32(answer.Item.Count)
		default:
			answer.Taken = s.take(r.From, r.Entry, r.Count)
		}
		s.taken.Emit(answer)
	}
	for _, w := range s.wears.Take() {
		if s.entities.Exists(w.Entity) {
			s.wear(w.Entity, w.Percent)
		}
	}
}

// template is the template of an item, nil if there is none.
func (s *Inventory) template(it *components.Item) *defs.Item {
	if it.Counter == 0 {
		return nil
	}
	return s.defs.Get().Item(it.Entry)
}
