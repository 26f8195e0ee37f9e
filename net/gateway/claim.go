package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"muster/net/gateway/session"
)

// Claims has each account play through one gateway at a time, where several have the same accounts. Its methods are called from
// several goroutines.
type Claims interface {
	// Login is the number of a login that has begun, greater than those of all before, through whichever gateway.
	Login(ctx context.Context) (number uint64, err error)
	// LoggedIn tells the other gateways that a login of an account has succeeded. It does not fail: what does not hear of it is
	// told when the account is claimed.
	LoggedIn(account uint32, login uint64)
	// Claim makes an account this gateway's, for a character of it. The error is ErrHeld while another gateway has it, which is
	// told each time, and ErrSuperseded if a newer login has claimed it. Fence is greater than 0.
	Claim(ctx context.Context, account uint32, guid, login uint64) (fence uint64, err error)
	// GiveBack gives accounts back, once the store that all gateways have has what was saved of their characters.
	GiveBack(ctx context.Context, claims []Claim) error
	// Places frees the places of logins that have ended, and says where each is that seeks one: 0 it is let in, or its position among all that
	// wait in the realm, from 1. One that is not named has been replaced by a newer login of its account, which has its place.
	Places(ctx context.Context, ended []EndedLogin, seekers []Seeker) (at map[uint64]int, err error)
}

// A Claim is an account that this gateway has.
type Claim struct {
	Account uint32
	GUID    uint64 // of the character
	Fence   uint64
}

// Errors of Claims, besides those of its medium.
var (
	ErrHeld       = errors.New("gateway: another gateway has the account")
	ErrSuperseded = errors.New("gateway: a newer login has the account")
)

// What is counted of claims.
const (
	ClaimHeld     = "claim.held"      // tries to claim an account that another gateway had; they are repeated
	ClaimLost     = "claim.lost"      // accounts that another gateway did not let go in time
	ReturnFailed  = "claim.not_given" // tries to give accounts back; they are repeated
	ReturnGivenUp = "claim.given_up"  // accounts that were not given back, since the gateway ended
)

const (
	// claimPause is between two tries to claim an account.
	claimPause = 100 * time.Millisecond
	// returnPause is between two tries to give an account back, returnTime how long one may take, and returnTries and returnEnd
	// how many there are and for how long while the gateway closes.
	returnPause = 200 * time.Millisecond
	returnTime  = 2 * time.Second
	returnTries = 5
	returnEnd   = 10 * time.Second
	// maxReturns are given back together.
	maxReturns = 500
)

// claim has the player's account claimed, and loads the character then.
func (g *Gate) claim(p *player) {
	c := p.conn
	failed := func() { c.loop.do(func() { c.arrive(p, session.Failed) }) }
	g.inTime(failed, func(ctx context.Context) (done func()) {
		defer g.guard("claim an account")
		fence, err := g.config.Claims.Claim(ctx, p.account, p.guid, p.login)
		switch {
		case errors.Is(err, ErrHeld):
			g.config.Metric.Count(ClaimHeld)
			return func() { time.AfterFunc(claimPause, func() { c.loop.do(func() { c.claimAgain(p) }) }) }
		case errors.Is(err, ErrSuperseded):
			return func() {
				c.loop.do(func() {
					c.markClosing(Replaced)
					c.arrive(p, session.Failed)
				})
			}
		case err != nil:
			g.config.Log.Warn("gateway: cannot claim an account", "account", p.account, "error", err)
			return failed
		}
		return func() {
			p.fence = fence
			g.fetch(p)
		}
	})
}

// claimAgain tries again to claim the account of a player that another gateway had, unless it waits in vain.
func (c *conn) claimAgain(p *player) {
	switch {
	case c.gone(), c.gate.closing.Load():
	case c.gate.clock().Sub(p.asked) > c.gate.config.ClaimTime:
		c.gate.config.Metric.Count(ClaimLost)
	default:
		c.gate.claim(p)
		return
	}
	c.arrive(p, session.Failed)
}

// Supersede closes the connection of an account whose login is older than a number: it has logged in through another gateway.
func (g *Gate) Supersede(account uint32, login uint64) {
	g.roster.mu.Lock()
	c := g.roster.seats[account]
	g.roster.mu.Unlock()
	if c != nil {
		c.loop.do(func() {
			if c.login < login {
				c.markClosing(Replaced)
			}
		})
	}
}

