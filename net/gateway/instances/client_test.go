package instances

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/corrupt"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway"
)

// A bus delivers at once, but for what it is to lose.
type bus struct {
	mu     sync.Mutex
	takers map[string]func([]byte)
	said   [][]byte
	lose   int // so many messages from now on; all if negative
}

func (b *bus) Publish(subject string, message []byte) error {
	b.mu.Lock()
	take := b.takers[subject]
	b.said = append(b.said, bytes.Clone(message))
	lost := b.lose != 0
	if b.lose > 0 {
		b.lose--
	}
	b.mu.Unlock()
	if take != nil && !lost {
		take(bytes.Clone(message))
	}
	return nil
}

func (b *bus) Subscribe(subject string, take func([]byte)) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.takers == nil {
		b.takers = make(map[string]func([]byte))
	}
	b.takers[subject] = take
	return func() {}, nil
}

func (b *bus) Share(subject, _ string, take func([]byte)) (stop func(), err error) {
	return b.Subscribe(subject, take)
}

func (b *bus) loses(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lose = n
}

// A desk is a registry with as many instances as are entered: of each character one.
type desk struct {
	mu      sync.Mutex
	chance  registry.Chance // besides the number
	bound   map[uint64]uint32
	asked   int
	inside  []registry.Visitor
	newest  uint64
	notes   int
	away    bool
	removed []registry.Instance
}

func (d *desk) EnterInstance(_ context.Context, _ string, e registry.Entry, decide func(registry.Chance) error) (uint32, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.away {
		return 0, false, errors.New("away")
	}
	c := d.chance
	c.Number = d.bound[e.GUID]
	if err := decide(c); err != nil {
		return 0, false, err
	}
	if c.Number != 0 {
		return c.Number, false, nil
	}
	d.bound[e.GUID] = uint32(len(d.bound) + 1)
	return d.bound[e.GUID], true, nil
}

func (d *desk) NoteInside(_ context.Context, _ string, _ uint32, newest uint64, all []registry.Visitor) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside, d.newest = slices.Clone(all), newest
	d.notes++
	return nil
}

func (d *desk) RemoveEmptyInstances(context.Context, string, time.Duration) ([]registry.Instance, error) {
	return d.removed, nil
}

// A linked is a world that is ready, or not.
type linked struct {
	slot         int
	number       uint32
	ready, ended chan struct{}
	stopped      bool
}

func (l *linked) State() (ready, ended <-chan struct{}) { return l.ready, l.ended }
func (l *linked) Stop()                                 { l.stopped = true }

// A pair is a client and a server over a bus.
type pair struct {
	*Client
	t      *testing.T
	bus    *bus
	desk   *desk
	server *Server
	links  []*linked
	late   bool // worlds are not ready when they are connected
	metric *metric.Table
}

// newPair runs both until the test ends, which is to be in a bubble.
func newPair(t *testing.T, slots int, rules Rules) *pair {
	p := &pair{t: t, bus: new(bus), desk: &desk{bound: make(map[uint64]uint32)}, metric: new(metric.Table)}
	p.server = NewServer(ServerConfig{Rules: rules, Registry: p.desk, Bus: p.bus, Realm: "r", Subject: "r", Metric: p.metric})
	p.Client = NewClient(ClientConfig{
		Exits: map[uint32]gateway.Place{dungeon: {Map: 1}}, Slots: slots, Bus: p.bus, Realm: "r", Subject: "r", Gateway: 7, Life: 100, Metric: p.metric,
		Link: func(_ context.Context, slot int, number, _ uint32) (Linked, error) {
			l := &linked{slot: slot, number: number, ready: make(chan struct{}), ended: make(chan struct{})}
			if !p.late {
				close(l.ready)
			}
			p.links = append(p.links, l)
			return l, nil
		},
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { p.server.Run(ctx) })
	running.Go(func() { p.Client.Run(ctx) })
	synctest.Wait()
	t.Cleanup(func() {
		p.Close()
		stop()
		running.Wait()
	})
	return p
}

func (p *pair) enter(guid uint64, want error) (slot int, leave func()) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
	defer cancel()
	slot, leave, err := p.Enter(ctx, gateway.Visit{Map: dungeon, GUID: guid, Account: uint32(guid)})
	if !errors.Is(err, want) || (err == nil) != (want == nil) {
		p.t.Fatalf("character %d: %v, want %v", guid, err, want)
	}
	return slot, leave
}

