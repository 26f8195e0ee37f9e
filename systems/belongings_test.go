package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/life"
	"muster/internal/conformance"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A player that enters is sent all of its items before itself, be it from the character screen or from another map:
// each item is created once, and every GUID that the player's own fields and its bags have is known.
func TestBelongingsAreSeenFirst(t *testing.T) {
	const bag, tooth = 3, 1
	for _, op := range []uint16{frame.OpEnter, frame.OpArrive} {
		d := market(rand.New(rand.NewPCG(1, 1)), 0)
		w, port := New(Config{Defs: d, Map: &d.Maps[0]}), frame.NewExchange()
		was := frame.Character{GUID: 1, Name: "Walker", Race: 1, Class: 1, Level: 1, Told: life.All, Life: life.Life{Begun: true, Health: 1}}
		add := func(entry uint32, bag, slot uint8) {
			guid := uint64(components.HighItem)<<48 | uint64(100+len(was.Items))
			was.Items = append(was.Items, life.Item{GUID: guid, Entry: entry, Count: 1, Bag: bag, Slot: slot})
		}
		for at := uint8(components.FirstBag); at < components.FirstPack; at++ {
			add(bag, life.InBody, at)
			for slot := range uint8(4) {
				add(tooth, at, slot)
			}
		}
		for at := uint8(components.FirstPack); at < components.FirstDeep; at++ {
			add(tooth, life.InBody, at)
		}
		cursor := frame.Cursor{Session: 1, GUID: 1, Tick: port.Newest()}
		w.Inbox().Add(frame.Item{Session: 1, Op: op, Body: msg.Append(nil, wire.V12340, &was)})
		step(w, port, 1)

		eye := conformance.New(conformance.Config{Keep: true})
		eye.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
		eye.Enter(1)
		if op == frame.OpArrive {
			eye.Packet(msg.OpLoginVerifyWorld, msg.Append(nil, wire.V12340, &msg.Place{}))
			eye.Packet(msg.OpNewWorld, msg.Append(nil, wire.V12340, &msg.Place{}))
		}
		var order []uint64
		for _, p := range packets(t, port, &cursor) {
			eye.Packet(p.op, p.body)
			body := p.body
			if p.op == msg.OpCompressedUpdateObject {
				var err error
				if body, err = update.Inflate(nil, body); err != nil {
					t.Fatal(err)
				}
			} else if p.op != msg.OpUpdateObject {
				continue
			}
			if err := update.Parse(body, func(b *update.Block) error {
				if b.Type == update.Create || b.Type == update.Create2 {
					order = append(order, b.GUID)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if len(order) != len(was.Items)+1 || order[len(order)-1] != 1 {
			t.Fatalf("opcode %#x: %d things are created for %d, the last is %#x", op, len(order), len(was.Items), order[len(order)-1])
		}
		if eye.Violations() != (conformance.Tally{}) {
			t.Errorf("opcode %#x: %v", op, eye.Texts())
		}
		self, _ := eye.Self()
		var named []uint64
		pairs := func(words []uint32) {
			for i := 0; i+1 < len(words); i += 2 {
				if guid := uint64(words[i]) | uint64(words[i+1])<<32; guid != 0 {
					named = append(named, guid)
				}
			}
		}
		pairs(self.Words[0x144 : 0x144+2*components.FirstDeep])
		for _, guid := range slices.Clone(named[:4]) {
			o, _ := eye.Object(guid)
			pairs(o.Words[0x42:])
		}
		slices.Sort(named)
		slices.Sort(order)
		if !slices.Equal(named, order[1:]) {
			t.Errorf("opcode %#x: named are %x, created %x", op, named, order[1:])
		}
	}
}

type packet struct {
	op   uint16
	body []byte
}

// packets are what a player is sent from its first tick on.
func packets(t *testing.T, p *frame.Exchange, c *frame.Cursor) (all []packet) {
	t.Helper()
	var w frame.Window
	w.Open(p)
	defer w.Close()
	var r frame.Replayer
	out, ok := r.Replay(nil, &w, c)
	if !ok {
		t.Fatal("lost the stream")
	}
	for len(out) > 0 {
		op, payload, header, _ := wire.ServerHeader(out)
		if payload > wire.MaxPayload {
			t.Errorf("opcode %#x has %d bytes", op, payload)
		}
		all = append(all, packet{op, out[header : header+payload]})
		out = out[header+payload:]
	}
	return all
}

// A player that leaves before there are GUIDs for the outfit of its class gets it the next time, and once only.
func TestOutfitsWait(t *testing.T) {
	d := market(rand.New(rand.NewPCG(1, 1)), 0)
	w, port := New(Config{Defs: d, Map: &d.Maps[0]}), frame.NewExchange()
	c := frame.Character{GUID: 1, Name: "Walker", Race: 1, Class: 1, Level: 1, Told: life.All}
	in, n := w.Inbox(), uint64(0)
	for visit, want := range []struct {
		leased, begun bool
		pieces        int
		copper        uint32
	}{{false, false, 0, 0}, {true, true, 3, 10}, {true, true, 3, 10}} {
		if want.leased {
			in.Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340,
				&frame.Lease{First: uint32(1 + 100*visit), Count: 100})})
		}
		c.Told = life.All
		in.Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c)})
		for range 12 {
			n++
			step(w, port, n)
		}
		in.Add(frame.Item{Session: 1, Op: frame.OpLeave})
		in.Seal()
		n++
		f := port.Write()
		w.Tick(n, f)
		decode(t, f.In(f.Left[0].Character), &c)
		port.Publish(f)
		if c.Begun != want.begun || len(c.Items) != want.pieces || c.MoneyCopper != want.copper || c.Health == 0 {
			t.Errorf("visit %d: left with %d items and %d copper, begun %v; want %+v", visit, len(c.Items), c.MoneyCopper, c.Begun, want)
		}
	}
}
