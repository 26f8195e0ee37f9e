package main

import (
	"crypto/rand"
	"errors"
	"io"
	"net"
	"runtime"
	"slices"
	"testing"
	"time"

	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A visitor is one client that does as the test says.
type visitor struct {
	t        *testing.T
	name     string
	socket   net.Conn
	key      [40]byte
	keyed    bool
	fromThem crypt.Cipher
	toThem   crypt.Cipher
	guid     uint64
	pings    uint32
	reads    func(op uint16, body []byte) // is given what comes, if it is not nil
	says     func(packet []byte)          // is given what is sent, with a plain header, if it is not nil
	dialer   net.Dialer
	mortal   bool        // the end of the connection ends the goroutine, and is no failure
	fails    func(error) // is given what ends the goroutine of a mortal one, if it is not nil
}

// visit logs an account in with the default password, up to the character screen.
func visit(t *testing.T, s *served, account string) *visitor {
	t.Helper()
	v := authenticate(t, s, account)
	if welcome := v.greet(s, func(*msg.AuthSession) {}); welcome.Result != msg.AuthOK {
		t.Fatalf("%s: the session was answered with %#x", account, welcome.Result)
	}
	return v
}

// authenticate logs an account in with the default password, as far as the login server has to do with it.
func authenticate(t *testing.T, s *served, account string) *visitor {
	t.Helper()
	v := &visitor{t: t, name: account}
	v.dial(s.auth)
	v.write(login.AppendChallenge(nil, account))
	challenge := reply(v, login.ParseChallengeReply)
	K := v.proves(challenge)
	if proof := reply(v, login.ParseProofReply); proof.Result != login.Success {
		t.Fatalf("%s: the proof was answered with %#x", account, proof.Result)
	}
	v.socket.Close()
	v.key = K
	return v
}

// greet connects to the world with the key of the login. What is said of it may be changed.
func (v *visitor) greet(s *served, change func(*msg.AuthSession)) (welcome msg.AuthResponse) {
	v.t.Helper()
	v.hail(s, change)
	v.await(msg.OpAuthResponse, &welcome)
	return welcome
}

// hail is greet without the answer.
func (v *visitor) hail(s *served, change func(*msg.AuthSession)) {
	v.t.Helper()
	v.dial(s.world)
	v.keyed = false
	var hello msg.AuthChallenge
	v.await(msg.OpAuthChallenge, &hello)
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: v.name, Realm: 1, ClientSeed: [4]byte{1, 2, 3, 4}}
	session.Digest = crypt.WorldProof(v.name, session.ClientSeed, hello.Seed, v.key)
	change(&session)
	v.say(msg.OpAuthSession, &session)
	v.fromThem, v.toThem, v.keyed = crypt.ServerToClient(v.key), crypt.ClientToServer(v.key), true
}

// proves answers a challenge with the default password, and returns the session key.
func (v *visitor) proves(challenge login.ChallengeReply) (key [40]byte) {
	v.t.Helper()
	client, err := crypt.NewClient(rand.Reader, v.name, defaultPassword)
	v.check(err)
	A, M1, key, _, err := client.Answer(challenge.Public, challenge.Salt)
	v.check(err)
	v.write(login.AppendProof(nil, A, M1))
	return key
}

// list is what the character screen shows.
func (v *visitor) list() []msg.Character {
	v.t.Helper()
	v.say(msg.OpCharEnumQuery, &msg.Empty{})
	var m msg.CharEnum
	v.await(msg.OpCharEnum, &m)
	return m.Characters
}

// create makes a character.
func (v *visitor) create(name string) {
	v.t.Helper()
	v.say(msg.OpCharCreate, &msg.CharCreate{Name: name, Look: msg.Look{Race: 1, Class: 1}})
	var m msg.CharResult
	if v.await(msg.OpCharCreateResult, &m); m.Result != msg.CharCreated {
		v.t.Fatalf("%s: the creation of %s was answered with %#x", v.name, name, m.Result)
	}
}

