package relay

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"muster/internal/metric"
	"muster/net/gateway"
	"muster/net/protocol/msg"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) } // what gnet keeps for itself is not ours

// A bus delivers at once, unless it is cut.
type bus struct {
	mu     sync.Mutex
	cut    bool
	takers map[string][]func([]byte)
}

func (b *bus) Publish(subject string, message []byte) error {
	b.mu.Lock()
	takers := slices.Clone(b.takers[subject])
	if b.cut {
		takers = nil
	}
	b.mu.Unlock()
	for _, take := range takers {
		take(message)
	}
	return nil
}

func (b *bus) Subscribe(subject string, take func([]byte)) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.takers == nil {
		b.takers = make(map[string][]func([]byte))
	}
	b.takers[subject] = append(b.takers[subject], take)
	return func() {}, nil
}

// A gate has players by name, whose GUIDs are the lengths of their names, and members of channels.
type gate struct {
	mu      sync.Mutex
	players []string
	number  uint64
	members []gateway.ChannelChange            // its own
	others  map[uint32][]gateway.ChannelChange // by gateway
	silent  chan struct{}                      // if it is not nil commands wait for it
}

func (g *gate) HearWhisper(w *gateway.Whisper, done func(*gateway.WhisperAnswer)) {
	if p, ok := g.Find(w.To); ok {
		done(&gateway.WhisperAnswer{Outcome: gateway.Heard, GUID: p.GUID, Name: p.Name})
		return
	}
	done(&gateway.WhisperAnswer{})
}

func (g *gate) WhoHere(*gateway.WhoQuery) *msg.WhoResponse {
	m := &msg.WhoResponse{Matches: uint32(len(g.players))}
	for _, name := range g.players {
		m.Players = append(m.Players, msg.WhoPlayer{Name: name})
	}
	return m
}

func (g *gate) Find(name string) (gateway.OnlinePlayer, bool) {
	if !slices.Contains(g.players, name) {
		return gateway.OnlinePlayer{}, false
	}
	return gateway.OnlinePlayer{Name: name, GUID: uint64(len(name))}, true
}

func (g *gate) FindGUID(guid uint64) (gateway.OnlinePlayer, bool) {
	for _, name := range g.players {
		if guid == uint64(len(name)) {
			return g.Find(name)
		}
	}
	return gateway.OnlinePlayer{}, false
}

func (g *gate) Kick(name string) bool { return slices.Contains(g.players, name) }

func (g *gate) Command(ctx context.Context, character string, _ uint8, line string) ([]string, error) {
	if g.silent != nil {
		select {
		case <-g.silent:
		case <-ctx.Done():
			return nil, gateway.ErrSilent
		}
	}
	return []string{character + " " + line, "twice"}, gateway.ErrRefused
}

func (g *gate) ChannelChanges() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.number
}

func (g *gate) ChannelState(visit func(uint64, []gateway.ChannelChange)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	visit(g.number, g.members)
}

func (g *gate) ChannelChanged(from uint32, c *gateway.ChannelChange) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.others[from] = append(g.others[from], *c)
}

func (g *gate) ChannelsAre(from uint32, members []gateway.ChannelChange) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.others[from] = slices.Clone(members)
}

func (g *gate) HearChannel(*gateway.ChannelSpeech) {}

// A rig is the relay of a gateway.
type rig struct {
	*Relay
	gate *gate
	stop context.CancelFunc
}

func newRig(t *testing.T, b *bus, number uint32, life uint64, players ...string) *rig {
	ctx, stop := context.WithCancel(t.Context())
	r := &rig{
		New(Config{Bus: b, Realm: "test", Number: number, Life: life, Metric: new(metric.Table)}),
		&gate{players: players, others: make(map[uint32][]gateway.ChannelChange)}, stop,
	}
	go r.Run(ctx, r.gate)
	synctest.Wait()
	return r
}

// join has a player of the gateway join a channel.
func (r *rig) join(guid uint64) {
	r.gate.mu.Lock()
	r.gate.number++
	c := gateway.ChannelChange{Joined: true, Name: "Trade", GUID: guid, Stamp: guid}
	r.gate.members = append(r.gate.members, c)
	r.Changed(r.gate.number, &c)
	r.gate.mu.Unlock()
	synctest.Wait()
}

