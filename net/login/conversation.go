package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net/netip"
	"time"

	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

// A state is what a conversation waits for.
type state uint8

const (
	awaitChallenge state = iota
	awaitProof
	awaitReconnectProof
	authenticated
)

// A conversation is the server's side of one connection, without the socket.
type conversation struct {
	server   *Server
	id       uint64  // the number of the connection, from 1
	command  Command // that was read last, if any was heard
	heard    bool
	from     netip.Addr // invalid if it is not known
	state    state
	version  wire.Version // of the client, once it has sent it
	claim    claim
	exchange *crypt.Server // in awaitProof
	data     [16]byte      // in awaitReconnectProof: our random bytes
	key      [40]byte      // in awaitReconnectProof: the session key
	hasKey   bool
}

// take consumes the packet at the start of b, n bytes, and gives the reply to it; n is zero while the packet is not
// complete. After an error, which is a reason, the reply is still to be sent, if there is one, and the connection to be
// closed. The store is given as long as a peer is for a packet.
func (c *conversation) take(ctx context.Context, b []byte) (n int, reply []byte, err error) {
	if len(b) == 0 {
		return 0, nil, nil
	}
	c.command, c.heard = Command(b[0]), true
	m := c.expected(Command(b[0]))
	if m == nil {
		return 0, nil, outOfOrder
	}
	n, err = parsePacket(b, c.version, m)
	if errors.Is(err, wire.ErrShort) && len(b) < maxRequest {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, badPacket
	}
	ctx, cancel := context.WithTimeout(ctx, c.server.config.Packet)
	defer cancel()
	began := time.Now()
	answer, err := c.answer(ctx, m)
	c.server.answers.waitForPeriod(ctx, began, answerPeriod(m, err))
	if answer != nil {
		reply = appendPacket(nil, c.version, answer)
	}
	return n, reply, err
}

// expected is an empty packet for a command, or nil if the command is not expected now.
func (c *conversation) expected(command Command) packet {
	switch {
	case c.state == awaitChallenge && (command == CommandChallenge || command == CommandReconnectChallenge):
		return new(Challenge)
	case c.state == awaitProof && command == CommandProof:
		return new(Proof)
	case c.state == awaitReconnectProof && command == CommandReconnectProof:
		return new(ReconnectProof)
	case c.state == authenticated && command == CommandRealmList:
		return new(RealmListRequest)
	}
	return nil
}

func (c *conversation) answer(ctx context.Context, m packet) (packet, error) {
	switch m := m.(type) {
	case *Challenge:
		if m.Command == CommandReconnectChallenge {
			return c.reconnect(ctx, m)
		}
		return c.challenge(ctx, m)
	case *Proof:
		return c.proof(ctx, m)
	case *ReconnectProof:
		return c.reconnectProof(ctx, m)
	default:
		return c.realmList(ctx)
	}
}

// identify takes the build and the name from a challenge.
func (c *conversation) identify(ctx context.Context, m *Challenge) (err error) {
	c.claim.Name = crypt.Upper(m.Name) // for the log, should there be no claim
	if !spoken(m.Build) {
		return wrongVersion
	}
	c.version = m.Build
	found, err := c.server.claim(ctx, c.claim.Name)
	if err != nil {
		return err
	}
	c.claim = found
	return refused[c.server.config.Guard.Status(c.claim.theirs(), c.claim.Name, c.from)]
}

// spoken reports whether a client of this build is supported. The packets know 5875 too; the world does not
// yet.
func spoken(build wire.Version) bool { return build == wire.V12340 }

func (c *conversation) challenge(ctx context.Context, m *Challenge) (packet, error) {
	err := c.identify(ctx, m)
	if err != nil {
		return &ChallengeReply{Result: resultOf(err)}, err
	}
	if c.exchange, err = crypt.NewServer(c.server.config.Rand, c.claim.Name, c.claim.Salt, c.claim.Verifier); err != nil {
		return &ChallengeReply{Result: Busy}, c.server.failed("begin an exchange", err)
	}
	c.state = awaitProof
	return &ChallengeReply{Public: c.exchange.Public(), Salt: c.claim.Salt, VersionSalt: versionSalt}, nil
}

// proPass is the account flag that every account has. Source: ACCOUNT_FLAG_PROPASS, AzerothCore.
const proPass = 0x00800000

func (c *conversation) proof(ctx context.Context, m *Proof) (packet, error) {
	key, answer, ok := c.exchange.Proof(m.Public, m.Proof)
	err := c.server.judge(ctx, &c.claim, c.from, ok && (c.claim.known || c.claim.open), &key)
	if err == nil {
		err = c.server.admit(ctx, &c.claim, key)
	}
	if err != nil {
		return &ProofReply{Result: resultOf(err)}, err
	}
	c.state = authenticated
	c.server.config.Metric.Count(loggedIn)
	return &ProofReply{Proof: answer, AccountFlags: proPass}, nil
}

// reconnect gives every client random bytes to prove; only at the proof does it matter whether there is a
// key.
func (c *conversation) reconnect(ctx context.Context, m *Challenge) (packet, error) {
	err := c.identify(ctx, m)
	if err != nil {
		return &ReconnectReply{Result: resultOf(err)}, err
	}
	if c.claim.known {
		if c.key, c.hasKey, err = c.server.store.SessionKey(ctx, c.claim.ID); err != nil {
			return &ReconnectReply{Result: Busy}, c.server.failed("find a session key", err)
		}
	}
	if _, err := io.ReadFull(c.server.config.Rand, c.data[:]); err != nil {
		return &ReconnectReply{Result: Busy}, c.server.failed("draw a challenge", err)
	}
	c.state = awaitReconnectProof
	return &ReconnectReply{Data: c.data, VersionSalt: versionSalt}, nil
}

// reconnectProof lets a client reconnect. A session key cannot be guessed, so a wrong one is not counted as a
// password is.
func (c *conversation) reconnectProof(ctx context.Context, m *ReconnectProof) (packet, error) {
	want := crypt.ReconnectProof(c.claim.Name, m.Data, c.data, c.key)
	err := error(badReconnect)
	if subtle.ConstantTimeCompare(want[:], m.Proof[:]) == 1 && c.hasKey {
		err = c.server.judge(ctx, &c.claim, c.from, true, nil)
	}
	if err != nil {
		return &ReconnectProofReply{Result: resultOf(err)}, err
	}
	c.state = authenticated
	c.server.config.Metric.Count(reconnected)
	return &ReconnectProofReply{}, nil
}

func (c *conversation) realmList(ctx context.Context) (packet, error) {
	if list := c.server.config.List; list != nil {
		realms, err := list(ctx, c.claim.ID, c.claim.Level)
		if err == nil {
			realms = realms[:min(len(realms), MaxRealms)]
			err = checkRealms(realms)
		}
		if err != nil {
			return nil, c.server.failed("list realms", err)
		}
		return &RealmList{Realms: realms}, nil
	}
	characters, err := c.server.store.CountCharacters(ctx, c.claim.ID)
	if err != nil {
		return nil, c.server.failed("count characters", err)
	}
	list := &RealmList{Realms: make([]Realm, len(c.server.config.Realms))}
	for i, r := range c.server.config.Realms {
		r.Characters = uint8(min(characters, 255))
		list.Realms[i] = r
	}
	return list, nil
}
