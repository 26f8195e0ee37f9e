package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/cmd/internal/seats"
	"muster/net/gateway"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// swarms runs clients until they are done, and wants all of them in, none lost, and no rule broken.
func swarms(t *testing.T, s *served, c swarm.Config) swarm.Report {
	t.Helper()
	c.Auth, c.Password, c.Seed, c.Login, c.Strict = s.auth, defaultPassword, 1, 2*patience, true
	if c.Behaviour == swarm.Walk && c.Longer == nil {
		c.Longer = relayed(1)
	}
	r, err := swarm.Run(t.Context(), c)
	if err != nil || r.Logins.OK != c.Clients || r.Lost.Total != 0 || r.Violations.Total != 0 {
		t.Errorf("%s: %v, logins %+v, lost %+v, violations %+v, %d moves not relayed, moves %+v", c.Behaviour, err, r.Logins, r.Lost, r.Violations, r.Unrelayed, r.Movement)
	}
	return r
}

// relayed has a swarm walk on, with patience, until its clients were sent as many moves of each other as there are pairs of them, in all, and all else is so as well.
func relayed(clients int, also ...func() bool) (longer func(relays int64) bool) {
	var deadline time.Time
	return func(relays int64) bool {
		if deadline.IsZero() {
			deadline = time.Now().Add(patience)
		}
		done := relays >= int64(clients*clients)
		for _, is := range also {
			done = done && is()
		}
		return !done && time.Now().Before(deadline)
	}
}

// closed asks whether a channel is.
func closed(c <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
}

// atOnce is how many clients of n may log in at the same time, where processes may have few descriptors: servers close the
// others, and a swarm does not try again.
func atOnce(n int) int { return min(n, seats.Share(seats.Descriptors(), 0).Logins) }

// TestFaultSlowReader is fault row 15: a client stands in a crowd and reads nothing any more. It is closed within ten
// seconds or so, and the others are sent each other's movement as soon as without it.
func TestFaultSlowReader(t *testing.T) {
	waits(t)
	clients := atOnce(size(500, 300))
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one")
	crowd := func(prefix string) swarm.Report {
		return swarms(t, s, swarm.Config{Prefix: prefix, Clients: clients, Behaviour: swarm.Walk, Duration: 30 * time.Second})
	}
	var alone swarm.Report
	if full() {
		alone = crowd("ALONE")
	}
	v := authenticate(t, s, "SLOTH")
	v.dialer.Control = func(_, _ string, c syscall.RawConn) error { // its kernel keeps as little as it can for it
		return c.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
	}
	v.greet(s, func(*msg.AuthSession) {})
	v.create("Sloth")
	v.enter()
	before := resident(t, s)
	beside := crowd("BESIDE")
	s.counted("closed."+gateway.SlowReader, 1)
	ends(t, v.socket)
	if !full() {
		return
	}
	reports(t, 15, "%d others: movement p99 %.1f ms, without it %.1f ms; %.1f MB more memory",
		clients, beside.Movement.P99, alone.Movement.P99, float64(resident(t, s)-before)/(1<<20))
	if beside.Movement.P99 > max(1.2*alone.Movement.P99, alone.Movement.P99+20) {
		t.Errorf("the others read of a move after %.1f ms, and without it after %.1f", beside.Movement.P99, alone.Movement.P99)
	}
}

// TestFaultFloods is fault row 16: packets of each class, as many as a socket takes.
func TestFaultFloods(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--creatures", "0")
	for _, c := range []struct {
		class session.Class
		op    uint32
		body  msg.Message
		times int
		ends  string // the reason, if the connection is closed
	}{
		{session.Often, uint32(msg.OpMoveHeartbeat), &msg.Move{}, 20_000, session.Flooded},
		{session.Few, uint32(msg.OpCharDelete), &msg.CharDelete{GUID: 1 << 40}, 20, session.Flooded},
		{session.Rare, uint32(msg.OpCharEnumQuery), &msg.Empty{}, 20_000, session.TooMuchInput},
		{session.Rare, uint32(msg.OpCharEnumQuery), &msg.Empty{}, 10, ""},
		{session.Strange, 0x051, &msg.Empty{}, 20_000, ""},
		{session.Plain, uint32(msg.OpKeepAlive), &msg.Empty{}, 20_000, ""},
	} {
		rate := session.Rates[c.class]
		v := visit(t, s, "FLOOD")
		v.mortal = true
		if c.class == session.Often {
			if len(v.list()) == 0 {
				v.create("Flood")
			}
			v.enter()
			eventually(t, "the client is in the world", func() bool { return s.stats().World == 1 })
			c.body = &msg.Move{Mover: v.guid}
		}
		flood := func(ctx context.Context) {
			const atOnce = 100
			for sent := 0; sent < c.times && ctx.Err() == nil; sent += atOnce {
				var all []byte
				for range min(atOnce, c.times-sent) {
					b := msg.ClientPacket(nil, wire.V12340, uint16(c.op), c.body)
					v.toThem.XOR(b[:wire.ClientHeaderLen])
					all = append(all, b...)
				}
				if _, err := v.socket.Write(all); err != nil {
					break
				}
			}
			if c.ends == "" { // all that it said is read by then, and else when it has gone
				v.socket.SetDeadline(time.Now().Add(3 * time.Second))
			}
			io.Copy(io.Discard, v.socket)
			v.socket.Close()
		}
		before := s.condition().Counters
		withstands(t, s, 16, flood)
		eventually(t, "the client is gone", func() bool { st := s.stats(); return st.Fresh+st.Select+st.World == 0 })
		after := s.condition().Counters
		too := after["flood."+rate.Name] - before["flood."+rate.Name] + after[session.Flood] - before[session.Flood]
		if too == 0 && c.ends != session.TooMuchInput {
			t.Errorf("%s: nothing was too much", rate.Name)
		}
		if c.ends != "" && after["closed."+c.ends] != before["closed."+c.ends]+1 {
			t.Errorf("%s: not closed as %s", rate.Name, c.ends)
		}
		reports(t, 16, "%s: %d of %d too many%s", rate.Name, too, c.times, map[bool]string{true: ", " + c.ends}[c.ends != ""])
	}
}

