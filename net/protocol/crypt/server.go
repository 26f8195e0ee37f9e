package crypt

import (
	"crypto/subtle"
	"fmt"
	"io"
	"math/big"
)

// Server is the server's half of one SRP6 exchange. It serves one proof and is then spent.
type Server struct {
	user   string
	salt   [32]byte
	v, b   *big.Int // b is nil once the exchange is spent
	public [32]byte
}

// NewServer draws a private key for an account. The error is that of rand, or ErrPublic for a verifier that is zero
// modulo the prime. It costs one exponentiation, some tens of microseconds.
//
// The private key is drawn again until the most significant byte of the public key is not zero (one draw in 137 is
// lost): several clients handle that number without padding and would compute another secret.
func NewServer(rand io.Reader, user string, salt, verifier [32]byte) (*Server, error) {
	s := &Server{user: user, salt: salt, v: number(verifier[:])}
	if multipleOfPrime(s.v) {
		return nil, ErrPublic
	}
	for s.public[31] == 0 {
		var b [32]byte
		if _, err := io.ReadFull(rand, b[:]); err != nil {
			return nil, fmt.Errorf("crypt: draw a private key: %w", err)
		}
		s.b = number(b[:])
		s.public = serverPublic(s.v, s.b)
	}
	return s, nil
}

// Public is B, the server's public key. Its last byte, the most significant, is never zero.
func (s *Server) Public() [32]byte { return s.public }

// Proof checks the client's public key and proof. Only if ok is true do K, the session key, and M2, the answer to the
// client, have a meaning. A second call is refused whatever its arguments, and so is an A that is zero modulo the
// prime, which would let any client in. The proofs are compared in constant time.
func (s *Server) Proof(A [32]byte, M1 [20]byte) (K [40]byte, M2 [20]byte, ok bool) {
	b := s.b
	s.b = nil
	a := number(A[:])
	if b == nil || multipleOfPrime(a) {
		return K, M2, false
	}
	key := interleave(serverSecret(a, s.v, scramble(A, s.public), b))
	want := clientProof(s.user, s.salt, A, s.public, key)
	if subtle.ConstantTimeCompare(want[:], M1[:]) != 1 {
		return K, M2, false
	}
	return key, serverProof(A, M1, key), true
}
