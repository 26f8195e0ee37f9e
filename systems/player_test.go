package systems

import (
	"math/rand/v2"
	"testing"
	"time"

	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// step runs a tick with what is in the world's inbox.
func step(w *World, p *frame.Exchange, n uint64) {
	w.Inbox().Seal()
	f := p.Write()
	w.Tick(n, f)
	p.Publish(f)
}

// shown is what a player is sent from its first tick on, by opcode.
func shown(t *testing.T, p *frame.Exchange, c *frame.Cursor) map[uint16][]byte {
	var w frame.Window
	w.Open(p)
	defer w.Close()
	var r frame.Replayer
	out, ok := r.Replay(nil, &w, c)
	if !ok {
		t.Fatal("lost the stream")
	}
	packets := make(map[uint16][]byte)
	for len(out) > 0 {
		op, payload, header, _ := wire.ServerHeader(out)
		packets[op] = out[header : header+payload]
		out = out[header+payload:]
	}
	return packets
}

func decode(t *testing.T, body []byte, m msg.Message) {
	if err := msg.Decode(wire.V12340, body, m); err != nil {
		t.Errorf("%T: %v", m, err)
	}
}

// A player is in the zone where it stands, whatever its record says.
func TestZoneFollowsPosition(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	m := &d.Maps[0]
	m.Zones = []defs.Zone{{ID: 5, MaxX: 100, MaxY: 100}, {ID: 6, MinX: 100, MaxX: 200, MaxY: 100}}
	world, port := New(Config{Defs: d, Map: m}), frame.NewExchange()
	cursor := frame.Cursor{Session: 1, GUID: 1, Tick: port.Newest()}
	enter(world, 1, 50, 50) // in zone 0, as it says
	step(world, port, 1)

	packets := shown(t, port, &cursor)
	var bind msg.BindPoint
	var states msg.InitWorldStates
	decode(t, packets[msg.OpBindPointUpdate], &bind)
	decode(t, packets[msg.OpInitWorldStates], &states)
	if bind.Area != 5 || states.Zone != 5 || states.Area != 5 {
		t.Errorf("bound to area %d, shown zone %d, area %d, want 5", bind.Area, states.Zone, states.Area)
	}

	in := world.Inbox()
	in.Add(frame.Item{Session: 1, Op: msg.OpMoveStop, Body: msg.Append(nil, wire.V12340,
		&msg.Move{Mover: 1, Movement: msg.Movement{X: 150, Y: 50}})})
	in.Add(frame.Item{Session: 1, Op: frame.OpLeave})
	in.Seal()
	var f frame.Frame
	world.Tick(2, &f)
	var c frame.Character
	decode(t, f.In(f.Left[0].Character), &c)
	if c.X != 150 || c.Map != m.ID || c.Zone != 6 {
		t.Errorf("leaves map %d at %v in zone %d, want 6", c.Map, c.X, c.Zone)
	}
}

// The calendar goes on where the milliseconds of the wire begin anew.
func TestCalendarOutlivesTheClock(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	for _, days := range []int{0, 49, 50, 400} {
		world, port := New(Config{Defs: d, Map: &d.Maps[0]}), frame.NewExchange()
		n := uint64(days)*uint64(24*time.Hour/(50*time.Millisecond)) + 1200 // a minute past noon
		cursor := frame.Cursor{Session: 1, GUID: 1, Tick: port.Newest()}
		enter(world, 1, 0, 0)
		step(world, port, n)
		var clock msg.LoginSetTimeSpeed
		decode(t, shown(t, port, &cursor)[msg.OpLoginSetTimeSpeed], &clock)
		want := msg.PackTime(time.Date(2000, time.January, 1+days, 12, 1, 0, 0, time.UTC))
		if clock.Time != want {
			t.Errorf("after %d days it is %#x, want %#x", days, clock.Time, want)
		}
	}
}

// A player's body is what the defs say of its gender, class and level.
func TestBodies(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	w := New(Config{Defs: d, Map: &d.Maps[0]})
	for i, c := range []frame.Character{
		{Gender: 1, Class: 8, Level: 3}, {Class: 1, Level: 1}, {Class: 4, Level: 60}, {Gender: 1, Class: 6, Level: 1},
	} {
		c.GUID, c.Name, c.Race = uint64(i+1), "Walker", 1
		w.Inbox().Add(frame.Item{Session: uint32(i), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c)})
	}
	step(w, frame.NewExchange(), 1)
	all := newCensus(w).take()
	type body struct{ bytes0, model, faction, health, mana, rage, energy, runic uint32 }
	for i, want := range []body{
		{0x00010801, 7, 35, 80, 90, 0, 0, 0}, {0x01000101, 6, 35, 60, 0, 1000, 0, 0},
		{0x03000401, 6, 35, 650, 0, 0, 100, 0}, {0x06010601, 7, 35, 60, 0, 0, 0, 1000},
	} {
		f := all[uint64(i+1)].public
		if got := (body{f[0x17], f[0x43], f[0x37], f[0x20], f[0x21], f[0x22], f[0x24], f[0x27]}); got != want {
			t.Errorf("player %d is made as %+v, want %+v", i+1, got, want)
		}
	}
}
