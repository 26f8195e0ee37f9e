package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1"
	endian "encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/internal/conformance"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A speaker says exactly the bytes that a script gives it, and reads what comes as one of the public clients of
// protocol.md 3 does. A witness holds all that comes from the world against what those clients rely on.
type speaker struct {
	t       *testing.T
	server  *served
	account string
	socket  net.Conn
	key     [40]byte
	keyed   bool
	in, out crypt.Cipher
	seed    [4]byte
	guid    uint64
	sight   *conformance.Client
	hears   func(op uint16, body []byte) // what the client does whenever a packet comes
}

func newSpeaker(t *testing.T, server *served, account string) *speaker {
	return &speaker{
		t: t, server: server, account: account, sight: conformance.New(conformance.Config{}),
		hears: func(uint16, []byte) {},
	}
}

// bytesOf puts numbers, little endian, and strings, as they are, one behind the other.
func bytesOf(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		default:
			b, _ = endian.Append(b, endian.LittleEndian, p)
		}
	}
	return b
}

func (s *speaker) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", s.account, err)
	}
}

func (s *speaker) dial(address string) {
	s.t.Helper()
	var err error
	s.socket, err = net.Dial("tcp", address)
	s.check(err)
	socket := s.socket
	s.t.Cleanup(func() { socket.Close() })
	s.check(socket.SetDeadline(time.Now().Add(patience)))
	s.keyed = false
	s.sight.Reset(conformance.NewDecoder(conformance.Config{}))
}

func (s *speaker) write(b []byte) {
	s.t.Helper()
	_, err := s.socket.Write(b)
	s.check(err)
}

// exactly reads n bytes, in as many reads as it takes.
func (s *speaker) exactly(n int) []byte {
	s.t.Helper()
	b := make([]byte, n)
	_, err := io.ReadFull(s.socket, b)
	s.check(err)
	return b
}

// segment is what one read gives.
func (s *speaker) segment() []byte {
	s.t.Helper()
	b := make([]byte, 4096)
	n, err := s.socket.Read(b)
	s.check(err)
	return b[:n]
}

// challenge is the opening of a login, protocol.md 1.1.
func (s *speaker) challenge(protocol uint8, game, platform, os, locale string) []byte {
	return bytesOf(uint8(0), protocol, uint16(30+len(s.account)), game, [3]uint8{3, 3, 5}, uint16(12340), platform, os,
		locale, int32(0), [4]byte{127, 0, 0, 1}, uint8(len(s.account)), s.account)
}

// prove answers the server's public key and salt. The proof has no leading zero byte that a client without padding
// would leave out: one in 137 of their logins fails anywhere, protocol.md 1.3.
func (s *speaker) prove(public, salt []byte) (A [32]byte, M1, M2 [20]byte) {
	s.t.Helper()
	if public[31] == 0 {
		s.t.Errorf("%s: the server's public key begins with a zero byte: % x", s.account, public)
	}
	for A[31] == 0 {
		client, err := crypt.NewClient(rand.Reader, s.account, defaultPassword)
		s.check(err)
		A, M1, s.key, M2, err = client.Answer([32]byte(public), [32]byte(salt))
		s.check(err)
	}
	return A, M1, M2
}

// enterRealm reads the body of a realm list as clients do that know of no flag 4, and connects to its only realm.
func (s *speaker) enterRealm(list []byte) {
	s.t.Helper()
	const before, after = 4 + 2, 2 // u32, count; footer
	count, rest := endian.LittleEndian.Uint16(list[4:]), list[before:]
	if count != 1 || rest[2]&4 != 0 {
		s.t.Fatalf("%s: realm list % x", s.account, list)
	}
	name, rest, _ := bytes.Cut(rest[3:], []byte{0})
	address, rest, ok := bytes.Cut(rest, []byte{0})
	if !ok || len(rest) != 7+after || rest[6] != 1 || string(name) != "muster" {
		s.t.Fatalf("%s: realm list % x", s.account, list)
	}
	if _, _, err := net.SplitHostPort(string(address)); err != nil {
		s.t.Errorf("%s: realm at %q: %v", s.account, address, err)
	}
	s.socket.Close()
	s.dial(string(address))
}

