// Package target keeps the target that a unit shows to observers, and what it channels at which. It is the only writer
// of components.Target.
package target

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Target sets targets for clients and for other systems.
type Target struct {
	entities   ecs.Entities
	dirty      change.Dirty
	selections ecs.Events[change.Sent[msg.SetSelection]]
	targets    ecs.Requests[rules.SetTarget]
	channels   ecs.Requests[rules.SetChannel]
	shown      ecs.Write[components.Target]
}

// OnEvents sets the targets that clients selected. A target need not exist: a client may select a unit that has just
// despawned, and is not corrected.
//
// Source: WorldSession::HandleSetSelectionOpcode, AzerothCore.
func (s *Target) OnEvents(sched.Tick) {
	for _, sent := range s.selections.All() {
		s.set(sent.By, sent.Msg.GUID)
	}
}

// React sets the targets and channels of other systems.
func (s *Target) React(sched.Tick) {
	for _, it := range s.targets.Take() {
		if s.entities.Exists(it.Entity) {
			s.set(it.Entity, it.GUID)
		}
	}
	for _, it := range s.channels.Take() {
		if !s.entities.Exists(it.Entity) {
			continue
		}
		if shown := s.shown.Get(it.Entity); shown.Channel != it.GUID || shown.ChannelSpell != it.Spell {
			shown.Channel, shown.ChannelSpell = it.GUID, it.Spell
			s.dirty.Mark(it.Entity, components.DirtyTarget)
		}
	}
}

// set sets the target of a unit.
func (s *Target) set(e ecs.Entity, guid uint64) {
	if shown := s.shown.Get(e); shown.GUID != guid {
		shown.GUID = guid
		s.dirty.Mark(e, components.DirtyTarget)
	}
}
