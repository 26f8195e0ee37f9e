package crypt

import (
	"bytes"
	"crypto/hmac"
	"crypto/rc4"
	"crypto/sha1"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestCipherAgainstStandard compares the stream with that of crypto/rc4, cut into pieces of every small size.
func TestCipherAgainstStandard(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{1})
	for n := range 200 {
		var K [40]byte
		rnd.Read(K[:])
		m := hmac.New(sha1.New, serverSeed[:])
		m.Write(K[:])
		std, err := rc4.NewCipher(m.Sum(nil))
		if err != nil {
			t.Fatal(err)
		}
		std.XORKeyStream(make([]byte, 1024), make([]byte, 1024))

		plain := make([]byte, 700)
		rnd.Read(plain)
		want := make([]byte, len(plain))
		std.XORKeyStream(want, plain)

		ours := ServerToClient(K)
		for rest := plain; len(rest) > 0; {
			cut := min(n%7, len(rest))
			if cut == 0 {
				cut = len(rest)
			}
			ours.XOR(rest[:cut])
			rest = rest[cut:]
		}
		if !bytes.Equal(plain, want) {
			t.Fatalf("key %x: another stream than crypto/rc4", K)
		}
	}
}

// TestHeaders compares headers encrypted at one go with the same one by one, up to one that is long, or is none.
func TestHeaders(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var packets []byte
		var at []int
		for range rnd.IntN(40) {
			at = append(at, len(packets))
			size := 2 + rnd.IntN(300)
			packets = append(packets, byte(size>>8), byte(size))
			for range size {
				packets = append(packets, byte(rnd.Uint32()))
			}
		}
		whole := len(packets)
		packets = append(packets, [][]byte{{}, {1}, {0, 1, 2, 3, 4}, {0x80, 0xFF, 3, 4, 5, 6}}[rnd.IntN(4)]...)
		want, ours := bytes.Clone(packets), ServerToClient([40]byte{1})
		one := ours
		for _, at := range at {
			one.XOR(want[at : at+4])
		}
		if n := ours.Headers(packets); n != whole || !bytes.Equal(packets, want) || ours != one {
			t.Fatalf("%d bytes of %d, in %d packets", n, whole, len(at))
		}
	}
}

// TestFour: four bytes at a time are the same stream as one by one.
func TestFour(t *testing.T) {
	one := ServerToClient([40]byte{3})
	four := one
	for n := range 1000 {
		var want [4]byte
		one.XOR(want[:])
		if got := four.Four(); got != binary.LittleEndian.Uint32(want[:]) || one != four {
			t.Fatalf("word %d is %#x, want % x", n, got, want)
		}
	}
}

func TestCipherIsCompact(t *testing.T) {
	if size := unsafe.Sizeof(Cipher{}); size != 258 {
		t.Errorf("a cipher takes %d bytes, want 258", size)
	}
	c, header := ServerToClient([40]byte{}), make([]byte, 4)
	if n := testing.AllocsPerRun(100, func() { c.XOR(header) }); n != 0 {
		t.Errorf("XOR allocates %v times", n)
	}
}

func BenchmarkCipherXOR(b *testing.B) {
	c, header := ServerToClient([40]byte{}), make([]byte, 4)
	b.SetBytes(int64(len(header)))
	for b.Loop() {
		c.XOR(header)
	}
}
