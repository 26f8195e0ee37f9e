package crypt

import (
	"fmt"
	"io"
	"math/big"
)

// Client is the client's half of one SRP6 exchange.
type Client struct {
	user, pass string
	a          *big.Int
}

// NewClient draws a private key. The error is that of rand.
func NewClient(rand io.Reader, user, pass string) (*Client, error) {
	var a [32]byte
	if _, err := io.ReadFull(rand, a[:]); err != nil {
		return nil, fmt.Errorf("crypt: draw a private key: %w", err)
	}
	return &Client{user: user, pass: pass, a: number(a[:])}, nil
}

// Answer answers a server's public key and salt: A and M1 are to be sent, K is the session key, and M2 is what a server
// with the verifier will reply. The error is ErrPublic if B is zero modulo the prime.
func (c *Client) Answer(B, salt [32]byte) (A [32]byte, M1 [20]byte, K [40]byte, M2 [20]byte, err error) {
	b := number(B[:])
	if multipleOfPrime(b) {
		return A, M1, K, M2, ErrPublic
	}
	A = little(power(generator, c.a))
	K = interleave(clientSecret(b, exponent(c.user, c.pass, salt), c.a, scramble(A, B)))
	M1 = clientProof(c.user, salt, A, B, K)
	return A, M1, K, serverProof(A, M1, K), nil
}
