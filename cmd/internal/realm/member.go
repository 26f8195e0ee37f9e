package realm

import (
	"cmp"
	"context"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"

	"muster/cmd/internal/lease"
	"muster/cmd/internal/link"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/release"
	"muster/cmd/internal/seats"
	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/loaders/store/journal"
	"muster/net/gateway"
	"muster/net/gateway/claims"
	"muster/net/gateway/instances"
	"muster/net/gateway/relay"
)

// join takes a lease if the worlds of this gateway are of other processes and its accounts are in a database: it may be one of several then.
// It returns nil otherwise.
func (v *Config) join(ctx context.Context, end context.CancelCauseFunc, log *slog.Logger) (*lease.Lease, error) {
	if v.Bus == "" || v.Database == "" {
		return nil, nil
	}
	m, err := lease.Join(ctx, lease.Config{
		Database: v.Database, Home: filepath.Join(storage.JournalFolder(v.Data, v.Database), "gateway"),
		Number: uint32(v.Gateway), Realm: v.RealmName, Seats: v.seats(),
	}, end, log)
	if err == nil {
		v.Gateway = uint8(m.Number())
	}
	return m, err
}

// newClaims makes the claims of the gateway's accounts, nil if there are no other gateways.
func (r *Realm) newClaims() *claims.Claims {
	if r.config.member == nil {
		return nil
	}
	return claims.New(claims.Config{
		Member: r.config.member, Bus: r.links.bus, Realm: link.Subject(r.config.RealmName), Metric: r.Metric, Log: r.Log,
		Store: func(ctx context.Context, guids ...uint64) error {
			if j, ok := r.store.(*journal.Journal); ok {
				return j.Deliver(ctx, guids...)
			}
			return nil
		},
	})
}

// gateClaims are the claims as the gateway wants them.
func (r *Realm) gateClaims() gateway.Claims {
	if r.claims == nil {
		return nil
	}
	return r.claims
}

// share has the gateway share its accounts with others until ctx ends. It ends the realm if another process has its number.
func (r *Realm) share(ctx context.Context, running *sync.WaitGroup, operators netip.AddrPort) {
	if r.claims == nil {
		return
	}
	here, _ := r.address()
	r.config.member.Release()
	r.realms.Read(ctx)
	running.Go(func() { r.realms.Run(ctx) })
	running.Go(func() {
		if err := r.relay.Run(ctx, r.gate); err != nil {
			r.Log.Error("players of other gateways are not reached", "err", err)
		}
	})
	running.Go(func() {
		membership.StayEnlisted(ctx, r.end, r.config.member.Registry, r.config.RealmName, registry.Process{
			Role: registry.RoleGateway, Release: release.Name(), Address: here, Admin: operators.String(),
		}, r.Log)
	})
	running.Go(func() { r.claims.Locate(ctx, r.located) })
	running.Go(func() {
		defer r.config.member.Resume()
		if err := r.claims.Run(ctx, r.gate, r.state(here)); err != nil {
			r.Log.Error("this is no gateway of the registry any more", "err", err)
			r.code.Store(process.ExitFailure)
			r.end()
		}
	})
}

// located is in which worlds the players of this gateway are. One whose instance is not known any more is left out.
func (r *Realm) located() (all []registry.Location) {
	shared, _ := r.instances.(*instances.Client) // as those of all gateways are
	for _, p := range r.gate.Located() {
		number := uint32(0)
		if p.Slot != 0 {
			if number = shared.Number(p.Slot); number == 0 {
				continue
			}
		}
		all = append(all, registry.Location{Account: p.Account, Fence: p.Fence, Map: p.Map, Instance: number})
	}
	return all
}

// state is what others know of the gateway: where clients reach it, "" once it lets none in, and how many it has.
func (r *Realm) state(here string) func() (address string, load int) {
	return func() (string, int) {
		if r.draining.Load() {
			return "", r.connected()
		}
		return here, r.connected()
	}
}

// listing is the gateway as the registry will have it. It is not ok while it lets no clients in.
func (r *Realm) listing() (g registry.Gateway, ok bool) {
	here, _ := r.address()
	at, load := r.state(here)()
	m := r.config.member
	return registry.Gateway{Number: m.Number(), Address: at, Load: load, Realm: m.Realm(), Seats: r.config.seats()}, at != ""
}

// seats is how many connections the gateway lets in at most.
func (v *Config) seats() int {
	return cmp.Or(v.MaxPlayers, seats.Share(seats.Descriptors(), 0).Players)
}

// connected is how many connections are let in, or wait for that.
func (r *Realm) connected() int {
	s := r.gate.Stats()
	return s.Select + s.Entering + s.World + s.Transfer + s.Queued
}

// address is where the realm list sends clients of this gateway, which listens; only this host reaches a local one.
func (r *Realm) address() (at string, local bool) {
	if r.config.RealmAddress != "" {
		return r.config.RealmAddress, false
	}
	world := r.gate.Addr()
	if world.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), world.Port()).String(), true
	}
	return world.String(), false
}

// newRelay makes what reaches the players of other gateways, nil if there are none.
func (r *Realm) newRelay() *relay.Relay {
	if r.config.member == nil {
		return nil
	}
	return relay.New(relay.Config{
		Bus: r.links.bus, Realm: link.Subject(r.config.RealmName), Number: r.config.member.Number(), Life: link.NewLife(), Metric: r.Metric, Log: r.Log,
	})
}

// gateOthers are the other gateways as the gateway wants them.
func (r *Realm) gateOthers() gateway.Others {
	if r.relay == nil {
		return nil
	}
	return r.relay
}
