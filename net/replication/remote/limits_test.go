package remote

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// What is not a message is counted, and changes nothing; so is a message of a gateway beyond the last.
func TestMalformed(t *testing.T) {
	counters := new(metric.Table)
	w := NewWorld(WorldConfig{Bus: newBus(1), Address: testAddress, Exchange: frame.NewExchange(), Life: 1, Metric: counters})
	hello := func(number uint64) []byte {
		var m writer
		m.begin(kindHello, 7)
		m.number(number)
		m.number(0)
		m.number(blockSessions)
		m.u64(0)
		m.u64(0)
		m.number(0)
		return m.b
	}
	good := hello(3)
	for n := range good {
		w.receive(good[:n])
	}
	bad := [][]byte{hello(0), hello(maxGateways + 1), append([]byte{Version + 1}, good[1:]...)}
	for _, b := range bad {
		w.receive(b)
	}
	if n := counters.Value(Malformed); n != uint64(len(good)+len(bad)) || len(w.gateways) > 0 {
		t.Errorf("%d messages were malformed, want %d; there are %d gateways, want none", n, len(good)+len(bad), len(w.gateways))
	}
	w.receive(good)
	if w.gateways[3] == nil || w.gateways[3].life != 7 {
		t.Errorf("gateways: %v, want number 3", w.gateways)
	}
	var m writer
	m.begin(kindLost+1, 7)
	m.number(3)
	w.receive(m.b)
	if n := counters.Value(Malformed); n != uint64(len(good)+len(bad)+1) {
		t.Errorf("an unknown kind was not counted")
	}
}

// A world has 65,536 sessions for its gateways together. Those of a gateway that is gone are another's after a while.
func TestSessionsAreBounded(t *testing.T) { synctest.Test(t, sessionsAreBounded) }

func sessionsAreBounded(t *testing.T) {
	counters := new(metric.Table)
	w := NewWorld(WorldConfig{Bus: newBus(1), Address: testAddress, Exchange: frame.NewExchange(), Life: 1, Metric: counters})
	w.config.Exchange.Now = func() time.Duration { return 0 }
	want := func(number, sessions uint64) {
		var m writer
		m.begin(kindHello, 7)
		m.number(number)
		m.number(0)
		m.number(sessions)
		m.u64(0)
		m.u64(0)
		m.number(0)
		w.receive(m.b)
	}
	want(1, 60_000)
	want(2, 10_000)
	if one, two := len(w.gateways[1].blocks), len(w.gateways[2].blocks); one != 235 || two != 21 || counters.Value(NoSessions) == 0 {
		t.Errorf("the gateways have %d and %d blocks of 256, want 235 and 21", one, two)
	}
	w.drop(w.gateways[1])
	time.Sleep(quarantine - 1)
	want(2, 10_000)
	if two := len(w.gateways[2].blocks); two != 21 {
		t.Errorf("the second has %d blocks at once, want 21", two)
	}
	time.Sleep(time.Nanosecond)
	want(2, 10_000)
	if two := len(w.gateways[2].blocks); two != 40 {
		t.Errorf("the second has %d blocks after the first has gone, want 40", two)
	}
}

// A mailbox that is full drops what comes, and counts it.
func TestMailIsBounded(t *testing.T) {
	counters := new(metric.Table)
	box := make(chan []byte, maxMail)
	take := mailTo(box, counters)
	for range maxMail + 5 {
		take([]byte{1})
	}
	if len(box) != maxMail || counters.Value(MailFull) != 5 {
		t.Errorf("%d messages wait, %d were dropped; want %d and 5", len(box), counters.Value(MailFull), maxMail)
	}
}

// A stream that nothing acknowledges is full at its bound, repeats a part of itself, and is empty when all is acknowledged.
func TestUnacknowledgedIsBounded(t *testing.T) {
	var o outgoing
	now := time.Unix(0, 0)
	body := make([]byte, 1<<20)
	for range maxUnacked>>20 - 1 {
		o.add(body, now)
	}
	if o.full() {
		t.Error("it is full before its bound")
	}
	if o.add(body, now); !o.full() {
		t.Error("it is not full at its bound")
	}
	count := 0
	repeat := func(number uint64, _ []byte) {
		if count++; number != uint64(count) {
			t.Errorf("the %d. message is repeated as %d", number, count)
		}
	}
	if o.due(now.Add(repeatAge-1), repeatAge, repeat); count != 0 {
		t.Errorf("%d messages were repeated before their time", count)
	}
	if o.due(now.Add(repeatAge), repeatAge, repeat); count != maxRepeat>>20 {
		t.Errorf("%d messages of 1 MiB were repeated at once, want %d", count, maxRepeat>>20)
	}
	if o.acknowledge(maxUnacked>>20 - 1); len(o.kept) != 1 || o.size != len(body) {
		t.Errorf("%d messages are kept after all but one are acknowledged", len(o.kept))
	}
	if o.acknowledge(maxUnacked >> 20); o.size != 0 || o.full() {
		t.Errorf("%d bytes are kept after all are acknowledged", o.size)
	}
}

