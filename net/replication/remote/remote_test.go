package remote

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/ecs/grid"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A faultyBus loses, repeats and delays messages at random, so that they are reordered too.
type faultyBus struct {
	mu     sync.Mutex
	r      *rand.Rand
	takers map[string][]*taker
	lost   float64 // share of messages
	twice  float64
	longMs int  // the longest delay, besides
	farMs  int  // what each message takes
	cut    bool // nothing arrives
}

type taker struct {
	mu   sync.Mutex
	take func([]byte)
}

func newBus(seed uint64) *faultyBus {
	return &faultyBus{r: rand.New(rand.NewPCG(seed, 16)), takers: make(map[string][]*taker)}
}

func (b *faultyBus) Publish(subject string, message []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cut {
		return errors.New("the bus is cut")
	}
	if len(message) > 1<<20 { // the default of NATS
		return errors.New("the message is too long")
	}
	for _, to := range b.takers[subject] {
		copies := 1
		switch x := b.r.Float64(); {
		case x < b.lost:
			copies = 0
		case x < b.lost+b.twice:
			copies = 2
		}
		for range copies {
			own := bytes.Clone(message)
			time.AfterFunc(time.Duration(b.farMs+b.r.IntN(b.longMs+1))*time.Millisecond, func() {
				to.mu.Lock()
				defer to.mu.Unlock()
				if to.take != nil {
					to.take(own)
				}
			})
		}
	}
	return nil
}

func (b *faultyBus) Subscribe(subject string, take func([]byte)) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := &taker{take: take}
	b.takers[subject] = append(b.takers[subject], t)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.take = nil
	}, nil
}

// set changes the faults.
func (b *faultyBus) set(lost, twice float64, longMs int, cut bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost, b.twice, b.longMs, b.cut = lost, twice, longMs, cut
}

const (
	testTick = 50 * time.Millisecond
	opTest   = 0x0DC // any opcode will do
)

// A testWorld has sessions that stand in cells, repeats what they send as their moves, and saves them.
type testWorld struct {
	exchange *frame.Exchange
	builder  frame.Builder
	n        uint64
	cells    map[uint32]grid.Cell // of sessions
	guids    map[uint32]uint64
	heard    map[uint64][]uint32 // what each player has sent
	dropped  map[uint64]int      // OpAbandon, by player
	saved    map[uint64][]uint64 // in which ticks
	cursors  map[uint32]*frame.Cursor
	got      map[uint64][]byte // what each player is sent by a gateway beside the world
	replayer frame.Replayer
	apart    float32                     // yards between the places of players; they are teleported among them
	home     func(guid uint64) grid.Cell // where players enter; nil for placeOf
}

const places = 5

// placeOf is the n-th place of a player.
func (w *testWorld) placeOf(guid, n uint64) grid.Cell {
	return grid.At(float32(guid%4)*45+float32((guid+n)%places)*w.apart, 15, grid.Living)
}

// teleport has players that have not said anything in this tick go to another place, now and then, and those that are there be seen by them.
func (w *testWorld) teleport(busy map[uint32]bool) {
	d := &w.builder
	for session, from := range w.cells {
		guid := w.guids[session]
		to := w.placeOf(guid, w.n)
		if (w.n+guid)%17 != 0 || busy[session] || to == from {
			continue
		}
		d.Bytes = append(d.Bytes, byte(guid))
		block := d.Cut()
		d.Leave(from, guid, to)
		d.Enter(to, guid, from, block, frame.Span{})
		d.SetView(session, grid.ViewFrom(to), true)
		w.cells[session] = to
		for other, at := range w.cells {
			if other != session && at == to {
				d.Resident(at, w.guids[other], block, frame.Span{})
			}
		}
	}
}

func newTestWorld() *testWorld {
	w := &testWorld{
		exchange: frame.NewExchange(), cells: make(map[uint32]grid.Cell), guids: make(map[uint32]uint64),
		heard: make(map[uint64][]uint32), dropped: make(map[uint64]int), saved: make(map[uint64][]uint64),
		cursors: make(map[uint32]*frame.Cursor), got: make(map[uint64][]byte),
	}
	w.exchange.Keep = frame.MaxRing
	start := time.Now()
	w.exchange.Now = func() time.Duration { return time.Since(start) + 100*time.Second }
	return w
}

