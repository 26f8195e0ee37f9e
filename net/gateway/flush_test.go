package gateway

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/ecs/grid"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched/ladder"
)

// A bench is a loop without an engine: its connections are pairs of sockets, and it flushes when
// called.
type bench struct {
	gate    *Gate
	loop    *loop
	port    *frame.Exchange
	builder frame.Builder
	tick    uint64
	home    grid.Cell
	ends    []int // the clients' ends, by session number - 1
}

func newBench(t testing.TB, players, phases int) *bench {
	b := &bench{port: frame.NewExchange(), home: grid.At(0, 0, grid.Living)}
	b.port.Now = func() time.Duration { return 0 }
	var err error
	b.gate, err = New(Config{
		Exchanges: map[uint32]*frame.Exchange{1: b.port}, Store: store.NewMemory(store.MemoryConfig{}),
		Start: func(int) Place { return Place{} }, Pace: func() ladder.Rung { return ladder.Rung{Stride: 1, Phases: phases} }, Metric: new(metric.Table),
	})
	if err != nil {
		t.Fatal(err)
	}
	b.loop = b.gate.loopOf(nil)
	t.Cleanup(func() {
		if b.loop.batch != nil {
			b.loop.batch.close()
		}
	})
	var key [40]byte
	for range players {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		syscall.SetNonblock(pair[1], true)
		t.Cleanup(func() { syscall.Close(pair[0]); syscall.Close(pair[1]) })
		c := &conn{gate: b.gate, loop: b.loop, fd: pair[0], session: session.New(&b.gate.session, [4]byte{})}
		login(c.session, key)
		c.counted = c.session.State()
		p := &player{conn: c, worldLink: b.gate.worldLinks()[0]}
		b.gate.roster.number(p)
		p.character.GUID = uint64(p.session)
		c.attach(p)
		b.builder.SetView(p.session, grid.ViewFrom(b.home), false)
		b.ends = append(b.ends, pair[1])
	}
	b.step(nil)
	b.step(nil) // now every player's phase has come
	return b
}

// login brings a session into the state Entering.
func login(s *session.Session, key [40]byte) {
	var turn session.Turn
	m := msg.AuthSession{Build: 12340, Account: "A", Realm: 1}
	m.Digest = crypt.WorldProof(m.Account, m.ClientSeed, [4]byte{}, key)
	s.Feed(&turn, msg.ClientPacket(nil, wire.V12340, msg.OpAuthSession, &m))
	s.Answer(&turn, &session.Answer{Account: 1, Key: key})
	p := msg.ClientPacket(nil, wire.V12340, msg.OpPlayerLogin, &msg.PlayerLogin{GUID: 1})
	cipher := crypt.ClientToServer(key)
	cipher.XOR(p[:wire.ClientHeaderLen])
	s.Feed(&turn, p)
	s.Answer(&turn, &session.Answer{})
}

// step publishes the next tick, in which something is written, and flushes.
func (b *bench) step(write func(*frame.Builder)) {
	b.tick++
	if write != nil {
		write(&b.builder)
	}
	f := b.port.Write()
	b.builder.Build(f, b.tick)
	b.port.Publish(f)
	b.loop.flushAll()
}

// read takes what a player was sent.
func (b *bench) read(player int) int {
	var buf [64 << 10]byte
	n, _ := syscall.Read(b.ends[player], buf[:])
	return max(n, 0)
}

// beat is a move of another player, seen by all.
func (b *bench) beat(d *frame.Builder) {
	d.Bytes = wire.AppendServerHeader(d.Bytes, msg.OpMoveHeartbeat, 10)
	d.Bytes = append(d.Bytes, 1, 200, 0, 0, 0, 0, 0, 0, 0, 0)
	d.AddDelta(b.home, frame.Beats, d.Cut())
}

// TestSchedule has packets of 14 bytes, and players of two and of three phases: each is sent its
// packets every so many ticks, at once what does not wait, and nothing if there is nothing for it.
func TestSchedule(t *testing.T) {
	for phases, want := range map[int][]string{
		2: {"[14 0]", "[0 28]", "[28 0]", "[0 28]", "[28 0]"},
		3: {"[0 14 0]", "[28 0 0]", "[0 0 42]", "[0 42 0]", "[42 0 0]"},
	} {
		b := newBench(t, phases, phases)
		for range phases {
			b.step(nil) // until all phases have come
		}
		for b.tick%6 != 0 {
			b.step(nil)
		}
		for i, want := range want {
			b.step(b.beat)
			var got []int
			for player := range b.ends {
				got = append(got, b.read(player))
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%d phases, beat %d: sent %v, want %s", phases, i+1, got, want)
			}
		}
	}

	b := newBench(t, 2, 2)
	flushes := func() uint64 { return b.gate.Stats().Flushes }
	before := flushes()
	for range 10 {
		b.step(nil)
	}
	if n := flushes() - before; n != 0 {
		t.Errorf("%d flushes of nothing", n)
	}
	for n := range 4 { // whatever the phase
		b.step(func(d *frame.Builder) {
			d.Bytes = wire.AppendServerHeader(d.Bytes, msg.OpPong, 4)
			d.Bytes = append(d.Bytes, 1, 2, 3, 4)
			d.SendNow(1, frame.Last, d.Cut())
		})
		if got := b.read(0); got != 8 {
			t.Errorf("tick %d: %d bytes were sent at once, want 8", n, got)
		}
	}
	if got := b.read(1); got != 0 {
		t.Errorf("the other was sent %d bytes", got)
	}
}

