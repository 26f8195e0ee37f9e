package bench

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A caller is a client that goes as far as the list of its characters, and away again.
type caller struct {
	socket   net.Conn
	have     []byte // read and not yet looked at
	keyed    bool
	fromThem crypt.Cipher
	toThem   crypt.Cipher
	patience time.Duration // bounds each connection; default callTime
}

// callTime bounds a call, of which many wait for each other.
const callTime = 5 * time.Minute

// call logs an account in. It returns how many characters it has.
func call(ctx context.Context, auth, name, password string) (characters int, err error) {
	var c caller
	realm, key, err := c.login(ctx, auth, name, password)
	if err != nil {
		return 0, err
	}
	return c.characters(ctx, realm, name, key)
}

func (c *caller) dial(ctx context.Context, address string) (err error) {
	if c.socket, err = new(net.Dialer).DialContext(ctx, "tcp", address); err != nil {
		return err
	}
	c.have = c.have[:0]
	return c.socket.SetDeadline(time.Now().Add(cmp.Or(c.patience, callTime)))
}

// login proves a password, and returns where the first realm is.
func (c *caller) login(ctx context.Context, auth, name, password string) (realm string, key [40]byte, err error) {
	if err := c.dial(ctx, auth); err != nil {
		return "", key, err
	}
	defer c.socket.Close()
	challenge, err := exchange(c, login.AppendChallenge(nil, name), login.ParseChallengeReply)
	if err := answered(name, challenge.Result, login.Success, err); err != nil {
		return "", key, err
	}
	client, err := crypt.NewClient(rand.Reader, name, password)
	if err != nil {
		return "", key, err
	}
	A, M1, key, _, err := client.Answer(challenge.Public, challenge.Salt)
	if err != nil {
		return "", key, err
	}
	proof, err := exchange(c, login.AppendProof(nil, A, M1), login.ParseProofReply)
	if err := answered(name, proof.Result, login.Success, err); err != nil {
		return "", key, err
	}
	realms, err := exchange(c, login.AppendRealmListRequest(nil), login.ParseRealmList)
	if err == nil && len(realms) == 0 {
		err = errors.New("there are no realms")
	}
	if err != nil {
		return "", key, err
	}
	return realms[0].Address, key, nil
}

// answered is an error unless the answer is as it should be.
func answered[R ~uint8](name string, is, want R, err error) error {
	if err == nil && is != want {
		err = &refusal{name, uint8(is)}
	}
	return err
}

// A refusal is an answer that says no.
type refusal struct {
	account string
	code    uint8
}

func (e *refusal) Error() string { return fmt.Sprintf("%s: answered with %#x", e.account, e.code) }

// exchange sends a packet to the login server and reads the answer.
func exchange[R any](c *caller, packet []byte, parse func([]byte) (R, int, error)) (answer R, err error) {
	if _, err := c.socket.Write(packet); err != nil {
		return answer, err
	}
	for {
		answer, n, err := parse(c.have)
		if !errors.Is(err, wire.ErrShort) {
			c.have = c.have[:copy(c.have, c.have[min(n, len(c.have)):])]
			return answer, err
		}
		if err := c.read(); err != nil {
			return answer, err
		}
	}
}

func (c *caller) read() error {
	var b [4096]byte
	n, err := c.socket.Read(b[:])
	c.have = append(c.have, b[:n]...)
	if n > 0 {
		return nil
	}
	return err
}

// characters goes to the realm and asks for the list.
func (c *caller) characters(ctx context.Context, realm, name string, key [40]byte) (int, error) {
	if err := c.dial(ctx, realm); err != nil {
		return 0, err
	}
	defer c.socket.Close()
	var hello msg.AuthChallenge
	if err := c.await(msg.OpAuthChallenge, &hello); err != nil {
		return 0, err
	}
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: name, Realm: 1}
	session.Digest = crypt.WorldProof(name, session.ClientSeed, hello.Seed, key)
	if _, err := c.socket.Write(msg.ClientPacket(nil, wire.V12340, msg.OpAuthSession, &session)); err != nil {
		return 0, err
	}
	c.fromThem, c.toThem, c.keyed = crypt.ServerToClient(key), crypt.ClientToServer(key), true
	var welcome msg.AuthResponse
	err := c.await(msg.OpAuthResponse, &welcome)
	if err := answered(name, welcome.Result, msg.AuthOK, err); err != nil {
		return 0, err
	}
	query := msg.ClientPacket(nil, wire.V12340, msg.OpCharEnumQuery, &msg.Empty{})
	c.toThem.XOR(query[:wire.ClientHeaderLen])
	if _, err := c.socket.Write(query); err != nil {
		return 0, err
	}
	var list msg.CharEnum
	err = c.await(msg.OpCharEnum, &list)
	return len(list.Characters), err
}

// await reads up to a packet of the world server, none of which is long here.
func (c *caller) await(want uint16, m msg.Message) error {
	for {
		header := make([]byte, 4)
		if err := c.take(header); err != nil {
			return err
		}
		if c.keyed {
			c.fromThem.XOR(header)
		}
		op, n, _, ok := wire.ServerHeader(header)
		if !ok || n < 0 {
			return errors.New("a header that cannot be")
		}
		body := make([]byte, n)
		if err := c.take(body); err != nil {
			return err
		}
		if op == want {
			return msg.Decode(wire.V12340, body, m)
		}
	}
}

// take fills b.
func (c *caller) take(b []byte) error {
	for len(c.have) < len(b) {
		if err := c.read(); err != nil {
			return errors.Join(io.ErrUnexpectedEOF, err)
		}
	}
	copy(b, c.have)
	c.have = c.have[:copy(c.have, c.have[len(b):])]
	return nil
}