// knows is which members of another gateway it has on channels.
func (r *rig) knows(from uint32) (guids []uint64) {
	synctest.Wait()
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	for _, c := range r.gate.others[from] {
		guids = append(guids, c.GUID)
	}
	return guids
}

// What is asked of all gateways is answered by the one that has the player, at once; if none has, as soon as all have said so; and if
// one is silent, when the time is up.
func TestAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(bus)
		one, two := newRig(t, b, 1, 5, "Anna"), newRig(t, b, 2, 5, "Bo", "Berta")
		three := newRig(t, b, 3, 5, "Clara")
		defer synctest.Wait()
		defer one.stop()
		defer two.stop()
		defer three.stop()
		synctest.Wait()
		began := time.Now()
		var heard []gateway.WhisperAnswer
		whisper := func(to string) {
			one.Whisper(&gateway.Whisper{To: to}, func(a *gateway.WhisperAnswer) { heard = append(heard, *a) })
			synctest.Wait()
		}
		whisper("Berta")
		whisper("Dora")
		if want := []gateway.WhisperAnswer{{Outcome: gateway.Heard, GUID: 5, Name: "Berta"}, {}}; !slices.Equal(heard, want) {
			t.Errorf("whispers became %+v, want %+v", heard, want)
		}
		var found []string
		who := func() {
			found = nil
			one.Who(&gateway.WhoQuery{}, func(all []msg.WhoResponse) {
				for _, m := range all {
					for _, p := range m.Players {
						found = append(found, p.Name)
					}
				}
			})
			synctest.Wait()
		}
		if who(); !slices.Equal(found, []string{"Bo", "Berta", "Clara"}) {
			t.Errorf("there are %q", found)
		}
		p, ok := one.Find("Clara")
		if q, also := one.FindGUID(2); !ok || !also || p.Name != "Clara" || q.Name != "Bo" {
			t.Errorf("found %+v and %+v", p, q)
		}
		if _, ok := one.Find("Anna"); ok || !one.Kick("Bo") || one.Kick("Dora") {
			t.Error("its own player is found elsewhere, or the wrong one is kicked")
		}
		if said, err := two.Command(t.Context(), "Anna", 4, "gps"); err != gateway.ErrRefused || !slices.Equal(said, []string{"Anna gps", "twice"}) {
			t.Errorf("a command is answered with %q, %v", said, err)
		}
		if _, err := two.Command(t.Context(), "Dora", 4, "gps"); err != gateway.ErrNoPlayer {
			t.Errorf("a command about no player: %v", err)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("all of that took %v, want no time", took)
		}
		three.stop()
		synctest.Wait()
		if who(); found != nil {
			t.Errorf("there are %q, and one gateway has not answered", found)
		}
		<-time.After(200*time.Millisecond - 1)
		synctest.Wait()
		if found != nil {
			t.Errorf("there are %q before the time is up", found)
		}
		<-time.After(1)
		synctest.Wait()
		if !slices.Equal(found, []string{"Bo", "Berta"}) || one.config.Metric.Value(Unanswered) != 1 {
			t.Errorf("there are %q, want those that have answered", found)
		}
		began = time.Now()
		if _, err := one.Command(t.Context(), "Clara", 4, "gps"); err != gateway.ErrSilent || time.Since(began) != 6*time.Second {
			t.Errorf("a command that one gateway has not answered: %v after %v, want %v after 6 s", err, time.Since(began), gateway.ErrSilent)
		}
		<-time.After(16 * time.Second) // it is not waited for any more
		if who(); !slices.Equal(found, []string{"Bo", "Berta"}) {
			t.Errorf("there are %q at once", found)
		}
	})
}