// inside are the visits that orchestrators have been told of last.
func (p *pair) inside(want ...uint64) {
	p.t.Helper()
	synctest.Wait()
	p.desk.mu.Lock()
	defer p.desk.mu.Unlock()
	var got []uint64
	for _, v := range p.desk.inside {
		got = append(got, v.Visit)
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("the visits %v are inside, want %v", got, want)
	}
}

// A gateway has a slot for each instance that its players are in, gives it back when it is not used any more, and takes the place of an unused one when it has
// no other. Orchestrators are told which players are inside, and no more when none is.
func TestClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 2, Rules{})
		one, leave := p.enter(1, nil)
		again, leaveAgain := p.enter(1, nil)
		two, leaveTwo := p.enter(2, nil)
		if one != 1 || again != 1 || two != 2 || len(p.links) != 2 || p.links[1].number != 2 {
			t.Errorf("in slots %d, %d, %d of %d links", one, again, two, len(p.links))
		}
		p.enter(3, gateway.AbortTooManyRealm) // this gateway has no slot
		time.Sleep(tellEvery)
		p.inside(101, 102, 103)
		leave()
		leave() // counts once
		p.inside(102, 103)
		leaveTwo()
		three, leaveThree := p.enter(3, nil) // in place of the second, which is not used
		if three != 2 || !p.links[1].stopped || p.links[0].stopped {
			t.Errorf("in slot %d; the second is stopped: %t", three, p.links[1].stopped)
		}
		leaveAgain()
		leaveThree()
		p.inside()
		time.Sleep(idleTime + sweepEvery)
		synctest.Wait()
		if !p.links[0].stopped || !p.links[2].stopped {
			t.Error("links are kept that are not used")
		}
		before := p.desk.notes
		time.Sleep(time.Minute)
		synctest.Wait()
		if p.desk.notes != before {
			t.Errorf("orchestrators are told %d times that nobody is inside", p.desk.notes-before)
		}
	})
}

// What the bus loses is asked again, and a player that no orchestrator answers for is turned back.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 2, Rules{})
		p.bus.loses(1) // the question
		_, leave := p.enter(1, nil)
		leave()
		synctest.Wait()
		p.desk.away = true
		began := time.Now()
		p.enter(2, gateway.AbortError)
		if took := time.Since(began); took != asks*askTime || p.metric.Value(Unanswered) != 1 || p.metric.Value(Failed) != asks {
			t.Errorf("turned back after %v, %d unanswered, %d failed", took, p.metric.Value(Unanswered), p.metric.Value(Failed))
		}
		p.desk.away = false
		p.bus.loses(-1)
		p.enter(2, gateway.AbortError)
		p.bus.loses(0)
		p.enter(2, nil)
	})
}

// A player waits for the world of its instance, also for one that takes the place of a lost one, for as long as it may.
func TestLateWorld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 2, Rules{})
		p.late = true
		p.enter(1, context.DeadlineExceeded)
		p.enter(1, gateway.AbortError)
		time.AfterFunc(3*time.Second, func() { close(p.links[len(p.links)-1].ready) })
		began := time.Now()
		p.enter(1, nil)
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("entered after %v", took)
		}
		time.Sleep(tellEvery)
		p.inside(103)
	})
}

// The rules are those of one process.
func TestRules(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 4, Rules{Slots: 2, PerHour: 3, Players: 1})
		for _, c := range []struct {
			chance registry.Chance
			bound  uint32
			login  bool
			want   error
		}{
			{registry.Chance{}, 0, true, gateway.AbortNotFound},
			{registry.Chance{Instances: 2}, 0, false, gateway.AbortTooManyRealm},
			{registry.Chance{Visited: 3}, 0, false, gateway.AbortTooMany},
			{registry.Chance{Visited: 3}, 9, false, gateway.AbortTooMany},
			{registry.Chance{Visited: 3, Again: true, Instances: 2}, 9, true, nil},
			{registry.Chance{Inside: 1, Instances: 2}, 9, true, gateway.AbortFull},
			{registry.Chance{Visited: 2, Instances: 1}, 0, false, nil},
		} {
			p.desk.chance, p.desk.bound = c.chance, make(map[uint64]uint32)
			if c.bound != 0 {
				p.desk.bound[1] = c.bound
			}
			_, leave, err := p.Enter(t.Context(), gateway.Visit{Map: dungeon, GUID: 1, Account: 1, Login: c.login})
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%+v: %v", c, err)
			}
			if leave != nil {
				leave()
			}
		}
		none := newPair(t, 0, Rules{})
		none.enter(1, gateway.AbortMapNotAllowed)
		closed := newPair(t, 1, Rules{Slots: -1})
		closed.enter(1, gateway.AbortMapNotAllowed)
	})
}

