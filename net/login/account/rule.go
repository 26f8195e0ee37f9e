package account

import (
	"errors"
	"strings"

	"muster/net/protocol/crypt"
)

// Lengths that clients have room for, in bytes.
//
// Source: MAX_ACCOUNT_STR and MAX_PASS_STR, AccountMgr.h, AzerothCore; protocol.md 1.1 and 1.3.
const (
	MaxName     = 16
	MaxPassword = 16
)

// What is wrong with a name or a password.
var (
	ErrName     = errors.New("account: a name has 1 to 16 letters, digits and signs of ASCII, and no spaces")
	ErrPassword = errors.New("account: a password has 1 to 16 letters, digits, signs and spaces of ASCII")
)

// Name is a name for a new account as it is stored: a to z become A to Z. Every character is as good as a letter, but
// clients and servers do not agree on the upper case of a letter beyond ASCII.
func Name(text string) (string, error) {
	if text == "" || len(text) > MaxName || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", ErrName
	}
	return crypt.Upper(text), nil
}

// CheckPassword returns ErrPassword if clients could not send a password. Case does not matter.
func CheckPassword(text string) error {
	if text == "" || len(text) > MaxPassword || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ErrPassword
	}
	return nil
}
