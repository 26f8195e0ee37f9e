package systems

import (
	"fmt"
	"testing"

	"muster/components/defs"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/update"
	"muster/net/wire"
)

func testWorld(t testing.TB, creatures int) *World {
	d := &defs.World{Seed: 1, Maps: []defs.Map{{ID: 0, Half: 17066}}, Creatures: []defs.Creature{{
		Entry: 101, Name: "Test", MinLevel: 1, MaxLevel: 3, Class: 1, Faction: 14, DisplayID: 5, Scale: 1,
		BoundingRadius: 0.5, CombatReach: 1.5, WalkSpeed: 2.5, RunSpeed: 7, MinHealth: 40, MaxHealth: 60, AttackTimeMs: 2000,
	}}}
	for i := range creatures {
		d.Maps[0].Spawns = append(d.Maps[0].Spawns, defs.Spawn{Entry: 101, X: float32(i%100) * 10, Y: float32(i/100) * 10, Wander: 10, Path: -1})
	}
	return New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
}

func enter(w *World, session uint32, name string, x, y float32) {
	c := frame.Character{GUID: uint64(session), Name: name, Race: 1, Class: 1, Level: 1, X: x, Y: y}
	w.Inbox().Add(frame.Item{Session: session, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c)})
}

func TestTwoPlayersMeet(t *testing.T) {
	w := testWorld(t, 100)
	p := frame.NewPort()
	cursors := []frame.Cursor{{Session: 1, GUID: 1}, {Session: 2, GUID: 2}}
	var r frame.Replayer
	for n := uint64(1); n < 10; n++ {
		switch n {
		case 1:
			enter(w, 1, "Anna", 0, 0)
		case 3:
			enter(w, 2, "Bert", 20, 0)
		case 5:
			m := msg.Move{Mover: 1, Movement: msg.Movement{Flags: 1, X: 3, Y: 1}}
			w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpMoveHeartbeat, AtMs: 240, Body: msg.Append(nil, wire.V12340, &m)})
		case 7:
			w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpLeave})
		}
		f := p.Write(n)
		w.Tick(n, f)
		p.Publish(f)
		for i := range cursors {
			var win frame.Window
			win.Open(p)
			out, ok := r.Replay(nil, &win, &cursors[i])
			win.Close()
			if !ok {
				t.Fatal("lost")
			}
			for len(out) > 0 {
				op, payload, h, _ := wire.ServerHeader(out)
				row := msg.Lookup(msg.ToClient, uint32(op))
				body := out[h : h+payload]
				out = out[h+payload:]
				name := "?"
				if row != nil {
					name = row.Name
				}
				fmt.Printf("tick %d to %d: %s %d\n", n, i+1, name, payload)
				if op == msg.OpCompressedUpdateObject {
					body, _ = update.Inflate(nil, body)
					op = msg.OpUpdateObject
				}
				if op == msg.OpUpdateObject {
					if err := update.Parse(body, func(b *update.Block) error {
						fmt.Printf("   block %d guid %x fields %d pos %v,%v %x\n", b.Type, b.GUID, len(b.Fields), b.Movement.X, b.Movement.Y, b.GUIDs)
						return nil
					}); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
}
