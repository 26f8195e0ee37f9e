package claims

import (
	"encoding/binary"
	"errors"
)

// version is that of all messages, which begin with it, a kind and the number of the gateway that says so. It is raised whenever
// one changes.
const version = 1

// The kinds of messages. Numbers are in little endian.
const (
	kindLogin    = iota + 1 // to all: an account has logged in; account, login
	kindWant                // to one: let an account go; account, login of the one that wants it, GUID and fence of the claim
	kindKick                // to all: close the connection of an account; account
	kindAnnounce            // to all: send a line to all players; the rest is the line
)

// sizes are of messages, by kind, or the least.
var sizes = [...]int{kindLogin: head + 4 + 8, kindWant: head + 4 + 3*8, kindKick: head + 4, kindAnnounce: head}

const (
	head = 3
	// maxLine is the longest line that is announced, in bytes.
	maxLine = 4096
)

// A message is what one gateway says to others.
type message struct {
	kind    byte
	from    uint8
	account uint32
	login   uint64
	guid    uint64
	fence   uint64
	line    string
}

func (m *message) append(b []byte) []byte {
	b = append(b, version, m.kind, m.from)
	if m.kind == kindAnnounce {
		return append(b, m.line...)
	}
	b = binary.LittleEndian.AppendUint32(b, m.account)
	for _, n := range []uint64{m.login, m.guid, m.fence}[:(sizes[m.kind]-head-4)/8] {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// ErrMessage is the error for bytes that are not a message.
var ErrMessage = errors.New("claims: malformed message")

func read(b []byte) (m message, err error) {
	if len(b) < head || b[0] != version || b[1] == 0 || int(b[1]) >= len(sizes) {
		return message{}, ErrMessage
	}
	m.kind, m.from = b[1], b[2]
	switch rest := b[head:]; {
	case m.kind == kindAnnounce:
		if len(rest) > maxLine {
			return message{}, ErrMessage
		}
		m.line = string(rest)
	case len(b) != sizes[m.kind]:
		return message{}, ErrMessage
	default:
		m.account = binary.LittleEndian.Uint32(rest)
		into := [...]*uint64{&m.login, &m.guid, &m.fence}
		for i := range (len(rest) - 4) / 8 {
			*into[i] = binary.LittleEndian.Uint64(rest[4+8*i:])
		}
	}
	return m, nil
}
