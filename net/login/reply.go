package login

import (
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

// ChallengeReply carries what the client needs for its proof. Unless Result is Success nothing follows it.
type ChallengeReply struct {
	Result      Result
	Public      [32]byte // B, little endian
	Salt        [32]byte
	VersionSalt [16]byte
}

// Wire walks the packet. Reading, another group than ours or a demand for a second factor is wire.ErrValue.
func (m *ChallengeReply) Wire(c *wire.Codec) {
	constant(c, CommandChallenge)
	constant(c, uint8(0))
	wire.U8(c, &m.Result)
	if m.Result != Success {
		return
	}
	prime := crypt.Prime()
	theirs := prime
	wire.Fixed(c, m.Public[:])
	constant(c, uint8(1)) // the length of g
	constant(c, uint8(crypt.Generator))
	constant(c, uint8(len(prime)))
	if wire.Fixed(c, theirs[:]); theirs != prime {
		c.Fail(wire.ErrValue)
	}
	wire.Fixed(c, m.Salt[:])
	wire.Fixed(c, m.VersionSalt[:])
	constant(c, noSecondFactor)
}

// ProofReply lets the client in, or not.
type ProofReply struct {
	Result       Result
	Proof        [20]byte // M2, by which the client authenticates the server
	AccountFlags uint32   // 12340 only
	Survey       uint32
	LoginFlags   uint16 // 12340 only
}

// Wire walks the packet: 32 bytes if it lets the client in and 4 if not; for build 5875 26 bytes and 2.
//
// Source: AUTH_LOGON_PROOF_S and AUTH_LOGON_PROOF_S_OLD, AzerothCore; AuthSocket::_HandleLogonProof, vmangos.
func (m *ProofReply) Wire(c *wire.Codec) {
	constant(c, CommandProof)
	wire.U8(c, &m.Result)
	if m.Result != Success {
		padding(c)
		return
	}
	wire.Fixed(c, m.Proof[:])
	if c.Version >= wire.V12340 {
		wire.U32(c, &m.AccountFlags)
	}
	wire.U32(c, &m.Survey)
	if c.Version >= wire.V12340 {
		wire.U16(c, &m.LoginFlags)
	}
}

// ReconnectReply carries the server's random bytes for the proof. Unless Result is Success nothing follows it.
type ReconnectReply struct {
	Result      Result
	Data        [16]byte
	VersionSalt [16]byte
}

// Wire walks the packet. There is one byte less in front of the result than in a ChallengeReply.
func (m *ReconnectReply) Wire(c *wire.Codec) {
	constant(c, CommandReconnectChallenge)
	wire.U8(c, &m.Result)
	if m.Result != Success {
		return
	}
	wire.Fixed(c, m.Data[:])
	wire.Fixed(c, m.VersionSalt[:])
}

// ReconnectProofReply lets the client back in, or not.
type ReconnectProofReply struct{ Result Result }

// Wire walks the packet: 4 bytes; for build 5875 2.
func (m *ReconnectProofReply) Wire(c *wire.Codec) {
	constant(c, CommandReconnectProof)
	wire.U8(c, &m.Result)
	padding(c)
}

// padding walks the two bytes that end the short replies to build 12340.
func padding(c *wire.Codec) {
	if c.Version >= wire.V12340 {
		var unused uint16
		wire.U16(c, &unused)
	}
}