// Who is inside is bounded, as a message is.
func TestInsideIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 1, Rules{})
		for range maxInside {
			if _, err := p.begin(gateway.Visit{}); err != nil {
				t.Fatal(err)
			}
		}
		p.enter(1, gateway.AbortTooManyRealm)
		if n := p.metric.Value(Refused); n != 1 {
			t.Errorf("%d are counted as refused", n)
		}
	})
}

// Questions that an orchestrator has no time for are dropped.
func TestQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	b, counters := new(bus), new(metric.Table)
	s := NewServer(ServerConfig{Registry: new(desk), Bus: b, Subject: "r", Metric: counters})
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing answers
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	for range maxAsked + 5 {
		b.Publish(questions("r"), []byte("x"))
	}
	if n := counters.Value(AskDropped); n < 5 {
		t.Errorf("%d are dropped", n)
	}
}

// One of each kind, as it is on the bus. Source: docs/adr/0033-instances-in-the-registry.md.
var golden = []struct {
	m     message
	bytes string
}{
	{message{kind: kindEnter, gateway: 7, life: 0x0102, number: 3, entry: registry.Entry{Map: 33, GUID: 0x11, Account: 0x22, Visit: 0x33}, login: true},
		"01 01 07 0201000000000000 0300000000000000 21000000 1100000000000000 22000000 3300000000000000 01"},
	{message{kind: kindInside, gateway: 7, life: 1, number: 4, newest: 9, inside: []registry.Visitor{{Visit: 8, GUID: 0x11, Number: 5}}},
		"01 02 07 0100000000000000 0400000000000000 0900000000000000 0100 0800000000000000 1100000000000000 05000000"},
	{message{kind: kindAnswer, gateway: 7, life: 1, number: 3, abort: gateway.AbortTooMany, instance: 0},
		"01 03 07 0100000000000000 0300000000000000 04 00000000"},
	{message{kind: kindAnswer, gateway: 7, life: 1, number: 3, instance: 6}, "01 03 07 0100000000000000 0300000000000000 00 06000000"},
}

// The messages are as they are written down, and others are refused, or are the same when they are written again.
func TestMessages(t *testing.T) {
	t.Parallel()
	var seeds [][]byte
	for _, g := range golden {
		want, err := hex.DecodeString(strings.ReplaceAll(g.bytes, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := g.m.append(nil); !bytes.Equal(got, want) {
			t.Errorf("wrote % x, want % x", got, want)
		}
		seeds = append(seeds, want)
	}
	for b := range corrupt.Bytes(20_000, seeds...) {
		m, err := read(b)
		if err != nil {
			continue
		}
		if again := m.append(nil); !bytes.Equal(again, b) && !(m.kind == kindEnter && m.login) { // what is not 0 is true
			t.Fatalf("read % x, and wrote % x", b, again)
		}
	}
	for _, b := range [][]byte{nil, {2, 1, 7}, {1, 0, 7}, {1, 4, 7}, append(slices.Clone(seeds[0]), 0), seeds[0][:20]} {
		if m, err := read(b); !errors.Is(err, ErrMessage) {
			t.Errorf("% x is %+v, %v", b, m, err)
		}
	}
}

// Messages that are none are counted, by both ends.
func TestMalformedMessages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 1, Rules{})
		answer := (&message{kind: kindAnswer, gateway: 7}).append(nil)
		for _, to := range []string{questions("r"), answers("r", 7)} {
			for _, b := range [][]byte{{9}, answer} {
				p.bus.Publish(to, b)
			}
		}
		p.bus.Publish(answers("r", 7), (&message{kind: kindEnter, gateway: 7}).append(nil))
		synctest.Wait()
		if n := p.metric.Value(Malformed); n != 4 { // an answer to nothing is one
			t.Errorf("%d are counted, want 4", n)
		}
	})
}
