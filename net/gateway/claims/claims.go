// Package claims has several gateways share their accounts: the registry has which gateway an account plays through, and
// over a bus a gateway is told to let go what another one wants.
//
// What is said over the bus may be lost: a gateway that wants an account asks for it until it has it, and a login that
// others have not heard of counts in the registry.
package claims

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway"
	"muster/net/replication/remote"
)

// A Member is this gateway in the registry: registry.Member.
type Member interface {
	Number() uint32
	Login(ctx context.Context) (number uint64, err error)
	Claim(ctx context.Context, account uint32, guid, login uint64) (fence uint64, err error)
	GiveBack(ctx context.Context, sessions []registry.Session) error
	Renew(ctx context.Context, address string, load int) (lapsed bool, err error)
	Places(ctx context.Context, ended []registry.Ended, seekers []registry.Seeker) (at map[uint64]int, err error)
	Locate(ctx context.Context, all []registry.Location) (noted []uint32, err error)
}

// A Gate is what is asked of the gateway: gateway.Gate.
type Gate interface {
	Supersede(account uint32, login uint64)
	LetGo(account uint32, login uint64) (has bool)
	KickAccount(account uint32) bool
	Announce(line string)
}

// Config is what claims are made with. All but the last two are required.
type Config struct {
	Member Member
	Bus    remote.Bus
	Realm  string // one token of a subject
	// Store returns when the store that all gateways have has what was saved of characters.
	Store  func(ctx context.Context, guids ...uint64) error
	Metric *metric.Table // default: a table of its own
	Log    *slog.Logger  // default slog.Default()
}

// What is counted.
const (
	Malformed   = "claim.malformed"    // messages that are none
	WantDropped = "claim.want_dropped" // accounts that another gateway wants, of which too many waited; it asks again
	RenewFailed = "claim.renew_failed" // tries to renew the lease
	Lapsed      = "claim.lapsed"       // leases that were over before they were renewed; another gateway may have claimed accounts
	NotSaid     = "claim.not_said"     // messages that the bus has not taken
	NotLocated  = "claim.not_located"  // tries to tell the registry in which worlds players are; it is told again
)

// Times and bounds, our own choices.
const (
	renewEvery = time.Second
	maxStale   = 1024 // that wait to be given back
	// staleTime is how long one try to give an account back may take.
	staleTime = 2 * time.Second
)

// Claims is a gateway.Claims.
type Claims struct {
	config Config
	stale  chan registry.Session // claims of an earlier process with this number

	mu     sync.Mutex
	wanted map[uint32]bool // accounts of stale, or on their way back
}

var _ gateway.Claims = (*Claims)(nil)

// New returns claims. Until Run is called, other gateways are told and asked, and not listened to.
func New(config Config) *Claims {
	config.Log = cmp.Or(config.Log, slog.Default())
	config.Metric = cmp.Or(config.Metric, new(metric.Table))
	config.Metric.Declare(Malformed, WantDropped, RenewFailed, Lapsed, NotSaid, NotLocated)
	return &Claims{config: config, stale: make(chan registry.Session, maxStale), wanted: make(map[uint32]bool)}
}

// everywhere is the subject of what concerns the gateways of all realms, which have the accounts in common. No realm's name has a hyphen in subjects.
const everywhere = "muster-gateways"

// to is the subject of what concerns one gateway, of whatever realm.
func to(gateway uint32) string { return fmt.Sprintf("%s.%d", everywhere, gateway) }

// all is the subject of what concerns all gateways of the realm.
func (c *Claims) all() string { return fmt.Sprintf("muster.%s.gateways", c.config.Realm) }

// say sends a message. One that is lost is asked for again, or counts in the registry.
func (c *Claims) say(subject string, m *message) {
	m.from = uint8(c.config.Member.Number())
	if c.config.Bus.Publish(subject, m.append(nil)) != nil {
		c.config.Metric.Count(NotSaid)
	}
}

// Login implements gateway.Claims.
func (c *Claims) Login(ctx context.Context) (number uint64, err error) {
	return c.config.Member.Login(ctx)
}

// LoggedIn implements gateway.Claims.
func (c *Claims) LoggedIn(account uint32, login uint64) {
	c.say(everywhere, &message{kind: kindLogin, account: account, login: login})
}

// KickAccount has all other gateways, of whatever realm, close the connection of an account.
func (c *Claims) KickAccount(account uint32) {
	c.say(everywhere, &message{kind: kindKick, account: account})
}

// Announce has all other gateways of the realm send a line of text to their players. One that is too long is cut.
func (c *Claims) Announce(line string) {
	c.say(c.all(), &message{kind: kindAnnounce, line: line[:min(len(line), maxLine)]})
}

