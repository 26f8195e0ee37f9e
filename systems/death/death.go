package death

import (
	"time"

	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/sched"
	"muster/systems/rules"
)

// Times and distances for dead players.
//
// Source: DEATH_TIMER and the first of copseReclaimDelay, Player.cpp; CORPSE_RECLAIM_RADIUS, Corpse.h, AzerothCore.
const (
	releaseAfter   = 6 * time.Minute // a dead player is released after it without its request
	reclaimAfterMs = 30_000          // until a ghost can reclaim its corpse, from its release; with Anywhere from its death
	reclaimYards   = 39
)

// An unreleasedPlayer is dead, and has not released its spirit. It is stale if the player has another reclaim time by
// then: it has died anew.
type unreleasedPlayer struct {
	entity    ecs.Entity
	reclaimMs uint32
}

// A haunting is a check of a ghost's distance to its corpse. It is stale if the ghost has another reclaim time by
// then.
type haunting struct {
	entity    ecs.Entity
	reclaimMs uint32
}

// die makes a player dead. Combat with it has ended already.
//
// Source: Player::KillPlayer, AzerothCore.
func (s *System) die(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	if r.Death.State != life.Alive {
		return
	}
	p := s.positions.Get(e)
	r.Death = life.Death{State: life.Dead, Body: life.Place{
		Map: s.place.Get().ID, Zone: s.place.Get().Zone(p.X, p.Y), X: p.X, Y: p.Y, Z: p.Z, O: p.O,
	}}
	r.ReclaimMs = t.NowMs + reclaimAfterMs
	*s.resurrectOffers.Get(e) = components.ResurrectOffer{}
	s.lie(e)
	s.unreleased.Add(t.After(releaseAfter), unreleasedPlayer{e, r.ReclaimMs})
	s.sendDelay(t, e)
	s.unsaved.MarkNow(e, 0)
}

// lie makes a dead player immobile. The protocol's way is to root it, which clients that need Anywhere do not
// acknowledge.
//
// Source: Player::KillPlayer, AzerothCore; protocol.md 3.1.2.
func (s *System) lie(e ecs.Entity) {
	s.stands.Emit(rules.SetStand{Entity: e, State: components.LyingDead})
	s.root(e, true)
}

// root roots a player, or ends that.
func (s *System) root(e ecs.Entity, on bool) {
	if s.config.Get().Reclaim == AtCorpse {
		s.roots.Emit(move.Root{Entity: e, On: on})
	}
}

// sendDelay sends the time until a player can reclaim its corpse.
//
// Source: Player::SendCorpseReclaimDelay, AzerothCore.
func (s *System) sendDelay(t sched.Tick, e ecs.Entity) {
	if left := s.records.Get(e).DeathAt(t.NowMs).ReclaimLeftMs; left > 0 {
		s.said.delay.Ms = left
		s.out.SendNow(e, msg.OpCorpseReclaimDelay, &s.said.delay)
	}
}

// release makes a dead player a ghost. With Anywhere only its flag changes, and it stays where it is.
//
// Source: WorldSession::HandleRepopRequestOpcode, Player::BuildPlayerRepop and RepopAtGraveyard, AzerothCore.
func (s *System) release(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	if r.Death.State != life.Dead {
		s.unable.Count()
		return
	}
	r.Death.State = life.Ghost
	if s.config.Get().Reclaim == AtCorpse {
		r.ReclaimMs = t.NowMs + reclaimAfterMs
	}
	s.said.ghost.GUID = s.objects.Get(e).GUID
	s.out.SendNow(e, msg.OpPreResurrect, &s.said.ghost)
	s.haunt(t, e)
	grave := s.grave(s.positions.Get(e))
	if s.config.Get().Reclaim == AtCorpse {
		s.root(e, false)
		s.jumps.Emit(move.Teleport{Entity: e, To: grave})
		s.leaveBody(t, e)
	}
	s.said.place = msg.DeathReleaseLoc{Map: int32(grave.Map), Position: wire.Vec3{X: grave.X, Y: grave.Y, Z: grave.Z}}
	s.out.SendNow(e, msg.OpDeathReleaseLoc, &s.said.place)
	s.sendDelay(t, e)
	s.unsaved.MarkNow(e, 0)
}

// haunt makes a player a ghost. With AtCorpse it has some health, and a layer of its own, in which living players do
// not see it.
//
// Source: Player::BuildPlayerRepop, AzerothCore.
func (s *System) haunt(t sched.Tick, e ecs.Entity) {
	s.playerFlags.Emit(rules.SetPlayerFlags{Entity: e, Set: components.PlayerGhost})
	if s.config.Get().Reclaim == Anywhere {
		s.hauntings.Emit(rules.BecomeGhost{Entity: e})
		s.peer(t, e)
	} else {
		s.hauntings.Emit(rules.BecomeGhost{Entity: e, Health: 1})
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: components.UnitNotAttackable1})
		if cell := s.homeCells.Get(e).Cell; cell.Layer() != grid.Invisible {
			s.cells.Set(t, e, cell.InLayer(grid.Ghosts))
		}
		s.peer(t, e)
		s.ghosts.Add(t.N+1, haunting{e, s.records.Get(e).ReclaimMs}) // at the graveyard
	}
}

// peerEvery is the time between two checks whether a ghost is near its corpse, our own choice: it walks 5 yards in
// it.
const peerEvery = 500 * time.Millisecond

