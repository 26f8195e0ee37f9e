package session

import (
	"crypto/subtle"

	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
)

// Greet sends the first packet. A client sends nothing before it.
//
// Source: WorldSocket::HandleSendAuthSession, AzerothCore.
func (s *Session) Greet(t *Turn) {
	s.begun, s.heard = t.Now, t.Now
	t.send(msg.OpAuthChallenge, &msg.AuthChallenge{One: 1, Seed: s.seed})
}

// lastShort is the newest build whose CMSG_AUTH_SESSION has fewer fields. Its ciphers are others, too.
//
// Source: CMSG_AUTH_SESSION of 1.12 and of 2.4.3 (build 8606), wow_messages; protocol.md 2.3.
const lastShort = 8606

// hear reads CMSG_AUTH_SESSION. Its layout depends on the build, which comes first, so another build can be distinguished
// from a malformed body. A client that could not read an answer is closed without one: there is no key for it.
func (s *Session) hear(t *Turn, body []byte) {
	m := new(msg.AuthSession)
	err := msg.Decode(build, body, m)
	other := m.Build != 0 && m.Build != uint32(build) // 0 if not even the build is there
	switch {
	case other && (m.Build <= lastShort || err != nil):
		s.close(t, VersionMismatch)
	case err != nil:
		s.close(t, BadBody)
	default:
		s.authSession(t, m)
	}
}

// authSession asks for the key that the client claims to have.
func (s *Session) authSession(t *Turn, m *msg.AuthSession) {
	m.AddonBlock = append([]byte(nil), m.AddonBlock...) // it must outlive the body
	s.hello, s.name = *m, crypt.Upper(m.Account)
	s.ask(t, Request{Kind: FindKey, Name: s.name})
}

// keyFound lets the client in, or refuses it with a reason. From here on headers are encrypted: also
// that of a refusal, for the client expects nothing else. Without a key nothing can be sent.
//
// Source: WorldSocket::HandleAuthSessionCallback, AzerothCore.
func (s *Session) keyFound(t *Turn, a *Answer) {
	m := s.hello
	s.hello = msg.AuthSession{}
	switch a.Outcome {
	case Done:
	case NotFound:
		s.close(t, UnknownAccount)
		return
	default:
		s.close(t, Busy)
		return
	}
	s.fromPeer, s.toPeer, s.keyed = crypt.ClientToServer(a.Key), crypt.ServerToClient(a.Key), true

	digest := crypt.WorldProof(m.Account, m.ClientSeed, s.seed, a.Key)
	switch {
	case m.Build != uint32(build):
		s.refuse(t, msg.AuthVersionMismatch, VersionMismatch)
	case m.Realm != s.config.realm():
		s.refuse(t, msg.AuthRealmNotFound, RealmNotFound)
	case subtle.ConstantTimeCompare(digest[:], m.Digest[:]) != 1:
		s.refuse(t, msg.AuthFailed, WrongDigest)
	case a.Banned: // since it was given its key
		s.refuse(t, msg.AuthBanned, Banned)
	case a.Locked:
		s.refuse(t, msg.AuthUnavailable, RealmLocked)
	default:
		s.state, s.account, s.level = msg.Queued, a.Account, a.Level
		s.wait = wait{s.judge(t, &m), min(a.Expansion, newest)}
		s.ask(t, Request{Kind: TakePlace})
	}
}

// A wait is the state of a client until it is let in.
type wait struct {
	addons    int // how many it has
	expansion uint8
}

// placed lets a client in, or has it wait.
//
// Source: WorldSession::SendAuthResponse and WorldSession::SendAuthWaitQueue, AzerothCore.
func (s *Session) placed(t *Turn, a *Answer) {
	switch {
	case a.Outcome == Failed:
		s.refuse(t, msg.AuthFailed, Busy)
	case a.Outcome != Done:
		s.refuse(t, msg.AuthReject, QueueFull)
	case a.Place > 0:
		t.send(msg.OpAuthResponse, &msg.AuthResponse{
			Result: msg.AuthWaitQueue, Billed: true, Expansion: s.wait.expansion, Queued: true, Position: uint32(a.Place),
		})
	default:
		s.welcome(t, &msg.AuthResponse{Result: msg.AuthOK, Billed: true, Expansion: s.wait.expansion})
	}
}

// Advance sends a waiting client its place in the queue, from 1; 0 lets it in. It does nothing to other clients.
func (s *Session) Advance(t *Turn, place int) {
	switch {
	case s.closed || s.state != msg.Queued:
	case place > 0:
		t.send(msg.OpAuthResponse, &msg.AuthResponse{Result: msg.AuthWaitQueue, Queued: true, Position: uint32(place)})
	default:
		s.heard = t.Now // it had nothing to say
		s.welcome(t, &msg.AuthResponse{Result: msg.AuthOK})
	}
}

func (s *Session) refuse(t *Turn, result msg.Result, reason string) {
	t.send(msg.OpAuthResponse, &msg.AuthResponse{Result: result})
	s.close(t, reason)
}

// newest is the last expansion that build 12340 has.
const newest = 2

// cacheVersion is increased when the answers to queries change for good.
const cacheVersion = 1

// welcome sends what a client gets on its way to the character screen.
//
// Source: WorldSession::InitializeSessionCallback, AzerothCore.
func (s *Session) welcome(t *Turn, in *msg.AuthResponse) {
	t.send(msg.OpAuthResponse, in)
	verdicts := make([]msg.AddonVerdict, s.wait.addons) // every addon is allowed
	for i := range verdicts {
		verdicts[i] = msg.AddonVerdict{State: 2, UseCRC: true}
	}
	t.send(msg.OpAddonInfo, &msg.AddonInfo{Verdicts: verdicts})
	s.state, s.wait = msg.Select, wait{}
	t.send(msg.OpClientCacheVersion, &msg.ClientCacheVersion{Version: cacheVersion})
	var tips msg.TutorialFlags
	for i := range tips.Seen {
		tips.Seen[i] = ^uint32(0)
	}
	t.send(msg.OpTutorialFlags, &tips)
}

// addonRatio is how many bytes one byte of a client's addon block may inflate to. Names and checksums
// inflate threefold or so; a bomb a thousandfold.
const addonRatio = 64

// judge counts the addons of a client. A block that cannot be read, or claims to be larger than its bytes can hold,
// is counted and taken for empty.
//
// Source: WorldSession::SendAddonsInfo, AzerothCore.
func (s *Session) judge(t *Turn, m *msg.AuthSession) (addons int) {
	if m.AddonSize > addonRatio*uint32(len(m.AddonBlock)) {
		s.ignore(t, BadAddons, claim{len(m.AddonBlock), m.AddonSize})
		return 0
	}
	list, err := m.Addons(build)
	if err != nil {
		s.ignore(t, BadAddons, err)
		return 0
	}
	return len(list.Addons)
}

// ping is answered at any time, also before the login.
func (s *Session) ping(t *Turn, m *msg.Ping) {
	t.send(msg.OpPong, &msg.Pong{Sequence: m.Sequence})
}

// keepAlive needs no answer: that it arrived is all there is to it.
func (s *Session) keepAlive(*Turn, *msg.Empty) {}
