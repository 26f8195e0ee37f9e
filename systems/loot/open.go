package loot

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// open sends a player the contents of a body.
//
// Source: WorldSession::HandleLootOpcode and Player::SendLoot, AzerothCore.
func (s *Loot) open(r *Request) {
	e, guid, body := r.By, r.GUID, r.Body
	if r.Dead {
		s.out.Refuse(e, msg.OpLoot, &s.unable)
		return
	}
	s.close(e)
	switch l, why := s.may(r); {
	case l == nil:
		s.response = msg.LootResponse{GUID: guid, Error: why, Items: s.response.Items[:0]}
	default:
		if l.Viewer != e && s.entities.Exists(l.Viewer) {
			s.sendRelease(l.Viewer)
		}
		l.Viewer = e
		s.looting.Get(e).Open = s.corpseLoot.Get(body).Loot
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: components.UnitLooting})
		s.hide(r, l)
		items := s.response.Items[:0]
		for i := range l.Items[:l.Count] {
			if d := &l.Items[i]; d.State == components.LootLies {
				items = append(items, msg.LootItem{
					Slot: uint8(i), Item: d.Entry, Count: uint32(d.Count), Display: d.Display,
					Kind: kindOf(l),
				})
			}
		}
		s.response = msg.LootResponse{GUID: guid, Type: msg.LootCorpse, Copper: l.Copper, Items: items}
	}
	s.out.SendNow(e, msg.OpLootResponse, &s.response)
}

// hide has what a player may not have, by its conditions, be hidden from it.
//
// Source: LootItem::AllowedForPlayer, AzerothCore.
func (s *Loot) hide(r *Request, l *components.Loot) {
	for i := range l.Items[:l.Count] {
		d := &l.Items[i]
		if d.Conditions == 0 || d.State != components.LootLies && d.State != components.LootHidden {
			continue
		}
		d.State = components.LootHidden
		if r.Allowed>>i&1 != 0 {
			d.State = components.LootLies
		}
	}
}

// may returns the loot of a body that a player may take, or nil and the reason.
func (s *Loot) may(r *Request) (*components.Loot, msg.LootError) {
	e, body := r.By, r.Body
	if !s.entities.Exists(body) || !s.corpseLoot.Has(body) || s.living(body) || !s.inReach(e, body) {
		s.tooFar.Count()
		return nil, msg.LootTooFar
	}
	block := s.corpseLoot.Get(body).Loot
	switch {
	case r.Op != 0: // a chest
		if block == 0 {
			s.out.Refuse(e, r.Op, &s.empty)
			return nil, msg.LootDidntKill
		}
	case block == 0 || s.bodies.Get().At(block).Owner != r.Owner:
		s.notTheir.Count()
		return nil, msg.LootDidntKill
	}
	l := s.bodies.Get().At(block)
	switch {
	case l.Gone != 0:
		s.gone.Count()
		return nil, msg.LootDidntKill
	case r.Stunned:
		s.unable.Count()
		return nil, msg.LootStunned
	case r.Sits:
		s.unable.Count()
		return nil, msg.LootNotStanding
	case l.Viewer != e && s.entities.Exists(l.Viewer) && s.inReach(l.Viewer, body):
		s.unable.Count()
		return nil, msg.LootLocked
	}
	return l, 0
}

// reach is the largest distance between a player and what it loots in yards, without the combat reach of both.
//
// Source: INTERACTION_DISTANCE, ObjectDefines.h, and WorldObject::IsWithinDistInMap, AzerothCore.
const reach = 5.5

func (s *Loot) inReach(e, body ecs.Entity) bool {
	far := float32(reach)
	if s.units.Has(body) { // no chest
		far += s.units.Get(e).CombatReach + s.units.Get(body).CombatReach
	}
	p, q := s.positions.Get(e), s.positions.Get(body)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(far*far)
}

// living reports whether a body is alive, which a chest is not.
func (s *Loot) living(body ecs.Entity) bool {
	return s.vitals.Has(body) && s.vitals.Get(body).Health > 0
}

// kindOf is which players an item is for: those of a chest are for all.
//
// Source: Player::SendLoot, AzerothCore.
func kindOf(l *components.Loot) msg.LootSlot {
	if l.Owner == 0 {
		return msg.LootSlotAllow
	}
	return msg.LootSlotOwner
}

// close ends a player's looting without a message.
func (s *Loot) close(e ecs.Entity) {
	mine := s.looting.Get(e)
	if mine.Open == 0 {
		return
	}
	if l := s.bodies.Get().At(mine.Open); l.Viewer == e {
		l.Viewer = ecs.Entity{}
		s.leave(l)
	}
	mine.Open = 0
	s.stop(e)
}

// stop shows a player without an open body as one that does not loot.
func (s *Loot) stop(e ecs.Entity) {
	s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Clear: components.UnitLooting})
}

// release ends a player's looting at its client's request.
//
// Source: WorldSession::HandleLootReleaseOpcode, AzerothCore.
func (s *Loot) release(r *Request) {
	mine := s.looting.Get(r.By)
	if mine.Open != 0 && s.bodies.Get().At(mine.Open).GUID == r.GUID {
		s.sendRelease(r.By)
	}
}

// sendRelease ends a player's looting and sends the release.
func (s *Loot) sendRelease(e ecs.Entity) {
	l := s.bodies.Get().At(s.looting.Get(e).Open)
	s.released = msg.LootReleaseResponse{GUID: l.GUID, One: 1}
	s.close(e)
	s.out.SendNow(e, msg.OpLootReleaseResponse, &s.released)
}
