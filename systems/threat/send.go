package threat

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
	"muster/sched"
)

// packets are the messages of the system, kept so that sending them does not allocate.
type packets struct {
	cancel  msg.Empty
	update  msg.ThreatUpdate
	highest msg.HighestThreatUpdate
	remove  msg.ThreatRemove
	clear   msg.ThreatClear
	list    []msg.Threat
}

// threatEvery is the interval at which a creature's threat list is sent to the players on it.
//
// Source: THREAT_UPDATE_INTERVAL, ThreatMgr.h, AzerothCore.
const threatEvery = 2 * time.Second

// markChanged notes that a list has changed.
func (s *System) markChanged(t sched.Tick, block uint32) {
	if list := s.lists.Get().At(block); list.Dirty == 0 {
		list.Dirty = 1
		s.updates.Add(t.After(threatEvery), block)
	}
}

// sendLists sends those lists that changed a while ago to the players on them.
func (s *System) sendLists(t sched.Tick) {
	for _, block := range s.updates.Take(t.N) {
		if list := s.lists.Get().At(block); list.Dirty != 0 {
			list.Dirty = 0
			if s.entities.Alive(list.Owner) {
				s.packets.update = msg.ThreatUpdate{Unit: s.objects.Get(list.Owner).GUID, Threats: s.threatsOf(list)}
				s.sendToListed(list, msg.OpThreatUpdate, &s.packets.update)
			}
		}
	}
}

// sendNewVictim sends the players on a creature's list its new victim.
func (s *System) sendNewVictim(e, victim ecs.Entity) {
	if block := s.threatStates.Get(e).List; block != 0 {
		list := s.lists.Get().At(block)
		s.packets.highest = msg.HighestThreatUpdate{
			Unit: s.objects.Get(e).GUID, Victim: s.objects.Get(victim).GUID, Threats: s.threatsOf(list),
		}
		s.sendToListed(list, msg.OpHighestThreatUpdate, &s.packets.highest)
	}
}

// sendRemoved sends a player its removal from a creature's list.
func (s *System) sendRemoved(e, target ecs.Entity) {
	if s.entities.Alive(e) && s.entities.Alive(target) && s.sessions.Has(target) {
		s.packets.remove = msg.ThreatRemove{Unit: s.objects.Get(e).GUID, Victim: s.objects.Get(target).GUID}
		s.out.Send(target, msg.OpThreatRemove, &s.packets.remove)
	}
}

// sendCleared sends the players on a creature's list that it is being cleared.
func (s *System) sendCleared(e ecs.Entity, list *components.ThreatList) {
	s.packets.clear = msg.ThreatClear{Unit: s.objects.Get(e).GUID}
	s.sendToListed(list, msg.OpThreatClear, &s.packets.clear)
}

// threatsOf returns a list as the wire has it. It is valid until the next call.
func (s *System) threatsOf(list *components.ThreatList) []msg.Threat {
	s.packets.list = s.packets.list[:0]
	for _, h := range list.List[:list.Count] {
		if s.entities.Alive(h.Entity) {
			amount := uint32(min(float32(h.Amount*100), 1<<31))
			s.packets.list = append(s.packets.list, msg.Threat{Unit: s.objects.Get(h.Entity).GUID, Amount: amount})
		}
	}
	return s.packets.list
}

// sendToListed sends a packet to the players on a list. It is encoded once.
func (s *System) sendToListed(list *components.ThreatList, op uint16, m msg.Message) {
	var packet frame.Span
	for _, h := range list.List[:list.Count] {
		if !s.entities.Alive(h.Entity) || !s.sessions.Has(h.Entity) {
			continue
		}
		if packet.Len == 0 {
			s.out.Packet(op, m)
			packet = s.out.Cut()
		}
		s.out.SendSpan(h.Entity, frame.Middle, packet)
	}
}
