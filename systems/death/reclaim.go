package death

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A revival is the part of systems that have players resurrected.
type revival struct {
	vitals  ecs.Read[components.Vitals]
	revives ecs.Emit[rules.Revive]
}

// revive asks for a player to be resurrected, with half of its health and mana.
func (r *revival) revive(e ecs.Entity) {
	v := r.vitals.Get(e)
	r.revives.Emit(rules.Revive{Entity: e, Health: v.MaxHealth / 2, Mana: v.MaxPower[components.PowerMana] / 2})
}

// CorpseReclaims resurrects ghosts at their corpses.
type CorpseReclaims struct {
	revival

	config   ecs.Res[Config]
	place    ecs.Res[defs.Map]
	out      change.Out
	reclaims ecs.Events[change.Sent[msg.ReclaimCorpse]]

	records   ecs.ReadRef[components.Record]
	positions ecs.Read[components.Position]

	early  sched.Counter `name:"death.reclaim_early"`
	far    sched.Counter `name:"death.reclaim_far"`
	unable sched.Counter `name:"death.unable"`
}

// OnEvents implements sched.Handler.
func (s *CorpseReclaims) OnEvents(t sched.Tick) {
	for _, sent := range s.reclaims.All() {
		s.reclaim(t, sent.By)
	}
}

// reclaimYards is the largest distance between a ghost and its corpse.
//
// Source: CORPSE_RECLAIM_RADIUS, Corpse.h, AzerothCore.
const reclaimYards = 39

// reclaim resurrects a player at its corpse, with half of its health and mana. The corpse that the client names is
// not checked: a player has one.
//
// Source: WorldSession::HandleReclaimCorpseOpcode, AzerothCore; protocol.md 3.1.3 and 7.14 for Anywhere.
func (s *CorpseReclaims) reclaim(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	switch {
	case r.Death.State == life.Alive, r.Death.State == life.Dead && s.config.Get().Reclaim == AtCorpse:
		s.out.Refuse(e, msg.OpReclaimCorpse, &s.unable)
	case r.DeathAt(t.NowMs).ReclaimLeftMs > 0:
		s.out.Refuse(e, msg.OpReclaimCorpse, &s.early)
	case s.config.Get().Reclaim == AtCorpse && (r.Death.Body.Map != s.place.Get().ID || !within(s.positions.Get(e), body(r), reclaimYards)):
		s.out.Refuse(e, msg.OpReclaimCorpse, &s.far)
	default:
		s.revive(e)
	}
}
