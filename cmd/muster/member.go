package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"
	"time"

	"muster/cmd/internal/link"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/seats"
	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/loaders/store/journal"
	"muster/net/gateway"
	"muster/net/gateway/claims"
	"muster/net/gateway/relay"
)

// A memberGateway is a gateway's place among those that share its accounts.
type memberGateway struct {
	registry *registry.Registry
	*registry.Member
	drained bool          // all players have been taken out of their worlds
	shared  chan struct{} // closed when the claims renew the lease, or nothing is to
	once    sync.Once
	keeping sync.WaitGroup
}

// home is the file, beside the journal, of what no other gateway has. Names of hosts and folders repeat, as those of containers do.
func (v *serveVerb) home() string {
	return filepath.Join(storage.JournalFolder(v.Data, v.Database), "gateway")
}

// join makes this process one of the gateways of its database, if its worlds are of other processes. It returns nil if there
// are no others. The journal must be open: what had its folder before has ended. The lease is renewed from then on, and end is called
// with registry.ErrReplaced if another process has the number.
func (v *serveVerb) join(ctx context.Context, end context.CancelCauseFunc, log *slog.Logger) (*memberGateway, error) {
	if v.Bus == "" || v.Database == "" {
		return nil, nil
	}
	home, err := storage.Drawn(v.home())
	if err != nil {
		return nil, err
	}
	r, err := registry.Open(ctx, registry.Config{URL: v.Database})
	if err != nil {
		return nil, storage.OneLine(err)
	}
	joined, err := r.Join(ctx, hex.EncodeToString(home), uint32(v.Gateway), v.RealmName, v.seats())
	if err != nil {
		r.Close()
		return nil, storage.OneLine(err)
	}
	m := &memberGateway{registry: r, Member: joined, shared: make(chan struct{})}
	m.keeping.Go(func() { m.keep(end, log) })
	v.Gateway = uint8(m.Number())
	log.Info("this is a gateway of the registry", "gateway", m.Number(), "realm", m.Realm(), "lease", m.Lease())
	return m, nil
}

// keep renews the lease until the claims do, which begin when the worlds are there. It says that no players are let in yet.
func (m *memberGateway) keep(end context.CancelCauseFunc, log *slog.Logger) {
	renew := time.NewTicker(time.Second)
	defer renew.Stop()
	var away membership.Outage
	for {
		select {
		case <-renew.C:
		case <-m.shared:
			return
		}
		_, err := m.Renew(context.Background(), "", 0)
		if errors.Is(err, registry.ErrReplaced) {
			end(err)
			return
		}
		away.Note(log, err)
	}
}

// release returns when keep has ended.
func (m *memberGateway) release() {
	m.once.Do(func() { close(m.shared) })
	m.keeping.Wait()
}

// leaveTime is how long the registry may take to note that a gateway ends that keeps its accounts: it is away, most likely.
const leaveTime = time.Second

// leave ends what join began. Left are the characters of which the store does not have all that was saved. What is claimed is given back
// if there are none, and no world has a player of this gateway. Otherwise it is free when the lease is over, or with the next process that has the journal.
func (m *memberGateway) leave(left int, log *slog.Logger) {
	if m == nil {
		return
	}
	defer m.registry.Close()
	m.release()
	var err error
	if m.drained && left == 0 {
		err = m.Leave(context.Background())
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
		defer cancel()
		log.Warn("the accounts of this gateway are kept until its lease is over", "lease", m.Lease(), "drained", m.drained, "characters", left)
		_, err = m.Renew(ctx, "", 0)
	}
	if err != nil {
		log.Warn("the registry is away: what this gateway has is free when its lease is over", "lease", m.Lease(), "err", storage.OneLine(err))
	}
}

