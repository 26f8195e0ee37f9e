// Package realmlist has the realms of a database as a process sees them: what logins are told, and a store of one realm's characters.
package realmlist

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"muster/cmd/internal/membership"
	"muster/loaders/registry"
	"muster/net/login"
)

// A List is the realms of a database, and the gateways that accept players, as the registry had them a moment ago.
type List struct {
	registry *registry.Registry
	log      *slog.Logger
	here     func() (g registry.Gateway, ok bool) // the gateway of this process, which the registry has a moment later; nil if it is none

	reading sync.Mutex // one reads at a time, and has asked and away
	asked   time.Time  // when it was read last, or could not be
	away    membership.Outage

	mu     sync.Mutex
	realms []registry.Realm
	live   []registry.Gateway
	sent   map[uint32]int // how many clients, by number of a gateway, since Run read it
}

// New makes a list that knows nothing yet. here is the gateway of this process as the registry has it a moment later, nil if it is none.
func New(r *registry.Registry, log *slog.Logger, here func() (g registry.Gateway, ok bool)) *List {
	return &List{registry: r, log: log, here: here, sent: make(map[uint32]int)}
}

// Run reads the list until ctx ends. One that cannot be read stays as it is.
func (l *List) Run(ctx context.Context) {
	look := time.NewTicker(membership.EnlistEvery)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			l.Read(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Read reads the list, in which gateways have the clients that were sent to them by now. One that cannot be read stays as it is.
func (l *List) Read(ctx context.Context) {
	l.reading.Lock()
	defer l.reading.Unlock()
	l.read(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = make(map[uint32]int)
}

// freshen reads the list if it is older than AskAgain. Of several clients one does, and the others wait for that.
func (l *List) freshen(ctx context.Context) {
	l.reading.Lock()
	defer l.reading.Unlock()
	if time.Since(l.asked) >= AskAgain {
		l.read(context.WithoutCancel(ctx)) // for all that wait; the registry bounds it
	}
}

// read reads the list. The caller has reading.
func (l *List) read(ctx context.Context) {
	l.asked = time.Now()
	live, err := l.registry.Gateways(ctx)
	var realms []registry.Realm
	if err == nil {
		realms, err = l.registry.Realms(ctx)
	}
	if ctx.Err() == nil {
		l.away.Note(l.log, err)
	}
	if err != nil {
		l.asked = time.Now() // those that have waited need not wait once more
		return
	}
	if l.here != nil {
		if g, ok := l.here(); ok && !slices.ContainsFunc(live, func(other registry.Gateway) bool { return other.Number == g.Number }) {
			live = append(live, g)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.live, l.realms = live, realms
}

// least is where the next client of a realm is to go, which counts from then on; the load of its gateways together, and their seats. It is not ok without one.
func (l *List) least(realm uint8) (address string, load, seats int, ok bool) {
	var least *registry.Gateway
	for i := range l.live {
		g := &l.live[i]
		if g.Realm != realm {
			continue
		}
		load += g.Load
		seats += g.Seats
		if least == nil || g.Load+l.sent[g.Number] < least.Load+l.sent[least.Number] {
			least = g
		}
	}
	if least == nil {
		return "", 0, 0, false
	}
	l.sent[least.Number]++
	return least.Address, load, seats, true
}

// Realms is the realms as an account sees them, each at its gateway with the least load. A realm is offline without a gateway, or if an
// operator has said so; full when all its seats are taken; and locked for accounts below its level. Its population is twice the share of
// seats that are taken, of which clients make low, medium and high.
func (l *List) Realms(ctx context.Context, account uint32, level uint8) ([]login.Realm, error) {
	count, err := l.registry.CountCharacters(ctx, account)
	if err != nil {
		return nil, err
	}
	l.freshen(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]login.Realm, 0, len(l.realms))
	for _, r := range l.realms {
		listed := login.Realm{ID: ID(r.Number), Name: r.Name, Address: noGateway.String(), Locked: level < r.Level, Characters: uint8(min(count[r.Number], 255))}
		address, load, seats, ok := l.least(r.Number)
		if r.Players > 0 {
			seats = min(seats, r.Players)
		}
		if ok {
			listed.Address = address
		}
		if !ok || r.Offline {
			listed.Flags |= login.RealmOffline
		}
		if seats > 0 {
			listed.Population = 2 * float32(load) / float32(seats)
			if load >= seats {
				listed.Flags |= login.RealmFull
			}
		}
		all = append(all, listed)
	}
	return all, nil
}

// AskAgain is how old what a client is told may be: a gateway that has begun is listed so soon.
const AskAgain = 100 * time.Millisecond

// Turn is how many gateways a realm has, 1 if none is known, and how many of them have lower numbers than one.
func (l *List) Turn(realm uint8, number uint32) (turn, gateways int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	gateways = 1
	for i := range l.live {
		if g := &l.live[i]; g.Realm == realm && g.Number != number {
			gateways++
			if g.Number < number {
				turn++
			}
		}
	}
	return turn, gateways
}

// LetsIn reports whether a realm lets accounts of a security level in. One that is not known does.
func (l *List) LetsIn(number, level uint8) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.realms, func(r registry.Realm) bool { return r.Number == number })
	return i < 0 || !l.realms[i].Offline && level >= l.realms[i].Level
}

// ID is what clients call a realm of a number: 0 is none of theirs.
func ID(number uint8) uint8 { return number + 1 }

// noGateway is the address of a realm that is offline.
var noGateway = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 1)
