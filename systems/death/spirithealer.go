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

// SpiritHealers resurrects ghosts at spirit healers.
type SpiritHealers struct {
	rules.Living
	revival

	defs    ecs.Res[defs.World]
	space   ecs.Res[space.Space]
	out     change.Out
	healers ecs.Events[change.Sent[msg.SpiritHealerActivate]]
	casts   ecs.Emit[rules.Cast]
	wears   ecs.Emit[goods.WearItems]

	units     ecs.Read[components.Unit]
	stances   ecs.Read[components.Stance]
	records   ecs.ReadRef[components.Record]
	positions ecs.Read[components.Position]

	unable sched.Counter `name:"death.unable"`
}

// OnEvents implements sched.Handler.
func (s *SpiritHealers) OnEvents(sched.Tick) {
	for _, sent := range s.healers.All() {
		s.heal(sent.By, sent.Msg.GUID)
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
func (s *SpiritHealers) heal(e ecs.Entity, healer uint64) {
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
