package trainer

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Request is what a client asks of a trainer, with the state that its player was in. System trainer takes it.
type Request struct {
	By    ecs.Entity
	GUID  uint64 // of the trainer
	Entry uint32 // of the trainer; 0 if the player cannot deal with it
	Spell uint32 // to buy; 0 asks for the list
	Level uint32
	Op    uint16
	Class uint8
	Race  uint8
}

// TrainerRequests hands the requests of clients to system trainer, in the order of their arrival.
type TrainerRequests struct {
	rules.Interaction

	lists    ecs.Events[change.Sent[msg.TrainerListQuery]]
	buys     ecs.Events[change.Sent[msg.TrainerBuy]]
	talks    ecs.Events[rules.Gossip]
	requests ecs.Emit[Request]

	objects ecs.Read[components.Object]
	players ecs.Read[components.Unit]
	homes   ecs.Read[components.HomeCell]

	arrived []arrival `snapshot:"-"` // in this tick
}

// An arrival is a request with its index among all messages of the tick.
type arrival struct {
	n uint32
	Request
}

// OnEvents implements sched.Handler.
func (s *TrainerRequests) OnEvents(t sched.Tick) {
	s.arrived = s.arrived[:0]
	for i, all := 0, s.lists.All(); i < len(all); i++ {
		s.add(t, all[i].N, Request{By: all[i].By, Op: msg.OpTrainerListQuery, GUID: all[i].Msg.GUID})
	}
	for i, all := 0, s.buys.All(); i < len(all); i++ {
		s.add(t, all[i].N, Request{By: all[i].By, Op: msg.OpTrainerBuy, GUID: all[i].Msg.GUID, Spell: all[i].Msg.Spell})
	}
	for i, all := 0, s.talks.All(); i < len(all); i++ {
		if m := &all[i]; m.Opens == defs.GossipTrainer {
			s.add(t, m.N, Request{By: m.By, Op: msg.OpGossipSelect, GUID: m.GUID})
		}
	}
	slices.SortFunc(s.arrived, func(a, b arrival) int { return cmp.Compare(a.n, b.n) })
	for i := range s.arrived {
		s.requests.Emit(s.arrived[i].Request)
	}
}

// add adds a request, with the state of its player.
func (s *TrainerRequests) add(t sched.Tick, n uint32, r Request) {
	u := s.players.Get(r.By)
	r.Level, r.Class, r.Race = u.Level, u.Bytes0[components.ByteClass], u.Bytes0[components.ByteRace]
	if e := s.Find(r.By, r.GUID, components.NPCTrainer); e != (ecs.Entity{}) && s.homes.Get(r.By).Before(uint32(t.N)) != grid.None {
		r.Entry = s.objects.Get(e).Entry
	}
	s.arrived = append(s.arrived, arrival{n, r})
}
