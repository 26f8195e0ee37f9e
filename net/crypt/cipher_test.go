package crypt

import (
	"bytes"
	"crypto/hmac"
	"crypto/rc4"
	"crypto/sha1"
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
