package death

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// Revivals resurrects ghosts at their corpses and at spirit healers.
type Revivals struct {
	rules.Living

	config ecs.Res[Config]
	defs   ecs.Res[defs.World]
	place  ecs.Res[defs.Map]
	space  ecs.Res[space.Space]
	out    change.Out

	reclaims ecs.Events[change.Sent[msg.ReclaimCorpse]]
	healers  ecs.Events[change.Sent[msg.SpiritHealerActivate]]
	revives  ecs.Emit[rules.Revive]
	casts    ecs.Emit[rules.Cast]
	wears    ecs.Emit[goods.WearItems]

	vitals    ecs.View[components.Vitals]
	units     ecs.Read[components.Unit]
	stances   ecs.Read[components.Stance]
	records   ecs.View[components.Record]
	positions ecs.Read[components.Position]

	early  sched.Counter `name:"death.reclaim_early"`
	far    sched.Counter `name:"death.reclaim_far"`
	unable sched.Counter `name:"death.unable"`
}

// Run implements sched.Runner.
func (s *Revivals) Run(t sched.Tick) {
	for _, sent := range s.reclaims.All() {
		s.reclaim(t, sent.By)
	}
	for _, sent := range s.healers.All() {
		s.heal(sent.By, sent.Msg.GUID)
	}
}

// revive asks for a player to be resurrected, with half of its health and mana.
func (s *Revivals) revive(e ecs.Entity) {
	v := s.vitals.Get(e)
	s.revives.Emit(rules.Revive{Entity: e, Health: v.MaxHealth / 2, Mana: v.MaxPower[components.PowerMana] / 2})
}

// reclaimYards is the largest distance between a ghost and its corpse.
//
// Source: CORPSE_RECLAIM_RADIUS, Corpse.h, AzerothCore.
const reclaimYards = 39

// reclaim resurrects a player at its corpse, with half of its health and mana. The corpse that the client names is
// not checked: a player has one.
//
// Source: WorldSession::HandleReclaimCorpseOpcode, AzerothCore; protocol.md 3.1.3 and 7.14 for Anywhere.
func (s *Revivals) reclaim(t sched.Tick, e ecs.Entity) {
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

// healerYards is the largest distance between a ghost and a spirit healer.
//
// Source: INTERACTION_DISTANCE, ObjectDefines.h, AzerothCore (5.5, without the combat reach of both).
const healerYards = 5.5 + 3

// wornPercent is the part of the maximum durability that items lose at a spirit healer.
//
// Source: WorldSession::SendSpiritResurrect, AzerothCore.
const wornPercent = 25

// heal resurrects a ghost at a spirit healer where it stands. Items lose a quarter of their durability, and the
// player has resurrection sickness for a while.
//
// Source: WorldSession::HandleSpiritHealerActivateOpcode and SendSpiritResurrect, AzerothCore.
func (s *Revivals) heal(e ecs.Entity, healer uint64) {
	h := s.space.Get().Find(healer)
	if s.records.Get(e).Death.State != life.Ghost || !s.Alive(h) ||
		s.stances.Get(h).NPCFlags&components.NPCSpiritHealer == 0 || !within(s.positions.Get(e), s.positions.Get(h), healerYards) {
		s.out.Refuse(e, msg.OpSpiritHealerActivate, &s.unable)
		return
	}
	s.revive(e)
	s.wears.Emit(goods.WearItems{Entity: e, Percent: wornPercent})
	sickness := uint32(0)
	for _, id := range s.defs.Get().Players.Sickness {
		if sp := s.defs.Get().Spell(id); sp != nil && uint32(sp.Level) <= s.units.Get(e).Level {
			sickness = id
		}
	}
	if sickness != 0 {
		s.casts.Emit(rules.Cast{By: e, Target: e, Spell: sickness, Triggered: true})
	}
}
