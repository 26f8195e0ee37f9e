package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/components"
	"muster/internal/conformance"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestFaultMovement is fault row 20: impossible movement is refused and counted, the client is put back to where it stood,
// and after some strikes its connection is closed. Observers are sent nothing of it.
func TestFaultMovement(t *testing.T) {
	const strikes = 100
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one", "--strikes", fmt.Sprint(strikes))
	other := visit(t, s, "OTHER")
	other.create("Other")
	other.enter()
	v := visit(t, s, "MOVER")
	v.create("Mover")
	at := v.enter()
	v.move(at)
	var relayed int
	other.reads = func(op uint16, body []byte) {
		var m msg.Move
		if op == msg.OpMoveHeartbeat && msg.Decode(wire.V12340, body, &m) == nil && m.Mover == v.guid && m.X != at.Position.X {
			relayed++
		}
	}
	say := func(change func(*msg.Move)) {
		m := msg.Move{Mover: v.guid, Movement: msg.Movement{
			X: at.Position.X, Y: at.Position.Y, Z: at.Position.Z, O: at.Orientation, Time: 1000,
		}}
		change(&m)
		v.say(msg.OpMoveHeartbeat, &m)
	}
	var back []msg.Teleport // each is answered, for nothing else is heard before
	v.reads = func(op uint16, body []byte) {
		var m msg.Teleport
		if op == msg.OpMoveTeleportAck && msg.Decode(wire.V12340, body, &m) == nil {
			back = append(back, m)
			v.say(msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: m.Mover, Counter: m.Counter})
		}
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		reason string
		change func(*msg.Move)
	}{
		{"anticheat_not_finite", func(m *msg.Move) { m.X = nan }},
		{"anticheat_not_finite", func(m *msg.Move) { m.Z = inf }},
		{"anticheat_off_map", func(m *msg.Move) { m.Y = 1e38 }},
		{"anticheat_off_map", func(m *msg.Move) { m.X = 20_000 }},
		{session.ForeignMover, func(m *msg.Move) { m.Mover = other.guid }},
		{"anticheat_jump", func(m *msg.Move) { m.X += 500 }},
		{"anticheat_flight", func(m *msg.Move) { m.Flags |= components.MoveFlying }},
	} {
		before := s.condition().Counters[c.reason]
		eventually(t, c.reason+" is counted", func() bool { // it is late, and no more, while it is being put back
			say(c.change)
			bystander{v}.echo()
			return s.condition().Counters[c.reason] > before
		})
	}
	eventually(t, "it is put back", func() bool {
		bystander{v}.echo()
		return len(back) > 0
	})
	for _, m := range back {
		if m.X != at.Position.X || m.Y != at.Position.Y {
			t.Errorf("put back to %v, %v, and stood at %v, %v", m.X, m.Y, at.Position.X, at.Position.Y)
		}
	}
	bystander{other}.echo()
	if relayed > 0 {
		t.Errorf("%d of it were relayed", relayed)
	}
	n := 0
	for ; s.condition().Counters["anticheat_kicked"] == 0 && n < 10*strikes; n++ {
		b := msg.ClientPacket(nil, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: v.guid, Movement: msg.Movement{X: nan}})
		v.toThem.XOR(b[:wire.ClientHeaderLen])
		v.socket.Write(b)
	}
	eventually(t, "it is closed", func() bool { return s.stats().World == 1 })
	reports(t, 20, "7 kinds refused, 0 relayed, kicked with --strikes %d", strikes)
}

// TestFaultChat is fault row 21.
func TestFaultChat(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one")
	v, other := visit(t, s, "TALKER"), visit(t, s, "LISTENER")
	v.create("Talker")
	v.enter()
	other.create("Listener")
	other.enter()
	eventually(t, "both are in the world", func() bool { return s.stats().World == 2 })
	var heard []string
	other.reads = func(op uint16, body []byte) {
		var m msg.Chat
		if op == msg.OpChat && msg.Decode(wire.V12340, body, &m) == nil && m.Sender == v.guid {
			heard = append(heard, m.Text)
		}
	}
	longest := strings.Repeat("a", 255)
	for _, text := range []string{"first", longest, longest + "a", "\xff\xfe", "|cff00ff00|Hitem:1|h[half", "|Hnone:1|h[x]|h", "last"} {
		v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: text})
	}
	bystander{v}.echo()
	eventually(t, "the last is heard", func() bool {
		bystander{other}.echo()
		return len(heard) > 0 && heard[len(heard)-1] == "last"
	})
	if len(heard) != 3 || heard[0] != "first" || heard[1] != longest {
		t.Errorf("heard %q", heard)
	}
	for range 30 {
		v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: "again"})
	}
	var note msg.Notification
	if v.await(msg.OpNotification, &note); !strings.HasPrefix(note.Text, "You must wait") {
		t.Errorf("the notification is %q", note.Text)
	}
	bystander{v}.echo()
	bystander{other}.echo()
	mute := s.condition().Counters[session.ChatFlood]
	if mute < 20-3 || len(heard) > 3+10 {
		t.Errorf("%d lines of 30 were too many, and %d were heard", mute, len(heard)-3)
	}
	reports(t, 21, "4 of 7 texts and %d of 30 lines at once are not passed on", mute)
}

