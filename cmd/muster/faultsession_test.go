package main

import (
	"bytes"
	"compress/zlib"
	"context"
	endian "encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"muster/net/gateway"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// header sends the six bytes that begin a packet, whatever they say.
func (v *visitor) header(size uint16, op uint32) {
	v.t.Helper()
	b := endian.BigEndian.AppendUint16(nil, size)
	b = endian.LittleEndian.AppendUint32(b, op)
	if v.keyed {
		v.toThem.XOR(b)
	}
	v.write(b)
}

// counted wants a counter to reach a number.
func (s *served) counted(name string, want uint64) {
	s.t.Helper()
	var n uint64
	eventually(s.t, fmt.Sprintf("%s is %d", name, want), func() bool {
		n = s.condition().Counters[name]
		return n >= want
	})
	if n != want {
		s.t.Errorf("%s is %d, want %d", name, n, want)
	}
}

// TestFaultHeaders is fault row 9.
func TestFaultHeaders(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	var longest time.Duration
	n := 0
	for _, h := range []struct {
		size uint16
		op   uint32
	}{
		{0, msg.OpKeepAlive}, {1, msg.OpKeepAlive}, {2, msg.OpKeepAlive}, {3, msg.OpKeepAlive},
		{10240, msg.OpKeepAlive}, {65535, msg.OpKeepAlive}, {4, 0x51F}, {4, 0x10000}, {4, 0xFFFFFFFF},
	} {
		v := visit(t, s, "HEADERS")
		v.header(h.size, h.op)
		took, _ := ends(t, v.socket)
		longest = max(longest, took)
		n++
		s.counted("closed."+session.BadHeader, uint64(n))
	}
	v := visit(t, s, "HEADERS")
	const unlisted = 0x051
	for _, op := range []uint32{0, unlisted} {
		v.header(4, op)
	}
	bystander{v}.echo()
	s.counted(session.UnknownOpcode, 2)
	early := &visitor{t: t, name: "EARLY"}
	early.dial(s.world)
	early.await(msg.OpAuthChallenge, new(msg.AuthChallenge))
	early.header(4, unlisted)
	ends(t, early.socket)
	s.counted("closed."+session.BeforeLogin, 1)
	reports(t, 9, "%d closed within %v", n, longest.Round(time.Millisecond))
}

// TestFaultStates is a part of fault row 10, on the wire; net/gateway/session.TestMatrix has all opcodes in all states.
func TestFaultStates(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	early := &visitor{t: t, name: "EARLY"}
	early.dial(s.world)
	early.await(msg.OpAuthChallenge, new(msg.AuthChallenge))
	early.say(msg.OpCharEnumQuery, &msg.Empty{})
	ends(t, early.socket)
	s.counted("closed."+session.BeforeLogin, 1)

	again := visit(t, s, "AGAIN")
	again.say(msg.OpAuthSession, &msg.AuthSession{Build: uint32(wire.V12340), Account: "AGAIN"})
	ends(t, again.socket)
	s.counted("closed."+session.SecondLogin, 1)

	v := visit(t, s, "VISITOR")
	v.create("Visitor")
	v.say(msg.OpMoveHeartbeat, &msg.Move{Mover: 1})
	v.say(msg.OpAttackSwing, &msg.AttackSwing{GUID: 1})
	bystander{v}.echo()
	s.counted(session.WrongState, 2)
	v.enter()
	eventually(t, "the visitor is in the world", func() bool { return s.stats().World == 1 })
	v.say(msg.OpCharCreate, &msg.CharCreate{Name: "Other", Look: msg.Look{Race: 1, Class: 1}})
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	bystander{v}.echo()
	s.counted(session.WrongState, 4)
	reports(t, 10, "of 6 at the wrong time 2 ended their connection, and 4 were ignored")
}

// TestFaultDigests is fault row 11. Answers are encrypted as soon as the key is known, and read so.
func TestFaultDigests(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	var used [20]byte
	ok := authenticate(t, s, "KNOWN")
	ok.greet(s, func(m *msg.AuthSession) { used = m.Digest })
	ok.socket.Close()
	for _, c := range []struct {
		name   string
		change func(*msg.AuthSession)
		want   msg.Result
		reason string
	}{
		{"a wrong digest", func(m *msg.AuthSession) { m.Digest[7] ^= 1 }, msg.AuthFailed, session.WrongDigest},
		{"one that was used", func(m *msg.AuthSession) { m.Digest = used }, msg.AuthFailed, session.WrongDigest},
		{"another realm", func(m *msg.AuthSession) { m.Realm = 77 }, msg.AuthRealmNotFound, session.RealmNotFound},
		{"another build", func(m *msg.AuthSession) { m.Build = 12341 }, msg.AuthVersionMismatch, session.VersionMismatch},
	} {
		before := s.condition().Counters["closed."+c.reason]
		v := authenticate(t, s, "KNOWN")
		if got := v.greet(s, c.change); got.Result != c.want {
			t.Errorf("%s: answered with %#x, want %#x", c.name, got.Result, c.want)
		}
		ends(t, v.socket)
		s.counted("closed."+c.reason, before+1)
	}
	reports(t, 11, "4 refused, each with its answer")
}

// deflated is n bytes of zeroes, as zlib has them.
func deflated(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err == nil {
		_, err = w.Write(make([]byte, n))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFaultAddons is fault row 12.
func TestFaultAddons(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	bomb := deflated(t, 8<<20) // as many bytes as fit into a packet
	many := endian.LittleEndian.AppendUint32(nil, 0xFFFFFFFF)
	var claims bytes.Buffer
	w := zlib.NewWriter(&claims)
	w.Write(many)
	w.Close()
	before := resident(t, s)
	times := size(1000, 40)
	for i := range times {
		size, block := uint32(0xFFFFFFFF), bomb
		switch i % 5 {
		case 1:
			size = msg.MaxAddonBlock
		case 2:
			size, block = 100, bomb[:20] // torn
		case 3:
			size, block = uint32(len(many)), claims.Bytes() // of more addons than there are bytes
		case 4:
			size, block = 64<<10, []byte("no zlib at all")
		}
		v := authenticate(t, s, "ADDONS")
		if got := v.greet(s, func(m *msg.AuthSession) { m.AddonSize, m.AddonBlock = size, block }); got.Result != msg.AuthOK {
			t.Fatalf("%d: answered with %#x", i, got.Result)
		}
		v.socket.Close()
	}
	s.counted(session.BadAddons, uint64(times))
	grown := resident(t, s) - before
	if limit := int64(64 << 20); grown > limit {
		t.Errorf("the server has grown by %d bytes, more than %d", grown, limit)
	}
	reports(t, 12, "%d blocks, %.1f MB more memory", times, float64(grown)/(1<<20))
}

// TestFaultAccountData is fault row 13.
func TestFaultAccountData(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--creatures", "0")
	v := visit(t, s, "DATA")
	stream := deflated(t, 0xFFFF)
	for _, m := range []msg.UpdateAccountData{
		{Cache: 8, Size: 100, Stream: stream}, {Cache: 0xFFFFFFFF, Size: 100, Stream: stream},
		{Cache: 1, Size: 0x10000, Stream: stream}, {Cache: 1, Size: 0xFFFFFFFF, Stream: stream},
	} {
		v.say(msg.OpUpdateAccountData, &m)
	}
	bystander{v}.echo()
	s.counted(session.BadAccountData, 4)
	for _, m := range []msg.UpdateAccountData{{Cache: 1, Size: 0xFFFF, Stream: stream}, {Cache: 1}} { // kept, and deleted
		v.say(msg.OpUpdateAccountData, &m)
		var saved msg.AccountDataSaved
		if v.await(msg.OpAccountDataSaved, &saved); saved.Cache != m.Cache {
			t.Errorf("%d bytes are answered with %+v", m.Size, saved)
		}
	}
	before := resident(t, s)
	flood := visit(t, s, "FLOOD")
	var all []byte
	for range 1000 {
		b := msg.ClientPacket(nil, wire.V12340, msg.OpUpdateAccountData, &msg.UpdateAccountData{Cache: 2, Size: 0xFFFF, Stream: stream})
		flood.toThem.XOR(b[:wire.ClientHeaderLen])
		all = append(all, b...)
	}
	tooMany := func() (held, closed uint64) {
		counters := s.condition().Counters
		return counters["flood."+session.Rates[session.Bulk].Name], counters["closed."+session.TooMuchInput]
	}
	withstands(t, s, 13, func(ctx context.Context) {
		var writing sync.WaitGroup
		writing.Go(func() { flood.socket.Write(all) })
		eventually(t, "a thousand a second are too many", func() bool {
			held, closed := tooMany()
			return held+closed > 0
		})
		flood.socket.Close()
		writing.Wait()
	})
	eventually(t, "the flood is over", func() bool { return s.stats().Select == 1 })
	held, closed := tooMany()
	reports(t, 13, "4 refused; of a thousand at once %d held up, %d closed as %s, %.1f MB more memory", held, closed, session.TooMuchInput,
		float64(resident(t, s)-before)/(1<<20))
}

// TestFaultDesync is fault row 14.
func TestFaultDesync(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	var others []bystander
	for i := range 5 {
		v := visit(t, s, fmt.Sprint("OTHER", i))
		v.create("Other" + string(rune('a'+i)))
		v.enter()
		others = append(others, bystander{v})
	}
	for bit := range 8 * 2 { // of the size
		v := visit(t, s, "FLIP")
		b := msg.ClientPacket(nil, wire.V12340, msg.OpKeepAlive, &msg.Empty{})
		v.toThem.XOR(b[:wire.ClientHeaderLen])
		b[bit/8] ^= 1 << (bit % 8)
		v.write(b)
		// A size that is larger, and possible, takes what follows for a body; the header after that is nonsense.
		for range 3 {
			junk := msg.ClientPacket(nil, wire.V12340, msg.OpPing, &msg.Ping{})
			v.toThem.XOR(junk[:wire.ClientHeaderLen])
			if _, err := v.socket.Write(junk); err != nil {
				break
			}
		}
		v.socket.(*net.TCPConn).CloseWrite()
		ends(t, v.socket)
	}
	for _, c := range others {
		c.echo()
	}
	if in := s.stats().World; in != len(others) {
		t.Errorf("%d are in the world, want %d", in, len(others))
	}
	n := s.condition().Counters["closed."+session.BadHeader]
	if n == 0 {
		t.Errorf("no connection was closed as %s, but %v", session.BadHeader, gateway.Peer)
	}
	reports(t, 14, "16 flips, %d closed as %s, 0 others ended", n, session.BadHeader)
}
