package swarm

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

// server is just enough of a 3.3.5a server to be swarmed: one login port, one world port, a world in which all
// see each other. It writes its packets by hand, so that it shares as little as possible with what it tests.
type server struct {
	t        *testing.T
	password string
	misdeed  misdeed
	auth     net.Listener
	world    net.Listener
	wait     sync.WaitGroup

	mu       sync.Mutex
	keys     map[string][40]byte
	salt     [32]byte
	names    map[string]uint64   // by account
	taken    map[string]bool     // names
	online   map[uint64]*session // in the world
	nextGUID uint64
	conns    map[net.Conn]bool

	proofs  map[string]int // refused so far, by account
	pings   int
	moves   map[uint16]int // received, by opcode
	sync    int
	created int

	sentPackets, sentBytes         atomic.Uint64
	receivedPackets, receivedBytes atomic.Uint64
}

// misdeed is what a server does wrong.
type misdeed struct {
	refuseProofs int         // of each account, before the first good one
	takenNames   int         // how many names are refused with 0x32, in all
	hangUpAfter  int         // moves of one client, then its socket is closed
	mute         bool        // says nothing after AUTH_SESSION
	enter        []rawPacket // sent to all after the creates
	echo         bool        // relays to the mover as well
	noRelay      bool
	again        bool // sends the client's own create twice
	hideAll      bool // shows no client to another
	hangAfter    int  // moves with a new position, in all: then it neither relays nor answers pings
	nudge        bool // changes the x of what it relays
}

type rawPacket struct {
	op   uint16
	body []byte
}

type session struct {
	server  *server
	conn    net.Conn
	account string
	guid    uint64
	x, y    float32
	mu      sync.Mutex
	out     crypt.Cipher
	crypted bool
}

func newServer(t *testing.T, m misdeed) *server {
	t.Helper()
	s := &server{
		t: t, password: "secret", misdeed: m, nextGUID: 100,
		keys: map[string][40]byte{}, names: map[string]uint64{}, taken: map[string]bool{},
		online: map[uint64]*session{}, conns: map[net.Conn]bool{}, proofs: map[string]int{}, moves: map[uint16]int{},
	}
	s.salt[3] = 7
	s.world = s.listen(s.serveWorld)
	s.auth = s.listen(s.serveAuth)
	t.Cleanup(s.close)
	return s
}

func (s *server) listen(serve func(net.Conn) error) net.Listener {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns[conn] = true
			s.mu.Unlock()
			s.wait.Add(1)
			go func() {
				defer s.wait.Done()
				if err := serve(conn); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) &&
					!strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
					s.t.Errorf("fake server: %v", err)
				}
				conn.Close()
				s.mu.Lock()
				delete(s.conns, conn)
				s.mu.Unlock()
			}()
		}
	}()
	return l
}

// close waits until the server has read all that its clients have sent before they hung up: what it has counted is
// whole then.
func (s *server) close() {
	s.auth.Close()
	s.world.Close()
	impatient := time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for conn := range s.conns {
			s.t.Errorf("fake server: %v has not hung up", conn.RemoteAddr())
			conn.Close()
		}
	})
	s.wait.Wait()
	impatient.Stop()
}

// patience is how long a client may take to hang up.
const patience = 2 * time.Minute

