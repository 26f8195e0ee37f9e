package instances

import (
	"errors"
	"fmt"

	"muster/loaders/registry"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// version is that of all messages, which begin with it. It is raised whenever one changes.
const version = 1

// The kinds of messages.
const (
	kindEnter  = iota + 1 // of a gateway: a character is to enter an instance
	kindInside            // of a gateway: which characters are inside
	kindAnswer            // to a gateway
	endOfKinds
)

// maxInside is how many characters of a gateway are in instances, or on their way, at most: what a message has room for.
const maxInside = 8192

// A message is a question of a gateway, or the answer to it. Integers are in little endian.
type message struct {
	kind    uint8
	gateway uint8  // that asks, or is answered
	life    uint64 // of its process
	number  uint64 // of the question

	entry registry.Entry // without its gateway
	login bool

	newest uint64 // up to which visit all that are inside are named
	inside []registry.Visitor

	abort    gateway.Abort // 0: it may enter, or what was asked is done
	instance uint32
}

// Wire implements msg.Message.
func (m *message) Wire(c *wire.Codec) {
	v := uint8(version)
	if wire.U8(c, &v); v != version {
		c.Fail(wire.ErrValue)
	}
	wire.U8(c, &m.kind)
	if m.kind == 0 || m.kind >= endOfKinds {
		c.Fail(wire.ErrValue)
	}
	wire.U8(c, &m.gateway)
	wire.U64(c, &m.life)
	wire.U64(c, &m.number)
	switch m.kind {
	case kindEnter:
		wire.U32(c, &m.entry.Map)
		wire.U64(c, &m.entry.GUID)
		wire.U32(c, &m.entry.Account)
		wire.U64(c, &m.entry.Visit)
		wire.Bool(c, &m.login)
	case kindInside:
		wire.U64(c, &m.newest)
		wire.Slice[uint16](c, &m.inside, maxInside, func(c *wire.Codec, v *registry.Visitor) {
			wire.U64(c, &v.Visit)
			wire.U64(c, &v.GUID)
			wire.U32(c, &v.Number)
		})
	case kindAnswer:
		wire.U8(c, &m.abort)
		wire.U32(c, &m.instance)
	}
}

// ErrMessage is the error for bytes that are not a message.
var ErrMessage = errors.New("instances: malformed message")

func (m *message) append(b []byte) []byte { return msg.Append(b, wire.V12340, m) }

func read(b []byte) (m message, err error) {
	if msg.Decode(wire.V12340, b, &m) != nil {
		return message{}, ErrMessage
	}
	return m, nil
}

// questions is the subject of what gateways ask: one orchestrator answers each.
func questions(realm string) string { return fmt.Sprintf("muster.%s.instances", realm) }

// answers is the subject of what a gateway is answered.
func answers(realm string, gateway uint8) string {
	return fmt.Sprintf("muster.%s.instances.%d", realm, gateway)
}
