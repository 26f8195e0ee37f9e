package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// knows answers what needs no store.
func (g *Gate) knows(c *conn, r *session.Request) (a session.Answer, ok bool) {
	switch r.Kind {
	case session.FindName:
		a.Character, ok = g.roster.find(r.GUID)
	case session.Relay:
		a.Packets, ok = g.relay(c, r.Message), true
	case session.TakePlace:
		if g.config.Claims != nil { // the answer comes from the registry
			full := !g.realmQueue.enter(c)
			return session.Answer{Outcome: session.Full}, full
		}
		at, free := g.queue.enter(c)
		if a.Place, ok = at, true; !free {
			a.Outcome = session.Full
		}
		if c.sentPlace = at; at > 0 {
			c.ignore(QueueWaited, msg.OpAuthSession, position(at))
		}
	}
	return a, ok
}

// handle has a worker execute a session's request. The answer is passed to the connection's loop: the request
// fails if too many wait already or if its time is up before it is done, waiting included.
func (g *Gate) handle(c *conn, r session.Request) {
	if r.Kind == session.EnterWorld {
		g.enter(c, r.GUID)
		return
	}
	if r.Kind == session.TakePlace {
		return // the realm's queue answers
	}
	account := c.session.Account()
	caller := Caller{Account: account, Level: c.level, Selected: c.session.Selected()}
	if c.player != nil {
		caller.Name, caller.Map = c.player.character.Name, c.player.worldLink.id
	}
	bring := func(a session.Answer, found foundKey) {
		c.loop.do(func() {
			if r.Kind == session.FindKey {
				c.level, c.login = found.level, found.login
				c.loop.after(g.settings.Load().DelayAuthResponse, func() { c.answer(&a) })
			} else {
				c.answer(&a)
			}
		})
	}
	g.inTime(func() { bring(session.Answer{Outcome: session.Failed}, foundKey{}) }, func(ctx context.Context) (bringIt func()) {
		defer g.guard("handle a request")
		var a session.Answer
		var found foundKey
		switch {
		case r.Kind == session.FindKey:
			a, found = g.findKey(ctx, r.Name)
			a.Level = found.level
		case r.Kind == session.Perform && g.config.Console == nil:
			a.Lines = []string{"The server serves no verbs."}
		case r.Kind == session.Perform:
			a.Lines = g.config.Console.Do(ctx, caller, r.Name)
		default:
			a = g.fulfil(ctx, account, &r)
		}
		return func() { bring(a, found) }
	})
}

// inTime has a worker do something with the store, and then calls what that returned. It calls failed
// instead, from any goroutine, if too much waits already, if the store's time is up, or if do panicked and
// returned nil; it never calls both. The time begins now, and what has waited for all of it is not done.
func (g *Gate) inTime(failed func(), do func(context.Context) (done func())) {
	g.inTimeOf(g.requests, failed, do)
}

// inTimeOf is inTime for some workers.
func (g *Gate) inTimeOf(w *workers, failed func(), do func(context.Context) (done func())) {
	ctx, cancel := g.storeTime()
	late := context.AfterFunc(ctx, failed)
	asked := w.ask(func() {
		defer cancel()
		if ctx.Err() != nil {
			return
		}
		done := do(ctx)
		if !late() {
			return
		}
		if done == nil {
			done = failed
		}
		done()
	})
	if !asked {
		defer cancel()
		if late() {
			failed()
		}
	}
}

// storeTime bounds one piece of work of the store.
func (g *Gate) storeTime() (context.Context, context.CancelFunc) {
	return context.WithTimeout(g.ctx, g.config.StoreTime)
}

// A foundKey is what the gateway itself has to know of an account that logs in.
type foundKey struct {
	level uint8
	login uint64 // its number among all logins; 0 where there are no claims
}

