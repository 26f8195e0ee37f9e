// Package lease has a process be one of the gateways that share a database, for as long as its registry hears of it.
package lease

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"muster/cmd/internal/membership"
	"muster/cmd/internal/storage"
	"muster/loaders/registry"
)

// A Lease is a gateway's place among those that share its accounts.
type Lease struct {
	Registry *registry.Registry
	*registry.Member
	Drained bool // all players have been taken out of their worlds
	log     *slog.Logger
	stop    context.CancelFunc // ends what keep does
	keeping sync.WaitGroup
}

// A Config says which gateway of which registry a process is.
type Config struct {
	Database string // URL of the registry's PostgreSQL
	Home     string // file of what no other gateway has: names of hosts and folders repeat, as those of containers do
	Number   uint32 // is wanted, and given if no other gateway is known that has it
	Realm    string // its name
	Seats    int    // how many connections it lets in at most
}

// Join makes this process one of the gateways of a database. The journal must be open: what had its folder before has ended. The lease
// is renewed from then on, and end is called with registry.ErrReplaced if another process has the number.
func Join(ctx context.Context, c Config, end context.CancelCauseFunc, log *slog.Logger) (*Lease, error) {
	home, err := storage.Drawn(c.Home)
	if err != nil {
		return nil, err
	}
	r, err := storage.Await(ctx, log, func(ctx context.Context) (*registry.Registry, error) {
		return registry.Open(ctx, registry.Config{URL: c.Database})
	})
	if err != nil {
		return nil, storage.OneLine(err)
	}
	joined, err := storage.Await(ctx, log, func(ctx context.Context) (*registry.Member, error) {
		return r.Join(ctx, hex.EncodeToString(home), c.Number, c.Realm, c.Seats)
	})
	if err != nil {
		r.Close()
		return nil, storage.OneLine(err)
	}
	m := &Lease{Registry: r, Member: joined, log: log}
	m.begin(end)
	log.Info("this is a gateway of the registry", "gateway", m.Number(), "realm", m.Realm(), "lease", m.Lease())
	return m, nil
}

// begin has the lease renewed until it is released. Replaced is called with registry.ErrReplaced if another process has the number.
func (m *Lease) begin(replaced context.CancelCauseFunc) {
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	m.keeping.Go(func() { m.keep(ctx, replaced) })
}

// keep renews the lease until ctx ends. It says that no players are let in.
func (m *Lease) keep(ctx context.Context, replaced context.CancelCauseFunc) {
	renew := time.NewTicker(time.Second)
	defer renew.Stop()
	var away membership.Outage
	for ctx.Err() == nil {
		_, err := m.Renew(ctx, "", 0)
		if errors.Is(err, registry.ErrReplaced) {
			replaced(err)
			return
		}
		if ctx.Err() == nil {
			away.Note(m.log, err)
		}
		select {
		case <-renew.C:
		case <-ctx.Done():
		}
	}
}

// Release leaves it to the claims to renew the lease, which begin when the worlds are there.
func (m *Lease) Release() {
	m.stop()
	m.keeping.Wait()
}

// Resume has the lease renewed after the claims have ended, until the gateway leaves: storing what is in its journal may take as long as a lease. If another process has the number by
// then, this one ends as it was told to.
func (m *Lease) Resume() {
	m.Release()
	m.begin(func(error) {})
}

// leaveTime is how long the registry may take to note that a gateway ends that keeps its accounts: it is away, most likely.
const leaveTime = time.Second

// Leave ends what Join began. Left are the characters of which the store does not have all that was saved. What is claimed is given back
// if there are none, and no world has a player of this gateway. Otherwise it is free when the lease is over, or with the next process that has the journal.
func (m *Lease) Leave(left int, log *slog.Logger) {
	if m == nil {
		return
	}
	defer m.Registry.Close()
	m.Release()
	var err error
	if m.Drained && left == 0 {
		err = m.Member.Leave(context.Background())
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
		defer cancel()
		if _, err = m.Renew(ctx, "", 0); err == nil {
			log.Warn("the accounts of this gateway are kept until its lease is over", "lease", m.Lease(), "drained", m.Drained, "characters", left)
		}
	}
	switch {
	case errors.Is(err, registry.ErrReplaced):
		log.Warn("another process has the number of this gateway: what is left in its journal is for the next process with its folder", "drained", m.Drained, "characters", left)
	case err != nil:
		log.Warn("the registry is away: what this gateway has is free when its lease is over", "lease", m.Lease(), "drained", m.Drained, "characters", left, "err", storage.OneLine(err))
	}
}