// TestSkippedTicks has a world that is held up for a day, after a heartbeat that only one of two players has
// been sent: afterwards both have what was before and what is after, and none counts as slow.
func TestSkippedTicks(t *testing.T) {
	b := newBench(t, 2, 2)
	b.step(b.beat)
	first, second := b.read(0), b.read(1)
	if first+second != 14 {
		t.Fatalf("sent %d and %d, want one beat to one of them", first, second)
	}
	b.tick += 24 * 3600 * 20
	b.step(b.beat)
	if first, second = first+b.read(0), second+b.read(1); first != 28 || second != 28 || len(b.loop.marked) > 0 {
		t.Errorf("sent %d and %d, want 28; %d are closed", first, second, len(b.loop.marked))
	}
}

// TestLateKeeper has players leave more frames ago than the exchange keeps when the keeper runs.
func TestLateKeeper(t *testing.T) {
	b := newBench(t, 2, 2)
	b.gate.config.SaveWait = 1
	b.gate.saves = startWorkers(1, 1)
	defer b.gate.saves.stop()
	players := []*player{b.loop.players[1].player, b.loop.players[2].player}
	for _, p := range players {
		p.guid, p.kept = p.character.GUID, new(store.Character)
		b.step(func(d *frame.Builder) {
			d.Bytes = msg.Append(d.Bytes, wire.V12340, &p.character)
			d.PlayerLeft(p.session, d.Cut())
		})
	}
	for range 3 * frame.RingFrames {
		b.step(nil)
	}
	var keeper sync.WaitGroup
	keeper.Go(func() { b.gate.keep(b.gate.worldLinks()[0]) })
	defer keeper.Wait()
	defer close(b.gate.done)
	for _, p := range players {
		until(t, "the player is saved", func() bool {
			b.gate.roster.mu.Lock()
			defer b.gate.roster.mu.Unlock()
			return p.settled == settled
		})
	}
}

// TestFlushAllocations pins the steady flush of a hundred players.
func TestFlushAllocations(t *testing.T) {
	b := newBench(t, 100, 2)
	var buf [64 << 10]byte
	round := func() {
		b.step(b.beat)
		for _, fd := range b.ends {
			syscall.Read(fd, buf[:])
		}
	}
	for range 3 * frame.RingFrames { // until the ring has all its memory
		round()
	}
	before := b.gate.Stats()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("a tick of flushes allocates %v times", n)
	}
	if after := b.gate.Stats(); after.Flushes-before.Flushes != 101*50 || after.World != 100 {
		t.Errorf("%d flushes to %d players", after.Flushes-before.Flushes, after.World)
	}
}

// BenchmarkFlush is a tick of a thousand players, of which half are due, with 2 x 50 moves to send.
func BenchmarkFlush(b *testing.B) {
	bench := newBench(b, 1000, 2)
	var buf [64 << 10]byte
	b.ReportAllocs()
	for b.Loop() {
		bench.step(func(d *frame.Builder) {
			for range 50 {
				bench.beat(d)
			}
		})
		b.StopTimer()
		for _, fd := range bench.ends {
			syscall.Read(fd, buf[:])
		}
		b.StartTimer()
	}
}

// TestServed has ticks whose players were flushed 44 ms and 2 s after they were due.
func TestServed(t *testing.T) {
	b := newBench(t, 2, 2)
	before := b.gate.Stats().Served
	late := uint32(44)
	b.port.Now = func() time.Duration { return time.Duration(uint32(b.tick)*50+late) * time.Millisecond }
	b.step(b.beat)
	b.step(nil)
	late = 2000
	b.step(nil)
	got := map[uint32]uint64{}
	for i, n := range b.gate.Stats().Served {
		if n -= before[i]; n > 0 && i < len(ServedMs) {
			got[ServedMs[i]] = n
		} else if n > 0 {
			got[0] = n
		}
	}
	if len(got) != 2 || got[45] != 2 || got[0] != 1 {
		t.Errorf("served %v, want two within 45 ms and one later than all bounds", got)
	}
}
