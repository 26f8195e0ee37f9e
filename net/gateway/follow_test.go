package gateway

import (
	"context"
	"slices"
	"sync"
	"testing"

	"muster/net/protocol/command"
	"muster/net/protocol/msg"
)

// TestFollow has a world take the place of one that has ended: the map is entered again once that world is ready, and not before, though its
// ticks begin anew. A player of the other map goes on, and can travel there.
func TestFollow(t *testing.T) {
	r := newRig(t, nil)
	a, b := r.dial("ALICE").login().character(), r.dial("BOB").login().character()
	moved := r.stored(b.guid)
	moved.Map, moved.Version = 2, moved.Version+1
	if err := r.store.SaveCharacter(t.Context(), moved); err != nil {
		t.Fatal(err)
	}
	a.enter()
	b.enter()

	old := r.worlds[1]
	old.mu.Lock() // it steps no more
	t.Cleanup(old.mu.Unlock)
	old.port.Stop()
	a.ended()
	old.online.Delete(a.guid)
	next := newFakeWorld(t, old.online)
	ready := make(chan struct{})
	if !r.gate.Follow(t.Context(), 1, next.port, ready) {
		t.Fatal("the world does not follow")
	}
	again := r.dial("ALICE").login()
	again.guid = a.guid
	again.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	if got := again.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginNoWorld) {
		t.Errorf("before it is ready: refused with %#x, want %#x", got[0], msg.LoginNoWorld)
	}
	r.worlds[2].answers.Store(true)
	if said, err := r.gate.Command(t.Context(), "", command.Console, "hail"); err != ErrSilent || !slices.Equal(said, []string{"hail"}) {
		t.Errorf("all worlds answer %q, %v before one is ready; want hail, %v", said, err, ErrSilent)
	}
	close(ready)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { next.run(ctx, r.gate.config.Quantum) })
	t.Cleanup(func() { // after the gateway has shut down, as the other worlds
		r.shutdown()
		stop()
		running.Wait()
	})
	again.enter()
	if n := next.count(); n != 1 {
		t.Errorf("%d players are in the world, want 1", n)
	}
	again.say(msg.OpMoveHeartbeat, &msg.Move{Mover: a.guid, Movement: msg.Movement{X: 1}})
	b.say(msg.OpPing, &msg.Ping{Sequence: 1})
	b.expect(msg.OpPong)
	again.say(msg.OpPlayerLogout, &msg.Empty{})
	again.expect(msg.OpLogoutComplete)
	until(t, "it is saved", func() bool { return r.stored(a.guid).X == 1 }) // as fakeWorld.leave has it
	until(t, "it is in no world", func() bool { _, ok := r.gate.roster.find(a.guid); return !ok })

	r.shutdown()
	if r.gate.Follow(t.Context(), 1, newFakeWorld(t, old.online).port, nil) {
		t.Error("a world follows at a gateway that has closed")
	}
}
