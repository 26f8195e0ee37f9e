package loot

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// link adds a body to the list of its owner.
func (s *System) link(player ecs.Entity, block uint32) {
	mine := s.looting.Get(player)
	s.bodies.Get().At(block).Next = mine.First
	mine.First = block
}

// unlink removes a body from its owner's list, and closes it.
func (s *System) unlink(block uint32) {
	l := s.bodies.Get().At(block)
	player := s.space.Get().Find(l.Owner)
	if !s.entities.Alive(player) {
		return
	}
	mine := s.looting.Get(player)
	for at := &mine.First; *at != 0; at = &s.bodies.Get().At(*at).Next {
		if *at == block {
			*at = l.Next
			break
		}
	}
	if mine.Open == block {
		s.close(player)
	}
}

// claim gives players that have entered the bodies that are theirs from an earlier visit.
func (s *System) claim() {
	for _, it := range s.joined.All() {
		e := it.Entity
		if !s.entities.Alive(e) {
			continue
		}
		guid := s.objects.Get(e).GUID
		*s.looting.Get(e) = components.Looting{}
		for _, block := range s.bodies.Get().Lying {
			if s.bodies.Get().At(block).Owner == guid {
				s.link(e, block)
			}
		}
	}
}

// clear destroys what is left in a body.
func (s *System) clear(e ecs.Entity) {
	if block := s.corpseLoot.Get(e).Loot; block != 0 {
		s.corpseLoot.Get(e).Loot = 0
		s.discard(block)
	}
}

func (s *System) discard(block uint32) {
	s.unlink(block)
	bodies, tally := s.bodies.Get(), s.tally.Get()
	l := bodies.At(block)
	tally.CopperUnmade += uint64(l.Copper)
	for i := range l.Items[:l.Count] {
		if l.Items[i].Taken == 0 {
			tally.ItemsUnmade += uint64(l.Items[i].Count)
		}
	}
	last := bodies.Lying[len(bodies.Lying)-1]
	bodies.Lying[l.At] = last
	bodies.At(last).At = l.At
	bodies.Lying = bodies.Lying[:len(bodies.Lying)-1]
	bodies.Free(block)
}

// sweeps is the number of ticks in which each body is checked once.
const sweeps = 64

// sweep destroys the loot of bodies that have despawned or are alive again.
func (s *System) sweep(t sched.Tick) {
	bodies := s.bodies.Get()
	for i := int(t.N % sweeps); i < len(bodies.Lying); i += sweeps {
		block := bodies.Lying[i]
		e := bodies.At(block).Body
		if s.entities.Alive(e) && s.corpseLoot.Get(e).Loot == block && s.vitals.Get(e).Health == 0 && s.homeCells.Get(e).Cell != grid.None {
			continue
		}
		if s.entities.Alive(e) && s.corpseLoot.Get(e).Loot == block {
			s.corpseLoot.Get(e).Loot = 0
		}
		s.discard(block)
	}
}

// show sends players whose view has changed the flags of their bodies that have come into it; players that were
// teleported get those of all in view.
func (s *System) show(t sched.Tick) {
	for _, it := range s.rehomed.All() {
		if !slices.Contains(s.resets.All(), change.Reset(it)) {
			s.showNew(t, it.Entity, false)
		}
	}
	for _, it := range s.resets.All() {
		s.showNew(t, it.Entity, true)
	}
}

// showNew sends a player the flags of its bodies that have come into its view, or of all in view.
func (s *System) showNew(t sched.Tick, e ecs.Entity, all bool) {
	if !s.entities.Alive(e) || !s.looting.Has(e) {
		return
	}
	for block := s.looting.Get(e).First; block != 0; block = s.bodies.Get().At(block).Next {
		if body := s.bodies.Get().At(block).Body; s.entities.Alive(body) && (all || !s.recipientFlags.view(t, e, true).Has(s.homeCells.Get(body).Cell)) {
			s.sendIfSeen(t, e, block)
		}
	}
}

// sendIfSeen sends the owner of a body whether it is lootable, if the owner sees it. Other players get the flags
// without that, and a living creature has none.
//
// Source: protocol.md 4.6 and 3.1.2; Unit::PatchValuesUpdate, AzerothCore.
func (s *System) sendIfSeen(t sched.Tick, player ecs.Entity, block uint32) {
	l := s.bodies.Get().At(block)
	if !s.entities.Alive(l.Body) || s.vitals.Get(l.Body).Health > 0 {
		return
	}
	more := uint32(0)
	if l.Gone == 0 {
		more = components.DynamicLootable
	}
	s.recipientFlags.send(t, player, l.Body, more)
}

