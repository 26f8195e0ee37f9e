package death

import (
	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// offer asks a dead player whether it accepts a resurrection. It has one offer at a time: the first.
//
// Source: Spell::EffectResurrect and Spell::SendResurrectRequest, AzerothCore.
func (s *System) offer(o *rules.Resurrect) {
	if !s.entities.Alive(o.Entity) || !s.entities.Alive(o.By) || !s.sessions.Has(o.Entity) ||
		s.records.Get(o.Entity).Death.State == life.Alive || s.resurrectOffers.Get(o.Entity).By != 0 {
		s.unable.Count()
		return
	}
	guid := s.objects.Get(o.By).GUID
	*s.resurrectOffers.Get(o.Entity) = components.ResurrectOffer{By: guid, Health: o.Health, Mana: o.Mana, At: o.At}
	s.said.request = msg.ResurrectRequest{Caster: guid}
	if c := s.defs.Get().Creature(s.objects.Get(o.By).Entry); c != nil {
		s.said.request.Name = c.Name
	}
	s.out.SendNow(o.Entity, msg.OpResurrectRequest, &s.said.request)
}

// answer accepts or declines an offer.
//
// Source: WorldSession::HandleResurrectResponseOpcode, AzerothCore.
func (s *System) answer(t sched.Tick, e ecs.Entity, m *msg.ResurrectResponse) {
	will := s.resurrectOffers.Get(e)
	if will.By == 0 || will.By != m.GUID || s.records.Get(e).Death.State == life.Alive {
		s.unable.Count()
		return
	}
	offer := *will
	*will = components.ResurrectOffer{}
	if m.Accept == 0 {
		return
	}
	s.live(t, e, offer.Health, offer.Mana)
	s.jumps.Emit(move.Teleport{Entity: e, To: life.Place{
		Map: s.place.Get().ID, X: offer.At.X, Y: offer.At.Y, Z: offer.At.Z, O: offer.At.O,
	}})
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
func (s *System) heal(t sched.Tick, e ecs.Entity, healer uint64) {
	h := s.space.Get().Find(healer)
	if s.records.Get(e).Death.State != life.Ghost || !s.Alive(h) ||
		s.stances.Get(h).NPCFlags&components.NPCSpiritHealer == 0 || !s.within(e, s.positions.Get(h), healerYards) {
		s.unable.Count()
		return
	}
	v := s.vitals.Get(e)
	s.live(t, e, v.MaxHealth/2, v.MaxPower[components.PowerMana]/2)
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