// findKey is the session key of an account, by its name.
func (g *Gate) findKey(ctx context.Context, name string) (a session.Answer, found foundKey) {
	account, err := g.config.Store.Proven(ctx, name)
	if err == nil && !account.HasKey {
		err = store.ErrNotFound
	}
	if err == nil && g.config.Claims != nil {
		found.login, err = g.config.Claims.Login(ctx)
	}
	if err != nil {
		return session.Answer{Outcome: outcomeOf(err)}, foundKey{}
	}
	found.level = account.Level
	return session.Answer{
		Outcome: session.Done, Account: account.ID, Key: account.Key,
		Expansion: account.Expansion, Banned: account.Banned(time.Now().Unix()), Locked: g.config.Lets != nil && !g.config.Lets(account.Level),
	}, found
}

func (g *Gate) fulfil(ctx context.Context, account uint32, r *session.Request) (a session.Answer) {
	var err error
	switch r.Kind {
	case session.ListCharacters:
		var list []store.Character
		list, err = g.config.Store.Characters(ctx, account)
		for i := range list {
			a.Characters = append(a.Characters, store.ToFrame(&list[i]))
		}
	case session.CreateCharacter:
		made := store.FromFrame(&r.Character)
		made.Account = account
		_, err = g.CreateCharacter(ctx, made)
	case session.DeleteCharacter:
		err = g.DeleteCharacter(ctx, account, r.GUID)
	case session.ListCaches:
		a.Caches, err = g.caches(ctx, account, r.GUID)
	case session.SaveCache:
		err = g.config.Store.SaveData(ctx, account, r.GUID, dataOf(r.Message.(*msg.UpdateAccountData)))
	case session.FindName:
		var c store.Character
		c, err = g.config.Store.Character(ctx, r.GUID)
		a.Character = store.ToFrame(&c)
	default:
		panic("gateway: a request of no kind")
	}
	a.Outcome = outcomeOf(err)
	return a
}

// DeleteCharacter deletes a character of an account, and takes it out of its world if it is in one. The errors are those of the store.
func (g *Gate) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	if p := g.roster.inWorld(guid); p != nil && p.account == account {
		p.evict()
	}
	return g.config.Store.DeleteCharacter(ctx, account, guid)
}

// CreateCharacter stores a new character at its start position, and returns it. Only successful creations count. The errors are those of
// the store.
func (g *Gate) CreateCharacter(ctx context.Context, c store.Character) (store.Character, error) {
	n := g.births.take()
	born := false
	defer func() {
		if !born {
			g.births.giveBack(n)
		}
	}()
	begin := g.config.Start(n)
	if g.config.StartOf != nil {
		if at, ok := g.config.StartOf(c.Race, c.Class); ok {
			begin = at
		}
	}
	c.Map, c.Zone = begin.Map, begin.Zone
	c.X, c.Y, c.Z, c.O = begin.X, begin.Y, begin.Z, begin.O
	made, err := g.config.Store.CreateCharacter(ctx, c)
	born = err == nil
	return made, err
}

// births are the numbers of new characters, which decide where they begin. Those of characters that were
// not made are given out again, so there are no holes.
type births struct {
	mu   sync.Mutex
	next int
	back []int // given back
}

func (b *births) take() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if last := len(b.back) - 1; last >= 0 {
		n, b.back = b.back[last], b.back[:last]
		return n
	}
	b.next++
	return b.next - 1
}

func (b *births) giveBack(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.back = append(b.back, n)
}

// outcomes maps the errors of a store to those of a session.
var outcomes = []struct {
	err     error
	outcome session.Outcome
}{
	{nil, session.Done},
	{store.ErrNotFound, session.NotFound},
	{store.ErrNameTaken, session.Taken},
	{store.ErrTooMany, session.TooMany},
	{store.ErrDataQuota, session.TooMany},
	{store.ErrFull, session.Full},
	{store.ErrRaceClass, session.Unplayable},
	{store.ErrGender, session.Unplayable},
	{store.ErrNameMissing, session.NameMissing},
	{store.ErrNameLetters, session.NameLetters},
	{store.ErrNameShort, session.NameShort},
	{store.ErrNameLong, session.NameLong},
}

func outcomeOf(err error) session.Outcome {
	for _, o := range outcomes {
		if errors.Is(err, o.err) {
			return o.outcome
		}
	}
	return session.Failed
}
