package gateway

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// slowInstances find the instance of map 1 when the time for it is up.
type slowInstances struct{ found, left atomic.Int32 }

func (s *slowInstances) Exit(id uint32) (at Place, ok bool) { return Place{Map: 2}, id == 1 }

func (s *slowInstances) Enter(ctx context.Context, _ Visit) (slot int, leave func(), err error) {
	<-ctx.Done()
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