func (w *testWorld) step() {
	var in frame.Inbox
	w.exchange.Take(&in)
	w.run(&in)
}

// run runs a tick that reads an inbox.
func (w *testWorld) run(in *frame.Inbox) *frame.Frame {
	w.n++
	d := &w.builder
	busy := make(map[uint32]bool)
	span := func(b []byte) frame.Span {
		d.Bytes = append(d.Bytes, b...)
		return d.Cut()
	}
	for i := range in.Len() {
		it := in.At(i)
		switch guid := w.guids[it.Session]; it.Op {
		case frame.OpEnter, frame.OpArrive:
			guid = binary.LittleEndian.Uint64(it.Body)
			cell := w.placeOf(guid, 0)
			if w.home != nil {
				cell = w.home(guid)
			}
			busy[it.Session] = true
			if it.Op == frame.OpEnter {
				w.takeOver(guid, it.Session)
			}
			w.guids[it.Session], w.cells[it.Session] = guid, cell
			w.cursors[it.Session] = &frame.Cursor{Session: it.Session, GUID: guid, Tick: w.n - 1}
			d.SetView(it.Session, grid.ViewFrom(cell), false)
			d.Send(it.Session, frame.First, span(packetOf(guid, "welcome")))
			d.Enter(cell, guid, grid.None, span([]byte{byte(guid)}), frame.Span{})
		case frame.OpLeave:
			if _, there := w.cells[it.Session]; !there {
				break
			}
			d.Leave(w.cells[it.Session], guid, grid.None)
			d.PlayerLeft(it.Session, span(fmt.Appendf(nil, "character %d", guid)))
			delete(w.cells, it.Session)
		case frame.OpHandOver:
			for _, session := range slices.Sorted(maps.Keys(w.cells)) {
				if guid := w.guids[session]; !busy[session] { // else it leaves in a later tick, if it is told again
					d.Leave(w.cells[session], guid, grid.None)
					d.PlayerTransferred(session, span(fmt.Appendf(nil, "character %d", guid)))
					delete(w.cells, session)
				}
			}
		case frame.OpAbandon:
			w.dropped[guid]++
		case frame.OpGateway:
		case frame.OpRefresh:
			at := w.cells[it.Session]
			d.SetView(it.Session, grid.ViewFrom(at), true)
			d.Send(it.Session, frame.Last, span(packetOf(guid, "refreshed")))
			d.Refresh(it.Session)
			for other, cell := range w.cells {
				if cell == at {
					d.Resident(at, w.guids[other], span([]byte{byte(w.guids[other])}), frame.Span{})
				}
			}
		case frame.OpCommand:
			d.Answer(binary.LittleEndian.Uint64(it.Body), span(fmt.Appendf(nil, "answer to %s", it.Body[9:])))
		default:
			busy[it.Session] = true
			w.heard[guid] = append(w.heard[guid], binary.LittleEndian.Uint32(it.Body))
			part := frame.Moves
			if it.Body[0]%3 == 0 {
				part = frame.Beats
			}
			d.AddOwnDelta(it.Session, w.cells[it.Session], part, span(packetOf(guid, string(it.Body))))
			if it.Body[0]%5 == 0 {
				d.RequestItems(1)
				s := d.Save()
				s.GUID, s.Version, s.Lists = guid, w.n, span([]byte("lists"))
				w.saved[guid] = append(w.saved[guid], w.n)
			}
		}
	}
	if w.apart > 0 {
		w.teleport(busy)
	}
	f := w.exchange.Write()
	d.Build(f, w.n)
	w.exchange.Publish(f)
	var window frame.Window
	window.Open(w.exchange)
	defer window.Close()
	for session, c := range w.cursors {
		guid := w.guids[session]
		w.got[guid], _ = w.replayer.Replay(w.got[guid], &window, c)
	}
	return f
}

// takeOver has a player leave its session for another one.
func (w *testWorld) takeOver(guid uint64, session uint32) {
	for old := range w.cells {
		if old != session && w.guids[old] == guid {
			w.builder.PlayerLeft(old, w.builder.Cut())
			delete(w.cells, old)
		}
	}
}

// packetOf is a packet of a mover, with a plain header.
func packetOf(guid uint64, what string) []byte {
	body := append(wire.AppendPackedGUID(nil, guid), what...)
	return append([]byte{byte((len(body) + 2) >> 8), byte(len(body) + 2), opTest & 0xFF, opTest >> 8}, body...)
}

