// Package wire holds what every message is made of: a codec that walks a body once for reading and
// writing, packed guids, and the headers in front of bodies.
//
// A message describes its layout in one method:
//
//	func (m *Pong) Wire(c *wire.Codec) { wire.U32(c, &m.Sequence) }
//
// The same walk reads into m or writes from it. The functions of this package take the codec and a
// pointer; none of them allocates, except for strings and slices that are read. All integers are
// little-endian unless the name of the function says otherwise.
package wire

import "errors"

// A Version is the build number of a client.
type Version uint16

// The builds that messages know about.
const (
	V5875  Version = 5875  // 1.12.1
	V12340 Version = 12340 // 3.3.5a
)

// What a Codec can run into. All three mean that the body does not have the layout its opcode promises.
var (
	ErrShort = errors.New("wire: body too short")
	ErrLimit = errors.New("wire: over a limit")
	ErrValue = errors.New("wire: impossible value")
)

// A Codec reads or writes one body. Its first error stays: from then on reading leaves what it should
// fill as it is, and writing writes nothing.
//
// A Codec is a value and may live on the stack. The zero value is a writer of no version.
type Codec struct {
	// Version is the build of the client at the other end; layouts may depend on it.
	Version Version

	reading bool
	buf     []byte // reading: the body; writing: what is written so far
	off     int    // reading: the next byte of buf
	err     error
}

// NewReader returns a codec that reads a body. Byte slices that are read alias body, strings do not.
func NewReader(v Version, body []byte) Codec {
	return Codec{Version: v, reading: true, buf: body}
}

// NewWriter returns a codec that appends to dst.
func NewWriter(v Version, dst []byte) Codec {
	return Codec{Version: v, buf: dst}
}

// Read makes c what NewReader returns, in place: a caller that keeps codecs need not wait for a copy of a new
// one.
func (c *Codec) Read(v Version, body []byte) {
	c.Version, c.reading, c.buf, c.off, c.err = v, true, body, 0, nil
}

// Write makes c what NewWriter returns, in place.
func (c *Codec) Write(v Version, dst []byte) {
	c.Version, c.reading, c.buf, c.off, c.err = v, false, dst, 0, nil
}

// Reading reports whether the walk fills the message; otherwise it writes it.
func (c *Codec) Reading() bool { return c.reading }

// Bytes is dst and what has been written behind it. For a reader it is the body.
func (c *Codec) Bytes() []byte { return c.buf }

// Offset is the number of bytes read so far, or the length of Bytes when writing.
func (c *Codec) Offset() int {
	if c.reading {
		return c.off
	}
	return len(c.buf)
}

// Rest is the number of bytes not yet read. It is zero when writing.
func (c *Codec) Rest() int {
	if c.reading {
		return len(c.buf) - c.off
	}
	return 0
}

// Err is the first error, or nil.
func (c *Codec) Err() error { return c.err }

// Fail stops the walk with err, unless it has stopped already.
func (c *Codec) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// next is the next n bytes to read, or nil after a failure. n is greater than zero.
func (c *Codec) next(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n > len(c.buf)-c.off {
		c.err = ErrShort
		return nil
	}
	b := c.buf[c.off : c.off+n : c.off+n]
	c.off += n
	return b
}
