// Package logout removes players from the world: at their request after a time of sitting, or at once. A player whose
// connection ends in combat stays until the combat ends.
package logout

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// wait is the time that a player sits before it leaves the world.
//
// Source: WorldSession::ShouldLogOut, AzerothCore (20 s); protocol.md 2.4.
const wait = 20 * time.Second

// The longest time that a player stays without its client, and the time between two checks whether its combat has
// ended. Source of the first: WorldSessionMgr::UpdateSessions, AzerothCore, where it stays that long out of combat,
// too; clients that end with a reset and come again at once would wait for that (protocol.md 3.1.1).
const (
	linkDeadTime  = 60 * time.Second
	linkDeadEvery = 500 * time.Millisecond
)

// Logout removes players from the world.
type Logout struct {
	entities  ecs.Entities
	out       change.Out
	unsaved   change.Unsaved
	wishes    ecs.Events[change.Sent[msg.Empty]]
	resumed   ecs.Events[change.Resumed]
	leaving   ecs.Emit[change.Leaving]
	stands    ecs.Emit[rules.SetStand]
	unitFlags ecs.Emit[rules.SetUnitFlags]
	units     ecs.Read[components.Unit]
	records   ecs.ReadRef[components.Record]
	going     ecs.Write[components.Logout]

	logouts sched.Wheel[departure]
}

// A departure is a scheduled logout; it is stale if its player has cancelled it since.
type departure struct {
	entity ecs.Entity
	number uint32
}

// Run implements sched.Runner.
func (s *Logout) Run(t sched.Tick) {
	for _, it := range s.resumed.All() {
		s.resume(it.Entity)
	}
	for _, wish := range s.wishes.All() {
		switch wish.Op {
		case msg.OpLogoutRequest:
			s.request(t, wish.By)
		case msg.OpLogoutCancel:
			s.cancel(wish.By)
		case msg.OpPlayerLogout:
			s.depart(wish.By)
		case frame.OpDrop, frame.OpAbandon:
			if !s.resumes(wish.By, wish.N) {
				s.drop(t, wish.By, wish.Op == frame.OpAbandon)
			}
		}
	}
	for _, due := range s.logouts.Take(t.N) {
		if !s.entities.Exists(due.entity) || s.going.Get(due.entity).Number != due.number {
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

// drop handles a player whose client has disconnected: it leaves at once, unless it is in combat or its gateway has ended. Until then it
// continues its actions, and can be attacked and killed.
//
// Source: WorldSession::HandleSocketClosed, AzerothCore.
func (s *Logout) drop(t sched.Tick, e ecs.Entity, stays bool) {
	going := s.going.Get(e)
	if going.Gone != 0 {
		return
	}
	going.Number++
	if going.LinkDead = components.LeavesInPeace; stays {
		going.LinkDead = components.Stays
	}
	going.UntilMs = t.NowMs + uint32(linkDeadTime/time.Millisecond)
	s.drift(t, e)
}

// resumes reports whether a player is resumed by an item of the inbox after another.
func (s *Logout) resumes(e ecs.Entity, n uint32) bool {
	for _, it := range s.resumed.All() {
		if it.Entity == e && it.N > n {
			return true
		}
	}
	return false
}

// resume notes that a player has a client again, which does not know of a logout that was under way.
func (s *Logout) resume(e ecs.Entity) {
	going := s.going.Get(e)
	if going.Gone != 0 {
		return
	}
	going.Number++
	going.LinkDead = 0
	if going.Waiting != 0 {
		s.stand(e)
	}
}

// drift removes a player without client if its combat has ended, or has lasted too long.
func (s *Logout) drift(t sched.Tick, e ecs.Entity) {
	going := s.going.Get(e)
	if (s.fights(e) || going.LinkDead == components.Stays) && int32(going.UntilMs-t.NowMs) > 0 {
		s.logouts.Add(t.After(linkDeadEvery), departure{e, going.Number})
		return
	}
	s.leaving.Emit(change.Leaving{Entity: e})
}

func (s *Logout) fights(e ecs.Entity) bool { return s.units.Get(e).Flags&components.UnitInCombat != 0 }

// inCombat is the reason of LOGOUT_RESPONSE for a player in combat.
//
// Source: WorldSession::HandleLogoutRequestOpcode, AzerothCore.
const inCombat = 1

// request makes a player sit and wait; a repeated request changes nothing. It is refused in combat. A game master
// leaves at once, even in combat.
//
// Source: WorldSession::HandleLogoutRequestOpcode, and InstantLogout in worldserver.conf.dist, AzerothCore.
func (s *Logout) request(t sched.Tick, e ecs.Entity) {
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
	s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: components.UnitStunned})
	s.stands.Emit(rules.SetStand{Entity: e, State: components.Sitting})
	s.unsaved.MarkNow(e, 0)
}

func (s *Logout) cancel(e ecs.Entity) {
	s.out.SendNow(e, msg.OpLogoutCancelAck, &msg.Empty{})
	going := s.going.Get(e)
	if going.Waiting != 0 {
		s.stand(e)
	}
}

// stand ends the wait for a logout.
func (s *Logout) stand(e ecs.Entity) {
	s.going.Get(e).Waiting = 0
	s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Clear: components.UnitStunned})
	s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
}

func (s *Logout) depart(e ecs.Entity) {
	s.going.Get(e).Gone = 1
	s.leaving.Emit(change.Leaving{Entity: e})
}
