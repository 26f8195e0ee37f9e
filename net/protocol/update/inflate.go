package update

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/zlib"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// MaxInflated is the longest update payload that a client can bear.
//
// Source: UpdateData::BuildPacket, mangos-wotlk; protocol.md 4.2.
const MaxInflated = 32766

// Inflate appends to dst the SMSG_UPDATE_OBJECT payload that is in the payload of an
// SMSG_COMPRESSED_UPDATE_OBJECT. Errors are wire.ErrShort, wire.ErrLimit if it is longer than
// MaxInflated, wire.ErrValue if the stream is broken or not as long as it says, and msg.ErrLong if
// bytes are left over; dst is unchanged then.
func Inflate(dst, payload []byte) ([]byte, error) { return InflateUpTo(MaxInflated, dst, payload) }

// InflateUpTo is Inflate with another limit.
func InflateUpTo(limit uint32, dst, payload []byte) ([]byte, error) {
	if len(payload) < 4 {
		return dst, wire.ErrShort
	}
	size := binary.LittleEndian.Uint32(payload)
	if size > limit {
		return dst, wire.ErrLimit
	}
	f := inflaters.Get().(*inflater)
	defer inflaters.Put(f)
	return f.inflate(dst, payload[4:], int(size))
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// An inflater is a decompressor and what it reads from.
type inflater struct {
	in  bytes.Reader
	zip io.ReadCloser // nil until first used
}

func (f *inflater) inflate(dst, stream []byte, size int) ([]byte, error) {
	f.in.Reset(stream)
	var err error
	if f.zip == nil {
		f.zip, err = zlib.NewReader(&f.in)
	} else {
		err = f.zip.(zlib.Resetter).Reset(&f.in, nil)
	}
	if err != nil {
		return dst, broken(err)
	}
	grown := slices.Grow(dst, size+1)
	room := grown[len(dst) : len(dst)+size+1] // one more than there is: the end must come first
	n := 0
	for err == nil && n < len(room) {
		var k int
		k, err = f.zip.Read(room[n:])
		n += k
	}
	switch {
	case err != nil && err != io.EOF:
		return dst, broken(err)
	case n != size:
		return dst, wire.ErrValue
	case f.in.Len() > 0:
		return dst, msg.ErrLong
	}
	return grown[:len(dst)+size], nil
}

// broken distinguishes a stream that ends too early from one that is wrong.
func broken(err error) error {
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return wire.ErrShort
	}
	return wire.ErrValue
}