// session is CMSG_AUTH_SESSION with the fields in which clients differ. What is said next is encrypted.
func (s *speaker) session(dos uint64, addons []byte) {
	s.t.Helper()
	var clientSeed [4]byte
	rand.Read(clientSeed[:])
	digest := sha1.Sum(bytesOf(s.account, uint32(0), clientSeed, s.seed, s.key))
	s.say(0x1ED, uint32(12340), uint32(0), s.account, uint8(0), uint32(0), clientSeed, uint32(0), uint32(0), uint32(1),
		dos, digest, addons)
	s.in, s.out, s.keyed = crypt.ServerToClient(s.key), crypt.ClientToServer(s.key), true
}

// greeted waits for SMSG_AUTH_CHALLENGE, which comes first.
func (s *speaker) greeted() {
	s.t.Helper()
	op, body := s.next()
	if op != 0x1EC || len(body) != 40 {
		s.t.Fatalf("%s: greeted with %#x % x", s.account, op, body)
	}
	s.seed = [4]byte(body[4:])
}

// welcomed waits for SMSG_AUTH_RESPONSE, which has 11 bytes: rule 5.
func (s *speaker) welcomed() {
	s.t.Helper()
	if body := s.await(0x1EE); !bytes.Equal(body, []byte{0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}) {
		s.t.Fatalf("%s: the session is answered with % x", s.account, body)
	}
}

func (s *speaker) say(op uint32, parts ...any) {
	s.t.Helper()
	body := bytesOf(parts...)
	head := endian.BigEndian.AppendUint16(nil, uint16(4+len(body)))
	head = endian.LittleEndian.AppendUint32(head, op)
	if s.keyed {
		s.out.XOR(head)
	}
	s.write(append(head, body...))
}

func (s *speaker) next() (op uint16, body []byte) {
	s.t.Helper()
	head := s.exactly(4)
	if s.keyed {
		s.in.XOR(head)
	}
	if head[0]&0x80 != 0 { // rule 12
		s.t.Fatalf("%s: a packet of 32 KiB or more: % x", s.account, head)
	}
	body = s.exactly(int(endian.BigEndian.Uint16(head)) - 2)
	op = endian.LittleEndian.Uint16(head[2:])
	s.sight.Packet(op, body)
	if op == 0x0DD {
		s.walks(body)
	}
	s.hears(op, body)
	return op, body
}

// walks holds an SMSG_MONSTER_MOVE to the flags that clients read alike, protocol.md 4.4: rule 10.
func (s *speaker) walks(body []byte) {
	s.t.Helper()
	_, n := wire.ReadPackedGUID(body)
	const stop = 1
	facing := map[uint8]int{0: 0, 2: 12, 3: 8, 4: 4} // bytes by kind
	rest := body[n+1+12+4:]
	if kind := rest[0]; kind != stop {
		if flags := endian.LittleEndian.Uint32(rest[1+facing[kind]:]); flags&^0x1000 != 0 {
			s.t.Errorf("%s: a path has flags %#x", s.account, flags)
		}
	}
}

// await reads up to a packet.
func (s *speaker) await(want uint16) []byte {
	s.t.Helper()
	return s.until(func(op uint16, _ []byte) bool { return op == want })
}

// until reads up to a packet that is it.
func (s *speaker) until(is func(op uint16, body []byte) bool) []byte {
	s.t.Helper()
	for {
		if op, body := s.next(); is(op, body) {
			return body
		}
	}
}

