package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/conformance"
	"muster/internal/metric"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems"
)

// A pasture is the default world without sockets and without waiting, and plain grinders in it.
type pasture struct {
	t        *testing.T
	world    *systems.World
	port     *frame.Exchange
	replay   frame.Replayer
	counters metric.Table
	flush    uint64 // ticks between two flushes of a connection
	tick     uint64
	grinders []*grazing
}

// A grazing is a plain grinder and its connection.
type grazing struct {
	*plain
	cursor frame.Cursor
	sight  *conformance.Client
	most   int // packets that it has sent in a second
	sent   int
	idle   time.Duration // the longest time without a kill, a death or a return
	busy   uint64        // the tick of the last
	deeds  int           // how many there were
	paid   int           // deaths for which it was given experience
}

const (
	pastureStep  = 50                // ms in a tick
	pastureEpoch = 1_700_000_000_000 // grinders go by Unix time, ms
)

// newPasture has n grinders of all classes come in where characters begin.
func newPasture(t *testing.T, n int, flush uint64) *pasture {
	t.Helper()
	d, err := synth.New(synth.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &pasture{t: t, port: frame.NewExchange(), flush: flush}
	p.world = systems.New(systems.Config{Defs: d, Map: &d.Maps[0], Seed: 1, Metric: &p.counters})
	p.post(frame.NoSession, frame.OpLease, msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 50_000}))
	classes := []uint8{1, 2, 3, 4, 5, 7, 8, 9, 11}
	for i := range n {
		p.enter(d, i, classes[i%len(classes)])
	}
	return p
}

func (p *pasture) enter(d *defs.World, i int, class uint8) {
	guid := uint64(i + 1)
	a := &grazing{cursor: frame.Cursor{Session: uint32(guid), GUID: guid, Tick: p.port.Newest()}, sight: conformance.New(conformance.Config{})}
	a.plain = newPlain(guid, 1, func(op uint32, parts ...any) {
		a.sent++
		if op != 0x1DC { // the session answers pings
			p.post(a.cursor.Session, uint16(op), bytesOf(parts...))
		}
	})
	a.sight.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
	a.sight.Enter(guid)
	p.grinders = append(p.grinders, a)
	a.hands.custom = custom(i % 3)
	at := synth.Hub(d, i)
	a.at = spot{float64(at.X), float64(at.Y), float64(at.Z), float64(at.O)}
	p.post(a.cursor.Session, frame.OpEnter, msg.Append(nil, wire.V12340, &frame.Character{
		GUID: guid, Name: fmt.Sprintf("Plain%c", 'a'+i), Race: 1, Class: class, Level: 1, Map: at.Map, X: at.X, Y: at.Y, Z: at.Z, O: at.O,
	}))
}

func (p *pasture) post(session uint32, op uint16, body []byte) {
	p.t.Helper()
	now := uint32(p.tick+1) * pastureStep
	if err := p.world.Inbox().Add(frame.Item{Session: session, AtMs: now, Op: op, Body: body}); err != nil {
		p.t.Fatal(err)
	}
}

// step runs a tick. Grinders begin 2.5 s after they have come.
func (p *pasture) step() {
	p.world.Inbox().Seal()
	p.tick++
	f := p.port.Write()
	p.world.Tick(p.tick, f)
	p.port.Publish(f)
	for _, kick := range f.Kicks {
		p.t.Fatalf("tick %d: grinder %d is sent away: %s", p.tick, kick.Session, kick.Reason)
	}
	if f.Wants > 0 {
		p.post(frame.NoSession, frame.OpLease, msg.Append(nil, wire.V12340, &frame.Lease{First: uint32(50_001 + p.tick*100), Count: 100}))
	}
	for i, a := range p.grinders {
		if (p.tick+uint64(i))%p.flush == 0 {
			p.show(a)
		}
		if a.now = pastureEpoch + int64(p.tick)*pastureStep; p.tick > 50 {
			a.pass(a.now + int64(i)) // no two in step
		}
		if deeds := a.kills + a.deaths + a.returns; deeds != a.deeds {
			a.deeds, a.busy = deeds, p.tick
		}
		a.idle = max(a.idle, time.Duration(p.tick-a.busy)*pastureStep*time.Millisecond)
		if p.tick%20 == 0 {
			a.most, a.sent = max(a.most, a.sent), 0
		}
	}
}

