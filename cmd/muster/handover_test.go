package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/components/defs"
	"muster/loaders/registry"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Each of the travellers changes the map so many times in TestHandovers: 1,000 times together, and 250 under the race detector.
const travellers = 25

var handovers = unlessRaced(40, 10)

// Many players go at once, again and again, between maps that the registry has given to three workers, through two gateways, while others walk and fight. None is
// lost or there twice, and each has its money and its items, no more and no fewer than one that has stayed, though no database is asked on the way. After each hand-over
// it is sent the aura and the cooldown that it had, with what is left of them.
func TestHandovers(t *testing.T) {
	waits(t)
	p := startGateways(t, "--workers", "3", "--open-level", "3")
	eventually(t, "each map is at a worker of its own", func() bool {
		at := make(map[uint64]bool)
		for _, s := range p.list().Shards {
			if s.Worker != nil && s.State == registry.Runs {
				at[*s.Worker] = true
			}
		}
		return len(at) == 3
	})
	stays := visit(t, p.at(0), "STAYS")
	stays.create("Stays")
	stays.enter()
	p.outfitted("Stays")
	stays.socket.Close()
	var playing sync.WaitGroup
	var over atomic.Bool
	defer playing.Wait()
	defer over.Store(true)
	clients := atOnce(60)
	playing.Go(func() {
		swarms(t, p.served, swarm.Config{
			Prefix: "GRIND", Clients: clients, Behaviour: swarm.Grind, Duration: 2 * patience, Enough: func(*swarm.Harvest) bool { return over.Load() },
		})
	})
	inWorlds := func() int { by := p.claimed(); return by[1] + by[2] }
	eventually(t, "others play", func() bool { return inWorlds() >= clients })
	p.travel()
	over.Store(true)
	playing.Wait()
	eventually(t, "the travellers alone are in worlds", func() bool { return inWorlds() == travellers })
	for i, here := range p.gates() {
		mine := (travellers + 1 - i) / 2
		here.counted("handover.begun", uint64(mine*handovers))
		here.counted("handover.done", uint64(mine*handovers))
	}
	p.stop(os.Interrupt, 1)
	kept, err := postgres.Open(t.Context(), postgres.Config{URL: p.url})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	stayed := carriedBy(storedOf(t, kept, "STAYS"))
	if len(stayed) == 0 {
		t.Error("one that has stayed has no items")
	}
	owners := make(map[uint64]uint64)
	for i := range travellers {
		c := storedOf(t, kept, fmt.Sprintf("WANDER%c", 'A'+i))
		if want := uint32(1000 + i); c.MoneyCopper != want {
			t.Errorf("%s has %d copper, want %d", c.Name, c.MoneyCopper, want)
		}
		if c.Map != uint32(handovers%3) {
			t.Errorf("%s is stored on map %d, want %d", c.Name, c.Map, handovers%3)
		}
		if has := carriedBy(c); !slices.Equal(has, stayed) {
			t.Errorf("%s has %v, and one that has stayed %v", c.Name, has, stayed)
		}
		for _, it := range c.Items {
			if of, twice := owners[it.GUID]; twice {
				t.Errorf("item %#x is of %d, and of %d", it.GUID, of, c.GUID)
			}
			owners[it.GUID] = c.GUID
		}
	}
}