// characters are those of the list that comes next, which is to the byte as long as clients expect.
func (s *speaker) characters() []msg.Character {
	s.t.Helper()
	body := s.await(0x03B)
	var m msg.CharEnum
	s.check(msg.Decode(wire.V12340, body, &m))
	length := 1
	for _, c := range m.Characters {
		length += len(c.Name) + 270
	}
	if len(body) != length {
		s.t.Errorf("%s: %d bytes list %+v", s.account, len(body), m.Characters)
	}
	return m.Characters
}

// create asks for a character; the answer is not awaited.
func (s *speaker) create(name string, race, class uint8) {
	s.t.Helper()
	s.say(0x036, name, uint8(0), race, class, [7]uint8{})
}

// login enters the world with a character. Clients act soon after SMSG_LOGIN_VERIFY_WORLD, and trust that they are
// there: rule 7. The first question for the time comes without delay, too.
func (s *speaker) login(guid uint64) (at []byte) {
	s.t.Helper()
	s.guid = guid
	s.sight.Enter(guid)
	s.say(0x03D, guid)
	at = s.await(0x236)
	asked := false
	s.until(func(op uint16, _ []byte) bool {
		asked = asked || op == 0x390
		return s.sight.Knows(guid)
	})
	if asked { // both are of the first tick
		s.t.Errorf("%s: TIME_SYNC_REQ came before its own CREATE", s.account)
	}
	if body := s.await(0x390); !bytes.Equal(body, make([]byte, 4)) {
		s.t.Errorf("%s: the first TIME_SYNC_REQ is % x", s.account, body)
	}
	if len(at) != 20 {
		s.t.Fatalf("%s: LOGIN_VERIFY_WORLD % x", s.account, at)
	}
	return at[4:]
}

// keepsTime answers each question for the time.
func (s *speaker) keepsTime(op uint16, body []byte) {
	if op == 0x390 {
		s.say(0x391, body, uint32(1000))
	}
}

// company has another client come, walk, and go, and waits until all of that was seen.
func (s *speaker) company() {
	s.t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := swarm.Run(context.Background(), swarm.Config{
			Auth: s.server.auth, Prefix: "COMPANY", Password: defaultPassword, Strict: true, Clients: 1, Duration: 1500 * time.Millisecond, Login: 2 * patience,
		})
		ended <- err
	}()
	var guid uint64
	appeared := func(uint16, []byte) bool {
		for other := range s.sight.GUIDs() {
			if o, _ := s.sight.Object(other); o.TypeID == 4 && other != s.guid {
				guid = other
			}
		}
		return guid != 0
	}
	s.until(appeared)
	s.until(func(op uint16, body []byte) bool {
		mover, _ := wire.ReadPackedGUID(body)
		return op == 0x0EE && mover == guid
	})
	s.until(func(uint16, []byte) bool { return !s.sight.Knows(guid) })
	s.check(<-ended)
}

// content holds all that came against the rules.
func (s *speaker) content() {
	s.t.Helper()
	if v := s.sight.Violations(); v.Total() != 0 {
		s.t.Errorf("%s: %v", s.account, s.sight.Texts())
	}
	const spline = 0x08000000
	for _, o := range s.sight.Objects() {
		if o.Flags&spline != 0 { // rule 10
			s.t.Errorf("%s: %#x was created on a path", s.account, o.GUID)
		}
		if o.GUID != s.guid && uint32(o.GUID) == uint32(s.guid) { // rule 9
			s.t.Errorf("%s: %#x looks like the client's own %#x", s.account, o.GUID, s.guid)
		}
	}
}

// creature is one that the client knows.
func (s *speaker) creature() uint64 {
	s.t.Helper()
	for _, o := range s.sight.Objects() {
		if o.TypeID == 3 {
			return o.GUID
		}
	}
	s.t.Fatalf("%s: no creature in sight", s.account)
	return 0
}

// asksName sends CMSG_NAME_QUERY and returns the answer.
func (s *speaker) asksName(guid uint64) []byte {
	s.t.Helper()
	s.say(0x050, guid)
	return s.await(0x051)
}
