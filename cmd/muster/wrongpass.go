package main

import (
	"fmt"
	"log/slog"
	"time"

	"muster/internal/metric"
	"muster/net/login/account"
	"muster/net/protocol/command"
)

// A wrongPass is the limits on wrong passwords, under the names that AzerothCore has for them.
type wrongPass struct {
	MaxCount int  `name:"wrong-pass.max-count" default:"10" placeholder:"N" help:"Ban an account after N wrong passwords in a row, and an address after N in that time; 0: never (${default})."`
	BanTime  term `name:"wrong-pass.ban-time" default:"10m" placeholder:"D" help:"Ban it for so long: seconds, or a time as in 4d20h3s; for ever if it is negative (${default})."`
	BanType  int  `name:"wrong-pass.ban-type" default:"1" enum:"0,1" placeholder:"N" help:"After too many for an account ban 0, the address that the last came from, or 1, the account (${default})."`
}

// A term is how long something lasts.
type term struct {
	time.Duration // negative for ever
}

// UnmarshalText reads a term as command.Term does.
func (t *term) UnmarshalText(text []byte) error {
	d, forever, ok := command.Term(string(text))
	if t.Duration = d; forever {
		t.Duration = -1
	}
	if !ok || d == 0 && !forever {
		return fmt.Errorf("%q: %w", text, errTerm)
	}
	return nil
}

// guard makes the guard of all ways into a server.
func (w *wrongPass) guard(loopback bool, secret []byte, counters *metric.Table, log *slog.Logger, k account.Keeper) *account.Guard {
	most := w.MaxCount
	if most == 0 {
		most = -1 // none, where 0 is the default
	}
	return account.NewGuard(account.GuardConfig{
		MaxCount: most, BanTime: w.BanTime.Duration, ByAddress: w.BanType == 0, Loopback: loopback,
		Secret: secret, Metric: counters, Log: log,
	}, k)
}
