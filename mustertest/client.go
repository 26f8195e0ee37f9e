package mustertest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/conformance"
	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A Client is one client of a server, which does as the test says. All that it is sent is checked: what breaks the protocol fails
// the test. Its methods are for one goroutine, that of the test, and end the test if they fail. It answers nothing by itself, and a
// server closes a connection on which nothing is said for long.
type Client struct {
	// GUID is that of the character that has entered the world, 0 before.
	GUID uint64
	// Place is where that was.
	Place msg.Place

	t         testing.TB
	server    *Server
	account   string
	character string // in the world, "" before
	socket    net.Conn
	keyed     bool
	received  crypt.Cipher
	sent      crypt.Cipher
	checker   *conformance.Client
	reported  conformance.Tally
}

// realm is the number of the only realm.
const realm = 1

// Login logs a client in to an account, and returns it on the character screen.
func (s *Server) Login(account, password string) *Client {
	s.t.Helper()
	c := &Client{t: s.t, server: s, account: strings.ToUpper(account), checker: conformance.New(conformance.Config{Texts: 10})}
	key := c.authenticate(s.Auth, password)
	c.dial(s.World)
	var hello msg.AuthChallenge
	c.Await(msg.OpAuthChallenge, &hello)
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: c.account, Realm: realm, ClientSeed: [4]byte{1, 2, 3, 4}}
	session.Digest = crypt.WorldProof(c.account, session.ClientSeed, hello.Seed, key)
	c.Send(msg.OpAuthSession, &session)
	c.received, c.sent, c.keyed = crypt.ServerToClient(key), crypt.ClientToServer(key), true
	var welcome msg.AuthResponse
	if c.Await(msg.OpAuthResponse, &welcome); welcome.Result != msg.AuthOK {
		c.fatal(fmt.Errorf("the world answers the login with %#x", welcome.Result))
	}
	return c
}

// authenticate proves the password to the login server, and returns the session key.
func (c *Client) authenticate(address, password string) (key [40]byte) {
	c.t.Helper()
	c.dial(address)
	defer c.socket.Close()
	c.write(login.AppendChallenge(nil, c.account))
	challenge := answer(c, login.ParseChallengeReply)
	if challenge.Result != login.Success {
		c.fatal(fmt.Errorf("the login server answers the name with %#x", challenge.Result))
	}
	srp, err := crypt.NewClient(rand.Reader, c.account, strings.ToUpper(password))
	c.check(err)
	A, M1, key, _, err := srp.Answer(challenge.Public, challenge.Salt)
	c.check(err)
	c.write(login.AppendProof(nil, A, M1))
	if proof := answer(c, login.ParseProofReply); proof.Result != login.Success {
		c.fatal(fmt.Errorf("the login server answers the password with %#x", proof.Result))
	}
	return key
}

// answer reads one packet of the login server.
func answer[T any](c *Client, parse func([]byte) (T, int, error)) T {
	c.t.Helper()
	var have []byte
	for {
		b := make([]byte, 1024)
		n, err := c.socket.Read(b)
		c.check(err)
		have = append(have, b[:n]...)
		m, _, err := parse(have)
		if errors.Is(err, wire.ErrShort) {
			continue
		}
		c.check(err)
		return m
	}
}

// Characters is what the character screen shows.
func (c *Client) Characters() []msg.Character {
	c.t.Helper()
	c.Send(msg.OpCharEnumQuery, &msg.Empty{})
	var m msg.CharEnum
	c.Await(msg.OpCharEnum, &m)
	return m.Characters
}

// CreateCharacter makes a human warrior.
func (c *Client) CreateCharacter(name string) {
	c.t.Helper()
	c.Create(msg.CharCreate{Name: name, Look: msg.Look{Race: 1, Class: 1}})
}

// Create makes a character.
func (c *Client) Create(character msg.CharCreate) {
	c.t.Helper()
	c.Send(msg.OpCharCreate, &character)
	var m msg.CharResult
	if c.Await(msg.OpCharCreateResult, &m); m.Result != msg.CharCreated {
		c.fatal(fmt.Errorf("the creation of %s is answered with %#x", character.Name, m.Result))
	}
}

