package crypt

import (
	"crypto/hmac"
	"crypto/sha256"
)

// Decoy makes the salt and verifier of an account that does not exist. They depend on the secret and the name alone, so
// that asking twice, or in another spelling, reveals nothing; and no password fits the verifier.
func Decoy(secret []byte, name string) (salt, verifier [32]byte) {
	draw := func(what string) (out [32]byte) {
		m := hmac.New(sha256.New, secret)
		m.Write([]byte(what))
		m.Write([]byte(Upper(name)))
		m.Sum(out[:0])
		return out
	}
	return draw("salt:"), draw("verifier:")
}