// Claim implements gateway.Claims. What an earlier process with this journal has saved is stored first: a claim would make it stale.
func (c *Claims) Claim(ctx context.Context, account uint32, guid, login uint64) (fence uint64, err error) {
	if err := c.config.Store(ctx, guid); err != nil {
		return 0, err
	}
	fence, err = c.config.Member.Claim(ctx, account, guid, login)
	var held *registry.HeldError
	switch {
	case errors.As(err, &held):
		c.say(to(held.Gateway), &message{kind: kindWant, account: account, login: login, guid: held.GUID, fence: held.Fence})
		return 0, fmt.Errorf("%w: %w", gateway.ErrHeld, err)
	case errors.Is(err, registry.ErrSuperseded):
		return 0, fmt.Errorf("%w: %w", gateway.ErrSuperseded, err)
	}
	return fence, err
}

// GiveBack implements gateway.Claims.
func (c *Claims) GiveBack(ctx context.Context, claims []gateway.Claim) error {
	sessions := make([]registry.Session, len(claims))
	for i, s := range claims {
		sessions[i] = registry.Session{Account: s.Account, GUID: s.GUID, Fence: s.Fence}
	}
	return c.giveBack(ctx, sessions)
}

// Places implements gateway.Claims.
func (c *Claims) Places(ctx context.Context, ended []gateway.EndedLogin, seekers []gateway.Seeker) (at map[uint64]int, err error) {
	gone, seek := make([]registry.Ended, len(ended)), make([]registry.Seeker, len(seekers))
	for i, e := range ended {
		gone[i] = registry.Ended(e)
	}
	for i, s := range seekers {
		seek[i] = registry.Seeker(s)
	}
	return c.config.Member.Places(ctx, gone, seek)
}

func (c *Claims) giveBack(ctx context.Context, sessions []registry.Session) error {
	guids := make([]uint64, len(sessions))
	for i, s := range sessions {
		guids[i] = s.GUID
	}
	if err := c.config.Store(ctx, guids...); err != nil {
		return err
	}
	return c.config.Member.GiveBack(ctx, sessions)
}

// Run answers other gateways, and renews the lease with the gateway's state, until ctx is done: its address, "" while it lets
// no clients in, and its load. The error is registry.ErrReplaced if another process has the gateway's number, or one of the bus.
func (c *Claims) Run(ctx context.Context, gate Gate, state func() (address string, load int)) error {
	for _, subject := range []string{everywhere, c.all(), to(c.config.Member.Number())} {
		stop, err := c.config.Bus.Subscribe(subject, func(b []byte) { c.take(gate, b) })
		if err != nil {
			return err
		}
		defer stop()
	}
	ctx, cancel := context.WithCancel(ctx)
	var returning sync.WaitGroup
	defer returning.Wait()
	defer cancel()
	returning.Go(func() { c.giveBackStale(ctx) }) // by itself: the lease is renewed whatever the store does
	renew := time.NewTicker(renewEvery)
	defer renew.Stop()
	if err := c.renew(ctx, state); err != nil {
		return err
	}
	for {
		select {
		case <-renew.C:
			if err := c.renew(ctx, state); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// giveBackStale gives accounts of an earlier process back until ctx is done. One that is not taken is asked for again.
func (c *Claims) giveBackStale(ctx context.Context) {
	for {
		select {
		case s := <-c.stale:
			try, done := context.WithTimeout(ctx, staleTime)
			if err := c.giveBack(try, []registry.Session{s}); err != nil && ctx.Err() == nil {
				c.config.Log.Warn("an account of an earlier process is not given back", "account", s.Account, "err", err)
			}
			done()
			c.mu.Lock()
			delete(c.wanted, s.Account)
			c.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// giveUp has an account of an earlier process given back, unless that is on its way.
func (c *Claims) giveUp(s registry.Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wanted[s.Account] {
		return
	}
	select {
	case c.stale <- s:
		c.wanted[s.Account] = true
	default:
		c.config.Metric.Count(WantDropped)
	}
}

// renew fails if another process has the number. While the database is away the gateway goes on: nothing else can claim
// then, nor for the time of a lease afterwards.
func (c *Claims) renew(ctx context.Context, state func() (address string, load int)) error {
	address, load := state()
	lapsed, err := c.config.Member.Renew(ctx, address, load)
	if lapsed && err == nil {
		c.config.Metric.Count(Lapsed)
		c.config.Log.Warn("the lease of the gateway was over: another one may have claimed its accounts")
	}
	switch {
	case errors.Is(err, registry.ErrReplaced):
		return err
	case err != nil && ctx.Err() == nil:
		c.config.Metric.Count(RenewFailed)
		c.config.Log.Warn("the lease of the gateway is not renewed", "err", err)
	}
	return nil
}

// take does what another gateway says. It waits for nothing.
func (c *Claims) take(gate Gate, b []byte) {
	m, err := read(b)
	if err != nil {
		c.config.Metric.Count(Malformed)
		return
	}
	switch {
	case m.from == uint8(c.config.Member.Number()):
	case m.kind == kindLogin:
		gate.Supersede(m.account, m.login)
	case m.kind == kindKick:
		gate.KickAccount(m.account)
	case m.kind == kindAnnounce:
		gate.Announce(m.line)
	case !gate.LetGo(m.account, m.login):
		c.giveUp(registry.Session{Account: m.account, GUID: m.guid, Fence: m.fence})
	}
}