// A testGateway has players that enter the world and send numbers.
type testGateway struct {
	exchange *frame.Exchange
	end      *Gateway
	guids    []uint64 // by session; 0 is unused
	sent     []uint32 // how many numbers of each
	op       uint16   // by which they enter
	cursors  []frame.Cursor
	got      [][]byte // what each was sent
	replayer frame.Replayer
	answers  []frame.Answered
	wants    uint32
	versions map[uint64][]uint64 // of the saves of each player
	departed []frame.Departed
	failed   chan error
}

func newTestGateway(ctx context.Context, bus Bus, number uint32, players int, life uint64) *testGateway {
	x := frame.NewExchange()
	x.Keep = frame.MaxRing
	return newTestGatewayWith(ctx, x, bus, number, players, life)
}

func newTestGatewayWith(ctx context.Context, x *frame.Exchange, bus Bus, number uint32, players int, life uint64) *testGateway {
	g := &testGateway{exchange: x, versions: make(map[uint64][]uint64), failed: make(chan error, 1), op: frame.OpEnter}
	g.exchange.Saving = true
	for i := range players + 1 {
		g.guids = append(g.guids, uint64(number)*1000+uint64(i))
	}
	g.sent, g.cursors, g.got = make([]uint32, players+1), make([]frame.Cursor, players+1), make([][]byte, players+1)
	g.end = NewGateway(GatewayConfig{
		Bus: bus, Address: testAddress, Exchange: g.exchange, Number: number, Life: life, Metric: new(metric.Table),
	})
	go func() { g.failed <- g.end.Run(ctx) }()
	return g
}

var testAddress = Address{Realm: "test", Map: 1}

// newGatewayOf is the end of a gateway of a world, without players.
func newGatewayOf(ctx context.Context, bus Bus, of Address) *Gateway {
	g := NewGateway(GatewayConfig{Bus: bus, Address: of, Exchange: frame.NewExchange(), Number: 1, Life: 1, Metric: new(metric.Table)})
	go g.Run(ctx)
	return g
}

func (g *testGateway) post(session uint32, op uint16, body []byte) {
	var in frame.Inbox
	in.Add(frame.Item{Session: session, AtMs: g.exchange.NowMs(), Op: op, Body: body})
	if err := g.exchange.Post(&in); err != nil {
		panic(err)
	}
}

func (g *testGateway) enter() {
	for s := 1; s < len(g.guids); s++ {
		g.cursors[s] = frame.Cursor{Session: uint32(s), GUID: g.guids[s], Tick: g.exchange.Newest()}
		g.post(uint32(s), g.op, binary.LittleEndian.AppendUint64(nil, g.guids[s]))
	}
}

func (g *testGateway) say(session int) {
	g.sent[session]++
	g.post(uint32(session), opTest, binary.LittleEndian.AppendUint32(nil, g.sent[session]))
}

// read flushes all players, and takes what the world has reported.
func (g *testGateway) read(t *testing.T) {
	t.Helper()
	var w frame.Window
	w.Open(g.exchange)
	defer w.Close()
	for s := 1; s < len(g.guids); s++ {
		var ok bool
		if g.got[s], ok = g.replayer.Replay(g.got[s], &w, &g.cursors[s]); !ok {
			t.Fatalf("player %d lost the stream", g.guids[s])
		}
	}
	g.answers = append(g.answers, g.exchange.Answers()...)
	g.wants += g.exchange.Wanted()
	g.departed = append(g.departed, g.exchange.Departed()...)
	var saves frame.Saves
	g.exchange.Saves(&saves)
	for i := range saves.Len() {
		s, lists := saves.At(i)
		if string(lists) != "lists" {
			t.Errorf("the lists of a save are %q", lists)
		}
		g.versions[s.GUID] = append(g.versions[s.GUID], s.Version)
	}
}

// Over a bus that loses a tenth of all messages, repeats a tenth, and delays and reorders the rest, each player's input
// reaches its world once and in order, every player is sent the same bytes as if its gateway were beside the world, and
// reports arrive once. With every other seed frames are divided by regions, and players are teleported among places that are far apart.
func TestFaultyBus(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { faulty(t, seed, seed%2 == 1) }) })
	}
}

