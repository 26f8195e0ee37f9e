package rules

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
	"muster/sched"
)

// threatEvery is the interval at which a creature's threat list is sent to the players on it.
//
// Source: THREAT_UPDATE_INTERVAL, ThreatMgr.h, AzerothCore.
const threatEvery = 2 * time.Second

// markThreatDirty notes that a list has changed.
func (b *Book) markThreatDirty(t sched.Tick, block uint32) {
	if list := b.threats.Get().At(block); list.Dirty == 0 {
		list.Dirty = 1
		b.timers.Get().threats.Add(t.After(threatEvery), block)
	}
}

// SendThreats sends those lists that changed a while ago to the players on them. System combat calls it once a tick.
func (b *Book) SendThreats(t sched.Tick) {
	for _, block := range b.timers.Get().threats.Take(t.N) {
		if list := b.threats.Get().At(block); list.Dirty != 0 {
			list.Dirty = 0
			if b.entities.Alive(list.Owner) {
				b.packets.update = msg.ThreatUpdate{Unit: b.objects.Get(list.Owner).GUID, Threats: b.threatsOf(list)}
				b.sendToListed(list, msg.OpThreatUpdate, &b.packets.update)
			}
		}
	}
}

// sendNewVictim sends the players on a creature's list its new victim.
func (b *Book) sendNewVictim(e, victim ecs.Entity) {
	if block := b.combats.Get(e).Threat; block != 0 {
		list := b.threats.Get().At(block)
		b.packets.highest = msg.HighestThreatUpdate{
			Unit: b.objects.Get(e).GUID, Victim: b.objects.Get(victim).GUID, Threats: b.threatsOf(list),
		}
		b.sendToListed(list, msg.OpHighestThreatUpdate, &b.packets.highest)
	}
}

// sendRemoved sends a player its removal from a creature's list.
func (b *Book) sendRemoved(e, target ecs.Entity) {
	if b.entities.Alive(e) && b.entities.Alive(target) && b.Player(target) {
		b.packets.remove = msg.ThreatRemove{Unit: b.objects.Get(e).GUID, Victim: b.objects.Get(target).GUID}
		b.out.Send(target, msg.OpThreatRemove, &b.packets.remove)
	}
}

// sendCleared sends the players on a creature's list that it is being cleared.
func (b *Book) sendCleared(e ecs.Entity, list *components.ThreatList) {
	b.packets.clear = msg.ThreatClear{Unit: b.objects.Get(e).GUID}
	b.sendToListed(list, msg.OpThreatClear, &b.packets.clear)
}

// threatsOf returns a list as the wire has it. It is valid until the next call.
func (b *Book) threatsOf(list *components.ThreatList) []msg.Threat {
	b.packets.list = b.packets.list[:0]
	for _, h := range list.List[:list.Count] {
		if b.entities.Alive(h.Entity) {
			amount := uint32(min(float32(h.Amount*100), 1<<31))
			b.packets.list = append(b.packets.list, msg.Threat{Unit: b.objects.Get(h.Entity).GUID, Amount: amount})
		}
	}
	return b.packets.list
}

// sendToListed sends a packet to the players on a list. It is encoded once.
func (b *Book) sendToListed(list *components.ThreatList, op uint16, m msg.Message) {
	var packet frame.Span
	for _, h := range list.List[:list.Count] {
		if !b.entities.Alive(h.Entity) || !b.Player(h.Entity) {
			continue
		}
		if packet.Len == 0 {
			b.out.Packet(op, m)
			packet = b.out.Cut()
		}
		b.out.SendSpan(h.Entity, frame.Middle, packet)
	}
}
