package bench

import (
	"math"
	"testing"
	"time"

	"muster/bench/walkscene"
	"muster/internal/natstest"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// marched is walkers in one world, and what it takes with so many gateways.
func marched(t *testing.T, players, gateways, ticks int) (*scaled, scaleFigures) {
	t.Helper()
	w := &scaled{}
	p := newMarching(walkscene.Config{Players: players, PerDisc: perDisc, DiscYards: reachYards, Apart: apartYards, BeatTicks: beatTicks})
	p.posted = w.poster(0, p)
	for range marchTicks {
		p.whole()
	}
	w.add(p)
	return w, w.measure(gateways, ticks)
}

// sum is the number of some messages, their bytes, and how many copies there are of them.
func (c *carriage) sum(of func(carriedMessage) bool) (messages, bytes, copies int) {
	for _, t := range c.ticks {
		for _, all := range [][]carriedMessage{t.input, t.frames} {
			for _, m := range all {
				if of(m) {
					messages, bytes, copies = messages+1, bytes+m.length, copies+m.copies
				}
			}
		}
	}
	return messages, bytes, copies
}

// What NATS carries is what worlds publish and are sent: each shared half once for all gateways, each private half for one, the input of all players in one message of
// a gateway and tick, and a heartbeat of each gateway every fifth tick, which is answered.
func TestCarriedMessages(t *testing.T) {
	const players, gateways, ticks = 6_000, 3, 20
	w, f := marched(t, players, gateways, ticks)
	c := w.carried
	if len(c.ticks) != ticks {
		t.Fatalf("%d ticks are carried, want %d", len(c.ticks), ticks)
	}
	regions, bytes, copies := c.sum(func(m carriedMessage) bool { return m.subject.kind == ofRegion })
	if regions != int(f.messages*ticks) || bytes != int(f.sharedBytes*ticks) || copies != gateways*regions || regions < 2*ticks {
		t.Errorf("%d messages of regions with %d bytes, %d copies; want %.0f, %.0f, and a copy for each of %d gateways", regions, bytes, copies, f.messages*ticks, f.sharedBytes*ticks, gateways)
	}
	if all, _, copies := c.sum(func(m carriedMessage) bool { return m.subject.kind == ofAll }); all != ticks || copies != gateways*ticks {
		t.Errorf("%d messages with %d copies say which regions there are, want %d with %d", all, copies, ticks, gateways*ticks)
	}
	welcome := welcomeBytes + 2*(players/gateways/blockSessions+1)
	hellos, _, _ := c.sum(func(m carriedMessage) bool { return m.subject.kind == ofInput && m.length == helloBytes })
	answers, _, _ := c.sum(func(m carriedMessage) bool { return m.subject.kind == ofGateway && m.length == welcome })
	if want := gateways * ticks / helloTicks; hellos != want || answers < want {
		t.Errorf("%d heartbeats and %d answers, want %d of both", hellos, answers, want)
	}
	own, bytes, copies := c.sum(func(m carriedMessage) bool { return m.subject.kind == ofGateway })
	if own -= hellos; copies-hellos != own || bytes-hellos*welcome != int(f.privateBytes*ticks)+own*privateHeader {
		t.Errorf("%d private halves with %d bytes, want %.0f and a header for each", own, bytes-hellos*welcome, f.privateBytes*ticks)
	}
	input, bytes, copies := c.sum(func(m carriedMessage) bool { return m.subject.kind == ofInput })
	if input -= hellos; input != gateways*ticks || copies-hellos != input || bytes-hellos*helloBytes != int(f.inputBytes*ticks)+input*inputHeader || f.inputBytes == 0 {
		t.Errorf("%d messages of input with %d bytes, want %d with %.0f and a header for each", input, bytes-hellos*helloBytes, gateways*ticks, f.inputBytes*ticks)
	}
}

// A frame that is not divided goes to all gateways whole, a longer half in parts, and what the world itself is sent is from no gateway.
func TestCarriedWhole(t *testing.T) {
	c := newCarriage(1, 2)
	c.begin()
	c.put(0, frame.Item{Session: 3, Op: msg.OpMoveHeartbeat, Body: make([]byte, 30)})
	c.put(0, frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: make([]byte, 30)})
	c.publish(0, 10, []int{0, 7}, [][]byte{make([]byte, partBytes+5)}, nil)
	c.begin()
	c.put(0, frame.Item{Session: 2, Op: msg.OpMoveHeartbeat, Body: make([]byte, partBytes)})
	c.publish(0, 10, []int{0, partBytes + 9}, [][]byte{make([]byte, 5)}, nil)
	all := carriedSubject{kind: ofAll}
	want := []carriedTick{
		{
			input: []carriedMessage{{0, carriedSubject{}, helloBytes, 1}, {1, carriedSubject{}, inputHeader + inputBytes + 30, 1}},
			frames: []carriedMessage{
				{0, carriedSubject{kind: ofGateway}, welcomeBytes + 2, 1}, {0, carriedSubject{kind: ofGateway, gateway: 1}, privateHeader + 7, 1},
				{0, all, sharedHeader + 1 + partBytes, 2}, {0, all, sharedHeader + 1 + 5, 2},
			},
		},
		{
			input: []carriedMessage{{0, carriedSubject{}, inputHeader + partBytes, 1}, {0, carriedSubject{}, inputHeader + inputBytes, 1}},
			frames: []carriedMessage{
				{0, carriedSubject{kind: ofGateway, gateway: 1}, privateHeader + partBytes, 1}, {0, carriedSubject{kind: ofGateway, gateway: 1}, privateHeader + 9, 1},
				{0, all, sharedHeader + 1 + 5, 2},
			},
		},
	}
	for i, tick := range want {
		if !equalMessages(c.ticks[i].input, tick.input) || !equalMessages(c.ticks[i].frames, tick.frames) {
			t.Errorf("tick %d: %v, want %v", i, c.ticks[i], tick)
		}
	}
}