// TestFaultStandstill is a part of fault row 42: the process stands still for ten seconds, as when a machine is put to
// sleep. Its clocks are monotonic: they go on, nothing comes early, and no client is lost. Nor is what a client sends in the
// meantime, which is more than may be read at once.
func TestFaultStandstill(t *testing.T) {
	waits(t)
	still, clients := time.Duration(size(10, 3))*time.Second, size(200, 40)
	s := serve(t, "--ephemeral")
	ended := make(chan swarm.Report, 1)
	go func() {
		r, _ := swarm.Run(context.Background(), swarm.Config{
			Auth: s.auth, Prefix: "STILL", Password: defaultPassword, Strict: true, Clients: clients, Duration: still + 5*time.Second, Seed: 1,
			Login: 2 * patience,
		})
		ended <- r
	}()
	eventually(t, "all are in the world", func() bool { return s.stats().World == clients })
	signal := func(sig syscall.Signal) {
		if err := s.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	later := visit(t, s, "LATER")
	const pings = 400
	var said []byte // in one piece: a kernel may drop what is left of many, and get it again after seconds
	for n := range uint32(pings) {
		b := msg.ClientPacket(nil, wire.V12340, msg.OpPing, &msg.Ping{Sequence: n})
		later.toThem.XOR(b[:wire.ClientHeaderLen])
		said = append(said, b...)
	}
	signal(syscall.SIGSTOP)
	eventually(t, "it stands still", func() bool { // no thread of it reads on
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", s.cmd.Process.Pid))
		return err == nil && len(tasks) > 0 && !slices.ContainsFunc(tasks, func(task string) bool {
			stat, _ := os.ReadFile(task)
			_, state, _ := strings.Cut(string(stat), ") ")
			return !strings.HasPrefix(state, "T")
		})
	})
	later.write(said)
	<-time.After(still)
	signal(syscall.SIGCONT)
	for n := range uint32(pings) {
		var m msg.Pong
		if later.await(msg.OpPong, &m); m.Sequence != n {
			t.Fatalf("pong %d for ping %d", m.Sequence, n)
		}
	}
	r := <-ended
	if r.Lost.Total != 0 || r.Violations.Total != 0 || r.Logins.OK != clients {
		t.Errorf("logins %+v, lost %+v, violations %+v", r.Logins, r.Lost, r.Violations)
	}
	counters := s.condition().Counters
	if counters[session.Deferred] == 0 || counters[session.Flood] != 0 {
		t.Errorf("deferred %d times, %d packets dropped", counters[session.Deferred], counters[session.Flood])
	}
	early := counters["closed.idle"] + counters["closed.handshake_timeout"] + counters["auth.timeout"]
	if early != 0 {
		t.Errorf("%d deadlines came early: %v", early, counters)
	}
	reports(t, 42, "%v still: 0 of %d lost, 0 violations, 0 deadlines early", still, clients)
}

// TestFaultBurst is fault row 44, end to end: one comes to where five hundred stand. That is more than one packet may
// hold, so it comes in several, all of which a client can read.
func TestFaultBurst(t *testing.T) {
	waits(t)
	const units = 500
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan swarm.Report)
	groups := 0 // one after the other: of many at once a slow machine closes some before they are in
	for in := 0; in < units; groups++ {
		c := swarm.Config{
			Auth: s.auth, Prefix: "UNIT" + string(rune('A'+groups)), Password: defaultPassword, Strict: true, Clients: min(units-in, atOnce(50)),
			Behaviour: swarm.Idle, Ramp: 500, Duration: time.Hour, Seed: 1, Login: 2 * patience,
		}
		go func() {
			r, _ := swarm.Run(ctx, c)
			ended <- r
		}()
		in += c.Clients
		eventually(t, "all stand there", func() bool { return s.stats().World == in })
	}
	v := visit(t, s, "COMER")
	v.create("Comer")
	sight := conformance.New(conformance.Config{})
	sight.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
	longest, packets := 0, 0
	v.reads = func(op uint16, body []byte) {
		if op == msg.OpUpdateObject || op == msg.OpCompressedUpdateObject {
			packets++
		}
		longest = max(longest, len(body))
		if op == msg.OpCharEnum {
			var m msg.CharEnum
			v.check(msg.Decode(wire.V12340, body, &m))
			sight.Enter(m.Characters[0].GUID)
		}
		sight.Packet(op, body)
	}
	v.enter()
	eventually(t, "it knows them all", func() bool {
		bystander{v}.echo()
		return len(sight.Objects()) > units
	})
	if n := sight.Violations(); n.Total() != 0 {
		t.Errorf("violations: %q", sight.Texts())
	}
	if longest > wire.MaxPayload {
		t.Errorf("a packet has %d bytes, more than %d", longest, wire.MaxPayload)
	}
	stop()
	for range groups {
		if r := <-ended; r.Violations.Total != 0 || r.Lost.Total != 0 {
			t.Errorf("violations %+v, lost %+v", r.Violations, r.Lost)
		}
	}
	reports(t, 44, "%d units in %d packets of at most %d bytes, all decoded", units, packets, longest)
}
