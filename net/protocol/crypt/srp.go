// Package crypt has the game's cryptography: the SRP6 exchange that logs an account in, the proofs for a reconnect,
// and the cipher over the packet headers of the world socket. It has no socket and no packet.
//
// Integers are sent and hashed as 32 bytes, little endian, padded with zeros; so they are [32]byte everywhere in the
// exported names. Names and passwords are folded with Upper before they are hashed.
//
// None of this is strong by today's standards (SHA-1, a 256-bit group, headers under ARC4). It is the protocol of the
// clients.
package crypt

import (
	"crypto/sha1"
	"errors"
	"math/big"
	"slices"
)

// Generator is g, the base of the group. Source: SRP6::g, AzerothCore.
const Generator = 7

// Prime is N, the modulus of the group, as it is written on the wire: little endian.
//
// Source: SRP6::N, AzerothCore.
func Prime() [32]byte {
	return [32]byte{
		0xB7, 0x9B, 0x3E, 0x2A, 0x87, 0x82, 0x3C, 0xAB, 0x8F, 0x5E, 0xBF, 0xBF, 0x8E, 0xB1, 0x01, 0x08,
		0x53, 0x50, 0x06, 0x29, 0x8B, 0x5B, 0xAD, 0xBD, 0x5B, 0x53, 0xE1, 0x89, 0x5E, 0x64, 0x4B, 0x89,
	}
}

// ErrPublic reports a public key or verifier that is a multiple of the prime, which would make the secret zero.
var ErrPublic = errors.New("crypt: key is zero modulo the prime")

var (
	primeBytes = Prime()
	prime      = number(primeBytes[:])
	generator  = big.NewInt(Generator)
	multiplier = big.NewInt(3) // k, of SRP6. Source: SRP6::SRP6, AzerothCore
	groupHash  = hashGroup()
)

// Upper folds a name or password as both sides do before hashing: a to z become A to Z, all other bytes stay.
//
// Source: Utf8ToUpperOnlyLatin, AzerothCore.
func Upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// Verifier is what a server keeps of a password: g^x mod N, little endian, where x is the salted hash of both names.
//
// Source: SRP6::CalculateVerifier, AzerothCore.
func Verifier(user, pass string, salt [32]byte) [32]byte {
	return little(power(generator, exponent(user, pass, salt)))
}

// exponent is x.
func exponent(user, pass string, salt [32]byte) *big.Int {
	login := sum([]byte(Upper(user)), []byte{':'}, []byte(Upper(pass)))
	x := sum(salt[:], login[:])
	return number(x[:])
}

// serverPublic is B = 3v + g^b.
func serverPublic(v, b *big.Int) [32]byte {
	B := new(big.Int).Mul(multiplier, v)
	B.Add(B, power(generator, b))
	return little(B.Mod(B, prime))
}

// scramble is u.
func scramble(A, B [32]byte) *big.Int {
	u := sum(A[:], B[:])
	return number(u[:])
}

// serverSecret is S = (A·v^u)^b.
func serverSecret(A, v, u, b *big.Int) [32]byte {
	S := new(big.Int).Mul(A, power(v, u))
	return little(power(S.Mod(S, prime), b))
}

// clientSecret is S = (B − 3·g^x)^(a + u·x), the same number from the other side.
func clientSecret(B, x, a, u *big.Int) [32]byte {
	base := new(big.Int).Mul(multiplier, power(generator, x))
	base.Sub(B, base)
	e := new(big.Int).Mul(u, x)
	return little(power(base.Mod(base, prime), e.Add(e, a)))
}

// interleave makes the session key of a secret: the zeros it begins with are dropped, and one byte more if they are odd
// in number; then the bytes at even and at odd places are hashed apart and the two hashes shuffled together.
//
// wow_srp drops pairs for as long as one begins with a zero, which differs once in 65,536 secrets (00 xx 00 …).
//
// Source: RFC 2945, 3.1; SRP6::SHA1Interleave, AzerothCore; sha1Interleave, AzerothGhost.
func interleave(S [32]byte) (K [40]byte) {
	zeros := 0
	for zeros < len(S) && S[zeros] == 0 {
		zeros++
	}
	var half [2][]byte
	for i, c := range S[(zeros+1)&^1:] {
		half[i%2] = append(half[i%2], c)
	}
	even, odd := sha1.Sum(half[0]), sha1.Sum(half[1])
	for i := range even {
		K[2*i], K[2*i+1] = even[i], odd[i]
	}
	return K
}

// clientProof is M1. Source: SRP6::VerifyChallengeResponse, AzerothCore.
func clientProof(user string, salt, A, B [32]byte, K [40]byte) [20]byte {
	name := sum([]byte(Upper(user)))
	return sum(groupHash[:], name[:], salt[:], A[:], B[:], K[:])
}

// serverProof is M2. Source: SRP6::GetSessionVerifier, AzerothCore.
func serverProof(A [32]byte, M1 [20]byte, K [40]byte) [20]byte {
	return sum(A[:], M1[:], K[:])
}

// hashGroup is H(N) xor H(g).
func hashGroup() [20]byte {
	h, g := sum(primeBytes[:]), sum([]byte{Generator})
	for i := range h {
		h[i] ^= g[i]
	}
	return h
}

func power(base, e *big.Int) *big.Int { return new(big.Int).Exp(base, e, prime) }

func multipleOfPrime(x *big.Int) bool { return new(big.Int).Mod(x, prime).Sign() == 0 }

// number reads little-endian bytes.
func number(le []byte) *big.Int {
	be := slices.Clone(le)
	slices.Reverse(be)
	return new(big.Int).SetBytes(be)
}

// little writes a number below 2^256 as padded little-endian bytes.
func little(x *big.Int) (le [32]byte) {
	x.FillBytes(le[:])
	slices.Reverse(le[:])
	return le
}

func sum(parts ...[]byte) (h [20]byte) {
	d := sha1.New()
	for _, p := range parts {
		d.Write(p)
	}
	d.Sum(h[:0])
	return h
}
