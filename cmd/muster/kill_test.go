package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/conformance"
	"muster/internal/pgtest"
	"muster/internal/testseed"
	"muster/loaders/store"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

const (
	// bound is how much a killed server may forget: 0.4 s and a tick until a player is looked at, 0.2 s until that is
	// written, and the time of the disk.
	bound = time.Second
	// slack is what a machine may add that is busy with hundreds of clients, other tests, and another server; what it
	// demonstrably keeps from the server comes on top (stalls).
	slack = 500 * time.Millisecond
	// most is how long they play at most before a kill, when there is something that must not be lost.
	most = 3 * time.Second
)

// TestKill ends a server with SIGKILL at a random moment, again and again, while its clients walk, kill, and get levels,
// spells, money and items; the first server not before they have been sent some of each. Each time every character is
// found, once, no farther back than where it was a moment before, and with all that it had been sent by then; and nothing
// is found by half.
func TestKill(t *testing.T) {
	clients, kills := 50, map[string]int{"sqlite": 8, "postgres": 4}
	if os.Getenv("LONG_TESTS") != "" {
		clients, kills = 200, map[string]int{"sqlite": 130, "postgres": 70}
	}
	for name, k := range keeps(t, pgtest.New(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k.t = t
			k.flags = append(k.flags, "--open-level", "3")
			dice := rand.New(rand.NewPCG(testseed.Of(t), uint64(kills[name])))
			before := make(map[string]store.Character)
			var all treasury
			for n := range kills[name] {
				s := k.serve()
				players := k.play(s, clients, dice, &all, n == 0)
				eventually(t, "there is something of everything to lose", all.complete)
				stalled := stalls(s)
				<-time.After(time.Duration(dice.Int64N(int64(most))))
				allowed := bound + slack + stalled()
				killed := time.Now()
				if err := s.cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				<-s.ended
				for _, p := range players {
					<-p.ended
				}
				found := k.found(clients)
				var lost time.Duration
				for _, p := range players {
					lost = max(lost, p.check(found[p.name], before[p.name], killed, allowed))
				}
				t.Logf("server %d lost %v of %v; %v", n+1, lost.Round(time.Millisecond), allowed.Round(time.Millisecond), &all)
				before = found
				if t.Failed() {
					t.Fatalf("this was the end of server %d", n+1)
				}
			}
			if !all.complete() {
				t.Errorf("players were sent no more than %v: there was nothing to lose", &all)
			}
			s := k.serve() // which gives the store what the last one has left
			s.stop(syscall.SIGTERM, 1)
			if after := k.found(clients); !slices.EqualFunc(sorted(after), sorted(before), func(a, b store.Character) bool { return reflect.DeepEqual(a, b) }) {
				t.Error("a start and an end without anybody changed what was there")
			}
		})
	}
}

// stalls begins to measure for how long the machine keeps a server from its ticks, or else the test from its clock. What it
// returns ends that: the time of all ticks that were given up, and ten times the longest that a wait of some milliseconds
// was late, for a change of a player passes through about as many hands until it is written.
func stalls(s *served) (end func() time.Duration) {
	dropped := s.condition().Counters["tick.dropped"]
	done, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		var late time.Duration
		for {
			const wait = 5 * time.Millisecond
			began := time.Now()
			select {
			case <-done:
				worst <- late
				return
			case <-time.After(wait):
				late = max(late, time.Since(began)-wait)
			}
		}
	}()
	return func() time.Duration {
		close(done)
		const tick = 50 * time.Millisecond
		return time.Duration(s.condition().Counters["tick.dropped"]-dropped)*tick + 10*<-worst
	}
}

// sorted are characters by account.
func sorted(all map[string]store.Character) (list []store.Character) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list
}

// found is what the next server would find, by account: one whole character of each, and no thing twice.
func (k *keep) found(clients int) map[string]store.Character {
	k.t.Helper()
	s := k.take()
	defer s.Close()
	if err := s.Check(k.t.Context(), func(p store.Problem) { k.t.Errorf("the store is torn: %v", p) }); err != nil {
		k.t.Error(err)
	}
	all, owner := make(map[string]store.Character), make(map[uint64]string)
	for i := range clients {
		name := accountOf(i)
		account, err := s.Account(k.t.Context(), name)
		if err != nil {
			k.t.Fatalf("account %s: %v", name, err)
		}
		list, err := s.Characters(k.t.Context(), account.ID)
		if err != nil || len(list) != 1 {
			k.t.Fatalf("%s has %d characters, %v, want one", name, len(list), err)
		}
		all[name] = list[0]
		for _, guid := range append(itemsOf(list[0]), list[0].GUID) {
			if other, twice := owner[guid]; twice {
				k.t.Errorf("%s and %s both have %#x", other, name, guid)
			}
			owner[guid] = name
		}
	}
	return all
}