// newClaims makes the claims of the gateway's accounts, nil if there are no other gateways.
func (r *realm) newClaims() *claims.Claims {
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
func (r *realm) gateClaims() gateway.Claims {
	if r.claims == nil {
		return nil
	}
	return r.claims
}

// share has the gateway share its accounts with others until ctx ends. It ends the realm if another process has its number.
func (r *realm) share(ctx context.Context, running *sync.WaitGroup, operators netip.AddrPort) {
	if r.claims == nil {
		return
	}
	here, _ := r.address()
	r.config.member.release()
	r.realms.Read(ctx)
	running.Go(func() { r.realms.Run(ctx) })
	running.Go(func() {
		if err := r.relay.Run(ctx, r.gate); err != nil {
			r.Log.Error("players of other gateways are not reached", "err", err)
		}
	})
	running.Go(func() {
		membership.StayEnlisted(ctx, r.end, r.config.member.registry, r.config.RealmName, registry.Process{
			Role: registry.RoleGateway, Address: here, Admin: membership.Reachable(operators).String(),
		}, r.Log)
	})
	running.Go(func() {
		if err := r.claims.Run(ctx, r.gate, r.state(here)); err != nil {
			r.Log.Error("this is no gateway of the registry any more", "err", err)
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

// listing is the gateway as the registry will have it. It is not ok while it lets no clients in.
func (r *realm) listing() (g registry.Gateway, ok bool) {
	here, _ := r.address()
	at, load := r.state(here)()
	m := r.config.member
	return registry.Gateway{Number: m.Number(), Address: at, Load: load, Realm: m.Realm(), Seats: r.config.seats()}, at != ""
}

// seats is how many connections the gateway lets in at most.
func (v *serveVerb) seats() int {
	return cmp.Or(v.MaxPlayers, seats.Share(seats.Descriptors(), 0).Players)
}

// connected is how many connections are let in, or wait for that.
func (r *realm) connected() int {
	s := r.gate.Stats()
	return s.Select + s.Entering + s.World + s.Transfer + s.Queued
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

// newRelay makes what reaches the players of other gateways, nil if there are none.
func (r *realm) newRelay() *relay.Relay {
	if r.config.member == nil {
		return nil
	}
	return relay.New(relay.Config{
		Bus: r.links.bus, Realm: link.Subject(r.config.RealmName), Number: r.config.member.Number(), Life: link.NewLife(), Metric: r.Metric, Log: r.Log,
	})
}

// gateOthers are the other gateways as the gateway wants them.
func (r *realm) gateOthers() gateway.Others {
	if r.relay == nil {
		return nil
	}
	return r.relay
}

// A wideGate is a gateway for operators, who reach the players of others too.
type wideGate struct {
	*gateway.Gate
	claims *claims.Claims // nil if there are no others
	relay  *relay.Relay   // the same
}

// wide is the gateway as operators have it.
func (r *realm) wide() wideGate { return wideGate{r.gate, r.claims, r.relay} }

// Find is the player of a name in a world, wherever it is.
func (g wideGate) Find(name string) (gateway.OnlinePlayer, bool) {
	p, ok := g.Gate.Find(name)
	if !ok && g.relay != nil {
		return g.relay.Find(name)
	}
	return p, ok
}

// FindGUID is the player of a GUID in a world, wherever it is.
func (g wideGate) FindGUID(guid uint64) (gateway.OnlinePlayer, bool) {
	p, ok := g.Gate.FindGUID(guid)
	if !ok && g.relay != nil {
		return g.relay.FindGUID(guid)
	}
	return p, ok
}

// Kick closes the connection of a player, wherever it is. It reports whether there is one of that name.
func (g wideGate) Kick(name string) bool {
	return g.Gate.Kick(name) || g.relay != nil && g.relay.Kick(name)
}

// Command gives a line to the world of a character, wherever it is, as gateway.Gate.
func (g wideGate) Command(ctx context.Context, character string, level uint8, line string) ([]string, error) {
	said, err := g.Gate.Command(ctx, character, level, line)
	if errors.Is(err, gateway.ErrNoPlayer) && g.relay != nil {
		return g.relay.Command(ctx, character, level, line)
	}
	return said, err
}

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