func (p *pasture) show(a *grazing) {
	var w frame.Window
	w.Open(p.port)
	defer w.Close()
	out, ok := p.replay.Replay(nil, &w, &a.cursor)
	if !ok {
		p.t.Fatalf("tick %d: grinder %d has lost the stream", p.tick, a.guid)
	}
	for len(out) > 0 {
		op, payload, header, _ := wire.ServerHeader(out)
		body := out[header : header+payload]
		out = out[header+payload:]
		a.sight.Packet(op, body)
		a.hear(op, body)
		if op == 0x1D0 && body[12] == 0 && a.level <= plainLow { // LOG_XPGAIN of a death
			a.paid++
		}
	}
}

// Clients that think as that program does fight for an hour of the world's own time: all of them kill and gain levels,
// the dead come back each time, and none is ever stuck, whatever it concludes from what it is sent. What they believe to
// have killed has died, those that loot get what can be got in their way, and the world refuses none of their reports.
func TestPlainGrindersLive(t *testing.T) {
	for name, flush := range map[string]uint64{"flushed often": 2, "flushed seldom": 10} { // 100 ms, the default of net/gateway; 500 ms
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live(t, flush)
		})
	}
}

func live(t *testing.T, flush uint64) {
	t.Helper()
	p := newPasture(t, 9, flush)
	p.graze(time.Hour)
	kills, paid := 0, 0
	for _, a := range p.grinders {
		kills, paid = kills+a.fair, paid+a.paid
		if a.kills < 60 || a.level < 4 || a.deaths == 0 || a.returns < a.deaths-1 || a.idle > time.Minute {
			t.Errorf("grinder %d: level %d, %d kills, %d deaths, %d returns, nothing for %v", a.guid, a.level, a.kills, a.deaths, a.returns, a.idle)
		}
	}
	for _, a := range p.grinders {
		h := &a.hands
		if looted, got := h.custom != lootsNot, h.custom == opens; looted != (h.offers > 20) || looted != (h.copper > 0) || got != (h.items > 20) {
			t.Errorf("grinder %d, of custom %d: %d bodies, %d items, %d copper", a.guid, h.custom, h.offers, h.items, h.copper)
		}
	}
	if diff := kills - paid; diff < -len(p.grinders) || diff > len(p.grinders) { // of the last tick some have heard half
		t.Errorf("they believe in %d kills, and were given experience for %d", kills, paid)
	}
}

// graze lets a time pass, and wants it to have gone by the rules of both sides.
func (p *pasture) graze(d time.Duration) {
	p.t.Helper()
	for range d / (pastureStep * time.Millisecond) {
		p.step()
	}
	for _, a := range p.grinders {
		if len(a.garbled) > 0 {
			p.t.Errorf("grinder %d could not read %#x", a.guid, a.garbled)
		}
		if v := a.sight.Violations(); v.Total() > 0 {
			p.t.Errorf("grinder %d: %v", a.guid, a.sight.Texts())
		}
		if len(a.spells) == 0 {
			p.t.Errorf("grinder %d knows no spells", a.guid)
		}
		for id := range a.spells { // it would cast them for what they are elsewhere
			if id < 100_000 {
				p.t.Errorf("grinder %d knows spell %d", a.guid, id)
			}
		}
		if a.most > 30 { // of session.Rates a tenth
			p.t.Errorf("grinder %d has sent %d packets in a second", a.guid, a.most)
		}
		p.t.Logf("grinder %d: level %d, %d kills, %d deaths, %d returns, nothing for %v, refused %v, %d packets in a second, %d bodies, %d items, %d copper",
			a.guid, a.level, a.kills, a.deaths, a.returns, a.idle, a.refused, a.most, a.hands.offers, a.hands.items, a.hands.copper)
	}
	p.counters.Each(func(name string, n uint64) {
		if n > 0 && (strings.HasPrefix(name, "anticheat_") || strings.HasPrefix(name, "intake.")) {
			p.t.Errorf("the world counts %d %s", n, name)
		}
	})
}
