package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"muster/loaders/store/sqlite"
	"muster/net/protocol/msg"
)

// handovers is how many times each of the players changes the map in TestHandovers: 1,000 times together.
const (
	travellers = 25
	handovers  = 40
)

// Many players go at once, again and again, between maps that are in three processes. None is lost or there twice, and each has its money and its items,
// though no database is asked on the way.
func TestHandovers(t *testing.T) {
	waits(t)
	bus, dir := startBus(t, 0), t.TempDir()
	defer bus.Shutdown()
	world := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one"}
	for id := range 3 {
		work(t, append(world, "--map", fmt.Sprint(id))...)
	}
	s := serve(t, append(world, "--open-level", "3", "--data", dir)...)
	s.travel()
	s.stop(os.Interrupt, 1)
	kept, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	owners := make(map[uint64]uint64)
	for guid := range uint64(travellers) {
		c, err := kept.Character(context.Background(), guid+1)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if _, err := fmt.Sscanf(c.Name, "Wander%c", &n); err != nil || c.MoneyCopper != uint32(1000+n-'a') {
			t.Errorf("%s has %d copper, and %v", c.Name, c.MoneyCopper, err)
		}
		if c.Map != handovers%3 {
			t.Errorf("%s is stored on map %d, want %d", c.Name, c.Map, handovers%3)
		}
		stones := uint32(0)
		for _, it := range c.Items {
			if of, twice := owners[it.GUID]; twice {
				t.Errorf("item %#x is of %d, and of %d", it.GUID, of, c.GUID)
			}
			owners[it.GUID] = c.GUID
			stones += it.Count
		}
		if stones == 0 || len(c.Items) == 0 {
			t.Errorf("%s has no items", c.Name)
		}
	}
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
	if n, m := arrived.Load(), done.Load(); n != travellers*handovers || m != travellers {
		t.Fatalf("%d hand-overs of %d, %d of %d players to the end", n, travellers*handovers, m, travellers)
	}
	if n := s.stats().World; n != travellers {
		t.Errorf("%d players are in worlds, want %d", n, travellers)
	}
	s.turnedBack()
	s.counted("handover.begun", travellers*handovers+1)
	s.counted("handover.done", travellers*handovers+1)
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