// open sends a player the contents of a body.
//
// Source: WorldSession::HandleLootOpcode and Player::SendLoot, AzerothCore.
func (s *System) open(t sched.Tick, sent *change.Sent[msg.Loot]) {
	e, guid := sent.By, sent.Msg.GUID
	body := s.space.Get().Find(guid)
	if s.dead(e) {
		s.unable.Count()
		return
	}
	s.close(e)
	switch l, why := s.may(e, body); {
	case l == nil:
		s.response = msg.LootResponse{GUID: guid, Error: why, Items: s.response.Items[:0]}
	default:
		l.Viewer = e
		s.looting.Get(e).Open = s.corpseLoot.Get(body).Loot
		if unit := s.units.Get(e); unit.Flags&components.UnitLooting == 0 {
			unit.Flags |= components.UnitLooting
			s.dirty.Mark(e, components.DirtyUnit)
		}
		items := s.response.Items[:0]
		for i := range l.Items[:l.Count] {
			if d := &l.Items[i]; d.Taken == 0 {
				items = append(items, msg.LootItem{
					Slot: uint8(i), Item: d.Entry, Count: uint32(d.Count), Display: s.defs.Get().Item(d.Entry).Display,
					Kind: msg.LootSlotOwner,
				})
			}
		}
		s.response = msg.LootResponse{GUID: guid, Type: msg.LootCorpse, Copper: l.Copper, Items: items}
	}
	s.out.SendNow(e, msg.OpLootResponse, &s.response)
}

// dead reports whether a player cannot loot because it is dead or a ghost.
func (s *System) dead(e ecs.Entity) bool {
	return s.vitals.Get(e).Health == 0 || s.appearances.Get(e).Flags&components.PlayerGhost != 0
}

// may returns the loot of a body that a player may take, or nil and the reason.
func (s *System) may(e, body ecs.Entity) (*components.Loot, msg.LootError) {
	if !s.entities.Alive(body) || !s.corpseLoot.Has(body) || s.vitals.Get(body).Health > 0 || !s.inReach(e, body) {
		s.tooFar.Count()
		return nil, msg.LootTooFar
	}
	block := s.corpseLoot.Get(body).Loot
	if block == 0 || s.bodies.Get().At(block).Owner != s.objects.Get(e).GUID {
		s.notTheir.Count()
		return nil, msg.LootDidntKill
	}
	l := s.bodies.Get().At(block)
	switch {
	case l.Gone != 0:
		s.gone.Count()
		return nil, msg.LootDidntKill
	case s.auraStates.Get(e).States&components.StateStunned != 0:
		s.unable.Count()
		return nil, msg.LootStunned
	case s.stances.Get(e).Bytes1[components.ByteStand] != components.Standing:
		s.unable.Count()
		return nil, msg.LootNotStanding
	case l.Viewer != e && s.entities.Alive(l.Viewer):
		s.unable.Count()
		return nil, msg.LootLocked
	}
	return l, 0
}

// reach is the largest distance between a player and what it loots in yards, without the combat reach of both.
//
// Source: INTERACTION_DISTANCE, ObjectDefines.h, and WorldObject::IsWithinDistInMap, AzerothCore.
const reach = 5.5

func (s *System) inReach(e, body ecs.Entity) bool {
	p, q := s.positions.Get(e), s.positions.Get(body)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	far := reach + s.units.Get(e).CombatReach + s.units.Get(body).CombatReach
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(far*far)
}

// close ends a player's looting without a message.
func (s *System) close(e ecs.Entity) {
	mine := s.looting.Get(e)
	if mine.Open == 0 {
		return
	}
	s.bodies.Get().At(mine.Open).Viewer = ecs.Entity{}
	mine.Open = 0
	s.units.Get(e).Flags &^= components.UnitLooting
	s.dirty.Mark(e, components.DirtyUnit)
}

// release ends a player's looting at its client's request.
//
// Source: WorldSession::HandleLootReleaseOpcode, AzerothCore.
func (s *System) release(_ sched.Tick, sent *change.Sent[msg.LootRelease]) {
	mine := s.looting.Get(sent.By)
	if mine.Open != 0 && s.bodies.Get().At(mine.Open).GUID == sent.Msg.GUID {
		s.sendRelease(sent.By)
	}
}

// sendRelease ends a player's looting and sends the release.
func (s *System) sendRelease(e ecs.Entity) {
	l := s.bodies.Get().At(s.looting.Get(e).Open)
	s.released = msg.LootReleaseResponse{GUID: l.GUID, One: 1}
	s.close(e)
	s.out.SendNow(e, msg.OpLootReleaseResponse, &s.released)
}
