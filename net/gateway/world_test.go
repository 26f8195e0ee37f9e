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
	builder frame.Builder
	inbox   frame.Inbox
	tick    uint64
	mu      sync.Mutex
	players map[uint32]frame.Character
	lists   life.Set       // what snapshots contain
	noise   []byte         // a packet to every player in every tick
	refuse  atomic.Bool    // no player gets in
	answers atomic.Bool    // commands are answered with their text
	busy    atomic.Bool    // players stay when they lose their connection
	dropped atomic.Int32   // how many did
	entered map[uint64]int // how often, by guid
	resumed map[uint64]int // the same
	online  *sync.Map      // guids, over all worlds
}

func newFakeWorld(t testing.TB, online *sync.Map) *fakeWorld {
	w := &fakeWorld{
		t: t, port: frame.NewExchange(), home: grid.At(0, 0, grid.Living),
		players: make(map[uint32]frame.Character), entered: make(map[uint64]int), resumed: make(map[uint64]int), online: online,
	}
	w.port.Now = func() time.Duration { return time.Duration(w.port.Newest()) * time.Millisecond }
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
		case frame.OpResume:
			w.resume(it)
		case frame.OpLeave:
			w.leave(it.Session)
		case frame.OpDrop:
			w.dropped.Add(1)
			if !w.busy.Load() {
				w.leave(it.Session)
			}
		case msg.OpPlayerLogout:
			w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpLogoutComplete, &msg.Empty{})
			w.builder.Send(it.Session, frame.Last, w.builder.Cut())
			w.leave(it.Session)
		case opTravel:
			w.travel(it.Session)
		case opCheat:
			w.builder.Kick(it.Session, "cheat")
		case frame.OpCommand:
			w.answer(it)
		default:
			w.relay(it)
		}
	}
	if len(w.noise) > 0 {
		w.builder.Bytes = append(w.builder.Bytes, w.noise...)
		w.builder.AddDelta(w.home, frame.Events, w.builder.Cut())
	}
	f := w.port.Write()
	w.builder.Build(f, w.tick)
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
	w.builder.SetView(it.Session, grid.ViewFrom(w.home), false)
	if it.Op == frame.OpArrive {
		w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpTimeSyncReq, &msg.TimeSyncReq{})
		w.builder.SendNow(it.Session, frame.Last, w.builder.Cut())
		return
	}
	w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpLoginVerifyWorld,
		&msg.Place{Map: c.Map, Position: wire.Vec3{X: c.X, Y: c.Y, Z: c.Z}, Orientation: c.O})
	w.builder.SendNow(it.Session, frame.First, w.builder.Cut())
}

// resume lets the new connection of a player in, if the player is there.
func (w *fakeWorld) resume(it frame.Item) {
	c, ok := w.players[it.Session]
	if !ok {
		return
	}
	var sent frame.Character
	if err := msg.Decode(wire.V12340, it.Body, &sent); err != nil || sent.GUID != c.GUID {
		w.t.Errorf("session %d of %d is resumed as %d: %v", it.Session, c.GUID, sent.GUID, err)
	}
	w.resumed[c.GUID]++
	w.builder.SetView(it.Session, grid.ViewFrom(w.home), true)
	w.builder.Resume(it.Session, sent.Transfer)
	w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpLoginVerifyWorld,
		&msg.Place{Map: c.Map, Position: wire.Vec3{X: c.X, Y: c.Y, Z: c.Z}, Orientation: c.O})
	w.builder.SendNow(it.Session, frame.First, w.builder.Cut())
}

// answer answers a command, if the world does.
func (w *fakeWorld) answer(it frame.Item) {
	var c frame.Command
	if err := msg.Decode(wire.V12340, it.Body, &c); err != nil {
		w.t.Errorf("a command is % x: %v", it.Body, err)
		return
	}
	if w.answers.Load() {
		w.builder.Bytes = append(w.builder.Bytes, c.Text+"\n"...)
		w.builder.Answer(c.ID, w.builder.Cut())
	}
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
	w.builder.Bytes = msg.Append(w.builder.Bytes, wire.V12340, &c)
	w.builder.PlayerLeft(session, w.builder.Cut())
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
	w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpTransferPending, &msg.TransferPending{Map: 3 - c.Map})
	w.builder.Send(session, frame.Last, w.builder.Cut())
	delete(w.players, session)
	w.online.Delete(c.GUID)
	c.Map, c.Y, c.Version = 3-c.Map, c.Y+1, c.Version+1
	w.builder.Bytes = msg.Append(w.builder.Bytes, wire.V12340, &c)
	w.builder.PlayerTransferred(session, w.builder.Cut())
}

// relay sends a move to all, and has the mover saved at its position.
func (w *fakeWorld) relay(it frame.Item) {
	c, ok := w.players[it.Session]
	if !ok {
		return
	}
	var m msg.Move
	if msg.Decode(wire.V12340, it.Body, &m) == nil && m.Y != 0 {
		c.Y, c.Version, c.Told = m.Y, c.Version+1, w.lists
		w.players[it.Session] = c
		w.builder.Bytes = msg.Append(w.builder.Bytes, wire.V12340, &frame.Lists{Told: c.Told, Life: c.Life})
		save := w.builder.Save()
		save.GUID, save.Version, save.Told, save.Lists = c.GUID, c.Version, c.Told, w.builder.Cut()
		save.State = life.State{
			Begun: 1,
			At:    life.Place{Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O},
			Level: uint32(c.Level), Health: c.Health, Power: c.Power,
		}
	}
	w.builder.Bytes = wire.AppendServerHeader(w.builder.Bytes, it.Op, len(it.Body))
	w.builder.Bytes = append(w.builder.Bytes, it.Body...)
	w.builder.AddDelta(w.home, frame.Beats, w.builder.Cut())
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
