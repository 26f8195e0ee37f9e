package crypt

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"errors"
	"math/big"
	mathrand "math/rand/v2"
	"os"
	"testing"

	"muster/internal/testseed"
)

// often is how many times a property is tried: few by default, many when LONG_TESTS is set.
func often(few, many int) int {
	if os.Getenv("LONG_TESTS") != "" {
		return many
	}
	return few
}

// word is a random name or password of 1 to 16 printable letters.
func word(rnd *mathrand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_!"
	b := make([]byte, 1+rnd.IntN(16))
	for i := range b {
		b[i] = letters[rnd.IntN(len(letters))]
	}
	return string(b)
}

// TestExchange is fault row 2: a client with the password gets in, and no other, with every padding rule in use.
func TestExchange(t *testing.T) {
	seed := testseed.Of(t)
	source := mathrand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	rnd := mathrand.New(source)
	short := 0 // exchanges in which a number needed padding
	for range often(500, 20_000) {
		user, pass := word(rnd), word(rnd)
		var salt [32]byte
		source.Read(salt[:])
		s, err := NewServer(source, user, salt, Verifier(user, pass, salt))
		if err != nil {
			t.Fatal(err)
		}
		if s.Public()[31] == 0 {
			t.Fatalf("seed %d: %q: the top byte of B is zero", uint32(seed), user)
		}
		c, err := NewClient(source, Upper(user), Upper(pass))
		if err != nil {
			t.Fatal(err)
		}
		A, M1, clientK, clientM2, err := c.Answer(s.Public(), salt)
		if err != nil {
			t.Fatal(err)
		}
		if A[31] == 0 || salt[31] == 0 || clientK[39] == 0 {
			short++
		}
		K, M2, ok := s.Proof(A, M1)
		if !ok || K != clientK || M2 != clientM2 {
			t.Fatalf("seed %d: %q with %q: let in %v, keys equal %v, M2 equal %v", uint32(seed), user, pass, ok, K == clientK, M2 == clientM2)
		}
		if _, _, ok := s.Proof(A, M1); ok {
			t.Fatalf("seed %d: %q: the exchange was used twice", uint32(seed), user)
		}
	}
	t.Logf("%d exchanges had a number that needed padding", short)
}

func TestWrongPassword(t *testing.T) {
	salt := [32]byte{1, 2, 3}
	s, _ := NewServer(rand.Reader, "ALICE", salt, Verifier("ALICE", "right", salt))
	c, _ := NewClient(rand.Reader, "ALICE", "wrong")
	A, M1, _, _, err := c.Answer(s.Public(), salt)
	if err != nil {
		t.Fatal(err)
	}
	if K, M2, ok := s.Proof(A, M1); ok || K != [40]byte{} || M2 != [20]byte{} {
		t.Errorf("a wrong password: ok %v, K %x, M2 %x", ok, K, M2)
	}
}

// TestForgedPublicKey is fault row 1: A = 0, N or 2N never opens a session. For each A the attacker sends the proof that
// follows from a secret of zero, which a careless server would compute too, and then random ones.
//
// 0 and N are all the multiples of N that A can be: N has 256 bits, so 2N does not fit into the 32 bytes of A. What is
// left of 2N in them is a number like any other, which is refused because its proof is wrong.
func TestForgedPublicKey(t *testing.T) {
	double := new(big.Int).Lsh(prime, 1)
	if bits := double.BitLen(); bits != 257 {
		t.Fatalf("2N has %d bits: it can be sent", bits)
	}
	double.Mod(double, new(big.Int).Lsh(big.NewInt(1), 256))
	keys := map[string][32]byte{"0": {}, "N": Prime(), "2N mod 2^256": little(double)}
	salt := [32]byte{9}
	verifier := Verifier("BOB", "secret", salt)
	rnd := mathrand.NewChaCha8([32]byte{7})
	for name, A := range keys {
		for try := range often(100, 33_334) {
			s, err := NewServer(rnd, "BOB", salt, verifier)
			if err != nil {
				t.Fatal(err)
			}
			M1 := clientProof("BOB", salt, A, s.Public(), interleave([32]byte{}))
			if try > 0 {
				rnd.Read(M1[:])
			}
			if _, _, ok := s.Proof(A, M1); ok {
				t.Fatalf("A = %s was accepted at try %d", name, try)
			}
		}
	}
}

