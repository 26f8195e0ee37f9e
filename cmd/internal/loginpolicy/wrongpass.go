// Package loginpolicy says which logins a server lets in: open accounts, and what becomes of wrong passwords.
package loginpolicy

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"muster/internal/metric"
	"muster/net/login/account"
	"muster/net/protocol/command"
)

// A WrongPass is the limits on wrong passwords, under the names that AzerothCore has for them.
type WrongPass struct {
	MaxCount int  `name:"wrong-pass.max-count" default:"10" placeholder:"N" help:"Ban an account after N wrong passwords in a row, and an address after N in that time; 0: never (${default})."`
	BanTime  Term `name:"wrong-pass.ban-time" default:"10m" placeholder:"D" help:"Ban it for so long: seconds, or a time as in 4d20h3s; for ever if it is negative (${default})."`
	BanType  int  `name:"wrong-pass.ban-type" default:"1" enum:"0,1" placeholder:"N" help:"After too many for an account ban 0, the address that the last came from, or 1, the account (${default})."`
}

// A Term is how long something lasts.
type Term struct {
	time.Duration // negative for ever
}

// ErrTerm is returned for a time that is none.
var ErrTerm = errors.New("a time is a number of seconds, or numbers with d, h, m and s as in 4d20h3s, or negative for ever")

// UnmarshalText reads a term as command.Term does.
func (t *Term) UnmarshalText(text []byte) error {
	d, forever, ok := command.Term(string(text))
	if t.Duration = d; forever {
		t.Duration = -1
	}
	if !ok || d == 0 && !forever {
		return fmt.Errorf("%q: %w", text, ErrTerm)
	}
	return nil
}

// Guard makes the guard of all ways into a server.
func (w *WrongPass) Guard(loopback bool, secret []byte, counters *metric.Table, log *slog.Logger, k account.Keeper) *account.Guard {
	most := w.MaxCount
	if most == 0 {
		most = -1 // none, where 0 is the default
	}
	return account.NewGuard(account.GuardConfig{
		MaxCount: most, BanTime: w.BanTime.Duration, ByAddress: w.BanType == 0, Loopback: loopback,
		Secret: secret, Metric: counters, Log: log,
	}, k)
}
