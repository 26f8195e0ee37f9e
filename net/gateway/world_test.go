package gateway

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/components/life"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A fakeWorld lets every player in, relays its packets to all others in the same spot, and lets it go. It
// fails the test if a session or a character is in it twice.
type fakeWorld struct {
	t       testing.TB
	port    *frame.Exchange
	home    grid.Cell
	draft   frame.Builder
	inbox   frame.Inbox
	tick    uint64
	mu      sync.Mutex
	players map[uint32]frame.Character
	told    life.Set       // what snapshots contain
	noise   []byte         // a packet to every player in every tick
	refuse  atomic.Bool    // no player gets in
	busy    atomic.Bool    // players stay when they lose their connection
	dropped atomic.Int32   // how many did
	entered map[uint64]int // how often, by guid
	online  *sync.Map      // guids, over all worlds
}

func newFakeWorld(t testing.TB, online *sync.Map) *fakeWorld {
	w := &fakeWorld{
		t: t, port: frame.NewExchange(), home: grid.At(0, 0, grid.Living),
		players: make(map[uint32]frame.Character), entered: make(map[uint64]int), online: online,
	}
	w.port.NowMs = func() uint32 { return uint32(w.port.Newest()) }
	return w
}

// run steps the world until ctx is done.
func (w *fakeWorld) run(ctx context.Context, step time.Duration) {
	ticker := time.NewTicker(step)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			w.step()
		case <-ctx.Done():
			return
		}
	}
}

func (w *fakeWorld) step() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tick++
	w.inbox.Reset()
	w.port.Take(&w.inbox)
	for i := range w.inbox.Len() {
		it := w.inbox.At(i)
		switch it.Op {
		case frame.OpEnter, frame.OpArrive:
			w.enter(it)
		case frame.OpLeave:
			w.leave(it.Session)
		case frame.OpDrop:
			w.dropped.Add(1)
			if !w.busy.Load() {
				w.leave(it.Session)
			}
		case msg.OpPlayerLogout:
			w.draft.Bytes = msg.Packet(w.draft.Bytes, wire.V12340, msg.OpLogoutComplete, &msg.Empty{})
			w.draft.Send(it.Session, frame.Last, w.draft.Cut())
			w.leave(it.Session)
		case opTravel:
			w.travel(it.Session)
		case opCheat:
			w.draft.Kick(it.Session, "cheat")
		default:
			w.relay(it)
		}
	}
	if len(w.noise) > 0 {
		w.draft.Bytes = append(w.draft.Bytes, w.noise...)
		w.draft.AddDelta(w.home, frame.Events, w.draft.Cut())
	}
	f := w.port.Write()
	w.draft.Build(f, w.tick)
	w.port.Publish(f)
}

func (w *fakeWorld) enter(it frame.Item) {
	var c frame.Character
	if err := msg.Decode(wire.V12340, it.Body, &c); err != nil {
		w.t.Errorf("session %d entered with % x: %v", it.Session, it.Body, err)
		return
	}
	if _, ok := w.players[it.Session]; ok {
		w.t.Errorf("session %d entered twice", it.Session)
	}
	if _, twice := w.online.LoadOrStore(c.GUID, it.Session); twice {
		w.t.Errorf("character %d is in a world twice", c.GUID)
	}
	w.players[it.Session] = c
	w.entered[c.GUID]++
	if w.refuse.Load() {
		w.leave(it.Session)
		return
	}
	w.draft.SetView(it.Session, grid.ViewFrom(w.home), false)
	if it.Op == frame.OpArrive {
		w.draft.Bytes = msg.Packet(w.draft.Bytes, wire.V12340, msg.OpTimeSyncReq, &msg.TimeSyncReq{})
		w.draft.SendNow(it.Session, frame.Last, w.draft.Cut())
		return
	}
	w.draft.Bytes = msg.Packet(w.draft.Bytes, wire.V12340, msg.OpLoginVerifyWorld,
		&msg.Place{Map: c.Map, Position: wire.Vec3{X: c.X, Y: c.Y, Z: c.Z}, Orientation: c.O})
	w.draft.SendNow(it.Session, frame.First, w.draft.Cut())
}

func (w *fakeWorld) leave(session uint32) {
	c, ok := w.players[session]
	if !ok {
		return
	}
	delete(w.players, session)
	w.online.Delete(c.GUID)
	c.X++ // so that it can be seen whether it was saved
	c.Version++
	w.draft.Bytes = msg.Append(w.draft.Bytes, wire.V12340, &c)
	w.draft.PlayerLeft(session, w.draft.Cut())
}

// What a client asks a fakeWorld for: to be sent to the other map, and to be found out.
const (
	opTravel = msg.OpMoveFallReset
	opCheat  = msg.OpMoveSetFly
)

// travel lets a player go to the other of two maps.
func (w *fakeWorld) travel(session uint32) {
	c, ok := w.players[session]
	if !ok {
		return
	}
	w.draft.Bytes = msg.Packet(w.draft.Bytes, wire.V12340, msg.OpTransferPending, &msg.TransferPending{Map: 3 - c.Map})
	w.draft.Send(session, frame.Last, w.draft.Cut())
	delete(w.players, session)
	w.online.Delete(c.GUID)
	c.Map, c.Y, c.Version = 3-c.Map, c.Y+1, c.Version+1
	w.draft.Bytes = msg.Append(w.draft.Bytes, wire.V12340, &c)
	w.draft.PlayerTransferred(session, w.draft.Cut())
}

// relay sends a move to all, and has the mover saved at its position.
func (w *fakeWorld) relay(it frame.Item) {
	c, ok := w.players[it.Session]
	if !ok {
		return
	}
	var m msg.Move
	if msg.Decode(wire.V12340, it.Body, &m) == nil && m.Y != 0 {
		c.Y, c.Version, c.Told = m.Y, c.Version+1, w.told
		w.players[it.Session] = c
		w.draft.Bytes = msg.Append(w.draft.Bytes, wire.V12340, &frame.Lists{Told: c.Told, Life: c.Life})
		save := w.draft.Save()
		save.GUID, save.Version, save.Told, save.Lists = c.GUID, c.Version, c.Told, w.draft.Cut()
		save.State = life.State{
			Begun: 1,
			At:    life.Place{Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O},
			Level: uint32(c.Level), Health: c.Health, Power: c.Power,
		}
	}
	w.draft.Bytes = wire.AppendServerHeader(w.draft.Bytes, it.Op, len(it.Body))
	w.draft.Bytes = append(w.draft.Bytes, it.Body...)
	w.draft.AddDelta(w.home, frame.Beats, w.draft.Cut())
}

// count is how many players there are.
func (w *fakeWorld) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.players)
}

// times is how often a character has entered.
func (w *fakeWorld) times(guid uint64) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.entered[guid]
}

// until polls for a condition, and fails the test when its patience is at an end.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
		<-tick.C
	}
}