// Members of channels are known at other gateways as soon as these begin, and after messages were lost; those of a gateway that is silent
// for longer than a restart of the bus have left, and so have those of an earlier process.
func TestChannelsAreKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(bus)
		one := newRig(t, b, 1, 5)
		for guid := range uint64(maxMembers + 1) {
			one.join(guid + 1)
		}
		two := newRig(t, b, 2, 5)
		if n := len(two.knows(1)); n != maxMembers+1 {
			t.Errorf("%d members are known, want %d", n, maxMembers+1)
		}
		one.join(5000)
		set := func(cut bool) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.cut = cut
		}
		set(true)
		one.join(5001)
		<-time.After(5 * time.Second)
		if known := two.knows(1); len(known) != maxMembers+2 || known[maxMembers+1] != 5000 {
			t.Errorf("%d members are known while the bus is away, want %d", len(known), maxMembers+2)
		}
		set(false)
		<-time.After(2 * time.Second)
		one.join(5002)
		if known := two.knows(1); !slices.Equal(known[maxMembers+1:], []uint64{5000, 5001, 5002}) {
			t.Errorf("known are %d, want those that were missed too", known[maxMembers+1:])
		}
		one.stop()
		again := newRig(t, b, 1, 6)
		if known := two.knows(1); len(known) != 0 {
			t.Errorf("%d members of an earlier process are known", len(known))
		}
		again.join(7)
		if known := two.knows(1); !slices.Equal(known, []uint64{7}) {
			t.Errorf("known are %d, want 7", known)
		}
		again.stop()
		<-time.After(14 * time.Second)
		if known := two.knows(1); !slices.Equal(known, []uint64{7}) {
			t.Errorf("known are %d before a gateway is silent for long", known)
		}
		<-time.After(3 * time.Second)
		if known := two.knows(1); len(known) != 0 {
			t.Errorf("%d members of a gateway that is gone are known", len(known))
		}
		two.stop()
		synctest.Wait()
	})
}

// What waits is bounded: questions, commands, and messages in both directions.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(bus)
		one, two := newRig(t, b, 1, 5), newRig(t, b, 2, 5, "Bo")
		two.gate.silent = make(chan struct{})
		became := make(map[error]int)
		var mu sync.Mutex
		for range maxCommands + 1 {
			go func() {
				_, err := one.Command(t.Context(), "Bo", 4, "gps")
				mu.Lock()
				became[err]++
				mu.Unlock()
			}()
		}
		synctest.Wait()
		if n := two.config.Metric.Value(Busy); n != 1 || became[gateway.ErrSilent] != 1 {
			t.Errorf("%d commands were too many, and %v; want 1", n, became)
		}
		close(two.gate.silent)
		synctest.Wait()
		if became[gateway.ErrRefused] != maxCommands {
			t.Errorf("commands became %v, want %d refused", became, maxCommands)
		}
		two.stop()
		synctest.Wait()
		var ended atomic.Int32 // those that were asked end elsewhere
		for range maxAsks + 3 {
			one.Who(&gateway.WhoQuery{}, func([]msg.WhoResponse) { ended.Add(1) })
			if len(one.out) > maxOut/2 {
				synctest.Wait()
			}
		}
		if n := one.config.Metric.Value(AskDropped); n != 3 || ended.Load() != 3 {
			t.Errorf("%d questions were dropped, and %d have ended; want 3", n, ended.Load())
		}
		synctest.Wait()
		one.stop()
		synctest.Wait()
		for range maxOut + 3 {
			one.Said(&gateway.ChannelSpeech{Name: "A"})
		}
		for range maxMail + 3 {
			one.receive([]byte{1})
		}
		if n, m := one.config.Metric.Value(NotSaid), one.config.Metric.Value(MailFull); n != 3 || m != 3 {
			t.Errorf("%d messages were not said and %d not kept, want 3 and 3", n, m)
		}
		<-time.After(time.Second)
	})
}

// What is no message is counted; what a gateway says itself, and what an earlier process has said, is left.
func TestNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(bus)
		one := newRig(t, b, 1, 5, "Anna")
		defer synctest.Wait()
		defer one.stop()
		var answers [][]byte
		b.Subscribe("muster.test.players.2", func(b []byte) { answers = append(answers, slices.Clone(b)) })
		for _, m := range [][]byte{
			{9}, appendMessage(nil, 1, 5, &kick{1, "Anna"}), appendMessage(nil, 2, 7, &kick{2, "Anna"}), appendMessage(nil, 2, 6, &kick{3, "Anna"}),
		} {
			b.Publish("muster.test.players", m)
		}
		synctest.Wait()
		want := appendMessage(nil, 1, 5, &kicked{2, true})
		if n := one.config.Metric.Value(Malformed); n != 1 || !reflect.DeepEqual(answers, [][]byte{want}) {
			t.Errorf("%d messages were malformed, and the answers % x; want 1 and % x", n, answers, want)
		}
	})
}