// serveAuth speaks protocol.md 1.1.
func (s *server) serveAuth(conn net.Conn) error {
	r := bufio.NewReader(conn)
	head := make([]byte, 34)
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	name := make([]byte, head[33])
	if _, err := io.ReadFull(r, name); err != nil {
		return err
	}
	account := string(name)
	if head[0] != 0 || int(binary.LittleEndian.Uint16(head[2:])) != 30+len(name) ||
		binary.LittleEndian.Uint16(head[11:]) != 12340 || account != strings.ToUpper(account) {
		s.t.Errorf("challenge % x %q", head, name)
	}
	srp, err := crypt.NewServer(rand.Reader, account, s.salt, crypt.Verifier(account, s.password, s.salt))
	if err != nil {
		return err
	}
	B := srp.Public()
	reply := append([]byte{0, 0, 0}, B[:]...)
	reply = append(reply, 1, 7, 32)
	reply = append(reply, prime[:]...)
	reply = append(reply, s.salt[:]...)
	reply = append(reply, make([]byte, 17)...)
	// Byte by byte at first: a client must not take a segment for a packet.
	for _, part := range [][]byte{reply[:1], reply[1:50], reply[50:]} {
		if _, err := conn.Write(part); err != nil {
			return err
		}
	}

	proof := make([]byte, 75)
	if _, err := io.ReadFull(r, proof); err != nil {
		return err
	}
	K, M2, ok := srp.Proof([32]byte(proof[1:33]), [20]byte(proof[33:53]))
	s.mu.Lock()
	s.proofs[account]++
	if s.proofs[account] <= s.misdeed.refuseProofs {
		ok = false
	}
	s.keys[account] = K
	s.mu.Unlock()
	if !ok {
		_, err := conn.Write([]byte{1, 4, 0, 0})
		return err
	}
	reply = append([]byte{1, 0}, M2[:]...)
	reply = append(reply, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)
	if _, err := conn.Write(reply); err != nil {
		return err
	}

	ask := make([]byte, 5)
	if _, err := io.ReadFull(r, ask); err != nil {
		return err
	}
	realm := append([]byte{0, 0, 0, 0, 1, 0, 0, 0, 0}, "Fake\x00"...) // u32 0, u16 1, type, locked, flags
	realm = append(realm, s.world.Addr().String()+"\x00"...)
	realm = append(realm, 0, 0, 0, 0, 1, 1, 5, 0x10, 0) // population, characters, category, id 5, footer
	reply = binary.LittleEndian.AppendUint16([]byte{0x10}, uint16(len(realm)))
	if _, err := conn.Write(append(reply, realm...)); err != nil {
		return err
	}
	_, err = r.ReadByte()
	return err
}

// prime is N as sent. Source: protocol.md 1.3.
var prime = [32]byte{
	0xB7, 0x9B, 0x3E, 0x2A, 0x87, 0x82, 0x3C, 0xAB, 0x8F, 0x5E, 0xBF, 0xBF, 0x8E, 0xB1, 0x01, 0x08,
	0x53, 0x50, 0x06, 0x29, 0x8B, 0x5B, 0xAD, 0xBD, 0x5B, 0x53, 0xE1, 0x89, 0x5E, 0x64, 0x4B, 0x89,
}

