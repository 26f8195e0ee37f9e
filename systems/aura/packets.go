package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// AuraPackets sends clients the auras of units.
type AuraPackets struct {
	auras rules.AuraSums

	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	out       change.Out
	joined    ecs.Events[change.Joined]
	resumed   ecs.Events[change.Resumed]
	refreshed ecs.Events[change.Refreshed]
	slots     ecs.Requests[slotChange]
	objects   ecs.Read[components.Object]

	update msg.AuraUpdate // kept here, since a packet takes its message by reference
}

// A slotChange is what one slot of a unit's auras has now.
type slotChange struct {
	entity ecs.Entity
	record msg.AuraRecord
}

// OnEvents sends players that have entered their auras, and then what has changed.
//
// Source: Player::SendInitialPacketsAfterAddToMap, AzerothCore.
func (s *AuraPackets) OnEvents(t sched.Tick) {
	for _, it := range s.joined.All() {
		s.sendAll(t, it.Entity)
	}
	for _, it := range s.resumed.All() {
		if !it.New {
			s.sendAll(t, it.Entity)
		}
	}
	for _, it := range s.refreshed.All() { // its client may know auras that it has no more
		if s.auras.Of(it.Entity) == nil {
			s.update.Unit, s.update.Records = s.objects.Get(it.Entity).GUID, s.update.Records[:0]
			s.out.Send(it.Entity, msg.OpAuraUpdateAll, &s.update)
		}
		s.sendAll(t, it.Entity)
	}
	s.React(t)
}

// sendAll sends a player its own auras, if it has some.
func (s *AuraPackets) sendAll(t sched.Tick, e ecs.Entity) {
	auras := s.auras.Of(e)
	if auras == nil {
		return
	}
	p := &s.update
	p.Unit = s.objects.Get(e).GUID
	p.Records = rules.AuraRecords(p.Records[:0], s.defs.Get(), t.NowMs, p.Unit, auras)
	s.out.Send(e, msg.OpAuraUpdateAll, p)
}

// React broadcasts the slots that have changed, after the values of the tick.
func (s *AuraPackets) React(sched.Tick) {
	for _, it := range s.slots.Take() {
		if s.entities.Exists(it.entity) {
			p := &s.update
			p.Unit = s.objects.Get(it.entity).GUID
			p.Records = append(p.Records[:0], it.record)
			s.out.Broadcast(it.entity, msg.OpAuraUpdate, p)
		}
	}
}

// broadcast has the state of an aura broadcast.
func (s *AppliedAuras) broadcast(t sched.Tick, e ecs.Entity, a *components.Aura) {
	if a.Slot != rules.HiddenSlot {
		s.slots.Emit(slotChange{e, rules.AuraRecord(t.NowMs, s.objects.Get(e).GUID, a, s.template(a))})
	}
}

// broadcastGone has it broadcast that the slot of an aura is free.
func (s *AppliedAuras) broadcastGone(e ecs.Entity, a *components.Aura) {
	if a.Slot != rules.HiddenSlot {
		s.slots.Emit(slotChange{e, msg.AuraRecord{Slot: a.Slot}})
	}
}
