package bench

import (
	"context"
	"net/netip"
	"time"

	"muster/ecs/grid"
	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched/ladder"
)

// ServeGate is Serve by a gateway, before a world that says one thing to all. Clients are to log in as knock does.
func (f Floor) ServeGate(ctx context.Context, ready func(netip.AddrPort)) error {
	kept := store.NewMemory(store.MemoryConfig{})
	for i := range f.Clients {
		a, err := kept.CreateAccount(ctx, store.Account{Name: fanName(i)})
		if err == nil {
			err = kept.SetSessionKey(ctx, a.ID, fanKey(i))
		}
		if err == nil {
			_, err = kept.CreateCharacter(ctx, store.Character{Account: a.ID, Name: letters(i), Race: 1, Class: 1, Level: 1, Map: 1})
		}
		if err != nil {
			return err
		}
	}
	began := time.Now()
	b := &beacon{port: frame.NewExchange(), home: grid.At(0, 0, grid.Living)}
	b.port.Now = func() time.Duration { return time.Since(began) }
	b.packet = append(wire.AppendServerHeader(nil, msg.OpMonsterMove, f.Bytes-wire.ServerHeaderLen), make([]byte, f.Bytes-wire.ServerHeaderLen)...)
	g, err := gateway.New(gateway.Config{
		Listen: netip.MustParseAddrPort("127.0.0.1:0"), Exchanges: map[uint32]*frame.Exchange{1: b.port}, Store: kept,
		Start: func(int) gateway.Place { return gateway.Place{Map: 1} }, Quantum: f.round(), HeldStep: f.round(),
		Pace: func() ladder.Rung { return ladder.Rung{Stride: 1, Phases: 1} }, Loops: 1, Requests: 2 * f.Clients,
	})
	if err != nil {
		return err
	}
	if err := g.Listen(); err != nil {
		return err
	}
	ready(g.Addr())
	for next := began; ctx.Err() == nil; {
		b.step()
		next = next.Add(f.round())
		time.Sleep(time.Until(next))
	}
	return nil // the process ends, and with it what is left
}

// A beacon is a world in which all players stand in one place, where one packet is broadcast in each tick.
type beacon struct {
	port   *frame.Exchange
	draft  frame.Builder
	inbox  frame.Inbox
	home   grid.Cell
	packet []byte
	tick   uint64
}

func (b *beacon) step() {
	b.tick++
	b.inbox.Reset()
	b.port.Take(&b.inbox)
	for i := range b.inbox.Len() {
		switch it := b.inbox.At(i); it.Op {
		case frame.OpEnter:
			b.draft.SetView(it.Session, grid.ViewFrom(b.home), false)
		case frame.OpLeave:
			b.draft.PlayerLeft(it.Session, frame.Span{})
		}
	}
	b.draft.Bytes = append(b.draft.Bytes, b.packet...)
	b.draft.AddDelta(b.home, frame.Events, b.draft.Cut())
	f := b.port.Write()
	b.draft.Build(f, b.tick)
	b.port.Publish(f)
}
