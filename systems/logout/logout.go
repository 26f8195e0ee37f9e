// Package logout lets players go: at their wish after a while in which they sit still, or at once. Whose connection
// ends in a fight stays for the fight.
package logout

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// wait is how long a player sits before it is out of the world.
//
// Source: WorldSession::ShouldLogOut, AzerothCore (20 s); protocol.md 2.4.
const wait = 20 * time.Second

// How long a player stays without its client at most, and how often it is looked whether its fight is over. Source of
// the first: WorldSessionMgr::UpdateSessions, AzerothCore, where it stays that long at peace, too; clients that end with a
// reset and come again at once would wait for that (protocol.md 3.1.1).
const (
	linkDeadTime  = 60 * time.Second
	linkDeadEvery = 500 * time.Millisecond
)

// System lets players go.
type System struct {
	entities ecs.Entities
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved
	wishes   ecs.Events[change.Sent[msg.Empty]]
	leaving  ecs.Emit[change.Leaving]
	units    ecs.Write[components.Unit]
	stances  ecs.Write[components.Stance]
	records  ecs.View[components.Record]
	going    ecs.Write[components.Logout]

	logouts sched.Wheel[departure]
}

// A departure is stale if its player has changed its mind since.
type departure struct {
	entity ecs.Entity
	number uint32
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	for _, wish := range s.wishes.All() {
		if !s.entities.Alive(wish.By) {
			continue
		}
		switch wish.Op {
		case msg.OpLogoutRequest:
			s.request(t, wish.By)
		case msg.OpLogoutCancel:
			s.cancel(wish.By)
		case msg.OpPlayerLogout:
			s.depart(wish.By)
		case frame.OpDrop:
			s.drop(t, wish.By)
		}
	}
	for _, due := range s.logouts.Take(t.N) {
		if !s.entities.Alive(due.entity) || s.going.Get(due.entity).Number != due.number {
			continue
		}
		switch going := s.going.Get(due.entity); {
		case going.Gone != 0:
		case going.LinkDead != 0:
			s.drift(t, due.entity)
		case going.Waiting != 0:
			s.depart(due.entity)
		}
	}
}

// drop has a player go whose client is no longer there: at once, unless it fights. It goes on with what it was doing,
// and can be hurt and killed.
//
// Source: WorldSession::HandleSocketClosed, AzerothCore.
func (s *System) drop(t sched.Tick, e ecs.Entity) {
	going := s.going.Get(e)
	if going.Gone != 0 {
		return
	}
	going.Number++
	going.LinkDead = 1
	going.UntilMs = t.NowMs + uint32(linkDeadTime/time.Millisecond)
	s.drift(t, e)
}

// drift lets a player go whose fight is over, or has lasted too long.
func (s *System) drift(t sched.Tick, e ecs.Entity) {
	going := s.going.Get(e)
	if s.fights(e) && int32(going.UntilMs-t.NowMs) > 0 {
		s.logouts.Add(t.After(linkDeadEvery), departure{e, going.Number})
		return
	}
	s.leaving.Emit(change.Leaving{Entity: e})
}

func (s *System) fights(e ecs.Entity) bool { return s.units.Get(e).Flags&components.UnitInCombat != 0 }

// inCombat is the reason of LOGOUT_RESPONSE for one who fights.
//
// Source: WorldSession::HandleLogoutRequestOpcode, AzerothCore.
const inCombat = 1

// request makes a player sit and wait. Asking again changes nothing. Who fights is refused; a game master goes at once,
// even from a fight.
//
// Source: WorldSession::HandleLogoutRequestOpcode, and InstantLogout in worldserver.conf.dist, AzerothCore.
func (s *System) request(t sched.Tick, e ecs.Entity) {
	switch {
	case s.records.Get(e).SecurityLevel > 0:
		s.out.SendNow(e, msg.OpLogoutResponse, &msg.LogoutResponse{Instant: true})
		s.depart(e)
		return
	case s.fights(e):
		s.out.SendNow(e, msg.OpLogoutResponse, &msg.LogoutResponse{Reason: inCombat})
		return
	}
	s.out.SendNow(e, msg.OpLogoutResponse, &msg.LogoutResponse{})
	going := s.going.Get(e)
	if going.Waiting != 0 {
		return
	}
	going.Number++
	going.Waiting = 1
	s.logouts.Add(t.After(wait), departure{e, going.Number})
	s.units.Get(e).Flags |= components.UnitStunned
	s.stances.Get(e).Bytes1[components.ByteStand] = components.Sitting
	s.dirty.Mark(e, components.DirtyUnit|components.DirtyStance)
	s.unsaved.MarkNow(e, 0)
}

func (s *System) cancel(e ecs.Entity) {
	s.out.SendNow(e, msg.OpLogoutCancelAck, &msg.Empty{})
	going := s.going.Get(e)
	if going.Waiting == 0 {
		return
	}
	going.Waiting = 0
	s.units.Get(e).Flags &^= components.UnitStunned
	s.stances.Get(e).Bytes1[components.ByteStand] = components.Standing
	s.dirty.Mark(e, components.DirtyUnit|components.DirtyStance)
}

func (s *System) depart(e ecs.Entity) {
	s.going.Get(e).Gone = 1
	s.leaving.Emit(change.Leaving{Entity: e})
}
