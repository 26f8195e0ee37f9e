package threat

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// A listChange is a change of a creature's threat list.
type listChange struct {
	kind           listKind
	creature, unit ecs.Entity // unit is zero of a list that is due
}

type listKind uint8

// The kinds of listChange.
const (
	listDue      listKind = iota // the list has changed a while ago: it is to be sent
	listReplaced                 // an entry gave way to another
	listRemoved                  // a unit was removed
	listCleared                  // all units are removed, this one among them
	listEnded                    // it is empty
)

// ThreatReports sends players the threat lists that they are on.
type ThreatReports struct {
	entities     ecs.Entities
	lists        ecs.Res[ecs.Slab[components.ThreatList]]
	out          change.Out
	changes      ecs.EventReader[listChange]
	victims      ecs.Requests[rules.VictimChanged]
	sessions     ecs.Read[components.Session]
	objects      ecs.Read[components.Object]
	threatStates ecs.Read[components.ThreatState]

	packets packets `snapshot:"-"` // rewritten for each message
}

// packets are the messages of the system, kept so that sending them does not allocate.
type packets struct {
	update  msg.ThreatUpdate
	highest msg.HighestThreatUpdate
	remove  msg.ThreatRemove
	clear   msg.ThreatClear
	list    []msg.Threat
}

// React sends what has changed of the lists.
func (s *ThreatReports) React(sched.Tick) {
	for _, it := range s.changes.Next() {
		switch {
		case !s.entities.Exists(it.creature):
		case it.kind == listDue:
			s.sendList(it.creature)
		case it.kind == listReplaced || it.kind == listEnded || !s.entities.Exists(it.unit) || !s.sessions.Has(it.unit):
		case it.kind == listRemoved:
			s.packets.remove = msg.ThreatRemove{Unit: s.objects.Get(it.creature).GUID, Victim: s.objects.Get(it.unit).GUID}
			s.out.Send(it.unit, msg.OpThreatRemove, &s.packets.remove)
		default:
			s.packets.clear = msg.ThreatClear{Unit: s.objects.Get(it.creature).GUID}
			s.out.Send(it.unit, msg.OpThreatClear, &s.packets.clear)
		}
	}
	for _, v := range s.victims.Take() {
		if s.entities.Exists(v.Entity) && s.entities.Exists(v.Victim) {
			s.sendNewVictim(v.Entity, v.Victim)
		}
	}
}

// sendList sends a creature's list to the players on it.
func (s *ThreatReports) sendList(e ecs.Entity) {
	if block := s.threatStates.Get(e).List; block != 0 {
		list := s.lists.Get().At(block)
		s.packets.update = msg.ThreatUpdate{Unit: s.objects.Get(e).GUID, Threats: s.threatsOf(list)}
		s.sendToListed(list, msg.OpThreatUpdate, &s.packets.update)
	}
}

// sendNewVictim sends the players on a creature's list its new victim.
func (s *ThreatReports) sendNewVictim(e, victim ecs.Entity) {
	if block := s.threatStates.Get(e).List; block != 0 {
		list := s.lists.Get().At(block)
		s.packets.highest = msg.HighestThreatUpdate{
			Unit: s.objects.Get(e).GUID, Victim: s.objects.Get(victim).GUID, Threats: s.threatsOf(list),
		}
		s.sendToListed(list, msg.OpHighestThreatUpdate, &s.packets.highest)
	}
}

// threatsOf returns a list as the wire has it. It is valid until the next call.
func (s *ThreatReports) threatsOf(list *components.ThreatList) []msg.Threat {
	s.packets.list = s.packets.list[:0]
	for _, h := range list.List[:list.Count] {
		if s.entities.Exists(h.Entity) {
			amount := uint32(min(float32(h.Amount*100), 1<<31))
			s.packets.list = append(s.packets.list, msg.Threat{Unit: s.objects.Get(h.Entity).GUID, Amount: amount})
		}
	}
	return s.packets.list
}

// sendToListed sends a packet to the players on a list. It is encoded once.
func (s *ThreatReports) sendToListed(list *components.ThreatList, op uint16, m msg.Message) {
	var packet frame.Span
	for _, h := range list.List[:list.Count] {
		if !s.entities.Exists(h.Entity) || !s.sessions.Has(h.Entity) {
			continue
		}
		if packet.Len == 0 {
			s.out.Packet(op, m)
			packet = s.out.Cut()
		}
		s.out.SendSpan(h.Entity, frame.Middle, packet)
	}
}
