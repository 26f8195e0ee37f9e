package crypt

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/binary"
)

// The keys that turn a session key into the key of one direction. Source: AuthCrypt::Init, AzerothCore.
var (
	serverSeed = [16]byte{0xCC, 0x98, 0xAE, 0x04, 0xE8, 0x97, 0xEA, 0xCA, 0x12, 0xDD, 0xC0, 0x93, 0x42, 0x91, 0x53, 0x57}
	clientSeed = [16]byte{0xC2, 0xB3, 0x72, 0x3C, 0xC6, 0xAE, 0xD9, 0xB5, 0x34, 0x3C, 0x53, 0xEE, 0x2F, 0x43, 0x67, 0xCE}
)

// Cipher is one direction of the header cipher of build 12340: ARC4 with its first 1024 bytes dropped. It is a value of
// 258 bytes without pointers, to be embedded in a connection; a copy is independent. The same stream encrypts and
// decrypts. The zero Cipher is not usable.
//
// It is implemented here because crypto/rc4 keeps 32-bit words, four times the memory, behind a pointer.
type Cipher struct {
	state [256]uint8
	i, j  uint8
}

// ServerToClient is the stream over the headers a server sends.
func ServerToClient(K [40]byte) Cipher { return newCipher(serverSeed, K) }

// ClientToServer is the stream over the headers a client sends.
func ClientToServer(K [40]byte) Cipher { return newCipher(clientSeed, K) }

func newCipher(seed [16]byte, K [40]byte) (c Cipher) {
	m := hmac.New(sha1.New, seed[:])
	m.Write(K[:])
	key := m.Sum(nil)
	for i := range c.state {
		c.state[i] = uint8(i)
	}
	var j uint8
	for i := range c.state {
		j += c.state[i] + key[i%len(key)]
		c.state[i], c.state[j] = c.state[j], c.state[i]
	}
	var drop [1024]byte
	c.XOR(drop[:])
	return c
}

// Warm reads a byte of each cache line of the stream. XOR needs them one after the other, each only known from the
// one before; so that they are all loaded at once, Warm is called first if the stream was not used for long. What
// it returns has no meaning, and is to be kept by the caller, so that the compiler keeps the reads.
func (c *Cipher) Warm() uint8 {
	return c.state[0] + c.state[64] + c.state[128] + c.state[192] + c.state[255]
}

// XOR encrypts or decrypts b in place with the next len(b) bytes of the stream. It does not allocate.
func (c *Cipher) XOR(b []byte) {
	i, j := c.i, c.j
	for n := range b {
		i++
		x := c.state[i]
		j += x
		y := c.state[j]
		c.state[i], c.state[j] = y, x
		b[n] ^= c.state[x+y]
	}
	c.i, c.j = i, j
}

// Headers encrypts, in place and in order, the headers of the packets to a client at the start of b, as long as these
// take four bytes each: a big-endian size of what follows it, at least two and below 2^15, and an opcode. It returns how
// long those packets are, which is more than len(b) if the last is torn. XOR does the same header by header, and takes a
// third more time.
func (c *Cipher) Headers(b []byte) (n int) {
	i, j := c.i, c.j
	for n+4 <= len(b) && b[n]&0x80 == 0 {
		header := b[n : n+4]
		size := int(binary.BigEndian.Uint16(header))
		if size < 2 {
			break
		}
		n += 2 + size
		var k0, k1, k2, k3 uint8
		k0, j = next(&c.state, i+1, j)
		k1, j = next(&c.state, i+2, j)
		k2, j = next(&c.state, i+3, j)
		k3, j = next(&c.state, i+4, j)
		i += 4
		key := uint32(k0) | uint32(k1)<<8 | uint32(k2)<<16 | uint32(k3)<<24
		binary.LittleEndian.PutUint32(header, binary.LittleEndian.Uint32(header)^key)
	}
	c.i, c.j = i, j
	return n
}

// Four is the next four bytes of the stream as a little-endian word, for a caller with a header in one: XOR of four
// bytes does the same, and takes four times the time where each byte waits in memory for the one before.
func (c *Cipher) Four() uint32 {
	i, j := c.i, c.j
	var k0, k1, k2, k3 uint8
	k0, j = next(&c.state, i+1, j)
	k1, j = next(&c.state, i+2, j)
	k2, j = next(&c.state, i+3, j)
	k3, j = next(&c.state, i+4, j)
	c.i, c.j = i+4, j
	return uint32(k0) | uint32(k1)<<8 | uint32(k2)<<16 | uint32(k3)<<24
}

// next is the byte of the stream at i, and the next j.
func next(state *[256]uint8, i, j uint8) (key, _ uint8) {
	x := state[i]
	j += x
	y := state[j]
	state[i], state[j] = y, x
	return state[x+y], j
}
