package gossip

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A request is a message about gossip. System gossip reads it.
type request struct {
	n            uint32 // its index among all messages of the tick
	by           ecs.Entity
	creature     ecs.Entity // zero if the player cannot deal with it
	guid         uint64     // of the creature
	menu, option uint32
	selected     bool
}

// GossipRequests hands the messages of clients about gossip to system gossip, in the order of their arrival, whatever their types.
type GossipRequests struct {
	rules.Interaction

	hellos   ecs.Events[change.Sent[msg.GossipHello]]
	selects  ecs.Events[change.Sent[msg.GossipSelect]]
	homes    ecs.Read[components.HomeCell]
	requests ecs.Emit[request]

	arrived []request `image:"-"` // in this tick
}

// anyService are all NPC flags: a creature without one does not talk.
const anyService = 1<<32 - 1

// OnEvents implements sched.Handler.
func (s *GossipRequests) OnEvents(t sched.Tick) {
	s.arrived = s.arrived[:0]
	for _, m := range s.hellos.All() {
		s.arrived = append(s.arrived, request{n: m.N, by: m.By, guid: m.Msg.GUID})
	}
	for _, m := range s.selects.All() {
		s.arrived = append(s.arrived, request{n: m.N, by: m.By, guid: m.Msg.GUID, menu: m.Msg.Menu, option: m.Msg.Option, selected: true})
	}
	slices.SortFunc(s.arrived, func(a, b request) int { return cmp.Compare(a.n, b.n) })
	for _, r := range s.arrived {
		if s.homes.Get(r.by).Before(uint32(t.N)) != grid.None { // else nothing can be shown to its client yet
			r.creature = s.Find(r.by, r.guid, anyService)
		}
		s.requests.Emit(r)
	}
}
