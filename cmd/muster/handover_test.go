package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"muster/bench/swarm"
	"muster/loaders/store"
	"muster/loaders/store/sqlite"
	"muster/net/protocol/msg"
)

// Each of the travellers changes the map so many times in TestHandovers: 1,000 times together, and 250 under the race detector.
const travellers = 25

var handovers = unlessRaced(40, 10)

// Many players go at once, again and again, between maps that are in three processes, in which others walk and fight. None is lost or there twice, and each has
// its money and its items, no more and no fewer than one that has stayed, though no database is asked on the way.
func TestHandovers(t *testing.T) {
	waits(t)
	bus, dir := startBus(t, 0), t.TempDir()
	defer bus.Shutdown()
	world := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one"}
	for id := range 3 {
		work(t, append(world, "--map", fmt.Sprint(id))...)
	}
	s := serve(t, append(world, "--open-level", "3", "--data", dir)...)
	stays := visit(t, s, "STAYS")
	stays.create("Stays")
	stays.enter()
	s.outfitted("Stays")
	stays.socket.Close()
	var playing sync.WaitGroup
	var over atomic.Bool
	defer playing.Wait()
	defer over.Store(true)
	clients := atOnce(60)
	playing.Go(func() {
		swarms(t, s, swarm.Config{
			Prefix: "GRIND", Clients: clients, Behaviour: swarm.Grind, Duration: 2 * patience, Enough: func(*swarm.Harvest) bool { return over.Load() },
		})
	})
	eventually(t, "others play", func() bool { return s.stats().World >= clients })
	s.travel()
	over.Store(true)
	playing.Wait()
	eventually(t, "the travellers alone are in worlds", func() bool { return s.stats().World == travellers })
	s.turnedBack()
	all := uint64(travellers*handovers + 1)
	s.counted("handover.begun", all)
	s.counted("handover.done", all)
	s.stop(os.Interrupt, 1)
	kept, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
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

// travel has players change the map, and compares what they are told of themselves. The server goes on.
func (s *served) travel() {
	t := s.t
	t.Helper()
	var wg sync.WaitGroup
	var arrived, done atomic.Int32
	for i := range travellers {
		account := fmt.Sprintf("WANDER%c", 'A'+i)
		v := visit(t, s, account)
		v.create(fmt.Sprintf("Wander%c", 'a'+i))
		v.enter()
		v.command(".modify money %d", 1000+i)
		v.mortal = true
		wg.Go(func() {
			for n := range handovers {
				to := uint32((n + 1) % 3)
				v.command(".go xyz %d %d 100 %d", i, n, to)
				var at msg.Place
				v.await(msg.OpNewWorld, &at)
				if at.Map != to || at.Position.X != float32(i) || at.Position.Y != float32(n) {
					t.Errorf("%s was sent to %+v, want map %d", v.name, at, to)
				}
				v.say(msg.OpMoveWorldportAck, &msg.Empty{})
				v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
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

// turnedBack has a player go to an instanced map, of which a cluster has no instances: it is put at the exit.
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
