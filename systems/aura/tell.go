package aura

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// said are the packets of system aura, kept so that nobody has to make them anew.
type said struct {
	update  msg.AuraUpdate
	pulse   msg.PeriodicAuraLog
	event   msg.CooldownEvent
	damage  msg.SpellDamageLog
	immune  msg.SpellOrDamageImmune
	control msg.ClientControlUpdate
}

// tell tells everybody near how an aura is now.
func (s *System) tell(t sched.Tick, e ecs.Entity, a *components.Aura) {
	if a.Slot != rules.HiddenSlot {
		s.send(e, rules.AuraRecord(t.NowMs, s.objects.Get(e).GUID, a, s.template(a)))
	}
}

// tellGone tells everybody near that the slot of an aura is free.
func (s *System) tellGone(e ecs.Entity, a *components.Aura) {
	if a.Slot != rules.HiddenSlot {
		s.send(e, msg.AuraRecord{Slot: a.Slot})
	}
}

// send sends the record of one slot, after the values of the tick.
func (s *System) send(e ecs.Entity, r msg.AuraRecord) {
	p := &s.said.update
	p.Unit = s.objects.Get(e).GUID
	p.Records = append(p.Records[:0], r)
	s.out.Broadcast(e, msg.OpAuraUpdate, p)
}

// resume has the auras with which a player has come in take their turns, and tells it of them.
//
// Source: Player::SendInitialPacketsAfterAddToMap, AzerothCore.
func (s *System) resume(t sched.Tick, e ecs.Entity) {
	auras := s.auras(e)
	if auras == nil {
		return
	}
	for i := range auras.List[:auras.Count] {
		s.schedule(t, e, &auras.List[i])
	}
	p := &s.said.update
	p.Unit = s.objects.Get(e).GUID
	p.Records = rules.AuraRecords(p.Records[:0], s.defs.Get(), t.NowMs, p.Unit, auras)
	s.out.Send(e, msg.OpAuraUpdateAll, p)
	s.combats.Get(e).States &= components.StateOwn // all that its auras say is new to its client
	s.changed(t, e)
}
