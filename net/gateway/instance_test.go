package gateway

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// slowInstances find the instance of map 1 when the time for it is up, or made is closed.
type slowInstances struct {
	asked, found, left atomic.Int32
	made               chan struct{}
}

func (s *slowInstances) Exit(id uint32) (at Place, ok bool) { return Place{Map: 2}, id == 1 }

func (s *slowInstances) Enter(ctx context.Context, _ Visit) (slot int, leave func(), err error) {
	s.asked.Add(1)
	select {
	case <-s.made:
	case <-ctx.Done():
	}
	s.found.Add(1)
	return 1, func() { s.left.Add(1) }, nil
}

// An instance that is found for a login when the time for that is up is left, once.
func TestInstanceFoundTooLate(t *testing.T) {
	s := new(slowInstances)
	r := newRig(t, func(c *Config) { c.Instances, c.Slots, c.StoreTime = s, 1, 3*time.Second })
	a := r.dial("ALICE").login().character()
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
		t.Errorf("refused with %#x, want %#x", got[0], msg.LoginFailed)
	}
	until(t, "it is found", func() bool { return s.found.Load() == 1 })
	until(t, "it is left", func() bool { return s.left.Load() == 1 })
	r.shutdown()
	if n := s.left.Load(); n != 1 {
		t.Errorf("left %d times, want 1", n)
	}
}

// Those that log in to instances which have no world yet do not keep others from the store.
func TestInstancesKeepNobody(t *testing.T) {
	s := &slowInstances{made: make(chan struct{})}
	defer close(s.made)
	r := newRig(t, func(c *Config) { c.Instances, c.Slots, c.Workers, c.StoreTime = s, 1, 1, patience })
	a, b := r.dial("ALICE").login().character(), r.dial("BOB").login()
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	until(t, "it is looked for", func() bool { return s.asked.Load() == 1 })
	b.character()
	if s.found.Load() != 0 {
		t.Error("another one has waited until the time for the instance was up")
	}
}

// Commands for all worlds do not wait for an instance that has ended.
func TestCommandAfterInstance(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Slots = 1 })
	for _, w := range r.worlds {
		w.answers.Store(true)
	}
	port, ready := frame.NewExchange(), make(chan struct{})
	port.Now = func() time.Duration { return 0 }
	if !r.gate.Instance(t.Context(), 1, 7, port, ready) {
		t.Fatal("there is no room for an instance")
	}
	close(ready)
	said := make(chan []string)
	go func() { // the instance does not answer this one: it ends before
		lines, err := r.gate.Command(context.Background(), "", command.Console, "hail")
		if err != nil {
			t.Errorf("while it ends: %v", err)
		}
		said <- lines
	}()
	until(t, "it is asked", func() bool { return !port.Empty() })
	port.Stop()
	if got := <-said; !slices.Equal(got, []string{"hail"}) {
		t.Errorf("answered with %q", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if got, err := r.gate.Command(ctx, "", command.Console, "hail again"); err != nil || !slices.Equal(got, []string{"hail again"}) {
		t.Errorf("answered with %q, %v", got, err)
	}
}
