package store

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of accounts.
const (
	MaxAccountName = 255  // bytes; clients take far fewer
	MaxText        = 255  // bytes of BanReason and of LastAddress
	MaxPage        = 1000 // accounts that Accounts lists at once
)

// ErrAccount is the error of an account with a text that no store can keep.
var ErrAccount = errors.New("store: an account that cannot be")

// An Account is a login account.
type Account struct {
	ID       uint32 // from 1 on, never used twice
	Name     string // in upper case; stored and compared as it is
	Salt     [32]byte
	Verifier [32]byte // little endian
	Level    uint8    // 0 player … 3 administrator

	Expansion    uint8  // the last one that it may play: 0 the first game … 2 Wrath of the Lich King
	Locked       bool   // to LastAddress
	BanEndUnix   int64  // when its ban ends; 0 without one, math.MaxInt64 if it never does
	BanReason    string // the reason given with the ban
	FailedLogins uint32 // in a row
	LastAddress  string // of the last login, as netip.Addr writes it; empty before the first
}

// Banned reports whether an account is banned at a time, in seconds since 1970.
func (a *Account) Banned(unix int64) bool { return a.BanEndUnix > unix }

// CheckAccount returns nil if an account can be kept, or wraps ErrAccount: its texts are short, valid UTF-8, and
// without NUL.
func CheckAccount(a *Account) error {
	for _, text := range []struct {
		value string
		limit int
	}{{a.Name, MaxAccountName}, {a.BanReason, MaxText}, {a.LastAddress, MaxText}} {
		if len(text.value) > text.limit || !IsText(text.value) {
			return fmt.Errorf("%w: %.300q", ErrAccount, text.value)
		}
	}
	return nil
}

// IsText reports whether every store can keep a text: it is valid UTF-8 and has no NUL.
func IsText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }
