package wire

import (
	"encoding/binary"
	"math/bits"
)

// Limits of packets. A body is what follows the header.
//
// Source: UpdateData::BuildPacket, mangos-wotlk (a 3.3.5a client fails on bodies of 32,767 bytes and more,
// also after they are inflated); WorldSocket::ReadHeaderHandler, AzerothCore (size 4 to 10,239 from
// clients).
const (
	// MaxPayload is the longest body for a client, also after it is inflated. It is one byte less than a
	// client can bear, so that every packet has a header of four bytes.
	MaxPayload       = 32765
	MaxClientPayload = 10235 // the longest body from a client

	ServerHeaderLen = 4 // what PutServerHeader fills
	ClientHeaderLen = 6
)

const (
	opcodeLen = 2      // of a server header, counted in its size
	largeSize = 0x7FFF // the largest size that two bytes can hold
	largeBit  = 0x80
)

// AppendServerHeader appends the plain header of a packet to a client: the size of what follows it,
// big-endian, and the opcode, little-endian. It takes four bytes, or five if the body is longer than
// MaxPayload. payload is below 2^23 - 2.
func AppendServerHeader(dst []byte, op uint16, payload int) []byte {
	size := payload + opcodeLen
	if size > largeSize {
		dst = append(dst, byte(size>>16)|largeBit)
	}
	return append(dst, byte(size>>8), byte(size), byte(op), byte(op>>8))
}

// PutServerHeader fills the first four bytes of packet with the plain header for the body that follows
// them to the end of packet. It reports false, and writes nothing, if packet is shorter than its header or
// needs a longer one.
func PutServerHeader(packet []byte, op uint16) bool {
	size := len(packet) - ServerHeaderLen + opcodeLen
	if size < opcodeLen || size > largeSize {
		return false
	}
	binary.BigEndian.PutUint16(packet, uint16(size))
	binary.LittleEndian.PutUint16(packet[2:], op)
	return true
}

// ServerHeader reads the plain header at the start of b. ok is false if b ends before the header does.
// A negative payload is the result of an impossible size; the stream is lost then.
func ServerHeader(b []byte) (op uint16, payload, headerLen int, ok bool) {
	if len(b) < ServerHeaderLen {
		return 0, 0, 0, false
	}
	size, rest := int(b[0])<<8|int(b[1]), b[2:]
	if b[0]&largeBit != 0 {
		if len(b) < ServerHeaderLen+1 {
			return 0, 0, 0, false
		}
		size, rest = (size&largeSize)<<8|int(b[2]), b[3:]
	}
	return binary.LittleEndian.Uint16(rest), size - opcodeLen, len(b) - len(rest) + opcodeLen, true
}

// ServerHeaderWord reads a plain header of four bytes, as a little-endian word. ok is false for one that takes five. The
// payload is as in ServerHeader.
func ServerHeaderWord(word uint32) (op uint16, payload int, ok bool) {
	return uint16(word >> 16), int(bits.ReverseBytes16(uint16(word))) - opcodeLen, word&largeBit == 0
}

const clientOpcodeLen = 4 // of a client header, counted in its size

// AppendClientHeader appends the plain header of a packet to a server: the size of what follows it,
// big-endian, and the opcode in four bytes. payload is at most 65,531.
func AppendClientHeader(dst []byte, op uint32, payload int) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(payload+clientOpcodeLen))
	return binary.LittleEndian.AppendUint32(dst, op)
}

// ClientHeader reads the six bytes of the plain header at the start of b. The caller checks payload against
// 0 and MaxClientPayload: a negative one is the result of an impossible size. ok is false if b has fewer
// than six bytes.
func ClientHeader(b []byte) (op uint32, payload int, ok bool) {
	if len(b) < ClientHeaderLen {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint32(b[2:]), int(binary.BigEndian.Uint16(b)) - clientOpcodeLen, true
}
