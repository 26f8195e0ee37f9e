package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// HandoverReturned is counted for each player that was sent to an instanced map, and is put at its exit since no instance takes it.
const HandoverReturned = "handover.returned"

// Instances are the worlds of maps of which there are several at a time. Its methods are called from several goroutines.
type Instances interface {
	// Exit is where a player of an instanced map is put that is in no instance of it. It is not ok for any other map.
	Exit(id uint32) (at Place, ok bool)
	// Enter finds the instance of a map that a character is to enter, or makes one, which has called Gate.Instance then, and returns its
	// slot. A character that logs in enters the one that it is bound to, and none is made. Leave is called once, when the character is out
	// of it, or has not come in; it does not block. The error is an Abort if the character may not enter one.
	Enter(ctx context.Context, v Visit) (slot int, leave func(), err error)
}

// A Visit is a character that is to enter an instance.
type Visit struct {
	Map     uint32
	GUID    uint64
	Account uint32
	Login   bool // it comes from the character screen
}

// An Abort is why a character does not enter an instance: the reason in SMSG_TRANSFER_ABORTED.
//
// Source: TransferAbortReason, Player.h, AzerothCore.
type Abort uint8

// The reasons.
const (
	AbortError         Abort = 0x01
	AbortFull          Abort = 0x02 // too many players
	AbortNotFound      Abort = 0x03 // no such instance
	AbortTooMany       Abort = 0x04 // too many instances in an hour, for the account
	AbortTooManyRealm  Abort = 0x0A // too many at a time
	AbortMapNotAllowed Abort = 0x10
)

func (a Abort) Error() string { return fmt.Sprintf("gateway: transfer aborted for %#x", uint8(a)) }

// abortOf is the reason in an error of Enter.
func abortOf(err error) Abort {
	if a := Abort(0); errors.As(err, &a) {
		return a
	}
	return AbortError
}

// newSlot makes the place of a world that Instance is to put there.
func (g *Gate) newSlot(slot, at int) *worldLink {
	port := frame.NewExchange()
	port.Now = func() time.Duration { return 0 }
	s := g.newLink(0, at, port)
	s.slot, s.ended, s.ready = slot, true, make(chan struct{})
	port.Stop()
	close(s.kept)
	return s
}

// Instance puts the world of an instance of a map into a slot, from 1 to Config.Slots, in the place of the one before, which must have stopped. It is Follow
// otherwise.
func (g *Gate) Instance(ctx context.Context, slot int, id uint32, port *frame.Exchange, ready <-chan struct{}) (ok bool) {
	return g.replace(ctx, g.slotLink(slot), id, port, ready)
}

// slotLink is the world in a slot.
func (g *Gate) slotLink(slot int) *worldLink {
	for _, s := range g.worldLinks() {
		if s.slot == slot {
			return s
		}
	}
	return nil
}

// instanced reports whether a map is instanced, and where players are put that are in no instance of it.
func (g *Gate) instanced(id uint32) (exit Place, ok bool) {
	if g.config.Instances == nil {
		return Place{}, false
	}
	return g.config.Instances.Exit(id)
}

// enterInstance finds the instance that a player is to enter. It may take as long as a world takes to be made.
func (g *Gate) enterInstance(ctx context.Context, p *player, id uint32, login bool) (link *worldLink, leave func(), err error) {
	slot, leave, err := g.config.Instances.Enter(ctx, Visit{Map: id, GUID: p.guid, Account: p.account, Login: login})
	if err != nil {
		return nil, nil, err
	}
	return g.slotLink(slot), leave, nil
}

// putAt has a character be at a place.
func putAt(c *store.Character, at Place) {
	c.Map, c.Zone, c.X, c.Y, c.Z, c.O = at.Map, at.Zone, at.X, at.Y, at.Z, at.O
}

// goIntoInstance sends a player that has left a world into an instance, or to the exit of its map if there is none for it. If the time is up when
// the instance is there, the player goes in all the same.
func (g *Gate) goIntoInstance(p *player, exit Place) {
	c, id := p.conn, p.kept.Map
	var found atomic.Bool // is true, or the time is up: whichever is first
	var enter func()
	late := func() {
		if found.CompareAndSwap(false, true) {
			c.loop.do(func() { g.turnBack(p, exit, AbortError) })
		} else {
			enter()
		}
	}
	g.inTimeOf(g.entries, late, func(ctx context.Context) (done func()) {
		defer g.guard("enter an instance")
		link, leave, err := g.enterInstance(ctx, p, id, false)
		enter = func() {
			c.loop.do(func() {
				if p.leave = leave; err != nil {
					g.turnBack(p, exit, abortOf(err))
				} else {
					g.goInto(p, link)
				}
			})
		}
		if !found.CompareAndSwap(false, true) && leave != nil {
			leave()
		}
		return enter
	})
}

// turnBack sends a player between two worlds to a place where it can be, with the reason.
func (g *Gate) turnBack(p *player, to Place, why Abort) {
	c, from := p.conn, p.kept.Map
	g.config.Metric.Count(HandoverReturned)
	if c.gone() || g.closing.Load() {
		c.arrive(p, session.Failed)
		return
	}
	g.roster.mu.Lock()
	putAt(p.kept, to)
	p.handover.begun = false
	g.roster.mu.Unlock()
	c.answer(&session.Answer{Outcome: session.Elsewhere, Abort: msg.TransferAborted{Map: from, Reason: uint8(why)},
		Destination: msg.Place{Map: to.Map, Position: wire.Vec3{X: to.X, Y: to.Y, Z: to.Z}, Orientation: to.O}})
}
