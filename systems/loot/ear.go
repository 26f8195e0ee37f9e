package loot

import (
	"cmp"
	"slices"

	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// requests are what clients ask for.
type requests struct {
	opens       ecs.Events[change.Sent[msg.Loot]]
	takes       ecs.Events[change.Sent[msg.AutoStoreLootItem]]
	empties     ecs.Events[change.Sent[msg.Empty]]
	releases    ecs.Events[change.Sent[msg.LootRelease]]
	equips      ecs.Events[change.Sent[msg.AutoEquipItem]]
	swaps       ecs.Events[change.Sent[msg.SwapItem]]
	wornSwaps   ecs.Events[change.Sent[msg.SwapInvItem]]
	destroys    ecs.Events[change.Sent[msg.DestroyItem]]
	uses        ecs.Events[change.Sent[msg.UseItem]]
	itemQueries ecs.Events[change.Sent[msg.ItemQuerySingle]]
	nameQueries ecs.Events[change.Sent[msg.ItemNameQuery]]
}

// Init implements ecs.Initializer: it says what is done about which message.
func (s *System) Init() {
	hear(s, &s.requests.opens, s.open)
	hear(s, &s.requests.takes, s.take)
	hear(s, &s.requests.empties, s.empty)
	hear(s, &s.requests.releases, s.release)
	hear(s, &s.requests.equips, s.equip)
	hear(s, &s.requests.swaps, s.swap)
	hear(s, &s.requests.wornSwaps, s.swapWorn)
	hear(s, &s.requests.destroys, s.destroy)
	hear(s, &s.requests.uses, s.use)
	hear(s, &s.requests.itemQueries, s.queryItem)
	hear(s, &s.requests.nameQueries, s.queryName)
}

// An ear is a queue of messages and what is done about them.
type ear struct {
	gather func()
	do     func(t sched.Tick, at int32)
}

// A wish is a message in one of the queues. Clients mean their messages in the order in which they sent them, of
// whatever types they are.
type wish struct {
	n  uint32 // its place among all that arrived
	of int32  // the ear
	at int32  // its place in the queue
}

func hear[M any](s *System, sent *ecs.Events[change.Sent[M]], do func(sched.Tick, *change.Sent[M])) {
	of := int32(len(s.ears))
	s.ears = append(s.ears, ear{
		gather: func() {
			all := sent.All()
			for i := range all {
				s.order = append(s.order, wish{all[i].N, of, int32(i)})
			}
		},
		do: func(t sched.Tick, at int32) {
			if m := &sent.All()[at]; s.entities.Alive(m.By) {
				do(t, m)
			}
		},
	})
}

// obey does what clients ask for.
func (s *System) obey(t sched.Tick) {
	s.order = s.order[:0]
	for i := range s.ears {
		s.ears[i].gather()
	}
	slices.SortFunc(s.order, func(a, b wish) int { return cmp.Compare(a.n, b.n) })
	for _, w := range s.order {
		s.ears[w.of].do(t, w.at)
	}
}

// empty is for messages without a body.
func (s *System) empty(t sched.Tick, sent *change.Sent[msg.Empty]) {
	if sent.Op == msg.OpLootMoney {
		s.takeMoney(t, sent.By)
	}
}
