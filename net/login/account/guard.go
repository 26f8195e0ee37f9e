package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"net/netip"
	"sync"
	"time"

	"muster/loaders/store"
	"muster/net/protocol/crypt"
)

// A Verdict is the decision about a login.
type Verdict uint8

// The verdicts.
const (
	Admitted  Verdict = iota
	Wrong             // the password is another
	Suspended         // the account is banned, and will not be some day
	Banned            // the account is banned for ever
	Elsewhere         // the account is locked to another address
	Barred            // no login from that address is admitted for now
)

// Error makes a verdict what ends a change of an account.
func (v Verdict) Error() string {
	return [...]string{"admitted", "wrong password", "suspended", "banned", "locked to another address", "address barred"}[v]
}

// unknownTallies is how many tallies there are for unknown names. Names share them, so that they take no more room however
// many are tried.
const unknownTallies = 1 << 14

// A Guard decides about logins, for all kinds of login together: each calls Status before it checks a proof, so that no
// work is wasted, and Judge about the proof. An unknown name is treated as a known one. Its methods may be called
// from any goroutine.
type Guard struct {
	config GuardConfig
	store  Keeper

	mu      sync.Mutex
	places  places
	unknown [unknownTallies]tally
}

// A Keeper is what a Guard needs of store.Store, as it is described there.
type Keeper interface {
	Account(ctx context.Context, name string) (store.Account, error)
	UpdateAccount(ctx context.Context, account uint32, change func(*store.Proven) error) (store.Account, error)
}

// NewGuard makes a guard that keeps what concerns accounts in a store.
func NewGuard(config GuardConfig, k Keeper) *Guard {
	config = config.withDefaults()
	config.Metric.Declare(lockout, addressLockout)
	return &Guard{config: config, store: k}
}

// limited reports whether wrong passwords have consequences.
func (g *Guard) limited() bool { return g.config.MaxCount > 0 }

// limit is what makes a tally full.
func (g *Guard) limit() uint32 { return uint32(min(g.config.MaxCount, math.MaxUint32)) }

// end is when a ban ends that begins now.
func (g *Guard) end(now int64) int64 {
	if g.config.BanTime < 0 {
		return math.MaxInt64
	}
	return now + max(1, int64(g.config.BanTime/time.Second))
}

// counted reports whether an address has a tally.
func (g *Guard) counted(place netip.Prefix) bool {
	return g.limited() && place.IsValid() && (g.config.Loopback || !place.Addr().IsLoopback())
}

// Status is the verdict before any proof: Admitted to a proof, Suspended, Banned or Barred. The account is that of
// the name, in upper case, or nil if there is none.
func (g *Guard) Status(a *store.Account, name string, from netip.Addr) Verdict {
	now, place := g.config.Now().Unix(), Place(from)
	slot := g.slot(name) // for every name, so that all take as long
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := g.places.of(place); t != nil && g.limited() && t.full(g.limit(), now) {
		return Barred
	}
	if a != nil {
		return statusOf(a, now)
	}
	return g.unknownStatus(slot, now)
}

// statusOf is the verdict for an account.
func statusOf(a *store.Account, now int64) Verdict { return verdict(a.BanEndUnix, now) }

// unknownStatus is the verdict for an unknown name.
func (g *Guard) unknownStatus(slot int, now int64) Verdict {
	if t := &g.unknown[slot]; g.limited() && t.full(g.limit(), now) {
		return verdict(t.until, now)
	}
	return Admitted
}

func verdict(until, now int64) Verdict {
	switch {
	case until <= now:
		return Admitted
	case until == math.MaxInt64:
		return Banned
	}
	return Suspended
}

// slot is the tally of an unknown name.
func (g *Guard) slot(name string) int {
	m := hmac.New(sha256.New, g.config.Secret)
	m.Write([]byte("stranger:"))
	m.Write([]byte(crypt.Upper(name)))
	return int(binary.LittleEndian.Uint32(m.Sum(nil)) % unknownTallies)
}
