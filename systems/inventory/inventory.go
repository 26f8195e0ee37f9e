// Package inventory is all that is done with items and money: it has the systems that alone write what players have,
// and those that hand them the requests of clients and the outfits of new characters.
//
// A system that gives or takes goods emits one of the requests in package goods. It is executed by the end of the
// stage, and the answer is an event within the same stage.
package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// System makes, moves and removes items, and sends players what has become of theirs. It alone writes inventories.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	mint     ecs.ResMut[goods.Mint]
	tally    ecs.ResMut[goods.ItemTally]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved

	requests ecs.Requests[Request]
	gives    ecs.Requests[goods.GiveItem]
	takes    ecs.Requests[goods.TakeItem]
	uses     ecs.Requests[goods.UseItem]
	wears    ecs.Requests[goods.WearItems]
	given    ecs.Emit[goods.ItemGiven]
	taken    ecs.Emit[goods.ItemTaken]
	casts    ecs.Emit[rules.Cast]
	stats    ecs.Emit[rules.StatsDirty]

	objects      ecs.Read[components.Object]
	units        ecs.Read[components.Unit]
	homeCells    ecs.Read[components.HomeCell]
	inventories  ecs.Write[components.Inventory]
	carried      ecs.Write[components.Carried]
	visibleItems ecs.Write[components.VisibleItems]

	noGUID   sched.Counter `name:"goods.no_guid"`
	badPlace sched.Counter `name:"loot.bad_place"`

	items   *update.Items
	updates update.Writer
	block   []byte
	pushed  msg.ItemPushResult // kept here, since a packet takes its message by reference
	gone    msg.DestroyObject
	failure msg.InventoryChangeFailure
}

// Init implements ecs.Initializer.
func (s *System) Init() { s.items = update.NewItems() }

// Run requests GUIDs for new items when they run low, and executes what has been asked in the stage so far.
func (s *System) Run(t sched.Tick) {
	if t.N > 0 { // in the first tick there is no gateway to answer
		if n := s.mint.Get().Wants(); n > 0 {
			s.out.WantGUIDs(n)
		}
	}
	s.React(t)
}

// React removes the items whose spells have been cast, before their owners can put them elsewhere. The requests of
// clients come next, in the order of their arrival: what they destroy makes room for what they are given.
func (s *System) React(t sched.Tick) {
	for _, u := range s.uses.Take() {
		if s.entities.Alive(u.Entity) {
			s.use(t, u.Entity, u.Counter)
		}
	}
	requests := s.requests.Take()
	for i := range requests {
		if s.entities.Alive(requests[i].By) {
			s.request(t, &requests[i])
		}
	}
	gives := s.gives.Take()
	for i := range gives {
		g := &gives[i]
		why := msg.InventoryItemNotFound
		if s.entities.Alive(g.To) {
			why = s.give(t, g)
		}
		s.given.Emit(goods.ItemGiven{GiveItem: *g, Why: why})
	}
	for _, r := range s.takes.Take() {
		taken := uint32(0)
		if s.entities.Alive(r.From) {
			taken = s.take(t, r.From, r.Entry, r.Count)
		}
		s.taken.Emit(goods.ItemTaken{TakeItem: r, Taken: taken})
	}
	for _, w := range s.wears.Take() {
		if s.entities.Alive(w.Entity) {
			s.wear(t, w.Entity, w.Percent)
		}
	}
}

// template is the template of an item, nil if there is none.
func (s *System) template(it *components.Item) *defs.Item {
	if it.Counter == 0 {
		return nil
	}
	return s.defs.Get().Item(it.Entry)
}
