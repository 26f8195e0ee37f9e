// Package login is the login protocol on TCP port 3724, which precedes a client's world connection: a challenge, an
// SRP6 proof (or, for a client that reconnects, the proof that it has its session key), and the list of realms.
//
// A packet is a command byte and a body; there is no header and no cipher. Every packet is declared once, with one walk
// for both directions; the functions of client.go are what a simulated client needs. Server serves connections.
//
// Source: AuthSession, AzerothCore; the login messages of wow_messages by gtker.
package login

import "muster/net/protocol/wire"

// A Command is the first byte of a packet. An answer begins with the command it answers.
type Command uint8

// The commands that are spoken. 0x04 (survey) and 0x30 to 0x34 (patch download) are refused like any other.
const (
	CommandChallenge          Command = 0x00
	CommandProof              Command = 0x01
	CommandReconnectChallenge Command = 0x02
	CommandReconnectProof     Command = 0x03
	CommandRealmList          Command = 0x10
)

// A Result is how a challenge or a proof ended. Clients show a text for each.
//
// Source: AuthResult, AzerothCore.
type Result uint8

// The results this package gives.
const (
	Success        Result = 0x00
	Banned         Result = 0x03
	UnknownAccount Result = 0x04 // also a wrong password; the client cannot distinguish them
	Busy           Result = 0x08 // the store did not answer
	VersionInvalid Result = 0x09
	Suspended      Result = 0x0C // banned, but not for ever
	Locked         Result = 0x10 // to another address
)

// Limits of what is read from a peer.
const (
	MaxName    = 16  // bytes of an account name. Source: AuthSession::HandleLogonChallenge, AzerothCore
	MaxRealms  = 100 // in a list, ours
	MaxText    = 255 // bytes of the name or the address of a realm, ours
	maxKeys    = 16  // telemetry keys in a proof, ours; clients send none
	maxRequest = 640 // bytes of a packet from a client, ours; a proof with maxKeys has 555
)

// Flags of a realm. Source: RealmFlags, AzerothCore.
const (
	RealmOffline     uint8 = 0x02
	RealmBuild       uint8 = 0x04 // Version and Build follow the entry; several clients fail on it
	RealmNewPlayers  uint8 = 0x20
	RealmRecommended uint8 = 0x40
	RealmFull        uint8 = 0x80
)

// versionSalt is the constant with which a client would hash its own files. The hash is not checked.
//
// Source: VersionChallenge, AzerothCore.
var versionSalt = [16]byte{0xBA, 0xA3, 0x1E, 0x99, 0xA0, 0x0B, 0x21, 0x57, 0xFC, 0x37, 0x3F, 0xB3, 0x69, 0xCD, 0xD2, 0xF1}

type packet interface{ Wire(*wire.Codec) }

// appendPacket appends one packet in the layout of a build.
func appendPacket(dst []byte, v wire.Version, p packet) []byte {
	c := wire.NewWriter(v, dst)
	p.Wire(&c)
	return c.Bytes()
}

// parsePacket reads the packet at the start of b; wire.ErrShort means that b ends before the packet
// does.
func parsePacket(b []byte, v wire.Version, p packet) (n int, err error) {
	c := wire.NewReader(v, b)
	p.Wire(&c)
	return c.Offset(), c.Err()
}
