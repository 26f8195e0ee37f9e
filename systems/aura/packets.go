package aura

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// packets are the messages of system aura, kept so that sending does not allocate.
type packets struct {
	update msg.AuraUpdate
}

// broadcast broadcasts the state of an aura.
func (s *System) broadcast(t sched.Tick, e ecs.Entity, a *components.Aura) {
	if a.Slot != rules.HiddenSlot {
		s.send(e, rules.AuraRecord(t.NowMs, s.objects.Get(e).GUID, a, s.template(a)))
	}
}

// broadcastGone broadcasts that the slot of an aura is free.
func (s *System) broadcastGone(e ecs.Entity, a *components.Aura) {
	if a.Slot != rules.HiddenSlot {
		s.send(e, msg.AuraRecord{Slot: a.Slot})
	}
}

// send broadcasts the record of one slot, after the values of the tick.
func (s *System) send(e ecs.Entity, r msg.AuraRecord) {
	p := &s.packets.update
	p.Unit = s.objects.Get(e).GUID
	p.Records = append(p.Records[:0], r)
	s.out.Broadcast(e, msg.OpAuraUpdate, p)
}

// resume schedules the auras of a player that has entered, and sends them to it.
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
	p := &s.packets.update
	p.Unit = s.objects.Get(e).GUID
	p.Records = rules.AuraRecords(p.Records[:0], s.defs.Get(), t.NowMs, p.Unit, auras)
	s.out.Send(e, msg.OpAuraUpdateAll, p)
	s.auraStates.Get(e).States = 0 // the client knows none of the states of its auras yet
	s.changed(e)
}
