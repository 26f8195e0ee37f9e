package loot

import (
	"cmp"
	"slices"

	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// requests are the messages of clients.
type requests struct {
	opens    ecs.Events[change.Sent[msg.Loot]]
	takes    ecs.Events[change.Sent[msg.AutoStoreLootItem]]
	empties  ecs.Events[change.Sent[msg.Empty]]
	releases ecs.Events[change.Sent[msg.LootRelease]]
}

// Init implements ecs.Initializer: it sets the handler of each message.
func (s *System) Init() {
	handle(s, &s.requests.opens, s.open)
	handle(s, &s.requests.takes, s.take)
	handle(s, &s.requests.empties, s.empty)
	handle(s, &s.requests.releases, s.release)
}

// A handler is a queue of messages and the function for them.
type handler struct {
	gather func()
	do     func(t sched.Tick, at int32)
}

// A request is a message in one of the queues. A client's messages are handled in the order of their arrival,
// whatever their types.
type request struct {
	n  uint32 // its index among all that arrived
	of int32  // the handler
	at int32  // its index in the queue
}

func handle[M any](s *System, sent *ecs.Events[change.Sent[M]], do func(sched.Tick, *change.Sent[M])) {
	of := int32(len(s.handlers))
	s.handlers = append(s.handlers, handler{
		gather: func() {
			all := sent.All()
			for i := range all {
				s.order = append(s.order, request{all[i].N, of, int32(i)})
			}
		},
		do: func(t sched.Tick, at int32) {
			if m := &sent.All()[at]; s.entities.Alive(m.By) {
				do(t, m)
			}
		},
	})
}

// handleRequests handles the messages of clients.
func (s *System) handleRequests(t sched.Tick) {
	s.order = s.order[:0]
	for i := range s.handlers {
		s.handlers[i].gather()
	}
	slices.SortFunc(s.order, func(a, b request) int { return cmp.Compare(a.n, b.n) })
	for _, w := range s.order {
		s.handlers[w.of].do(t, w.at)
	}
}

// empty handles messages without a body.
func (s *System) empty(_ sched.Tick, sent *change.Sent[msg.Empty]) {
	if sent.Op == msg.OpLootMoney {
		s.takeMoney(sent.By)
	}
}