// TestFaultHerd is fault row 18: five thousand at once, or as many as there may be logins at a time if that is less. More
// are closed at once, as TestSilentLogins has it, and may come again.
func TestFaultHerd(t *testing.T) {
	waits(t)
	clients := atOnce(size(5000, 300))
	s := serve(t, "--ephemeral")
	r := swarms(t, s, swarm.Config{
		Prefix: "HERD", Clients: clients, Behaviour: swarm.Idle, Ramp: float64(clients), Duration: 2 * time.Second,
	})
	reports(t, 18, "%d logins, %.0f per second, p99 %.1f s, 0 failed", r.Logins.OK, float64(clients)*1000/r.RampMs, r.Login.P99/1000)
}

// TestSoak is fault row 43: clients come, play and go, for as long as SOAK says; two rounds of a few seconds if it does
// not. From round to round nothing may be left behind.
func TestSoak(t *testing.T) {
	waits(t)
	clients, round, whole := 30, 3*time.Second, 6*time.Second
	room := int64(12 << 20) // for buffers of connections and pools, that meet their fullest tick late
	if text := os.Getenv("SOAK"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		clients, whole = 200, d
		if d >= 10*time.Minute {
			clients, room = 1000, 8<<20
		}
		round = max(d/20, 5*time.Second)
	}
	s := serve(t)
	var all []sediment
	for began := time.Now(); time.Since(began) < whole || len(all) < 3; {
		swarms(t, s, swarm.Config{
			Prefix: "SOAK", Clients: clients, Behaviour: swarm.Grind, Ramp: 100, Duration: round,
			Enough: func(*swarm.Harvest) bool { return false },
		})
		eventually(t, "all have gone", func() bool { st := s.stats(); return st.Fresh+st.Select+st.Entering+st.World == 0 })
		all = append(all, s.sediment())
		t.Logf("round %d: %v", len(all), all[len(all)-1])
	}
	// The first rounds fill pools and caches; what grows from the middle to the end would go on growing.
	middle, end := all[len(all)/2], all[len(all)-1]
	reports(t, 43, "%d rounds of %d clients: %v, and in the middle %v", len(all), clients, end, middle)
	if end.goroutines > middle.goroutines+4 || end.descriptors > middle.descriptors+4 {
		t.Errorf("%v are left, and in the middle were %v", end, middle)
	}
	if end.heap > middle.heap+middle.heap/10+room {
		t.Errorf("the heap grows from %d to %d bytes", middle.heap, end.heap)
	}
}

// A sediment is what is left in a server when all clients have left.
type sediment struct {
	goroutines, descriptors int
	heap                    int64 // bytes in use after a collection
}

func (s sediment) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors, %.1f MB", s.goroutines, s.descriptors, float64(s.heap)/(1<<20))
}

// sediment collects garbage, and says what is left.
func (s *served) sediment() (left sediment) {
	s.t.Helper()
	s.ask("/debug/pprof/heap?gc=1", "")
	_, metrics := s.ask("/metrics", "")
	gauge := func(name string) (value float64) {
		for line := range strings.Lines(metrics) {
			if text, ok := strings.CutPrefix(line, name+`{realm="muster",role="serve"} `); ok {
				if _, err := fmt.Sscan(text, &value); err != nil {
					s.t.Fatalf("%s: %v", line, err)
				}
				return value
			}
		}
		s.t.Fatalf("there is no %s in\n%s", name, metrics)
		return 0
	}
	return sediment{
		int(gauge("go_goroutines")), int(gauge("process_open_fds")), int64(gauge("go_memstats_heap_alloc_bytes")),
	}
}
