package account

import (
	"cmp"
	"crypto/rand"
	"log/slog"
	"time"

	"muster/internal/metric"
)

// GuardConfig has the limits on wrong passwords. Zero means the default.
//
// Source: WrongPass.MaxCount, WrongPass.BanTime and WrongPass.BanType, authserver.conf.dist, AzerothCore, where guessing is
// allowed by default.
type GuardConfig struct {
	MaxCount  int           // wrong passwords in a row for an account, or from an address in a BanTime; default 10, no limit if negative
	BanTime   time.Duration // that it is then banned for; default 10m, for ever if negative
	ByAddress bool          // the ban is for the address from which the last one came, and not for the account
	Loopback  bool          // addresses of this host are counted like others

	// Secret hides which unknown names are counted together. Default: random.
	Secret []byte

	Now    func() time.Time // default time.Now
	Metric *metric.Table    // counts bans as auth.lockout and auth.address_lockout; default: a table of its own
	Log    *slog.Logger     // default: nothing is logged
}

func (c GuardConfig) withDefaults() GuardConfig {
	c.MaxCount = cmp.Or(c.MaxCount, 10)
	c.BanTime = cmp.Or(c.BanTime, 10*time.Minute)
	if len(c.Secret) == 0 {
		c.Secret = make([]byte, 32)
		rand.Read(c.Secret) // never fails
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}