// A gateway that lacks a tick keeps so many after it.
func TestAheadIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which no time passes
		g := NewGateway(GatewayConfig{Bus: newBus(1), Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: 1, Metric: new(metric.Table)})
		g.world, g.last = 1, 10
		take := func(tick uint64) {
			var m writer
			m.begin(kindShared, 1)
			for _, n := range []uint64{tick, tick - 1, 0, 1, 0, 0} {
				m.number(n)
			}
			m.bytes([]byte{6, 0})
			if err := g.receive(m.b); err != nil {
				t.Fatal(err)
			}
		}
		for tick := uint64(12); tick < 12+maxAhead+20; tick++ {
			take(tick)
		}
		if len(g.ahead) != maxAhead || g.last != 10 || g.config.Metric.Value(FramesMissed) != 1 {
			t.Errorf("%d ticks are kept, the last is %d, %d gaps were found; want %d, 10 and 1", len(g.ahead), g.last, g.config.Metric.Value(FramesMissed), maxAhead)
		}
		if take(11); g.last != 10+maxAhead || len(g.ahead) > 0 {
			t.Errorf("after the missing tick the last is %d, want %d", g.last, 10+maxAhead)
		}
	})
}

// The quickest of the last answers counts.
func TestClock(t *testing.T) {
	var c clock
	for i, test := range []struct{ took, offset, want time.Duration }{
		{40, 1020, 1020}, {10, 1003, 1003}, {30, 990, 1003}, {9, 1001, 1001}, {50, 1, 1001}, {50, 2, 1001}, {50, 3, 1001}, {50, 4, 1001},
		{50, 5, 1001}, {50, 6, 1001}, {49, 7, 1001}, {50, 8, 7},
	} {
		if got := c.add(test.took, test.offset); got != test.want {
			t.Errorf("after the %d. answer: %d, want %d", i+1, got, test.want)
		}
	}
}

// seeds are a message of each kind, as gateway 3 with life 7 sends it to a world with life 1, and as that sends it to the gateway.
func seeds() (toWorld, toGateway [][]byte) {
	message := func(kind byte, life uint64, write func(m *writer)) []byte {
		var m writer
		m.begin(kind, life)
		write(&m)
		return m.b
	}
	of := func(kind byte, write func(m *writer)) {
		toWorld = append(toWorld, message(kind, 7, func(m *writer) {
			m.number(3)
			write(m)
		}))
	}
	to := func(kind byte, write func(m *writer)) { toGateway = append(toGateway, message(kind, 1, write)) }
	var in frame.Inbox
	in.Add(frame.Item{Session: 5, AtMs: 7, Op: 0xB5, Body: []byte{1, 2, 3}})
	inbox, _ := in.AppendBinary(nil)
	of(kindHello, func(m *writer) {
		m.number(0)
		m.number(2 * blockSessions)
		m.u64(1)
		m.u64(0)
		m.number(4)
	})
	of(kindInput, func(m *writer) {
		m.number(1)
		m.u64(1)
		m.bytes(inbox)
	})
	of(kindMissing, func(m *writer) {
		m.u64(1)
		m.number(0)
	})
	of(kindTime, func(m *writer) { m.u64(9) })
	of(kindBye, func(*writer) {})

	var f frame.Frame
	var builder frame.Builder
	var encoder frame.Encoder
	builder.Bytes = packetOf(4, "hello")
	builder.Send(5, frame.First, builder.Cut())
	builder.Build(&f, 9)
	shared, private := encoder.AppendShared(nil, &f), encoder.AppendPrivate(nil, &f, func(uint32) bool { return true })
	to(kindWelcome, func(m *writer) {
		m.u64(7)
		m.number(0)
		m.number(1)
		m.number(9)
		m.flag(false)
		m.flag(true)
		m.u64(0)
		m.number(2)
		m.number(0)
		m.number(3)
	})
	to(kindReport, func(m *writer) {
		m.u64(7)
		m.number(1)
		(&report{wants: 3, answers: []frame.Answered{{ID: 9, Text: "yes"}}, saves: []save{{Save: frame.Save{GUID: 4}, lists: []byte("lists")}}}).append(m)
	})
	part := func(kind byte, tick uint64, body []byte) {
		to(kind, func(m *writer) {
			for _, n := range []uint64{tick, tick - 1, 0, 1} {
				m.number(n)
			}
			if kind == kindShared {
				m.number(1)
				m.number(3)
				m.regions([]frame.Region{650, 686})
			}
			m.bytes(body)
		})
	}
	part(kindShared, 9, nil)
	to(kindRegion, func(m *writer) {
		for _, n := range []uint64{9, 650, 0, 1} {
			m.number(n)
		}
		m.bytes(shared)
	})
	to(kindPrivate, func(m *writer) {
		m.number(9)
		m.regions([]frame.Region{650})
		m.bytes(private)
	})
	part(kindAgain, 10, append(binary.AppendUvarint(nil, uint64(len(shared))), shared...))
	to(kindTime, func(m *writer) {
		m.u64(9)
		m.u64(10)
	})
	to(kindLost, func(m *writer) {
		m.u64(8)
		m.number(9)
	})
	to(kindBye, func(m *writer) { m.number(1) })
	return toWorld, toGateway
}