// peer sets which layers a player sees. What comes into its view or leaves it is sent with the change of its cell.
// With Anywhere a ghost always counts as near its corpse.
func (s *System) peer(t sched.Tick, e ecs.Entity) {
	body := &s.records.Get(e).Death.Body
	near := s.config.Get().Reclaim == Anywhere || body.Map == s.place.Get().ID && s.within(e, components.Position{X: body.X, Y: body.Y, Z: body.Z}, components.BodyYards)
	cell := s.homeCells.Get(e).Cell
	seen := components.VisibleLayers(s.appearances.Get(e).Flags&components.PlayerGM != 0, s.haunts(e), near, cell.Layer() == grid.Invisible)
	if observer := s.observers.Get(e); observer.Layers != seen {
		observer.Set(uint32(t.N), seen)
		s.cells.Set(t, e, cell)
	}
}

// haunts reports whether a player is a ghost.
func (s *System) haunts(e ecs.Entity) bool { return s.records.Get(e).Death.State == life.Ghost }

// grave is the graveyard for a point: the nearest start place of characters, or the point itself on a map without
// one.
func (s *System) grave(p components.Position) life.Place {
	at := life.Place{Map: s.place.Get().ID, X: p.X, Y: p.Y, Z: p.Z, O: p.O}
	nearest := float32(0)
	for i := range s.defs.Get().Hubs {
		h := &s.defs.Get().Hubs[i]
		dx, dy := h.X-p.X, h.Y-p.Y
		if d := float32(dx*dx) + float32(dy*dy); h.Map == s.place.Get().ID && (nearest == 0 || d < nearest) {
			nearest = max(d, 1e-6)
			at.X, at.Y, at.Z, at.O = h.X, h.Y, h.Z, h.O
		}
	}
	return at
}

// reclaim resurrects a player at its corpse, with half of its health and mana. The corpse that the client names is
// not checked: a player has one.
//
// Source: WorldSession::HandleReclaimCorpseOpcode, AzerothCore; protocol.md 3.1.3 and 7.14 for Anywhere.
func (s *System) reclaim(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	body := components.Position{X: r.Death.Body.X, Y: r.Death.Body.Y, Z: r.Death.Body.Z}
	switch {
	case r.Death.State == life.Alive, r.Death.State == life.Dead && s.config.Get().Reclaim == AtCorpse:
		s.unable.Count()
	case r.DeathAt(t.NowMs).ReclaimLeftMs > 0:
		s.early.Count()
	case s.config.Get().Reclaim == AtCorpse && (r.Death.Body.Map != s.place.Get().ID || !s.within(e, body, reclaimYards)):
		s.far.Count()
	default:
		v := s.vitals.Get(e)
		s.live(t, e, v.MaxHealth/2, v.MaxPower[components.PowerMana]/2)
	}
}

// live resurrects a dead player where it is.
//
// Source: Player::ResurrectPlayer, AzerothCore.
func (s *System) live(t sched.Tick, e ecs.Entity, health, mana uint32) {
	s.records.Get(e).Death = life.Death{}
	s.raised.Emit(rules.Resurrected{Entity: e, Health: health, Mana: mana})
	s.playerFlags.Emit(rules.SetPlayerFlags{Entity: e, Clear: components.PlayerGhost})
	s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Clear: components.UnitNotAttackable1})
	s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
	*s.resurrectOffers.Get(e) = components.ResurrectOffer{}
	s.root(e, false)
	if cell := s.homeCells.Get(e).Cell; cell.Layer() == grid.Ghosts {
		s.cells.Set(t, e, cell.InLayer(grid.Living))
	}
	s.peer(t, e)
	s.said.place = msg.DeathReleaseLoc{Map: -1}
	s.out.SendNow(e, msg.OpDeathReleaseLoc, &s.said.place)
	s.unsaved.MarkNow(e, 0)
}

// comeBack restores the state of a player that left the world dead.
func (s *System) comeBack(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	if r.Death.State == life.Dead {
		s.lie(e)
		s.unreleased.Add(t.After(releaseAfter), unreleasedPlayer{e, r.ReclaimMs})
	} else {
		s.haunt(t, e)
		if s.config.Get().Reclaim == Anywhere {
			s.lie(e)
		} else {
			s.leaveBody(t, e)
		}
	}
	s.sendDelay(t, e)
}

// where answers where a player's corpse is.
//
// Source: WorldSession::HandleCorpseQueryOpcode, AzerothCore.
func (s *System) where(e ecs.Entity) {
	s.said.corpse = msg.CorpseQueryResponse{}
	if d := &s.records.Get(e).Death; d.State == life.Ghost {
		s.said.corpse = msg.CorpseQueryResponse{
			Found: true, Map: int32(d.Body.Map), CorpseMap: int32(d.Body.Map),
			Position: wire.Vec3{X: d.Body.X, Y: d.Body.Y, Z: d.Body.Z},
		}
	}
	s.out.SendNow(e, msg.OpCorpseQuery, &s.said.corpse)
}

// within reports whether an entity is within some yards of a place.
func (s *System) within(e ecs.Entity, at components.Position, yards float32) bool {
	p := s.positions.Get(e)
	dx, dy, dz := p.X-at.X, p.Y-at.Y, p.Z-at.Z
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(yards*yards)
}