// LetGo has the player of an account taken out of its world and given back, unless its login is newer than a number; its
// connection is closed. It reports whether there is a player, which may be on its way in or out.
func (g *Gate) LetGo(account uint32, login uint64) (has bool) {
	p := g.roster.want(account, login) // first: a connection that closes leaves no player behind then
	g.Supersede(account, login)
	if p != nil {
		p.evict()
	}
	return g.roster.has(account)
}

// want notes that another gateway wants the account of a player, which then stays in no world without a connection. It
// returns the player, nil if there is none or its login is newer.
func (r *roster) want(account uint32, login uint64) *player {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.players[account]
	if p == nil || p.login >= login {
		return nil
	}
	p.wanted = true
	return p
}

// has reports whether an account has a player.
func (r *roster) has(account uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.players[account] != nil
}

// returns are accounts that wait to be given back. Those of a player are one with it until then: no other connection of
// this gateway enters with the account before.
type returns struct {
	wake chan struct{} // holds a token if there are some

	mu      sync.Mutex
	waiting []giving
}

// A giving is what has happened to a player whose account is to be given back.
type giving struct {
	player *player
	what   uint8
	tries  int // in vain, since the gateway closes
}

func (r *returns) add(s giving) {
	r.mu.Lock()
	r.waiting = append(r.waiting, s)
	r.mu.Unlock()
	signal(r.wake)
}

// take takes the first that wait. While others do, wake has a token.
func (r *returns) take() []giving {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.waiting), maxReturns)
	some := r.waiting[:n:n]
	r.waiting = r.waiting[n:]
	if len(r.waiting) > 0 {
		signal(r.wake)
	}
	return some
}

// giveBack gives accounts back until the gateway ends, many at a time. Those that are not taken are left to giveBackAgain.
func (g *Gate) giveBack() {
	for {
		select {
		case <-g.returns.wake:
		case <-g.done:
			return
		}
		for some := g.returns.take(); len(some) > 0; some = g.returns.take() {
			if g.tryReturn(some) {
				continue
			}
			for _, s := range some {
				g.returnLater(s)
			}
		}
	}
}

// giveBackAgain tries again to give accounts back, one at a time: a character that cannot be stored keeps no other account.
func (g *Gate) giveBackAgain() {
	for {
		select {
		case <-g.returnsAgain.wake:
		case <-g.done:
			return
		}
		if pause(g.ctx, returnPause); g.ctx.Err() != nil {
			return
		}
		for _, s := range g.returnsAgain.take() {
			if g.tooLate() || !g.tryReturn([]giving{s}) {
				g.returnLater(s)
			}
		}
	}
}

// tryReturn tries once to give accounts back, and lets go of their players then.
func (g *Gate) tryReturn(some []giving) (ok bool) {
	claims := make([]Claim, len(some))
	for i, s := range some {
		claims[i] = Claim{s.player.account, s.player.guid, s.player.fence}
	}
	ctx, done := context.WithTimeout(g.ctx, returnTime)
	defer done()
	if err := g.config.Claims.GiveBack(ctx, claims); err != nil {
		g.config.Metric.Count(ReturnFailed)
		g.config.Log.Debug("gateway: accounts are not given back yet", "accounts", len(some), "error", err)
		return false
	}
	for _, s := range some {
		g.free(s.player, s.what)
	}
	return true
}

// tooLate reports whether the gateway has been closing for so long that no account is given back again.
func (g *Gate) tooLate() bool {
	since := g.closingSince.Load()
	return since != nil && time.Since(*since) >= returnEnd
}

// returnLater has an account given back later. While the gateway closes it is given up after a few tries: others wait until the
// lease is over.
func (g *Gate) returnLater(s giving) {
	if g.closingSince.Load() != nil {
		s.tries++
	}
	if s.tries < returnTries && !g.tooLate() {
		g.returnsAgain.add(s)
		return
	}
	g.config.Metric.Count(ReturnGivenUp)
	g.config.Log.Warn("gateway: an account is not given back", "account", s.player.account)
	g.free(s.player, s.what)
}
