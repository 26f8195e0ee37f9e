package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components/life"
	"muster/internal/conformance"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// Another client of a character that comes in the tick in which the first one does is sent once what a client is sent that enters: through another
// gateway, and through the same one, whose session it goes on with. It stays, whether the connection of the first one has ended before that or not.
func TestTakenOverAtOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		session uint32
		op      uint16
		dropped bool
		arrives bool // the first one has come from another map, and would be sent no whole login sequence
	}{
		{"another session", 2, frame.OpEnter, false, false},
		{"another session after the end of the first", 2, frame.OpEnter, true, false},
		{"the same session", 1, frame.OpResume, false, false},
		{"the same session after the end of its connection", 1, frame.OpResume, true, false},
		{"the same session, from another map", 1, frame.OpResume, false, true},
		{"the same session, from another map, after the end of its connection", 1, frame.OpResume, true, true},
		{"another session, from another map", 2, frame.OpEnter, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := market(rand.New(rand.NewPCG(testseed.Of(t), 1)), 0)
			w, port := New(Config{Defs: d, Map: &d.Maps[0]}), frame.NewExchange()
			comes := func(session uint32, op uint16) {
				w.Inbox().Add(frame.Item{Session: session, Op: op, Body: msg.Append(nil, wire.V12340, &frame.Character{
					GUID: 1, Name: "Walker", Race: 1, Class: 1, Level: 1, Told: life.All,
					Life: life.Life{Begun: true, Items: []life.Item{{GUID: 0x4000000000800000, Entry: 1, Count: 5, Bag: life.InBody, Slot: 23}}},
				})})
			}
			cursor := frame.Cursor{Session: c.session, GUID: 1, Tick: port.Newest()}
			first := uint16(frame.OpEnter)
			if c.arrives {
				first = frame.OpArrive
			}
			comes(1, first)
			if c.dropped {
				w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpDrop})
			}
			comes(c.session, c.op)
			client := conformance.New(conformance.Config{Texts: 10})
			client.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
			client.Enter(1)
			seen := make(map[uint16]int)
			for n := uint64(1); n < 10; n++ {
				step(w, port, n)
				for _, p := range packets(t, port, &cursor) {
					client.Packet(p.op, p.body)
					seen[p.op]++
				}
			}
			once := []uint16{msg.OpLoginVerifyWorld, msg.OpTimeSyncReq, msg.OpInitialSpells, msg.OpInitWorldStates, msg.OpAccountDataTimes}
			for _, op := range once {
				if seen[op] != 1 {
					t.Errorf("opcode %#x is sent %d times, want 1", op, seen[op])
				}
			}
			if n := client.Violations(); n.Total() != 0 {
				t.Errorf("%+v %q", n, client.Texts())
			}
			if !w.ecs.Exists(w.Find(1)) {
				t.Error("the player has left")
			}
		})
	}
}