func equalMessages(a, b []carriedMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// The server is given every message of every tick, and each gateway takes what all are sent and what it is sent alone: as many bytes go in and out as are carried. What
// the server takes is divided by the ticks.
func TestNATSCarries(t *testing.T) {
	const gateways, ticks = 3, 10
	w, _ := marched(t, 2_000, gateways, ticks)
	s := natstest.Start(t)
	type traffic struct{ in, out int64 }
	read := func() traffic {
		v, err := s.Varz(nil)
		if err != nil {
			t.Fatal(err)
		}
		return traffic{v.InBytes, v.OutBytes}
	}
	var at []traffic
	b := &bus{url: s.ClientURL(), spent: func() (time.Duration, error) {
		at = append(at, read())
		return time.Duration(len(at)) * time.Second, nil
	}}
	nanos, err := b.carry(t.Context(), w.carried, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want traffic
	w.carried.sum(func(m carriedMessage) bool {
		want.in += int64(m.length)
		want.out += int64(m.length * m.copies)
		return true
	})
	if got := (traffic{at[1].in - at[0].in, at[1].out - at[0].out}); got != want {
		t.Errorf("the server has carried %+v, want %+v", got, want)
	}
	if nanos != 1e9/ticks {
		t.Errorf("a tick takes %v ns, want %v", nanos, 1e9/ticks)
	}
}

// Subjects are of those that the roles may publish and subscribe to.
func TestCarriedSubjects(t *testing.T) {
	for s, want := range map[carriedSubject]string{
		{kind: ofInput, world: 2}:                "muster.muster.in.2.0",
		{kind: ofAll, world: 2}:                  "muster.muster.out.2.0",
		{kind: ofGateway, world: 2, gateway: 4}:  "muster.muster.out.2.0.5",
		{kind: ofRegion, world: 2, region: 1234}: "muster.muster.out.2.0.r1234",
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// A server that takes a tenth of a core for one gateway and 0.73 for 64 takes one core where what is sent, and what each gateway reads of it, have grown to that.
func TestNATSCost(t *testing.T) {
	c := natsCostOf(0.10, 0.73, 64)
	if math.Abs(c.base-0.09) > 1e-9 || math.Abs(c.each-0.01) > 1e-9 {
		t.Fatalf("%+v, want 0.09 and 0.01 for each gateway", c)
	}
	const measured, seats = 10_000, 13_000
	n := c.players(measured, seats)
	if took := n / measured * (c.base + c.each*n/seats); math.Abs(took-1) > 1e-9 {
		t.Errorf("%.0f players take %v cores, want 1", n, took)
	}
	if n := (natsCost{base: 0.1}).players(measured, seats); math.Abs(n-100_000) > 1e-3 {
		t.Errorf("at 0.1 cores for %d, however many read, %v take a core, want 100,000", measured, n)
	}
}
