package gateway

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// A loadedStore counts the characters that are loaded. While it is away it does nothing.
type loadedStore struct {
	*store.Memory
	away  atomic.Bool
	loads atomic.Int32
}

var errAway = errors.New("the store is away")

func (s *loadedStore) Character(ctx context.Context, guid uint64) (store.Character, error) {
	if s.loads.Add(1); s.away.Load() {
		return store.Character{}, errAway
	}
	return s.Memory.Character(ctx, guid)
}

func (s *loadedStore) SaveCharacter(ctx context.Context, c store.Character) error {
	if s.away.Load() {
		return errAway
	}
	return s.Memory.SaveCharacter(ctx, c)
}

// kept waits until n players that have left a world have been kept for another one: the client may be told before.
func (r *rig) kept(n uint64) {
	r.t.Helper()
	until(r.t, "players are kept for another world", func() bool { return r.metric.Value(HandoverBegun) == n })
}

// A player goes from one world to another while the store is away, and is there as it left. The store has it when it is back.
func TestHandoverWithoutStore(t *testing.T) {
	s := new(loadedStore)
	r := newRig(t, func(c *Config) {
		s.Memory = c.Store.(*store.Memory)
		c.Store = s
	})
	a := r.dial("ALICE").login().character().enter()
	loads := s.loads.Load()
	s.away.Store(true)
	a.travel()
	a.say(msg.OpMoveWorldportAck, &msg.Empty{})
	a.expect(msg.OpTimeSyncReq)
	w := r.worlds[2]
	w.mu.Lock()
	for _, c := range w.players {
		if c.Map != 2 || c.Y != 1 || c.Version != 2 || c.Transfer == 0 {
			t.Errorf("it came to map %d at y = %v as version %d by hand-over %d", c.Map, c.Y, c.Version, c.Transfer)
		}
	}
	w.mu.Unlock()
	if n := s.loads.Load(); n != loads {
		t.Errorf("characters were loaded %d times on the way", n-loads)
	}
	s.away.Store(false)
	until(t, "it is stored", func() bool { return r.stored(a.guid).Version == 2 })
	if n, m := r.metric.Value(HandoverBegun), r.metric.Value(HandoverDone); n != 1 || m != 1 {
		t.Errorf("%d hand-overs began and %d were done", n, m)
	}
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	until(t, "it is saved", func() bool { return r.stored(a.guid).Version == 3 })
}

// A client asks for the other world while the first one lets go of its player. It enters there, by what comes last of the two.
func TestHandoverMeetsRequest(t *testing.T) {
	for range 20_000 {
		var r roster
		r.init()
		c := &conn{session: session.New(new(session.Config), [4]byte{})}
		e := entry{conn: c, guid: 7}
		r.seat(c)
		old, _, _ := r.claim(e)
		old.kept = new(store.Character)
		h := &handover{player: old}
		var asked entry
		var here *player
		var both sync.WaitGroup
		both.Go(func() { asked, _, _ = r.travel(old, h) })
		both.Go(func() { here, _, _ = r.claim(e) })
		both.Wait()
		if (here != nil) == (asked.conn != nil) || r.players[0].next.conn != nil {
			t.Fatalf("the request has the player: %v, the hand-over has the request: %v, waits: %v",
				here != nil, asked.conn != nil, r.players[0].next.conn != nil)
		}
	}
}

// How long a player was between two worlds is measured by its gateway, whose clock may be set meanwhile, and not by the clock of either world.
func TestTimeBetweenWorlds(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	a.travel()
	r.kept(1)
	r.gate.roster.mu.Lock()
	for _, p := range r.gate.roster.players {
		if !strings.Contains(p.handover.since.String(), " m=") {
			t.Errorf("it left at %v", p.handover.since)
		}
		p.handover.since = p.handover.since.Add(-3600 * time.Millisecond)
		p.kept.SavedUnix -= 1000 // by a clock that was set
	}
	r.gate.roster.mu.Unlock()
	a.say(msg.OpMoveWorldportAck, &msg.Empty{})
	a.expect(msg.OpTimeSyncReq)
	w := r.worlds[2]
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.players {
		if c.AwaySec < 4 || c.AwaySec > 30 { // however long this test takes
			t.Errorf("it was away for %d s, want 4", c.AwaySec)
		}
	}
}

