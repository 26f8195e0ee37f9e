package account

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"

	"muster/loaders/store"
)

// Judge decides about a proof, right or not, and counts it. If it is admitted and there is a key, the account has that
// session key from now on. For an account that is one transaction: of any number of proofs at once, MaxCount are
// checked, and the others get no other answer than that they are too late. The account is as for Status. An error is
// the store's, and nothing was decided.
func (g *Guard) Judge(ctx context.Context, a *store.Account, name string, from netip.Addr, right bool, key *[40]byte) (Verdict, error) {
	now := g.config.Now().Unix()
	if v := g.barred(from, now); v != Admitted {
		return v, nil
	}
	v, full, err := g.judge(ctx, a, name, from, right, key, now)
	if err != nil {
		return 0, err
	}
	if v == Wrong {
		g.wrong(from, now, full && g.config.ByAddress)
	}
	if full {
		g.config.Metric.Count(lockout)
		g.config.Log.Warn("account: too many wrong passwords in a row", "name", name, "known", a != nil, "from", from,
			"banned", g.banned(), "for", g.term())
	}
	return v, nil
}

func (g *Guard) banned() string {
	if g.config.ByAddress {
		return "address"
	}
	return "account"
}

func (g *Guard) term() string {
	if g.config.BanTime < 0 {
		return "ever"
	}
	return g.config.BanTime.String()
}

func (g *Guard) barred(from netip.Addr, now int64) Verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := g.places.of(Place(from)); t != nil && g.limited() && t.full(g.limit(), now) {
		return Barred
	}
	return Admitted
}

// judge decides about an account, or an unknown name. It is full if a wrong password was one too many.
func (g *Guard) judge(ctx context.Context, a *store.Account, name string, from netip.Addr, right bool, key *[40]byte, now int64) (v Verdict, full bool, err error) {
	if a == nil {
		if v, full = g.judgeStranger(name, right, now); v == Wrong {
			_, err = g.store.Account(ctx, name) // a store that fails does so for all names
		}
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return v, full, err
	}
	_, err = g.store.UpdateAccount(ctx, a.ID, func(a *store.Proven) error {
		before := *a
		if v, full = g.change(&a.Account, from, right, now); v == Admitted && key != nil {
			a.Key, a.HasKey = *key, true
		}
		if *a == before {
			return v // nothing changes, as in most reconnects with a key
		}
		return nil
	})
	switch {
	case errors.Is(err, store.ErrNotFound): // it was deleted meanwhile
		return Wrong, false, nil
	case errors.As(err, new(Verdict)):
		return v, false, nil
	}
	return v, full, err
}

// change is what a proof does to an account.
func (g *Guard) change(a *store.Account, from netip.Addr, right bool, now int64) (v Verdict, full bool) {
	switch v := statusOf(a, now); {
	case v != Admitted:
		return v, false
	case right && a.Locked && a.LastAddress != "" && !samePlace(a.LastAddress, from):
		return Elsewhere, false
	case right:
		a.FailedLogins, a.BanEndUnix, a.BanReason = 0, 0, ""
		if a.LastAddress = ""; from.IsValid() {
			a.LastAddress = plain(from).String()
		}
		return Admitted, false
	}
	if a.FailedLogins < math.MaxUint32 {
		a.FailedLogins++
	}
	if !g.limited() || a.FailedLogins < g.limit() {
		return Wrong, false
	}
	if !g.config.ByAddress {
		a.BanEndUnix = g.end(now)
		a.BanReason = fmt.Sprintf("%d wrong passwords in a row", a.FailedLogins)
	}
	a.FailedLogins = 0
	return Wrong, true
}

// samePlace reports whether an address is the stored one.
func samePlace(last string, from netip.Addr) bool {
	a, err := netip.ParseAddr(last)
	return err == nil && Place(a) == Place(from)
}

// judgeStranger is change for an unknown name.
func (g *Guard) judgeStranger(name string, right bool, now int64) (v Verdict, full bool) {
	slot := g.slot(name)
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &g.unknown[slot]
	switch v := g.unknownStatus(slot, now); {
	case v != Admitted:
		return v, false
	case right:
		return Admitted, false
	case !g.limited():
		return Wrong, false
	}
	if t.count >= g.limit() { // its ban is over
		*t = tally{}
	}
	if t.count++; t.count < g.limit() {
		return Wrong, false
	}
	if g.config.ByAddress {
		*t = tally{}
	} else {
		t.until = g.end(now)
	}
	return Wrong, true
}

// wrong counts a wrong password for its address, and bans the address if it is one too many, or in any case.
func (g *Guard) wrong(from netip.Addr, now int64, anyway bool) {
	place := Place(from)
	if !g.counted(place) {
		return
	}
	g.mu.Lock()
	t := g.places.make(place)
	full := t.add(g.limit(), now, g.end(now))
	if anyway && !full {
		*t, full = tally{g.limit(), g.end(now)}, true
	}
	g.mu.Unlock()
	if full {
		g.config.Metric.Count(addressLockout)
		g.config.Log.Warn("account: too many wrong passwords from an address", "from", place, "for", g.term())
	}
}