// serveWorld speaks protocol.md 2.
func (s *server) serveWorld(conn net.Conn) error {
	p := &session{server: s, conn: conn}
	defer s.forget(p)
	seed := [4]byte{1, 2, 3, 4}
	p.send(0x1EC, append(append([]byte{1, 0, 0, 0}, seed[:]...), make([]byte, 32)...))
	var in crypt.Cipher
	r := bufio.NewReader(conn)
	for moves := 0; ; {
		head := make([]byte, 6)
		if _, err := io.ReadFull(r, head); err != nil {
			return err
		}
		if p.crypted {
			in.XOR(head)
		}
		op, size, _ := wire.ClientHeader(head)
		if size < 0 || size > 10000 {
			s.t.Errorf("header % x", head)
			return nil
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		s.receivedPackets.Add(1)
		s.receivedBytes.Add(uint64(6 + size))
		if op == 0x1ED {
			account, _, _ := strings.Cut(string(body[8:]), "\x00")
			tail := body[8+len(account)+1:]
			s.mu.Lock()
			K := s.keys[account]
			s.mu.Unlock()
			want := crypt.WorldProof(account, [4]byte(tail[4:8]), seed, K)
			if realm := binary.LittleEndian.Uint32(tail[16:]); realm != 5 || [20]byte(tail[28:48]) != want ||
				binary.LittleEndian.Uint32(body) != 12340 || binary.LittleEndian.Uint32(tail[48:]) != 0 || len(tail) != 52 {
				s.t.Errorf("CMSG_AUTH_SESSION % x", body)
			}
			p.account = account
			in, p.out, p.crypted = crypt.ClientToServer(K), crypt.ServerToClient(K), true
			if !s.misdeed.mute {
				p.send(0x1EE, []byte{0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2})
			}
			continue
		}
		if op == 0xB5 || op == 0xEE {
			if moves++; moves == s.misdeed.hangUpAfter {
				return nil
			}
		}
		if err := p.handle(uint16(op), body); err != nil {
			return err
		}
	}
}

func (s *server) forget(p *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.online[p.guid] != p {
		return
	}
	delete(s.online, p.guid)
	for _, other := range s.online {
		other.send(0xAA, binary.LittleEndian.AppendUint64(nil, p.guid), 0)
	}
}

func (p *session) handle(op uint16, body []byte) error {
	s := p.server
	s.mu.Lock()
	defer s.mu.Unlock()
	switch op {
	case 0x4FF, 0x26A:
	case 0x38C:
		p.send(0x38B, append(append(body[:4:4], 0, 0, 0, 0), "01/01/01\x00"...))
	case 0x037:
		guid, ok := s.names[p.account]
		if !ok {
			p.send(0x03B, []byte{0})
			break
		}
		record := binary.LittleEndian.AppendUint64([]byte{1}, guid)
		record = append(record, "Somebody\x00"...)
		p.send(0x03B, append(record, make([]byte, 261)...))
	case 0x036:
		name, _, _ := strings.Cut(string(body), "\x00")
		if s.misdeed.takenNames > 0 || s.taken[name] {
			s.misdeed.takenNames--
			s.taken[name] = true
			p.send(0x03A, []byte{0x32})
			break
		}
		s.taken[name] = true
		s.names[p.account] = s.nextGUID
		s.nextGUID++
		s.created++
		p.send(0x03A, []byte{0x2F})
	case 0x03D:
		p.enter(binary.LittleEndian.Uint64(body))
	case 0x1DC:
		s.pings++
		if s.hangs() {
			break
		}
		p.send(0x1DD, body[:4])
	case 0x391:
		s.sync++
	case 0x0B5, 0x0B7, 0x0DA, 0x0EE:
		s.moves[op]++
		guid, n := wire.ReadPackedGUID(body)
		if guid != p.guid {
			s.t.Errorf("%#x moves %#x", p.guid, guid)
		}
		p.x = math.Float32frombits(binary.LittleEndian.Uint32(body[n+10:]))
		p.y = math.Float32frombits(binary.LittleEndian.Uint32(body[n+14:]))
		if s.misdeed.noRelay || s.hangs() {
			break
		}
		if s.misdeed.nudge {
			body[n+10] ^= 1
		}
		for _, other := range s.online {
			if other != p || s.misdeed.echo {
				other.send(op, body)
			}
		}
	default:
		s.t.Errorf("opcode %#x", op)
	}
	return nil
}

// hangs reports whether the server has stopped answering.
func (s *server) hangs() bool {
	return s.misdeed.hangAfter > 0 && s.moves[0xEE]+s.moves[0xB7] > s.misdeed.hangAfter
}

func (p *session) enter(guid uint64) {
	s := p.server
	p.guid = guid
	p.x, p.y = 10*float32(len(s.online)), 5
	verify := binary.LittleEndian.AppendUint32(nil, 1)
	p.send(0x236, appendFloats(verify, p.x, p.y, 50, 1))
	p.send(0x0A9, createBlock(p, true))
	if s.misdeed.again {
		p.send(0x0A9, createBlock(p, true))
	}
	p.send(0x390, []byte{0, 0, 0, 0})
	for _, other := range s.online {
		if s.misdeed.hideAll {
			break
		}
		p.send(0x0A9, createBlock(other, false))
		other.send(0x0A9, createBlock(p, false))
	}
	s.online[guid] = p
	for _, packet := range s.misdeed.enter {
		p.send(packet.op, packet.body)
	}
}

// send writes one packet, in two parts that cut the header, so that the client has to put it together.
func (p *session) send(op uint16, bodies ...any) {
	var body []byte
	for _, b := range bodies {
		switch b := b.(type) {
		case []byte:
			body = append(body, b...)
		case int:
			body = append(body, byte(b))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	packet := wire.AppendServerHeader(nil, op, len(body))
	if p.crypted {
		p.out.XOR(packet)
	}
	packet = append(packet, body...)
	p.server.sentPackets.Add(1)
	p.server.sentBytes.Add(uint64(len(packet)))
	_, _ = p.conn.Write(packet[:3])
	_, _ = p.conn.Write(packet[3:])
}

func appendFloats(b []byte, values ...float32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// createBlock is an UPDATE_OBJECT with one CREATE_OBJECT2 of a player, protocol.md 4.2.
func createBlock(p *session, self bool) []byte {
	b := []byte{1, 0, 0, 0, 3}
	b = wire.AppendPackedGUID(b, p.guid)
	b = append(b, 4)
	if self {
		b = append(b, 0x61, 0)
	} else {
		b = append(b, 0x60, 0)
	}
	b = append(b, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) // flags, extra flags, time
	b = appendFloats(b, p.x, p.y, 50, 1)
	b = append(b, 0, 0, 0, 0)
	b = appendFloats(b, 2.5, 7, 4.5, 4.722222, 2.5, 7, 4.5, 3.141594, 3.14)
	b = append(b, 1, 0x05, 0, 0, 0) // one mask word: fields 0 and 2
	b = binary.LittleEndian.AppendUint32(b, uint32(p.guid))
	return binary.LittleEndian.AppendUint32(b, 0x19)
}