func TestZeroKeysAreRefused(t *testing.T) {
	for _, zero := range [][32]byte{{}, Prime()} {
		if _, err := NewServer(rand.Reader, "BOB", [32]byte{}, zero); !errors.Is(err, ErrPublic) {
			t.Errorf("verifier %x: error %v, want %v", zero, err, ErrPublic)
		}
		c, _ := NewClient(rand.Reader, "BOB", "secret")
		if _, _, _, _, err := c.Answer(zero, [32]byte{}); !errors.Is(err, ErrPublic) {
			t.Errorf("B %x: error %v, want %v", zero, err, ErrPublic)
		}
	}
}

func TestNoRandomness(t *testing.T) {
	salt := [32]byte{1}
	if _, err := NewServer(bytes.NewReader(nil), "BOB", salt, Verifier("BOB", "secret", salt)); err == nil {
		t.Error("a server without a random number")
	}
	if _, err := NewClient(bytes.NewReader(make([]byte, 31)), "BOB", "secret"); err == nil {
		t.Error("a client with 31 random bytes")
	}
}

// TestInterleaveDropsZeros: no row of the known answers begins with a zero, so this checks what is left of such a
// secret.
func TestInterleaveDropsZeros(t *testing.T) {
	tail := bytes.Repeat([]byte{7, 0, 9}, 9) // 27 bytes
	for _, c := range []struct {
		head []byte
		left int // bytes that are hashed
	}{
		{[]byte{1, 0, 0, 0, 0}, 32},
		{[]byte{0, 1, 1, 1, 1}, 30},
		{[]byte{0, 1, 0, 1, 1}, 30},
		{[]byte{0, 0, 1, 0, 0}, 30},
		{[]byte{0, 0, 0, 1, 0}, 28},
		{[]byte{0, 0, 0, 0, 0}, 26},
	} {
		S := [32]byte(append(c.head, tail...))
		var even, odd []byte
		for i := 32 - c.left; i < 32; i += 2 {
			even, odd = append(even, S[i]), append(odd, S[i+1])
		}
		e, o := sha1.Sum(even), sha1.Sum(odd)
		for i, K := 0, interleave(S); i < 20; i++ {
			if K[2*i] != e[i] || K[2*i+1] != o[i] {
				t.Errorf("% x …: K is %x", c.head, K)
				break
			}
		}
	}
}

func TestUpper(t *testing.T) {
	if got, want := Upper("aZ09-é\xffz"), "AZ09-é\xffZ"; got != want {
		t.Errorf("Upper gave %q, want %q", got, want)
	}
}

func TestDecoy(t *testing.T) {
	salt, verifier := Decoy([]byte("one"), "nobody")
	if s, v := Decoy([]byte("one"), "NOBODY"); s != salt || v != verifier {
		t.Error("the decoy of one name changes with its spelling")
	}
	if s, v := Decoy([]byte("two"), "nobody"); s == salt || v == verifier {
		t.Error("the decoy does not depend on the secret")
	}
	if s, v := Decoy([]byte("one"), "somebody"); s == salt || v == verifier || s == v {
		t.Error("the decoy does not depend on the name")
	}
	s, err := NewServer(rand.Reader, "NOBODY", salt, verifier)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := NewClient(rand.Reader, "NOBODY", "guess")
	A, M1, _, _, _ := c.Answer(s.Public(), salt)
	if _, _, ok := s.Proof(A, M1); ok {
		t.Error("a guess fits the decoy")
	}
}

func BenchmarkServerExchange(b *testing.B) {
	salt := [32]byte{1}
	verifier := Verifier("BOB", "secret", salt)
	c, _ := NewClient(rand.Reader, "BOB", "secret")
	for b.Loop() {
		s, _ := NewServer(rand.Reader, "BOB", salt, verifier)
		A, M1, _, _, _ := c.Answer(s.Public(), salt)
		if _, _, ok := s.Proof(A, M1); !ok {
			b.Fatal("refused")
		}
	}
}
