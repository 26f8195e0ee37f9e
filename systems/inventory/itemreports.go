package inventory

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// ItemReports sends players what has become of their items: blocks of items, Carried and VisibleItems. It alone writes the
// latter two.
type ItemReports struct {
	out     change.Out
	dirty   change.Dirty
	reports ecs.Requests[report]
	stats   ecs.Emit[rules.StatsDirty]

	objects      ecs.Read[components.Object]
	homeCells    ecs.Read[components.HomeCell]
	inventories  ecs.ReadRef[components.Inventory]
	carried      ecs.Write[components.Carried]
	visibleItems ecs.Write[components.VisibleItems]

	items   *update.Items
	updates update.Writer
	block   []byte
	alone   components.Inventory `snapshot:"-"` // with one item, for AppendCreate
	gone    msg.DestroyObject    // kept here, since a packet takes its message by reference
}

// Init implements ecs.Initializer.
func (s *ItemReports) Init() { s.items = update.NewItems() }

// hasCreated reports whether an item of which a player's client is told that it is gone was created for it in the same round, so that
// it has never known it.
func hasCreated(reports []report, player ecs.Entity, counter uint32) bool {
	for i := range reports {
		if r := &reports[i]; r.What == created && r.Player == player && r.Counter == counter {
			return true
		}
	}
	return false
}

// React creates the new items before anything names them: a bag may contain several.
func (s *ItemReports) React(t sched.Tick) {
	reports := s.reports.Take()
	for i := range reports {
		switch r := &reports[i]; r.What {
		case created:
			s.show(t, r)
		case parted:
			s.part(t, r)
		}
	}
	for i := range reports {
		switch r := &reports[i]; r.What {
		case changed:
			s.show(t, r)
		case settled:
			s.settle(r.Player, r.Place)
		case broke:
			s.stats.Emit(rules.StatsDirty{Entity: r.Player})
		case gone:
			if s.known(t, r.Player) && !hasCreated(reports, r.Player, r.Counter) {
				it := components.Item{Counter: r.Counter}
				s.gone = msg.DestroyObject{GUID: it.GUID()}
				s.out.Send(r.Player, msg.OpDestroyObject, &s.gone)
			}
		case pushed:
			r.Pushed.GUID = s.objects.Get(r.Player).GUID
			s.out.Send(r.Player, msg.OpItemPushResult, &r.Pushed)
			s.out.Happen(change.Happening{Kind: change.HappenedItem, Subject: r.Pushed.GUID, ID: r.Pushed.Item, Amount: r.Pushed.Count})
		case failed:
			s.out.SendNow(r.Player, msg.OpInventoryChangeFailure, &r.Failure)
		}
	}
}

// known reports whether a player's client has seen the player itself: one that enters in this tick is sent all of its
// items then.
func (s *ItemReports) known(t sched.Tick, e ecs.Entity) bool {
	return s.homeCells.Get(e).Before(uint32(t.N)) != grid.None
}

// settle writes the change of a place of the body where an item came or went: its number in Carried, and its appearance in
// VisibleItems.
func (s *ItemReports) settle(e ecs.Entity, place int) {
	it := &s.inventories.Get(e).Items[place]
	s.carried.Get(e).GUID[place] = it.GUID()
	s.dirty.Mark(e, components.DirtyCarried)
	if place < components.VisibleSlots {
		s.visibleItems.Get(e).Item[2*place] = it.Entry
		s.dirty.Mark(e, components.DirtyVisibleItems)
		s.stats.Emit(rules.StatsDirty{Entity: e})
	}
}

// part sends a player an item that is in none of its places.
func (s *ItemReports) part(t sched.Tick, r *report) {
	if !s.known(t, r.Player) {
		return
	}
	s.alone.Items[components.FirstPack] = r.Item
	s.block = s.items.AppendCreate(s.block[:0], s.objects.Get(r.Player).GUID, &s.alone, components.FirstPack)
	s.sendBlock(r.Player)
}

// show sends a player an item that is new or has changed, unless it is gone since then.
func (s *ItemReports) show(t sched.Tick, r *report) {
	v, place := s.inventories.Get(r.Player), r.Place
	if v.Items[place].Counter != r.Counter {
		place = v.Find(r.Counter)
	}
	if place < 0 || !s.known(t, r.Player) {
		return
	}
	owner := s.objects.Get(r.Player).GUID
	if r.What == created {
		s.block = s.items.AppendCreate(s.block[:0], owner, v, place)
	} else {
		s.block = s.items.AppendValues(s.block[:0], owner, v, place)
	}
	s.sendBlock(r.Player)
}

// sendBlock sends a player the block that was written.
func (s *ItemReports) sendBlock(player ecs.Entity) {
	s.updates.Begin(s.out.Buffer())
	s.updates.Block(s.block)
	s.out.Write(s.updates.End())
	s.out.SendSpan(player, frame.PlaceOf(msg.OpUpdateObject), s.out.Cut())
}
