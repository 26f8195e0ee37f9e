package gate

import (
	"errors"
	"time"

	"muster/loaders/store"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
)

// keep saves every player that a world lets go, until the world comes to an end.
func (g *Gate) keep(s *stand) {
	for {
		select {
		case <-s.fresh:
		case <-g.done:
			return
		}
		stopped := s.port.Stopped() // who has departed by now is all there will be
		for _, d := range s.port.Departed() {
			g.release(d.Session, d.Character)
		}
		if stopped {
			g.abandon(s)
			return
		}
	}
}

// release has a character saved as it came out of its world, and then lets go of its player.
func (g *Gate) release(number uint32, character []byte) {
	p := g.roster.of(number)
	if p == nil {
		return
	}
	p.out = true
	var c frame.Character
	if err := msg.Decode(wire.V12340, character, &c); err != nil || c.GUID != p.guid {
		g.config.Metric.Count(SaveFailed)
		g.config.Log.Error("gate: a world gave back another character", "guid", p.guid, "error", err)
		g.settle(p, saved)
		return
	}
	g.saves.ask(func() {
		defer g.settle(p, saved)
		defer g.guard("save a character")
		g.save(&c)
	})
}

// saveTries is how often a save is tried before a character is given up as it was stored last.
const saveTries = 5

// save puts a character into the store as the next version of what it was made from.
func (g *Gate) save(c *frame.Character) {
	var err error
	for try := range saveTries {
		pause(g.ctx, time.Duration(try*try)*100*time.Millisecond)
		ctx, done := g.storeTime()
		s := fromFrame(c)
		s.Version++
		err = g.config.Store.SaveCharacter(ctx, s)
		done()
		switch {
		case err == nil, errors.Is(err, store.ErrStale), errors.Is(err, store.ErrNotFound): // done before, or deleted
			return
		}
	}
	g.config.Metric.Count(SaveFailed)
	g.config.Log.Error("gate: cannot save a character", "guid", c.GUID, "error", err)
}
