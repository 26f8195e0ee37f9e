package death

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// ResurrectOffers asks dead players whether they accept a resurrection.
type ResurrectOffers struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	out      change.Out

	deaths  ecs.EventReader[rules.Death]
	offers  ecs.Requests[rules.Resurrect]
	answers ecs.Events[change.Sent[msg.ResurrectResponse]]
	revives ecs.Emit[rules.Revive]
	jumps   ecs.Emit[move.Teleport]

	objects         ecs.Read[components.Object]
	records         ecs.ReadRef[components.Record]
	resurrectOffers ecs.Write[components.ResurrectOffer]

	unable sched.Counter `name:"death.unable"`

	request msg.ResurrectRequest // kept here, since a packet takes its message by reference
}

// OnEvents implements sched.Handler.
func (s *ResurrectOffers) OnEvents(sched.Tick) {
	for _, d := range s.deaths.Next() { // what it was offered after the death before is over
		if s.entities.Exists(d.Entity) && s.resurrectOffers.Has(d.Entity) {
			*s.resurrectOffers.Get(d.Entity) = components.ResurrectOffer{}
		}
	}
	offers := s.offers.Take()
	for i := range offers {
		s.offer(&offers[i])
	}
	for _, sent := range s.answers.All() {
		s.answer(sent.By, &sent.Msg)
	}
}

// offer asks a dead player whether it accepts a resurrection. It has one offer at a time: the first.
//
// Source: Spell::EffectResurrect and Spell::SendResurrectRequest, AzerothCore.
func (s *ResurrectOffers) offer(o *rules.Resurrect) {
	if !s.entities.Exists(o.Entity) || !s.entities.Exists(o.By) || !s.resurrectOffers.Has(o.Entity) ||
		s.records.Get(o.Entity).Death.State == life.Alive || s.resurrectOffers.Get(o.Entity).By != 0 {
		s.unable.Count()
		return
	}
	guid := s.objects.Get(o.By).GUID
	*s.resurrectOffers.Get(o.Entity) = components.ResurrectOffer{By: guid, Health: o.Health, Mana: o.Mana, At: o.At}
	s.request = msg.ResurrectRequest{Caster: guid}
	if c := s.defs.Get().Creature(s.objects.Get(o.By).Entry); c != nil {
		s.request.Name = c.Name
	}
	s.out.SendNow(o.Entity, msg.OpResurrectRequest, &s.request)
}

// answer accepts or declines an offer.
//
// Source: WorldSession::HandleResurrectResponseOpcode, AzerothCore.
func (s *ResurrectOffers) answer(e ecs.Entity, m *msg.ResurrectResponse) {
	will := s.resurrectOffers.Get(e)
	if will.By == 0 || will.By != m.GUID || s.records.Get(e).Death.State == life.Alive {
		s.out.Refuse(e, msg.OpResurrectResponse, &s.unable)
		return
	}
	offer := *will
	*will = components.ResurrectOffer{}
	if m.Accept == 0 {
		return
	}
	s.revives.Emit(rules.Revive{Entity: e, Health: offer.Health, Mana: offer.Mana})
	s.jumps.Emit(move.Teleport{Entity: e, To: life.Place{
		Map: s.place.Get().ID, X: offer.At.X, Y: offer.At.Y, Z: offer.At.Z, O: offer.At.O,
	}})
}