// ends are a world and a gateway that know each other, and what they count.
func ends() (w *World, g *Gateway, counters *metric.Table) {
	counters = new(metric.Table)
	x := frame.NewExchange()
	w = NewWorld(WorldConfig{Bus: newBus(1), Address: testAddress, Exchange: x, Life: 1, Metric: counters})
	x.Now = func() time.Duration { return 0 }
	w.gateways[3] = &peer{number: 3, life: 7, subject: "x", players: make(map[uint32]uint64)}
	g = NewGateway(GatewayConfig{Bus: newBus(1), Address: testAddress, Exchange: frame.NewExchange(), Number: 3, Life: 7, Metric: counters})
	g.world, g.last = 1, 8
	return w, g, counters
}

// The messages that fuzzing begins with are those of this version: none is refused.
func TestSeeds(t *testing.T) {
	toWorld, toGateway := seeds()
	if len(toWorld)+len(toGateway) != kindLost+1+1 { // kindTime and kindBye are of both
		t.Errorf("%d messages to worlds and %d to gateways are not of all %d kinds", len(toWorld), len(toGateway), kindLost)
	}
	w, g, counters := ends()
	for _, b := range toWorld {
		w.receive(b)
	}
	for i, b := range toGateway {
		if err := g.receive(b); errors.Is(err, ErrMoved) != (i == len(toGateway)-1) {
			t.Errorf("message %d to the gateway: %v", i, err)
		}
	}
	if n := counters.Value(Malformed); n > 0 || g.last != 10 || len(g.blocks) != 2 || w.gateways[3] != nil || len(w.blocks) != 2 {
		t.Errorf("%d messages are malformed; the gateway has tick %d and %d blocks, want 10 and 2; that it is gone is %v, with %d blocks, want 2",
			n, g.last, len(g.blocks), w.gateways[3] == nil, len(w.blocks))
	}
}

// Every message that is cut off is an error, and none panics.
func FuzzReceive(f *testing.F) {
	toWorld, toGateway := seeds()
	for _, b := range slices.Concat(toWorld, toGateway) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w, g, _ := ends()
		w.receive(b)
		g.receive(b)
	})
}

// A report is divided into parts that a bus takes, and nothing of it is lost.
func TestReportsAreDivided(t *testing.T) {
	r := report{wants: 7}
	for i := range 5000 {
		r.answers = append(r.answers, frame.Answered{ID: uint64(i), Text: "text"})
		r.saves = append(r.saves, save{Save: frame.Save{GUID: uint64(i)}, lists: make([]byte, 500)})
	}
	wants, answers, saves := uint32(0), 0, 0
	for _, part := range r.parts() {
		var w writer
		if part.append(&w); len(w.b) > maxPart {
			t.Errorf("a part has %d bytes, want at most %d", len(w.b), maxPart)
		}
		back := readReport(&reader{b: w.b})
		wants += back.wants
		for _, a := range back.answers {
			if a.ID != uint64(answers) {
				t.Fatalf("answer %d is %d", answers, a.ID)
			}
			answers++
		}
		for _, s := range back.saves {
			if s.GUID != uint64(saves) {
				t.Fatalf("save %d is %d", saves, s.GUID)
			}
			saves++
		}
	}
	if wants != 7 || answers != 5000 || saves != 5000 {
		t.Errorf("%d items, %d answers and %d saves are left of 7, 5,000 and 5,000", wants, answers, saves)
	}
}
