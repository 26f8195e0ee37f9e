package login

import (
	"strings"
	"unicode/utf8"

	"muster/net/protocol/wire"
)

// Challenge opens a login (CommandChallenge) or asks to reconnect (CommandReconnectChallenge). Only the build and the
// name are used: public clients send nonsense in most other fields.
type Challenge struct {
	Command     Command
	Protocol    uint8 // 8 from a client of build 12340; 0, 3 and 6 from bots
	Game        [4]byte
	Version     [3]uint8
	Build       wire.Version // decides the layout of the answers
	Platform    [4]byte
	OS          [4]byte
	Locale      [4]byte
	ZoneMinutes int32 // offset of the client's clock from UTC
	Address     [4]byte
	Name        string // 1 to MaxName bytes of text, as the client spells it
}

// Wire walks the packet. A size that does not fit the name, or a name that is not text, is an error.
//
// Source: AUTH_LOGON_CHALLENGE_C, AzerothCore.
func (m *Challenge) Wire(c *wire.Codec) {
	size, length := uint16(challengeFixed+len(m.Name)), uint8(len(m.Name))
	wire.U8(c, &m.Command)
	wire.U8(c, &m.Protocol)
	wire.U16(c, &size)
	if size <= challengeFixed || size > challengeFixed+MaxName {
		c.Fail(wire.ErrLimit)
	}
	wire.Fixed(c, m.Game[:])
	wire.Fixed(c, m.Version[:])
	wire.U16(c, &m.Build)
	wire.Fixed(c, m.Platform[:])
	wire.Fixed(c, m.OS[:])
	wire.Fixed(c, m.Locale[:])
	wire.I32(c, &m.ZoneMinutes)
	wire.Fixed(c, m.Address[:])
	wire.U8(c, &length)
	if c.Err() != nil {
		return
	}
	if size != challengeFixed+uint16(length) {
		c.Fail(wire.ErrValue)
	}
	name := make([]byte, length)
	copy(name, m.Name)
	wire.Fixed(c, name)
	if m.Name = string(name); !isText(m.Name) {
		c.Fail(wire.ErrValue)
	}
}

// challengeFixed is what a challenge's size counts besides the name.
const challengeFixed = 30

func isText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7F })
}

// Proof answers a challenge: the client's public key, and the proof that it knows the password.
type Proof struct {
	Public  [32]byte   // A, little endian
	Proof   [20]byte   // M1
	Version [20]byte   // hash of the client's files; not checked
	Keys    [][30]byte // telemetry keys, not looked into
}

// Wire walks the packet. A client that offers a second factor is refused: none is asked for.
func (m *Proof) Wire(c *wire.Codec) {
	constant(c, CommandProof)
	wire.Fixed(c, m.Public[:])
	wire.Fixed(c, m.Proof[:])
	wire.Fixed(c, m.Version[:])
	wire.Slice[uint8](c, &m.Keys, maxKeys, func(c *wire.Codec, key *[30]byte) { wire.Fixed(c, key[:]) })
	constant(c, noSecondFactor)
}

// ReconnectProof shows that the client still has the session key of its last login.
type ReconnectProof struct {
	Data      [16]byte // the client's random bytes
	Proof     [20]byte
	Integrity [20]byte // not checked
}

// Wire walks the packet.
func (m *ReconnectProof) Wire(c *wire.Codec) {
	constant(c, CommandReconnectProof)
	wire.Fixed(c, m.Data[:])
	wire.Fixed(c, m.Proof[:])
	wire.Fixed(c, m.Integrity[:])
	constant(c, noTelemetryKeys)
}

// RealmListRequest asks for the list of realms.
type RealmListRequest struct{}

// Wire walks the packet.
func (m *RealmListRequest) Wire(c *wire.Codec) {
	var unused uint32
	constant(c, CommandRealmList)
	wire.U32(c, &unused)
}

// Proof fields that are not requested.
const (
	noSecondFactor  uint8 = 0
	noTelemetryKeys uint8 = 0
)

// constant walks a byte that has one possible value.
func constant[T ~uint8](c *wire.Codec, want T) {
	v := want
	wire.U8(c, &v)
	if v != want {
		c.Fail(wire.ErrValue)
	}
}