// enter goes into the world with the only character, and returns where that is.
func (v *visitor) enter() (at msg.Place) {
	v.t.Helper()
	all := v.list()
	if len(all) != 1 {
		v.t.Fatalf("%s has %d characters, want 1", v.name, len(all))
	}
	v.guid = all[0].GUID
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	v.await(msg.OpLoginVerifyWorld, &at)
	if list := (msg.Place{Map: all[0].Map, Position: all[0].Position, Orientation: at.Orientation}); list != at {
		v.t.Errorf("%s: the character screen said %+v, the world %+v", v.name, list, at)
	}
	return at
}

// move goes to a place, and returns when the server has read it.
func (v *visitor) move(to msg.Place) {
	v.t.Helper()
	v.say(msg.OpMoveHeartbeat, &msg.Move{Mover: v.guid, Movement: msg.Movement{
		X: to.Position.X, Y: to.Position.Y, Z: to.Position.Z, O: to.Orientation,
	}})
	v.pings++
	v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
	var m msg.Pong
	if v.await(msg.OpPong, &m); m.Sequence != v.pings {
		v.t.Fatalf("%s: pong %d for ping %d", v.name, m.Sequence, v.pings)
	}
}

func (v *visitor) dial(address string) {
	v.t.Helper()
	var err error
	v.socket, err = v.dialer.Dial("tcp", address)
	v.check(err)
	socket := v.socket // the next one may not come to be
	v.t.Cleanup(func() { socket.Close() })
	v.check(v.socket.SetDeadline(time.Now().Add(patience)))
}

func (v *visitor) write(b []byte) {
	v.t.Helper()
	_, err := v.socket.Write(b)
	v.check(err)
}

func (v *visitor) say(op uint16, m msg.Message) {
	v.t.Helper()
	b := msg.ClientPacket(nil, wire.V12340, op, m)
	if v.says != nil {
		v.says(slices.Clone(b))
	}
	if v.keyed {
		v.toThem.XOR(b[:wire.ClientHeaderLen])
	}
	v.write(b)
}

// await reads up to a packet.
func (v *visitor) await(want uint16, m msg.Message) {
	v.t.Helper()
	for {
		if op, body := v.next(); op == want {
			v.check(msg.Decode(wire.V12340, body, m))
			return
		}
	}
}

// next reads a packet.
func (v *visitor) next() (op uint16, body []byte) {
	v.t.Helper()
	header := make([]byte, 5)
	v.read(header[:4])
	op, n, _, ok := wire.ServerHeader(header[:4])
	if !ok { // a long one
		v.read(header[4:])
		op, n, _, _ = wire.ServerHeader(header)
	}
	if n < 0 { // a session that is refused is answered in plain: read as if it were not, its size is any
		v.check(errors.New("no packet is so short"))
	}
	body = make([]byte, n)
	_, err := io.ReadFull(v.socket, body)
	v.check(err)
	if v.reads != nil {
		v.reads(op, body)
	}
	return op, body
}

// read reads a part of a header.
func (v *visitor) read(b []byte) {
	v.t.Helper()
	_, err := io.ReadFull(v.socket, b)
	v.check(err)
	if v.keyed {
		v.fromThem.XOR(b)
	}
}

func (v *visitor) check(err error) {
	v.t.Helper()
	switch {
	case err == nil:
		return
	case !v.mortal:
		v.t.Fatalf("%s: %v", v.name, err)
	case v.fails != nil:
		v.fails(err)
	}
	runtime.Goexit()
}

// reply reads one packet of the login server.
func reply[T any](v *visitor, parse func([]byte) (T, int, error)) T {
	v.t.Helper()
	var have []byte
	for {
		b := make([]byte, 1024)
		n, err := v.socket.Read(b)
		v.check(err)
		have = append(have, b[:n]...)
		m, _, err := parse(have)
		if errors.Is(err, wire.ErrShort) {
			continue
		}
		v.check(err)
		return m
	}
}