// A connection that ends while its client loads the other map leaves the character there, in no world, and its account free once it
// is stored, not before.
func TestEndBetweenWorlds(t *testing.T) {
	s := new(loadedStore)
	r := newRig(t, func(c *Config) {
		s.Memory = c.Store.(*store.Memory)
		c.Store = s
	})
	a := r.dial("ALICE").login().character().enter()
	s.away.Store(true)
	a.travel()
	r.kept(1)
	a.Close()
	r.closed(Peer, 1)
	until(t, "it is dropped", func() bool { return r.metric.Value(HandoverDropped) == 1 })
	if n := r.gate.roster.count(); n != 1 {
		t.Errorf("the roster has %d players before the save", n)
	}
	b := r.dial("ALICE").login()
	b.say(msg.OpCharEnumQuery, &msg.Empty{})
	b.list()
	b.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: b.guid})
	s.away.Store(false)
	b.expect(msg.OpLoginVerifyWorld)
	if n, m := r.worlds[1].count(), r.worlds[2].count(); n != 0 || m != 1 {
		t.Errorf("%d players on the first map and %d on the second", n, m)
	}
	if c := r.stored(b.guid); c.Map != 2 || c.Version != 2 {
		t.Errorf("stored on map %d as version %d", c.Map, c.Version)
	}
}

// A world that refuses a player that comes from another: it is on the character screen, where it was going, and can enter when the world
// takes it.
func TestRefusedArrival(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	r.worlds[2].refuse.Store(true)
	a.travel()
	a.say(msg.OpMoveWorldportAck, &msg.Empty{})
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
		t.Errorf("refused with %#x, want %#x", got[0], msg.LoginFailed)
	}
	r.worlds[2].refuse.Store(false)
	a.enter()
	if n, m := r.worlds[1].count(), r.worlds[2].count(); n != 0 || m != 1 {
		t.Errorf("%d players on the first map and %d on the second", n, m)
	}
}

// The other world ends after it has taken the player: the connection closes, and the character is stored as it left the first.
func TestWorldEndsAfterArrival(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	a.travel()
	a.say(msg.OpMoveWorldportAck, &msg.Empty{})
	a.expect(msg.OpTimeSyncReq)
	w := r.worlds[2]
	w.mu.Lock() // it steps no more
	t.Cleanup(w.mu.Unlock)
	w.port.Stop()
	a.ended()
	r.closed(MapPanic, 1)
	until(t, "it is let go of", func() bool { return r.gate.roster.count() == 0 })
	if c := r.stored(a.guid); c.Map != 2 || c.Y != 1 || c.Version != 2 {
		t.Errorf("stored on map %d at y = %v as version %d", c.Map, c.Y, c.Version)
	}
}

// An account stays claimed while its player goes from one world to another, and goes to another gateway whose client logs in meanwhile.
func TestClaimBetweenWorlds(t *testing.T) {
	one, two, l := newPair(t, nil)
	a := one.dial("ALICE").login().character().enter()
	a.travel()
	one.kept(1)
	if l.by(1) != 1 || l.count() != 1 {
		t.Errorf("gateway %d has the account", l.by(1))
	}
	b := two.dial("ALICE").login()
	a.ended()
	b.character().enter()
	if l.by(1) != 2 || l.count() != 1 {
		t.Errorf("gateway %d has the account", l.by(1))
	}
	if n := two.worlds[2].count(); n != 1 {
		t.Errorf("%d players on the second map of the second gateway", n)
	}
	b.travel()
	b.say(msg.OpMoveWorldportAck, &msg.Empty{})
	b.expect(msg.OpTimeSyncReq)
	if l.by(1) != 2 {
		t.Errorf("gateway %d has the account", l.by(1))
	}
}
