package gateway

import (
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"muster/internal/testseed"
	"muster/net/protocol/msg"
)

// TestReplaced logs an account in again while it is on the character screen, and while it is in the world:
// the newest wins, and finds its character as the world left it. FAULTS.md row 17.
func TestReplaced(t *testing.T) {
	r := newRig(t, nil)
	first := r.dial("ALICE").login()
	second := r.dial("ALICE").login()
	first.ended()
	r.closed(Replaced, 1)
	second.character().enter()

	third := r.dial("ALICE").login()
	second.ended()
	r.closed(Replaced, 2)
	third.character().enter()
	if n := r.worlds[1].times(third.guid); n != 2 {
		t.Errorf("the character entered %d times, want 2", n)
	}
	if c := r.stored(third.guid); c.Version != 2 || c.X != 1 {
		t.Errorf("version %d at x = %v was stored before the second time, want 2 and 1", c.Version, c.X)
	}
}

// TestReplacedWhileWaiting: the world does not let go of the old player for a while, and the account logs
// in a third time meanwhile. Only the newest enters.
func TestReplacedWhileWaiting(t *testing.T) {
	r := newRig(t, nil)
	w := r.worlds[1]
	first := r.dial("ALICE").login().character().enter()
	w.mu.Lock()
	second := r.dial("ALICE").login().character()
	second.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: second.guid})
	first.ended()
	third := r.dial("ALICE").login().character()
	second.ended()
	third.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: third.guid})
	w.mu.Unlock()
	third.expect(msg.OpLoginVerifyWorld)
	if n := w.times(third.guid); n != 2 {
		t.Errorf("the character entered %d times, want 2", n)
	}
	r.closed(Replaced, 2)
}

// TestInterleavings connects and disconnects several clients of a few accounts in every way, at random, while loops are
// held and while they are not. The worlds check that no character is in one twice; what is left must be as if nothing had
// been.
func TestInterleavings(t *testing.T) {
	t.Run("not held", func(t *testing.T) { interleave(t, time.Hour) })
	t.Run("held", func(t *testing.T) { interleave(t, 10*time.Millisecond) })
}

func interleave(t *testing.T, held time.Duration) {
	const accounts, rivals = 3, 3
	visits := 40
	if os.Getenv("LONG_TESTS") != "" {
		visits = 1200 // more than 10,000 in all
	}
	seed := testseed.Of(t)
	r := newRig(t, func(c *Config) { c.Loops, c.HeldStep = 2, held })
	names := []string{"ALICE", "BOB", "CAROL"}
	var wg sync.WaitGroup
	for a := range accounts {
		r.dial(names[a]).login().character().reset()
		for n := range rivals {
			wg.Go(func() {
				dice := rand.New(rand.NewPCG(seed, uint64(a*rivals+n)))
				for range visits {
					r.visit(names[a], dice)
				}
			})
		}
	}
	wg.Wait()
	until(t, "all connections are closed", func() bool {
		s := r.gate.Stats()
		return s == Stats{Packets: s.Packets, Flushes: s.Flushes, Bytes: s.Bytes, Phases: s.Phases, FlushMs: s.FlushMs, Served: s.Served, Peak: s.Peak, Rest: s.Rest}
	})
	<-r.gate.roster.whenEmpty()
	if n := r.worlds[1].count() + r.worlds[2].count(); n != 0 {
		t.Errorf("%d players are left in the world", n)
	}
	roster := &r.gate.roster
	roster.mu.Lock()
	defer roster.mu.Unlock()
	if len(roster.seats)+len(roster.players)+len(roster.online) != 0 || len(roster.free) != len(roster.numbers)-1 {
		t.Errorf("the roster has %d seats, %d players, %d online, and %d of %d numbers free",
			len(roster.seats), len(roster.players), len(roster.online), len(roster.free), len(roster.numbers)-1)
	}
	for a := range names {
		guid := uint64(a + 1)
		entered, version := r.worlds[1].times(guid)+r.worlds[2].times(guid), r.stored(guid).Version
		if version != uint64(entered)+1 {
			t.Errorf("character %d entered %d times and was saved %d times", guid, entered, version-1)
		}
	}
	t.Logf("entered %d, %d and %d times in %d visits", r.worlds[1].times(1), r.worlds[1].times(2), r.worlds[1].times(3), rivals*visits)
}

// visit is one connection, which ends somewhere. Others of its account may end it, too.
func (r *rig) visit(name string, dice *rand.Rand) {
	c := &testClient{t: r.t, rig: r, name: name}
	copy(c.key[:], name)
	if c.connect() != nil {
		return
	}
	defer func() {
		if dice.IntN(2) == 0 {
			c.reset()
		}
		c.Close()
	}()
	guid := map[string]uint64{"ALICE": 1, "BOB": 2, "CAROL": 3}[name]
	enter := func() { c.Write(c.packet(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: guid})) }
	end := dice.IntN(8)
	if end == 0 || c.tryLogin() != nil || end == 1 {
		return
	}
	enter()
	if end == 2 {
		return // while it is being loaded, or waits
	}
	if _, err := c.await(msg.OpLoginVerifyWorld); err != nil || end == 3 {
		return
	}
	for range dice.IntN(3) {
		c.Write(c.packet(opTravel, &msg.Move{Mover: guid}))
		if dice.IntN(6) == 0 {
			return // while it is being let go to another map
		}
		if _, err := c.await(msg.OpNewWorld); err != nil || dice.IntN(6) == 0 {
			return // between two maps
		}
		c.Write(c.packet(msg.OpMoveWorldportAck, &msg.Empty{}))
		if dice.IntN(6) == 0 {
			return // while it waits for its save, or is being loaded
		}
		if _, err := c.await(msg.OpTimeSyncReq); err != nil {
			return
		}
	}
	c.Write(c.packet(msg.OpPlayerLogout, &msg.Empty{}))
	if end == 4 {
		return // while it is being let go
	}
	if _, err := c.await(msg.OpLogoutComplete); err != nil || end == 5 {
		return
	}
	enter()
	if end == 6 {
		return
	}
	c.await(msg.OpLoginVerifyWorld)
}
