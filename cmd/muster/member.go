package main

import (
	"context"
	"encoding/hex"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"

	"muster/loaders/registry"
	"muster/loaders/store/journal"
	"muster/net/gateway"
	"muster/net/gateway/claims"
)

// A membership is a gateway's place among those that share its accounts.
type membership struct {
	registry *registry.Registry
	*registry.Member
}

// home is the file, beside the journal, of what no other gateway has. Names of hosts and folders repeat, as those of containers do.
func (v *serveVerb) home() string { return filepath.Join(v.journalFolder(), "gateway") }

// join makes this process one of the gateways of its database, if its worlds are of other processes. It returns nil if there
// are no others. The journal must be open: what had its folder before has ended.
func (v *serveVerb) join(ctx context.Context, log *slog.Logger) (*membership, error) {
	if v.Bus == "" || v.Database == "" {
		return nil, nil
	}
	home, err := drawn(v.home())
	if err != nil {
		return nil, err
	}
	r, err := registry.Open(ctx, registry.Config{URL: v.Database})
	if err != nil {
		return nil, oneLine(err)
	}
	m, err := r.Join(ctx, hex.EncodeToString(home), uint32(v.Gateway))
	if err != nil {
		r.Close()
		return nil, oneLine(err)
	}
	v.Gateway = uint8(m.Number())
	log.Info("this is a gateway of the registry", "gateway", m.Number(), "lease", m.Lease())
	return &membership{r, m}, nil
}

// leave ends what join began, once the store has all that was saved.
func (m *membership) leave(log *slog.Logger) {
	if m == nil {
		return
	}
	if err := m.Leave(context.Background()); err != nil {
		log.Warn("the registry is away: what this gateway has is free when its lease is over", "lease", m.Lease(), "err", oneLine(err))
	}
	m.registry.Close()
}

// newClaims makes the claims of the gateway's accounts, nil if there are no other gateways.
func (r *realm) newClaims() *claims.Claims {
	if r.config.member == nil {
		return nil
	}
	return claims.New(claims.Config{
		Member: r.config.member, Bus: r.links.bus, Realm: subject(r.config.RealmName), Metric: r.metric, Log: r.log,
		Store: func(ctx context.Context, guids ...uint64) error {
			if j, ok := r.store.(*journal.Journal); ok {
				return j.Deliver(ctx, guids...)
			}
			return nil
		},
	})
}

// gateClaims are the claims as the gateway wants them.
func (r *realm) gateClaims() gateway.Claims {
	if r.claims == nil {
		return nil
	}
	return r.claims
}

// share has the gateway share its accounts with others until ctx ends. It ends the realm if another process has its number.
func (r *realm) share(ctx context.Context, running *sync.WaitGroup) {
	if r.claims == nil {
		return
	}
	here, _ := r.address()
	running.Go(func() {
		if err := r.claims.Run(ctx, r.gate, r.state(here)); err != nil {
			r.log.Error("this is no gateway of the registry any more", "err", err)
			r.code.Store(exitFailure)
			r.end()
		}
	})
}

// state is what others know of the gateway: where clients reach it, "" once it lets none in, and how many it has.
func (r *realm) state(here string) func() (address string, load int) {
	return func() (string, int) {
		if r.draining.Load() {
			return "", r.connected()
		}
		return here, r.connected()
	}
}

// connected is how many connections are let in, or wait for that.
func (r *realm) connected() int {
	s := r.gate.Stats()
	return s.Select + s.Entering + s.World + s.Transfer + s.Queued
}

// route is where the next client is to go. It is not ok if there are no other gateways.
func (r *realm) route() (address string, ok bool) {
	if r.claims == nil {
		return "", false
	}
	return r.claims.Least()
}

// address is where the realm list sends clients of this gateway, which listens; only this host reaches a local one.
func (r *realm) address() (at string, local bool) {
	if r.config.RealmAddress != "" {
		return r.config.RealmAddress, false
	}
	world := r.gate.Addr()
	if world.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), world.Port()).String(), true
	}
	return world.String(), false
}

// A wideGate is a gateway for operators, whose words reach the players of others too.
type wideGate struct {
	*gateway.Gate
	claims *claims.Claims
}

// wide is the gateway as operators have it.
func (r *realm) wide() wideGate { return wideGate{r.gate, r.claims} }

// KickAccount closes the connection of an account wherever it is. It reports whether there was one here.
func (g wideGate) KickAccount(account uint32) bool {
	if g.claims != nil {
		g.claims.KickAccount(account)
	}
	return g.Gate.KickAccount(account)
}

// Announce sends a line of text to all players in worlds.
func (g wideGate) Announce(line string) {
	if g.claims != nil {
		g.claims.Announce(line)
	}
	g.Gate.Announce(line)
}
