// Package death handles what follows the death of a player: its corpse, and its way back to life.
package death

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
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

// System handles players from death to resurrection.
type System struct {
	rules.Living

	entities ecs.Entities
	config   ecs.Res[Config]
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.ResMut[space.Space]
	out      change.Out
	unsaved  change.Unsaved
	cells    change.Cells

	deaths      ecs.EventReader[rules.Death]
	offers      ecs.Requests[rules.Resurrect]
	revives     ecs.Requests[rules.Revive]
	hauntings   ecs.Emit[rules.BecomeGhost]
	raised      ecs.Emit[rules.Resurrected]
	stands      ecs.Emit[rules.SetStand]
	unitFlags   ecs.Emit[rules.SetUnitFlags]
	playerFlags ecs.Emit[rules.SetPlayerFlags]
	casts       ecs.Emit[rules.Cast]
	wears       ecs.Emit[goods.WearItems]
	roots       ecs.Emit[move.Root]
	jumps       ecs.Emit[move.Teleport]
	repops      ecs.Events[change.Sent[msg.RepopRequest]]
	reclaims    ecs.Events[change.Sent[msg.ReclaimCorpse]]
	answers     ecs.Events[change.Sent[msg.ResurrectResponse]]
	healers     ecs.Events[change.Sent[msg.SpiritHealerActivate]]
	empty       ecs.Events[change.Sent[msg.Empty]]

	objects         ecs.Read[components.Object]
	vitals          ecs.View[components.Vitals]
	units           ecs.Read[components.Unit]
	stances         ecs.Read[components.Stance]
	appearances     ecs.Read[components.PlayerAppearance]
	records         ecs.Write[components.Record]
	positions       ecs.Read[components.Position]
	homeCells       ecs.Read[components.HomeCell]
	observers       ecs.Write[components.Observer]
	sessions        ecs.Read[components.Session]
	resurrectOffers ecs.Write[components.ResurrectOffer]

	spawn         ecs.Spawn[corpseParts]
	bodyObjects   ecs.Fill[components.Object]
	bodyUnits     ecs.Fill[components.Unit]
	bodyPositions ecs.Fill[components.Position]
	bodyPosts     ecs.Fill[components.SpawnInfo]
	joined        ecs.Events[change.Joined]
	leaving       ecs.Emit[change.Leaving]
	corpses       ecs.Fill[components.Corpse]
	visibleItems  ecs.View[components.VisibleItems]
	bodies        []corpse

	unreleased sched.Wheel[unreleasedPlayer]
	ghosts     sched.Wheel[haunting] // checks of what each ghost sees

	said packets

	early  sched.Counter `name:"death.reclaim_early"`
	far    sched.Counter `name:"death.reclaim_far"`
	unable sched.Counter `name:"death.unable"`
}

// packets are the messages of the system, kept so that sending does not allocate.
type packets struct {
	delay   msg.CorpseReclaimDelay
	place   msg.DeathReleaseLoc
	ghost   msg.PreResurrect
	corpse  msg.CorpseQueryResponse
	request msg.ResurrectRequest
}

// Run handles the deaths of the tick, and then the requests of dead players.
func (s *System) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		e := it.Entity
		if s.entities.Alive(e) && s.records.Get(e).Death.State != life.Alive {
			s.comeBack(t, e)
		}
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) && s.sessions.Has(d.Entity) {
			s.die(t, d.Entity)
		}
	}
	for _, due := range s.unreleased.Take(t.N) {
		if s.entities.Alive(due.entity) && s.records.Get(due.entity).ReclaimMs == due.reclaimMs && s.records.Get(due.entity).Death.State == life.Dead {
			s.release(t, due.entity)
		}
	}
	for _, h := range s.ghosts.Take(t.N) {
		if s.entities.Alive(h.entity) && s.haunts(h.entity) && s.records.Get(h.entity).ReclaimMs == h.reclaimMs {
			s.peer(t, h.entity)
			s.ghosts.Add(t.After(peerEvery), h)
		}
	}
	s.grant(t)
	s.handleRequests(t)
	s.removeBodies()
}

// handleRequests executes what dead players request.
func (s *System) handleRequests(t sched.Tick) {
	for i := range s.repops.All() {
		if e := s.repops.All()[i].By; s.entities.Alive(e) {
			s.release(t, e)
		}
	}
	for i := range s.reclaims.All() {
		if e := s.reclaims.All()[i].By; s.entities.Alive(e) {
			s.reclaim(t, e)
		}
	}
	for i := range s.healers.All() {
		if h := &s.healers.All()[i]; s.entities.Alive(h.By) {
			s.heal(t, h.By, h.Msg.GUID)
		}
	}
	for i := range s.empty.All() {
		if q := &s.empty.All()[i]; q.Op == msg.OpCorpseQuery && s.entities.Alive(q.By) {
			s.where(q.By)
		}
	}
	offers := s.offers.Take()
	for i := range offers {
		s.offer(&offers[i])
	}
	for i := range s.answers.All() {
		if a := &s.answers.All()[i]; s.entities.Alive(a.By) {
			s.answer(t, a.By, &a.Msg)
		}
	}
}