func faulty(t *testing.T, seed uint64, divided bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	bus := newBus(seed)
	bus.set(0.1, 0.1, 80, false)
	world := newTestWorld()
	counters := new(metric.Table)
	config := WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: counters}
	if divided {
		world.apart, config.Whole = 1500, 1
	}
	end := NewWorld(config)
	go end.Run(ctx)
	var gateways []*testGateway
	for number := range uint32(2) {
		gateways = append(gateways, newTestGateway(ctx, bus, number+1, 6, 1))
	}
	for _, g := range gateways {
		<-g.end.Ready()
	}
	r := rand.New(rand.NewPCG(seed, 17))
	entered := make([]bool, len(gateways))
	commands := 0
	tick := time.NewTicker(testTick)
	defer tick.Stop()
	for n := range 400 {
		<-tick.C
		switch n {
		case 350:
			bus.set(0, 0, 5, false)
		case 200:
			bus.set(0, 0, 0, true) // for two seconds
		case 240:
			bus.set(0.1, 0.1, 80, false)
		}
		for i, g := range gateways {
			switch {
			case n == 5+10*i:
				g.enter()
				entered[i] = true
			case entered[i] && n < 350:
				for s := 1; s < len(g.guids); s++ {
					if r.IntN(3) == 0 {
						g.say(s)
					}
				}
				if r.IntN(20) == 0 {
					commands++
					g.post(frame.NoSession, frame.OpCommand, msg.Append(nil, wire.V12340, &frame.Command{ID: uint64(commands), Text: fmt.Sprint(commands)}))
				}
			case n == 360:
				g.post(uint32(len(g.guids)-1), frame.OpLeave, nil)
			}
			if entered[i] {
				g.read(t)
			}
		}
		world.step()
		synctest.Wait()
	}
	time.Sleep(10 * repeatAge) // all is repeated often enough
	answers := 0
	items := uint32(0)
	for _, g := range gateways {
		g.read(t)
		if g.exchange.Newest() != world.exchange.Newest() {
			select {
			case err := <-g.failed:
				t.Error(err)
			default:
			}
			t.Fatalf("a gateway has tick %d, the world %d", g.exchange.Newest(), world.exchange.Newest())
		}
		for s := 1; s < len(g.guids); s++ {
			heard := world.heard[g.guids[s]]
			if len(heard) != int(g.sent[s]) {
				t.Fatalf("the world has %d numbers of player %d, which sent %d", len(heard), g.guids[s], g.sent[s])
			}
			for i, number := range heard {
				if number != uint32(i)+1 {
					t.Fatalf("the %d. number of player %d is %d", i+1, g.guids[s], number)
				}
			}
			if want := world.got[g.guids[s]]; !bytes.Equal(g.got[s], want) || len(want) == 0 {
				t.Errorf("player %d was sent %d bytes, which differ from the %d beside the world", g.guids[s], len(g.got[s]), len(want))
			}
			if got, want := g.versions[g.guids[s]], world.saved[g.guids[s]]; !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("player %d: saves of ticks %v, want %v", g.guids[s], got, want)
			}
		}
		for i, a := range g.answers {
			if want := "answer to " + fmt.Sprint(a.ID) + "\x00"; a.Text != want {
				t.Errorf("the %d. answer is %q, want %q", i, a.Text, want)
			}
		}
		answers += len(g.answers)
		items += g.wants
		if len(g.departed) != 1 || string(g.departed[0].Character) != fmt.Sprintf("character %d", g.guids[len(g.guids)-1]) ||
			g.departed[0].Session != uint32(len(g.guids)-1) {
			t.Errorf("departed: %v, want the last player", g.departed)
		}
	}
	if answers != commands || commands == 0 {
		t.Errorf("%d answers to %d commands", answers, commands)
	}
	if items == 0 || gateways[1].wants > 0 {
		t.Errorf("the gateways are to get %d and %d items, want the first of them to get all", gateways[0].wants, gateways[1].wants)
	}
	repeated := uint64(0)
	counters.Each(func(name string, n uint64) {
		switch name {
		case FramesRepeated:
			repeated = n
		case InputLost, FramesLost, ForeignSession, Malformed, ReportLost:
			if n > 0 {
				t.Errorf("%s is %d", name, n)
			}
		}
	})
	if repeated == 0 {
		t.Error("no frame was sent again: the bus was not faulty")
	}
}
