package gateway

import (
	"errors"
	"fmt"
	"time"

	"muster/components/life"
	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A Saver saves what worlds report of players while they play.
type Saver interface {
	// Save takes snapshots of different characters that were taken together: if the process ends, all of them
	// are kept or none. It does not block. It calls done, if there is one, from any goroutine, when they are
	// safe, or when it is clear that they will not be soon.
	Save(together []store.Snapshot, done func())
}

// keep saves every player that a world reports or lets go, until the world ends.
func (g *Gate) keep(s *worldLink) {
	defer close(s.kept)
	var saves frame.Saves
	for {
		select {
		case <-s.fresh:
		case <-g.done:
			return
		}
		stopped := s.port.Stopped() // after this there are no more departed players
		g.pendingCommands.take(s.port.Answers())
		departed := s.port.Departed()
		if items := s.port.Wanted(); items > 0 && !stopped {
			g.wg.Go(func() { g.lease(s.port, items) })
		}
		s.port.Saves(&saves)
		g.report(&saves)
		for _, d := range departed {
			g.release(&d)
		}
		if stopped {
			g.abandon(s)
			return
		}
	}
}

// report gives the Saver, if there is one, a world's snapshots of players that stay.
func (g *Gate) report(saves *frame.Saves) {
	var together []store.Snapshot
	seen := make(map[uint64]int)
	for i := range saves.Len() {
		save, lists := saves.At(i)
		p := g.roster.inWorld(save.GUID)
		if p == nil || save.Version < p.kept.Version { // of an earlier stay, from a world in another process
			continue
		}
		s, err := p.mergeSnapshot(save, lists)
		if err != nil {
			g.strange(p.guid, err)
			continue
		}
		g.roster.note(p, s.Character.Level, s.Character.Zone)
		if g.config.Saver == nil {
			continue
		}
		if at, ok := seen[save.GUID]; ok { // of a tick before
			s.Since, s.Lists, s.Soon = together[at].Since, s.Lists|together[at].Lists, s.Soon || together[at].Soon
			together[at] = s
			continue
		}
		seen[save.GUID] = len(together)
		together = append(together, s)
	}
	if len(together) > 0 {
		g.config.Saver.Save(together, nil)
	}
}

// mergeSnapshot merges a snapshot of a player in a world into what is known of it.
func (p *player) mergeSnapshot(save *frame.Save, lists []byte) (store.Snapshot, error) {
	present := frame.Lists{Told: save.Told}
	if err := msg.Decode(wire.V12340, lists, &present); err != nil {
		return store.Snapshot{}, err
	}
	s := p.merge(store.FromSave(p.kept, save, &present.Life), save.Told)
	s.Soon = save.Soon
	return s, nil
}

// mergeFinal merges the final state of a player, as Character.Wire wrote it, into what is known of it. The hand-over is for a player that goes to
// another world.
func (p *player) mergeFinal(character []byte) (store.Snapshot, *handover, error) {
	var c frame.Character
	if err := msg.Decode(wire.V12340, character, &c); err != nil {
		return store.Snapshot{}, nil, err
	}
	if c.GUID != p.guid {
		return store.Snapshot{}, nil, fmt.Errorf("gateway: it is that of %d", c.GUID)
	}
	return p.merge(store.FromFrame(&c), c.Told), handoverOf(p, &c), nil
}

func (p *player) merge(now store.Character, lists life.Set) store.Snapshot {
	since := p.kept.Version
	now.SavedUnix = time.Now().Unix()
	p.kept.Merge(&now, lists)
	return store.Snapshot{Character: *p.kept, Since: since, Lists: lists}
}

// strange reports a character that a world should not have given.
func (g *Gate) strange(guid uint64, err error) {
	g.config.Metric.Count(SaveFailed)
	g.config.Log.Error("gateway: a world gave back another character", "guid", guid, "error", err)
}

// release has a character saved as it came out of its world, and then lets go of its player, or hands it over to the world where it goes.
func (g *Gate) release(d *frame.Departed) {
	p, ok := g.roster.letGo(d.Session)
	switch {
	case p == nil:
		return
	case !ok:
		g.config.Metric.Count(LeftTwice)
		return
	}
	if p.resumed {
		p.conn.loop.do(func() { p.conn.enterAgain(p) })
	}
	if len(d.Character) == 0 { // it is in its world through another gateway
		g.settle(p, saved)
		return
	}
	s, h, err := p.mergeFinal(d.Character)
	if err != nil {
		g.strange(p.guid, err)
		g.settle(p, saved)
		return
	}
	away := d.Away && !g.closing.Load()
	safe := func() { g.settle(p, saved) }
	if away {
		safe = func() {
			if p, what := g.roster.safe(h); what != 0 {
				g.settle(p, what)
			}
		}
	}
	if g.config.Saver != nil {
		s.Soon = true
		g.config.Saver.Save([]store.Snapshot{s}, safe)
	} else {
		g.saves.must(func() {
			defer safe()
			defer g.guard("save a character")
			g.save(&s.Character)
		})
	}
	if away {
		g.handOver(p, h)
	}
}

// saveTries is how often a save is tried before a character is given up as it was stored last.
const saveTries = 5

// save puts a character into the store, where there is no Saver.
func (g *Gate) save(c *store.Character) {
	var err error
	for try := range saveTries {
		pause(g.ctx, time.Duration(try*try)*100*time.Millisecond)
		ctx, done := g.storeTime()
		err = g.config.Store.SaveCharacter(ctx, *c)
		done()
		switch {
		case err == nil, errors.Is(err, store.ErrStale), errors.Is(err, store.ErrNotFound): // done before, or deleted
			return
		}
	}
	g.config.Metric.Count(SaveFailed)
	g.config.Log.Error("gateway: cannot save a character", "guid", c.GUID, "error", err)
}
