// Package msg declares the messages of the world connection: for each a struct, one Wire walk for both
// directions and all builds, and one row of Table.
//
// The walks follow build 12340. Where a message has another layout in build 5875, and muster needs it for
// that build, its walk tests the version of the codec; Table is that of 12340.
//
// Strings that are read are copies. Byte slices that are read alias the body.
package msg

import (
	"errors"
	"fmt"
	"sync"

	"muster/net/protocol/wire"
)

// A Message walks its own body. All messages are pointers to structs; their zero value can be written.
type Message interface {
	Wire(*wire.Codec)
}

// Empty is the body of every message that consists of its opcode alone.
type Empty struct{}

// Wire walks nothing.
func (*Empty) Wire(*wire.Codec) {}

// ErrLong means that the body goes on after the message. The message is complete, so a caller may count
// this and go on.
var ErrLong = errors.New("msg: bytes left over")

// A DecodeError has where a message became invalid. Err is wire.ErrShort, wire.ErrLimit, wire.ErrValue
// or ErrLong.
type DecodeError struct {
	Name   string // as in Table, or the Go type of a message that has no row of its own
	Offset int    // bytes into the body
	Err    error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("msg: %s at byte %d: %v", e.Name, e.Offset, e.Err)
}

func (e *DecodeError) Unwrap() error { return e.Err }

// codecs lends codecs to walks behind an interface, where the compiler cannot keep them on the stack.
var codecs = sync.Pool{New: func() any { return new(wire.Codec) }}

// Decode reads a body into m, which must be zero: parts that this body leaves out are not written. Every
// error is a *DecodeError. After any but ErrLong, m is half read.
//
// It allocates only what m holds. A caller with a concrete type can do without the interface:
//
//	c := wire.NewReader(v, body)
//	m.Wire(&c)
func Decode(v wire.Version, body []byte, m Message) error {
	if move, ok := m.(*Move); ok && move.readPlain(body) {
		return nil
	}
	c := codecs.Get().(*wire.Codec)
	c.Read(v, body)
	m.Wire(c)
	err, offset := c.Err(), c.Offset()
	if err == nil && c.Rest() > 0 {
		err = ErrLong
	}
	*c = wire.Codec{}
	codecs.Put(c)
	if err != nil {
		return &DecodeError{Name: nameOf(m), Offset: offset, Err: err}
	}
	return nil
}

// Append appends the body of m to dst. It panics if m cannot be written, because it holds more elements
// than its layout can count: that is a mistake in this program.
func Append(dst []byte, v wire.Version, m Message) []byte {
	c := codecs.Get().(*wire.Codec)
	c.Write(v, dst)
	m.Wire(c)
	dst, err, offset := c.Bytes(), c.Err(), c.Offset()-len(dst)
	*c = wire.Codec{}
	codecs.Put(c)
	if err != nil {
		panic(&DecodeError{Name: nameOf(m), Offset: offset, Err: err})
	}
	return dst
}

// Packet appends a packet to a client: the plain header, and the body of m.
func Packet(dst []byte, v wire.Version, op uint16, m Message) []byte {
	at := len(dst)
	dst = Append(append(dst, make([]byte, wire.ServerHeaderLen)...), v, m)
	if wire.PutServerHeader(dst[at:], op) {
		return dst
	}
	body := dst[at+wire.ServerHeaderLen:] // too long for four bytes: move it by one
	dst = append(dst, 0)
	copy(dst[at+wire.ServerHeaderLen+1:], body)
	wire.AppendServerHeader(dst[:at], op, len(body))
	return dst
}

// ClientPacket appends a packet to a server: the plain header, and the body of m.
func ClientPacket(dst []byte, v wire.Version, op uint16, m Message) []byte {
	at := len(dst)
	dst = Append(append(dst, make([]byte, wire.ClientHeaderLen)...), v, m)
	wire.AppendClientHeader(dst[:at], uint32(op), len(dst)-at-wire.ClientHeaderLen)
	return dst
}

func nameOf(m Message) string {
	if name, ok := names[typeOf(m)]; ok {
		return name
	}
	return fmt.Sprintf("%T", m)
}
