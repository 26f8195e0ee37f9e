// Package death handles what follows the death of a player: its corpse, and its way back to life. PlayerDeaths alone decides
// whether a player is dead, a ghost or alive; the other systems ask it for that, or follow its changes.
package death

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Reclaim is the way in which a dead player reclaims its corpse.
type Reclaim uint8

// The ways. Clients that derive from their health alone whether they are alive need Anywhere: they would take a
// ghost, which has health 1, for alive.
//
// Source: protocol.md 3.1.3 and 7.14.
const (
	Anywhere Reclaim = iota // its health stays 0, and after the delay it can resurrect wherever it is
	AtCorpse                // it is a ghost at a graveyard, and has to walk to its corpse
)

// Config has the rules of death in a world: a shared value.
type Config struct {
	Reclaim Reclaim
}

// A Changed is a player that has died, become a ghost or been resurrected in this tick, or has come in and is not alive.
type Changed struct {
	Entity ecs.Entity
	State  uint32 // life.Alive and following
	Joined bool
}

// PlayerDeaths handles the states of players from death to resurrection.
type PlayerDeaths struct {
	entities ecs.Entities
	config   ecs.Res[Config]
	place    ecs.Res[defs.Map]
	unsaved  change.Unsaved
	out      change.Out

	joined  ecs.Events[change.Joined]
	deaths  ecs.EventReader[rules.Death]
	revives ecs.Requests[rules.Revive]
	repops  ecs.Events[change.Sent[msg.RepopRequest]]
	raised  ecs.Emit[rules.SetVitals]
	changed ecs.Emit[Changed]

	sessions  ecs.Read[components.Session]
	records   ecs.Write[components.Record]
	positions ecs.Read[components.Position]

	unreleased sched.Wheel[unreleasedPlayer]

	unable sched.Counter `name:"death.unable"`
}

// Times for dead players.
//
// Source: DEATH_TIMER and the first of copseReclaimDelay, Player.cpp, AzerothCore.
const (
	releaseAfter   = 6 * time.Minute // a dead player is released after it without its request
	reclaimAfterMs = 30_000          // until a ghost can reclaim its corpse, from its release; with Anywhere from its death
)

// An unreleasedPlayer is dead, and has not released its spirit. It is stale if the player has another reclaim time by
// then: it has died anew.
type unreleasedPlayer struct {
	entity    ecs.Entity
	reclaimMs uint32
}

// Run handles the deaths of the tick, and then what is asked for dead players.
func (s *PlayerDeaths) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		if e := it.Entity; s.records.Get(e).Death.State != life.Alive {
			s.changed.Emit(Changed{e, s.records.Get(e).Death.State, true})
			s.wait(t, e)
		}
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Exists(d.Entity) && s.sessions.Has(d.Entity) && s.records.Get(d.Entity).Death.State == life.Alive {
			s.die(t, d.Entity)
		}
	}
	for _, due := range s.unreleased.Take(t.N) {
		if s.entities.Exists(due.entity) && s.records.Get(due.entity).ReclaimMs == due.reclaimMs && s.records.Get(due.entity).Death.State == life.Dead {
			s.release(t, due.entity)
		}
	}
	for _, r := range s.revives.Take() {
		if s.entities.Exists(r.Entity) && s.sessions.Has(r.Entity) && s.records.Get(r.Entity).Death.State != life.Alive {
			s.set(r.Entity, life.Death{})
			s.raised.Emit(rules.SetVitals{Entity: r.Entity, Kind: rules.Resurrected, Health: r.Health, Mana: r.Mana})
		}
	}
	for _, sent := range s.repops.All() {
		s.release(t, sent.By)
	}
}

// set changes the state of a player.
func (s *PlayerDeaths) set(e ecs.Entity, to life.Death) {
	s.records.Get(e).Death = to
	s.changed.Emit(Changed{Entity: e, State: to.State})
	s.unsaved.MarkNow(e, 0)
}

// wait releases a dead player after a time.
func (s *PlayerDeaths) wait(t sched.Tick, e ecs.Entity) {
	s.unreleased.Add(t.After(releaseAfter), unreleasedPlayer{e, s.records.Get(e).ReclaimMs})
}

// die makes a player dead. Combat with it has ended already.
//
// Source: Player::KillPlayer, AzerothCore.
func (s *PlayerDeaths) die(t sched.Tick, e ecs.Entity) {
	p := s.positions.Get(e)
	s.records.Get(e).ReclaimMs = t.NowMs + reclaimAfterMs
	s.set(e, life.Death{State: life.Dead, Body: life.Place{
		Map: s.place.Get().ID, Zone: s.place.Get().Zone(p.X, p.Y), X: p.X, Y: p.Y, Z: p.Z, O: p.O,
	}})
	s.wait(t, e)
}

// release makes a dead player a ghost.
//
// Source: WorldSession::HandleRepopRequestOpcode, AzerothCore.
func (s *PlayerDeaths) release(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	if r.Death.State != life.Dead {
		s.out.Refuse(e, msg.OpRepopRequest, &s.unable)
		return
	}
	if s.config.Get().Reclaim == AtCorpse {
		r.ReclaimMs = t.NowMs + reclaimAfterMs
	}
	ghost := r.Death
	ghost.State = life.Ghost
	s.set(e, ghost)
}

// within reports whether a point is within some yards of another.
func within(p, at components.Position, yards float32) bool {
	dx, dy, dz := p.X-at.X, p.Y-at.Y, p.Z-at.Z
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(yards*yards)
}

// body is where a player died.
func body(r *components.Record) components.Position {
	at := &r.Death.Body
	return components.Position{X: at.X, Y: at.Y, Z: at.Z}
}