// Enter goes into the world with a character, and returns when the client knows itself there.
func (c *Client) Enter(name string) {
	c.t.Helper()
	all := c.Characters()
	i := slices.IndexFunc(all, func(o msg.Character) bool { return o.Name == name })
	if i < 0 {
		c.fatal(fmt.Errorf("there is no character %s among %d", name, len(all)))
	}
	c.GUID, c.character = all[i].GUID, name
	c.checker.Enter(c.GUID)
	c.Send(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: c.GUID})
	c.Await(msg.OpLoginVerifyWorld, &c.Place)
	for !c.checker.Knows(c.GUID) {
		c.Read()
	}
}

// Logout leaves the world, and returns when the character is stored and the client is on the character screen. That takes 20 s of the
// world, but for a game master, who leaves at once; so does the character of a client that is closed.
func (c *Client) Logout() {
	c.t.Helper()
	c.Send(msg.OpLogoutRequest, &msg.Empty{})
	c.Await(msg.OpLogoutComplete, &msg.Empty{})
	c.server.awaitStored(c.character)
	c.GUID, c.character = 0, ""
}

// Say says something in the language of humans.
func (c *Client) Say(text string) {
	c.t.Helper()
	c.Send(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: text})
}

// Knows reports whether the client has been sent an object and still sees it.
func (c *Client) Knows(guid uint64) bool { return c.checker.Knows(guid) }

// Send sends a message.
func (c *Client) Send(op uint16, m msg.Message) {
	c.t.Helper()
	b := msg.ClientPacket(nil, wire.V12340, op, m)
	if c.keyed {
		c.sent.XOR(b[:wire.ClientHeaderLen])
	}
	c.write(b)
}

// Await reads up to a packet, into a message. Those before it are checked, and not returned. It ends the test if the packet does not
// come within a minute.
func (c *Client) Await(op uint16, m msg.Message) {
	c.t.Helper()
	for began := time.Now(); ; {
		got, body := c.Read()
		if got == op {
			c.check(msg.Decode(wire.V12340, body, m))
			return
		}
		if time.Since(began) > patience {
			c.t.Fatalf("mustertest: opcode %#x has not come in %v", op, patience)
		}
	}
}

// Hear reads up to a line of chat, and returns what it says and its sender's GUID, 0 for the system.
func (c *Client) Hear() (text string, from uint64) {
	c.t.Helper()
	var m msg.Chat
	c.Await(msg.OpChat, &m)
	return m.Text, m.Sender
}

// Read reads one packet.
func (c *Client) Read() (op uint16, body []byte) {
	c.t.Helper()
	c.check(c.socket.SetDeadline(time.Now().Add(patience)))
	header := make([]byte, 5)
	c.readHeader(header[:4])
	op, n, _, ok := wire.ServerHeader(header[:4])
	if !ok { // a long one
		c.readHeader(header[4:])
		op, n, _, _ = wire.ServerHeader(header)
	}
	body = make([]byte, n)
	_, err := io.ReadFull(c.socket, body)
	c.check(err)
	c.checker.Packet(op, body)
	c.report()
	return op, body
}

// report fails the test for what the checker has found since it was last called.
func (c *Client) report() {
	c.t.Helper()
	tally := c.checker.Violations()
	if tally == c.reported {
		return
	}
	c.reported = tally
	c.checker.EachText(func(kind conformance.Kind, text string) {
		if !kind.Rule().Note {
			c.t.Errorf("mustertest: %s was sent what breaks the protocol: %s", c.account, text)
		}
	})
}

// Close closes the connection, as a client that crashes does.
func (c *Client) Close() { c.socket.Close() }

func (c *Client) readHeader(b []byte) {
	c.t.Helper()
	_, err := io.ReadFull(c.socket, b)
	c.check(err)
	if c.keyed {
		c.received.XOR(b)
	}
}

func (c *Client) dial(address string) {
	c.t.Helper()
	var err error
	c.socket, err = net.DialTimeout("tcp", address, patience)
	c.check(err)
	c.t.Cleanup(func() { c.socket.Close() })
	c.check(c.socket.SetDeadline(time.Now().Add(patience)))
}

func (c *Client) write(b []byte) {
	c.t.Helper()
	_, err := c.socket.Write(b)
	c.check(err)
}

func (c *Client) check(err error) {
	c.t.Helper()
	if err != nil {
		c.fatal(err)
	}
}

func (c *Client) fatal(err error) {
	c.t.Helper()
	c.t.Fatalf("mustertest: %s: %v", c.account, err)
}