// storedOf is the only character of an account, as it is stored.
func storedOf(t *testing.T, s store.Store, account string) store.Character {
	t.Helper()
	a, err := s.Account(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Characters(t.Context(), a.ID)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s has %d characters, %v", account, len(list), err)
	}
	c, err := s.Character(t.Context(), list[0].GUID)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// carriedBy are the items that a character has, without their GUIDs, in order.
func carriedBy(c store.Character) (all []string) {
	for _, it := range c.Items {
		all = append(all, fmt.Sprintf("%d of item %d", it.Count, it.Entry))
	}
	slices.Sort(all)
	return all
}

// gates are both gateways, as operators reach them.
func (p *gatewayPair) gates() (all [2]*served) {
	p.t.Helper()
	eventually(p.t, "both gateways are listed", func() bool {
		n := 0
		for _, q := range p.list().Processes {
			for i, g := range p.live {
				if q.Role == registry.RoleGateway && q.Addresses["world"] == g.Address {
					all[i] = &served{t: p.t, auth: p.auth, world: g.Address, admin: q.Addresses["admin"]}
					n++
				}
			}
		}
		return n == len(all)
	})
	return all
}

// What a traveller has: an aura, and a cooldown, each for so long.
const (
	coatTime = 30 * time.Minute
	stepTime = 3 * time.Minute
)

// A traveller is a player that changes the map, and what it is told of itself.
type traveller struct {
	*visitor
	coat, step uint32               // spells
	auraMs     uint32               // what is left of its aura, as it was told last; 0 is none
	waits      []msg.Cooldown       // as it was told last
	told       bool                 // of its spells
	cast       bool                 // the one with the cooldown
	since      map[uint32]time.Time // before it asked for its aura and for its cooldown, by spell
}

// read notes what it is sent.
func (v *traveller) read(op uint16, body []byte) {
	switch op {
	case msg.OpInitialSpells:
		var m msg.InitialSpells
		v.check(msg.Decode(wire.V12340, body, &m))
		v.waits, v.told = m.Cooldowns, true
	case msg.OpSpellGo:
		var m msg.SpellGo
		v.check(msg.Decode(wire.V12340, body, &m))
		v.cast = v.cast || m.Caster == v.guid && m.Spell == v.step
	case msg.OpAuraUpdate, msg.OpAuraUpdateAll:
		var m msg.AuraUpdate
		v.check(msg.Decode(wire.V12340, body, &m))
		for _, a := range m.Records {
			if m.Unit == v.guid && a.Spell == v.coat {
				v.auraMs = a.LeftMs
			}
		}
	}
}

// has reads until something holds.
func (v *traveller) has(ok func() bool) {
	for !ok() {
		v.next()
	}
}

// dresses gets it its money, an aura and a cooldown.
func (v *traveller) dresses(copper int) {
	v.say(msg.OpSetSelection, &msg.SetSelection{GUID: v.guid})
	v.command(".levelup 19")
	v.command(".learn %d", v.step)
	v.command(".modify money %d", copper)
	v.since = map[uint32]time.Time{v.coat: time.Now(), v.step: time.Now()}
	v.command(".aura %d", v.coat)
	v.say(msg.OpCastSpell, &msg.CastSpell{Spell: v.step})
	v.has(func() bool { return v.auraMs != 0 && v.cast })
}

// goes has it go to another map, and compares what it is told of itself there.
func (v *traveller) goes(place, n int) {
	to := uint32((n + 1) % 3)
	v.auraMs, v.told = 0, false
	v.command(".go xyz %d %d 100 %d", place, n, to)
	var at msg.Place
	v.await(msg.OpNewWorld, &at)
	if at.Map != to || at.Position.X != float32(place) || at.Position.Y != float32(n) {
		v.t.Errorf("%s was sent to %+v, want map %d", v.name, at, to)
	}
	v.auraMs, v.told = 0, false
	v.say(msg.OpMoveWorldportAck, &msg.Empty{})
	v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
	v.has(func() bool { return v.auraMs != 0 && v.told })
	v.left("aura", v.coat, coatTime, v.auraMs)
	var stepMs uint32
	for _, c := range v.waits {
		if c.Spell == v.step {
			stepMs = max(stepMs, c.Ms)
		}
	}
	v.left("cooldown", v.step, stepTime, stepMs)
}

// left wants as much of a time to be left as it can be: all of it but what has passed since it asked for that, and no more than all. A world that was late has
// passed less.
func (v *traveller) left(what string, spell uint32, whole time.Duration, ms uint32) {
	const exact = 2 * time.Second // what the clocks of two worlds may differ by
	is, least := time.Duration(ms)*time.Millisecond, whole-time.Since(v.since[spell])-exact
	if is < least || is > whole {
		v.t.Errorf("%s: of its %s %v is left, want %v at least", v.name, what, is, least)
	}
}

// travel has players change the map, and compares what they are told of themselves. The cluster goes on.
func (p *gatewayPair) travel() {
	t := p.t
	t.Helper()
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	spell := func(name string) uint32 {
		return d.Spells[slices.IndexFunc(d.Spells, func(s defs.Spell) bool { return s.Name == name })].ID
	}
	var wg sync.WaitGroup
	var arrived, done atomic.Int32
	for i := range travellers {
		v := &traveller{visitor: visit(t, p.at(i%2), fmt.Sprintf("WANDER%c", 'A'+i)), coat: spell("Demon's Rind"), step: spell("Fleet Foot")}
		v.visitor.reads = v.read
		v.create(fmt.Sprintf("Wander%c", 'a'+i))
		v.enter()
		v.dresses(1000 + i)
		v.mortal = true
		wg.Go(func() {
			for n := range handovers {
				v.goes(i, n)
				arrived.Add(1)
			}
			done.Add(1)
		})
	}
	wg.Wait()
	if n, m := int(arrived.Load()), int(done.Load()); n != travellers*handovers || m != travellers {
		t.Fatalf("%d hand-overs of %d, %d of %d players to the end", n, travellers*handovers, m, travellers)
	}
}

// turnedBack has a player go to an instanced map, of which workers with --map have no instances: it is put at the exit.
func (s *served) turnedBack() {
	s.t.Helper()
	v := visit(s.t, s, "ZOE")
	v.create("Zoe")
	v.enter()
	v.command(".teleport Dungeon")
	v.goes(dungeonMap)
	var why msg.TransferAborted
	if v.await(msg.OpTransferAborted, &why); why.Reason != 0x10 {
		s.t.Errorf("aborted with %+v, want reason 0x10", why)
	}
	v.arrives(0)
}

// command says a command of a game master.
func (v *visitor) command(format string, args ...any) {
	v.t.Helper()
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: fmt.Sprintf(format, args...)})
}