func itemsOf(c store.Character) (guids []uint64) {
	for _, it := range c.Items {
		guids = append(guids, it.GUID)
	}
	return guids
}

func accountOf(n int) string { return fmt.Sprint("KEPT", n+1) }

// A player is a client that plays, and notes what it is sent.
type player struct {
	*visitor
	sight *conformance.Client
	dice  *rand.Rand
	gift  uint32 // an item's entry
	// lessons are spells that it gets in no other way than from its own verbs, and learnt those that it was sent.
	lessons []uint32
	learnt  map[uint32]bool
	played  uint32 // seconds, as it was sent last
	known   []knownState
	all     *treasury
	going   msg.Place // where it said last that it is; the answer may not have come
	ended   chan struct{}
}

// A knownState is where a player is and what it has, as its client knew it at a time.
type knownState struct {
	when time.Time
	at   msg.Place
	wealth
}

// wealth is what a player has that grows.
type wealth struct {
	level, xp, copper uint32
	items, spells     int // so many of player.items, and of player.lessons
	played            uint32
}

// has reports whether there is as much of everything. Experience is that of a level.
func (w wealth) has(known wealth) bool {
	return cmp.Or(cmp.Compare(w.level, known.level), cmp.Compare(w.xp, known.xp)) >= 0 && w.copper >= known.copper &&
		w.items >= known.items && w.spells >= known.spells && w.played >= known.played
}

// A treasury is the most of each that any player has been sent.
type treasury struct {
	mu   sync.Mutex
	most wealth
}

// add notes what a player has been sent.
func (a *treasury) add(w wealth) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.most = a.most.max(w)
}

// complete reports whether there is some of everything that a kill may lose.
func (a *treasury) complete() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.most
	return m.level >= highest && m.xp > 0 && m.copper > 0 && m.items > 0 && m.spells > 0 && m.played > 0
}

func (a *treasury) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.most.String()
}

// max is the greater of each.
func (w wealth) max(v wealth) wealth {
	return wealth{
		max(w.level, v.level), max(w.xp, v.xp), max(w.copper, v.copper), max(w.items, v.items), max(w.spells, v.spells),
		max(w.played, v.played),
	}
}

func (w wealth) String() string {
	return fmt.Sprintf("level %d, %d experience, %d copper, %d items, %d spells, and %d s played",
		w.level, w.xp, w.copper, w.items, w.spells, w.played)
}

// wealthOf is what was found of a player.
func (p *player) wealthOf(c *store.Character) wealth {
	w := wealth{uint32(c.Level), c.XP, c.MoneyCopper, len(c.Items), 0, c.PlayedSec}
	for _, id := range c.Spells {
		if slices.Contains(p.lessons, id) {
			w.spells++
		}
	}
	return w
}

// play has so many clients play, each with dice of its own, which are drawn from those given. It returns when all are in the
// world.
func (k *keep) play(s *served, clients int, dice *rand.Rand, all *treasury, first bool) []*player {
	k.t.Helper()
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		k.t.Fatal(err)
	}
	gift := slices.IndexFunc(d.Items, func(it defs.Item) bool { return it.Stack <= 1 })
	lessons := lessons(d)
	players := make([]*player, clients)
	var in sync.WaitGroup
	for i := range players {
		players[i] = &player{
			sight: conformance.New(conformance.Config{}), dice: rand.New(rand.NewPCG(dice.Uint64(), 0)), gift: d.Items[gift].Entry,
			lessons: lessons, learnt: make(map[uint32]bool), all: all, ended: make(chan struct{}),
		}
		in.Add(1)
		go players[i].play(k.t, s, i, first, in.Done)
	}
	in.Wait()
	if k.t.Failed() {
		k.t.FailNow()
	}
	return players
}

