package gateway

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"muster/components/life"
	"muster/loaders/store"
	"muster/net/protocol/msg"
)

// A shelf is a Saver that records what it is given, and is done when the test calls done.
type shelf struct {
	mu    sync.Mutex
	all   []store.Snapshot
	dones []func()
}

func (s *shelf) Save(together []store.Snapshot, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, together...)
	if done != nil {
		s.dones = append(s.dones, done)
	}
}

func (s *shelf) got() []store.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]store.Snapshot(nil), s.all...)
}

// done reports that all is safe, and returns how much there was.
func (s *shelf) done() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, done := range s.dones {
		done()
	}
	n := len(s.dones)
	s.dones = nil
	return n
}

// A Saver gets whole characters, of which the lists that a world does not report are unchanged, and an account is
// let in again when the last of them is safe.
func TestSaver(t *testing.T) {
	var kept shelf
	r := newRig(t, func(c *Config) { c.Saver = &kept })
	t.Cleanup(func() { until(t, "the last is safe", func() bool { kept.done(); return r.gate.roster.count() == 0 }) })
	a := r.dial("ALICE").login().character()
	carried := r.stored(a.guid)
	carried.Version, carried.Items = 2, []life.Item{{GUID: 7, Entry: 1, Count: 1, Bag: life.InBody}}
	carried.Begun, carried.Spells = true, []uint32{133}
	if err := r.store.SaveCharacter(t.Context(), carried); err != nil {
		t.Fatal(err)
	}
	world := r.worlds[1]
	world.mu.Lock()
	world.lists = life.Spells
	world.mu.Unlock()
	a.enter()
	a.say(msg.OpMoveStop, &msg.Move{Mover: a.guid, Movement: msg.Movement{Y: 5}})
	until(t, "the move is kept", func() bool { return len(kept.got()) == 1 })
	first := kept.got()[0]
	want := carried
	want.Version, want.Y, want.SavedUnix = 3, 5, first.SavedUnix
	if first.Since != 2 || first.Lists != life.Spells || first.Soon || !reflect.DeepEqual(first.Character, want) {
		t.Errorf("kept  %+v\n want %+v since 2", first, want)
	}

	a.say(msg.OpPlayerLogout, &msg.Empty{})
	until(t, "the end is kept", func() bool { return len(kept.got()) == 2 })
	last := kept.got()[1]
	if want.Version, want.X = 4, want.X+1; last.Since != 3 || !last.Soon || last.Version != 4 || last.X != want.X ||
		!reflect.DeepEqual(last.Items, want.Items) {
		t.Errorf("kept at the end %+v\n want %+v since 3, soon", last, want)
	}
	a.ping(1) // which is answered before the logout
	if n := kept.done(); n != 1 {
		t.Errorf("%d waited, want 1", n)
	}
	a.expect(msg.OpLogoutComplete)
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	until(t, "it is in again", func() bool { return world.times(a.guid) == 2 })
}

// A client whose character cannot be saved for long is told that it has left all the same, and not let in again before the last visit is safe.
func TestUnsavedLogout(t *testing.T) {
	var kept shelf
	r := newRig(t, func(c *Config) { c.Saver, c.SaveWait = &kept, 20*time.Millisecond })
	t.Cleanup(func() { until(t, "the last is safe", func() bool { kept.done(); return r.gate.roster.count() == 0 }) })
	a := r.dial("ALICE").login().character().enter()
	began := time.Now()
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	if took := time.Since(began); took < 20*time.Millisecond {
		t.Errorf("it is told after %v", took)
	}
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	a.say(msg.OpCharEnumQuery, &msg.Empty{}) // answered after the login
	if n := r.worlds[1].times(a.guid); n != 1 {
		t.Errorf("entered %d times before the last visit is safe", n)
	}
	if n := kept.done(); n != 1 {
		t.Errorf("%d waited, want 1", n)
	}
	until(t, "it is in again", func() bool { return r.worlds[1].times(a.guid) == 2 })
}

// Answers to CMSG_WHO have the current levels, also if nothing is saved.
func TestLevelsAreAsTold(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character()
	a.enter()
	world := r.worlds[1]
	world.mu.Lock()
	for session, c := range world.players {
		c.Level = 7
		world.players[session] = c
	}
	world.mu.Unlock()
	a.say(msg.OpMoveStop, &msg.Move{Mover: a.guid, Movement: msg.Movement{Y: 5}})
	until(t, "it is of level 7", func() bool {
		all := r.gate.OnlinePlayers()
		return len(all) == 1 && all[0].Level == 7
	})
	if c := r.stored(a.guid); c.Level == 7 || c.Version != 1 {
		t.Errorf("level %d is stored, in version %d", c.Level, c.Version)
	}
}
