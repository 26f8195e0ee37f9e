package loot

import (
	"cmp"
	"reflect"
	"slices"

	"muster/components/change"
	"muster/ecs"
	"muster/net/msg"
	"muster/sched"
)

// listen says what is done about which message.
func (s *system) listen(w *ecs.World) {
	hear(w, s, s.open)
	hear(w, s, s.take)
	hear(w, s, s.empty)
	hear(w, s, s.release)
	hear(w, s, s.equip)
	hear(w, s, s.swap)
	hear(w, s, s.swapWorn)
	hear(w, s, s.destroy)
	hear(w, s, s.use)
	hear(w, s, s.queryItem)
	hear(w, s, s.queryName)
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

func hear[M any](w *ecs.World, s *system, do func(sched.Tick, *change.Sent[M])) {
	q, of := ecs.QueueOf[change.Sent[M]](w), int32(len(s.ears))
	s.heard = append(s.heard, reflect.TypeFor[ecs.Queue[change.Sent[M]]]())
	s.ears = append(s.ears, ear{
		gather: func() {
			all := q.All()
			for i := range all {
				s.order = append(s.order, wish{all[i].N, of, int32(i)})
			}
		},
		do: func(t sched.Tick, at int32) {
			if sent := &q.All()[at]; s.world.Alive(sent.By) {
				do(t, sent)
			}
		},
	})
}

// obey does what clients ask for.
func (s *system) obey(t sched.Tick) {
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
func (s *system) empty(t sched.Tick, sent *change.Sent[msg.Empty]) {
	if sent.Op == msg.OpLootMoney {
		s.takeMoney(t, sent.By)
	}
}