// lessons are the spells of other classes than the players' that neither replace another nor are replaced.
func lessons(d *defs.World) (ids []uint32) {
	for i := range d.Spells {
		s := &d.Spells[i]
		ranked := s.Replaces != 0 || slices.ContainsFunc(d.Spells, func(o defs.Spell) bool { return o.Replaces == s.ID })
		if s.Class > 1 && !ranked {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// play comes in, and plays until the server ends.
func (p *player) play(t *testing.T, s *served, n int, first bool, in func()) {
	defer close(p.ended)
	done := sync.OnceFunc(in)
	defer done()
	p.visitor = visit(t, s, accountOf(n))
	defer p.socket.Close() // and not with the test: there are many servers
	if first {
		p.create("Told" + string([]byte{'a' + byte(n/20), 'b' + byte(n%20)}))
	}
	// What visit has read, without which a witness takes nothing for granted.
	p.sight.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK, Expansion: 2}))
	p.reads = func(op uint16, body []byte) {
		if op == msg.OpLoginVerifyWorld {
			p.sight.Enter(p.guid)
		}
		p.sight.Packet(op, body)
		p.hear(op, body)
	}
	from := p.enter()
	p.mortal = true
	done()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for i := 1; ; i++ {
		switch p.dice.IntN(24) {
		case 0:
			if p.sight.Level() < highest {
				p.orders(msg.ChatSay, ".levelup 1")
			}
		case 1, 2:
			p.orders(msg.ChatSay, fmt.Sprint(".modify money ", 1+p.dice.IntN(100)))
		case 3:
			p.orders(msg.ChatSay, fmt.Sprint(".additem ", p.gift))
		case 4:
			p.orders(msg.ChatSay, fmt.Sprint(".learn ", p.lessons[p.dice.IntN(len(p.lessons))]))
		case 5, 6, 7:
			p.kill()
		case 8:
			p.say(msg.OpPlayedTime, &msg.PlayedTime{})
		}
		at := beside(from, float32(i)/4)
		p.going = at
		p.move(at) // and read what has come
		w := wealth{p.sight.Level(), p.sight.XP(), p.sight.Copper(), len(p.items()), len(p.learnt), p.played}
		p.known = append(p.known, knownState{time.Now(), at, w})
		p.all.add(w)
		<-tick.C
	}
}

// highest is the level up to which players ask for levels: above it, what lives here would teach them nothing.
const highest = 4

// kill ends a creature that is worth experience, if the player sees one. The other verbs are about the player itself, so it
// waits for the answer before it looks away.
func (p *player) kill() {
	for u := range p.sight.Creatures() {
		if u.NPCFlags != 0 || u.Dead || u.MaxHealth <= 1 {
			continue
		}
		p.say(msg.OpSetSelection, &msg.SetSelection{GUID: u.GUID})
		p.orders(msg.ChatSay, ".damage 1000000")
		for line := ""; !killing.MatchString(line); {
			line = p.system()
		}
		p.say(msg.OpSetSelection, &msg.SetSelection{})
		return
	}
}

// killing matches the answers to kill.
var killing = regexp.MustCompile(`takes \d+ damage|The dead cannot|is not there`)

// hear notes what the player is sent in messages of their own.
func (p *player) hear(op uint16, body []byte) {
	p.t.Helper()
	learn := func(id uint32) {
		if slices.Contains(p.lessons, id) {
			p.learnt[id] = true
		}
	}
	switch op {
	case msg.OpInitialSpells:
		var m msg.InitialSpells
		p.visitor.check(msg.Decode(wire.V12340, body, &m))
		for _, s := range m.Spells {
			learn(s.ID)
		}
	case msg.OpLearnedSpell:
		var m msg.LearnedSpell
		p.visitor.check(msg.Decode(wire.V12340, body, &m))
		learn(m.Spell)
	case msg.OpPlayedTimeResponse:
		var m msg.PlayedTimeResponse
		p.visitor.check(msg.Decode(wire.V12340, body, &m))
		p.played = m.Total
	}
}

// items are the GUIDs of the things that a player knows.
func (p *player) items() (guids []uint64) {
	for guid := range p.sight.GUIDs() {
		if guid>>48 == 0x4000 {
			guids = append(guids, guid)
		}
	}
	return guids
}

// check compares what was found of a player with what its client knew, and with what was found the time before. It returns
// how long before the end the player knew more than was found, which must not be more than allowed.
func (p *player) check(now, before store.Character, killed time.Time, allowed time.Duration) (lost time.Duration) {
	p.t.Helper()
	if broken := p.sight.Violations(); broken.Total() != 0 {
		p.t.Errorf("%s was sent what cannot be: %q", p.name, p.sight.Texts())
	}
	if now.Version < before.Version || now.PlayedSec < before.PlayedSec {
		p.t.Errorf("%s is of version %d, and has played %d s; it was of %d, and had %d", p.name, now.Version, now.PlayedSec,
			before.Version, before.PlayedSec)
	}
	step := slices.IndexFunc(p.known, func(w knownState) bool { return w.at == placeOf(now) })
	if p.going == placeOf(now) {
		step = len(p.known)
	}
	has := p.wealthOf(&now)
	for i, w := range p.known {
		if step >= i && has.has(w.wealth) {
			continue
		}
		if lost = killed.Sub(w.when); lost > allowed {
			p.t.Errorf("%s is found at step %d, %v, with %d health and %v; %v before the end it was at step %d, %v, and was sent %v",
				p.name, step, placeOf(now), now.Health, has, lost, i, w.at, w.wealth)
		}
		break
	}
	have := itemsOf(now)
	for _, guid := range itemsOf(before) {
		if !slices.Contains(have, guid) {
			p.t.Errorf("%s had %#x, and has it no more", p.name, guid)
		}
	}
	return lost
}
