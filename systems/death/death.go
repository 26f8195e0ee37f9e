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
)

// Times and distances of the dead.
//
// Source: DEATH_TIMER and the first of copseReclaimDelay, Player.cpp; CORPSE_RECLAIM_RADIUS, Corpse.h, AzerothCore.
const (
	releaseAfter   = 6 * time.Minute // a player who does not release itself is released then
	reclaimAfterMs = 30_000          // from its release until a ghost can take its body; from its death, for Anywhere
	reclaimYards   = 39
)

// A lying is a dead player, until it is released.
type lying struct {
	entity ecs.Entity
	diedMs uint32
}

// A haunting is a ghost that walks. Who is one again has been given another time by then.
type haunting struct {
	entity    ecs.Entity
	reclaimMs uint32
}

// die lays a player down. Who fought it has stopped already.
//
// Source: Player::KillPlayer, AzerothCore.
func (s *System) die(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	if r.Death.State != life.Alive {
		return // killed as a ghost: it has nothing to lose
	}
	p := s.positions.Get(e)
	r.Death = life.Death{State: life.Dead, Body: life.Place{
		Map: s.place.Get().ID, Zone: s.place.Get().Zone(p.X, p.Y), X: p.X, Y: p.Y, Z: p.Z, O: p.O,
	}}
	r.ReclaimMs = t.NowMs + reclaimAfterMs
	*s.resurrectOffers.Get(e) = components.ResurrectOffer{}
	s.lie(e)
	s.unreleased.Add(t.After(releaseAfter), lying{e, s.combats.Get(e).LastHitMs})
	s.tellDelay(t, e)
	s.unsaved.MarkNow(e, 0)
}

// lie has a body lie on the ground. By the book its client is told to keep it there; clients for which there is
// Anywhere do not answer that.
//
// Source: Player::KillPlayer, AzerothCore; protocol.md 3.1.2.
func (s *System) lie(e ecs.Entity) {
	s.stances.Get(e).Bytes1[components.ByteStand] = components.LyingDead
	s.dirty.Mark(e, components.DirtyStance)
	s.root(e, true)
}

// root keeps a player where it is, or no longer.
func (s *System) root(e ecs.Entity, on bool) {
	if s.config.Get().Reclaim == AtCorpse {
		s.roots.Emit(move.Root{Entity: e, On: on})
	}
}

// tellDelay says how long a player has to wait for its body.
//
// Source: Player::SendCorpseReclaimDelay, AzerothCore.
func (s *System) tellDelay(t sched.Tick, e ecs.Entity) {
	if left := s.records.Get(e).DeathAt(t.NowMs).ReclaimLeftMs; left > 0 {
		s.said.delay.Ms = left
		s.out.SendNow(e, msg.OpCorpseReclaimDelay, &s.said.delay)
	}
}

// release makes a dead player a ghost. Where its body can be reclaimed anywhere it stays what and where it is, but
// for the flag.
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
	s.tellDelay(t, e)
	s.unsaved.MarkNow(e, 0)
}

// haunt makes a player a ghost. Where ghosts walk it has some health, and a layer of its own, in which the living do not
// see it.
//
// Source: Player::BuildPlayerRepop, AzerothCore.
func (s *System) haunt(t sched.Tick, e ecs.Entity) {
	s.appearances.Get(e).Flags |= components.PlayerGhost
	s.combats.Get(e).States |= components.StateGhost
	s.dirty.Mark(e, components.DirtyAppearance)
	s.vitals.Get(e).Health = 0
	if s.config.Get().Reclaim == Anywhere {
		s.peer(t, e)
	} else {
		s.vitals.Get(e).Health = 1
		s.stances.Get(e).Bytes1[components.ByteStand] = components.Standing
		s.units.Get(e).Flags |= components.UnitNotAttackable1
		s.dirty.Mark(e, components.DirtyVitals|components.DirtyStance|components.DirtyUnit)
		if cell := s.homeCells.Get(e).Cell; cell.Layer() != grid.Invisible {
			s.cells.Set(t, e, cell.InLayer(grid.Ghosts))
		}
		s.peer(t, e)
		s.ghosts.Add(t.N+1, haunting{e, s.records.Get(e).ReclaimMs}) // at its grave
	}
}

// peerEvery is how often it is looked whether a ghost is near its body, our own choice: it walks 5 yards in it.
const peerEvery = 500 * time.Millisecond

// peer has a player see what it can as it is now. What it sees anew, or no longer, it is told with its home. A ghost that
// does not walk is near its body wherever it is.
func (s *System) peer(t sched.Tick, e ecs.Entity) {
	body := &s.records.Get(e).Death.Body
	near := s.config.Get().Reclaim == Anywhere || body.Map == s.place.Get().ID && s.within(e, components.Position{X: body.X, Y: body.Y, Z: body.Z}, components.BodyYards)
	cell := s.homeCells.Get(e).Cell
	seen := components.VisibleLayers(s.appearances.Get(e).Flags&components.PlayerGM != 0, s.haunts(e), near, cell.Layer() == grid.Invisible)
	if sight := s.observers.Get(e); sight.Layers != seen {
		sight.Set(uint32(t.N), seen)
		s.cells.Set(t, e, cell)
	}
}

// haunts reports whether a player is a ghost.
func (s *System) haunts(e ecs.Entity) bool { return s.combats.Get(e).States&components.StateGhost != 0 }

// grave is the graveyard of a point: the nearest place where characters begin, or the point itself on a map without.
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

// reclaim puts a player back into its body, with half of its health and mana. Which corpse it names does not matter:
// it has one.
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

// live gives a dead player its life back where it is.
//
// Source: Player::ResurrectPlayer, AzerothCore.
func (s *System) live(t sched.Tick, e ecs.Entity, health, mana uint32) {
	r, v := s.records.Get(e), s.vitals.Get(e)
	r.Death = life.Death{}
	v.Health = 0 // a ghost's own is none
	s.combats.Get(e).States &^= components.StateGhost
	s.book.Revive(e, health)
	v.Power[components.PowerMana] = min(mana, v.MaxPower[components.PowerMana])
	v.Power[components.PowerRage], v.Power[components.PowerRunic] = 0, 0
	v.Power[components.PowerEnergy] = v.MaxPower[components.PowerEnergy] / 2
	s.appearances.Get(e).Flags &^= components.PlayerGhost
	s.units.Get(e).Flags &^= components.UnitNotAttackable1
	s.stances.Get(e).Bytes1[components.ByteStand] = components.Standing
	*s.resurrectOffers.Get(e) = components.ResurrectOffer{}
	s.dirty.Mark(e, components.DirtyVitals|components.DirtyUnit|components.DirtyAppearance|components.DirtyStance)
	s.root(e, false)
	if cell := s.homeCells.Get(e).Cell; cell.Layer() == grid.Ghosts {
		s.cells.Set(t, e, cell.InLayer(grid.Living))
	}
	s.peer(t, e)
	s.said.place = msg.DeathReleaseLoc{Map: -1}
	s.out.SendNow(e, msg.OpDeathReleaseLoc, &s.said.place)
	s.book.ScheduleRegen(e)
	s.unsaved.MarkNow(e, 0)
}

// comeBack has a player who left as a dead one be so again.
func (s *System) comeBack(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	s.combats.Get(e).LastHitMs = t.NowMs
	if r.Death.State == life.Dead {
		s.lie(e)
		s.unreleased.Add(t.After(releaseAfter), lying{e, t.NowMs})
	} else {
		s.haunt(t, e)
		if s.config.Get().Reclaim == Anywhere {
			s.lie(e)
		} else {
			s.leaveBody(t, e)
		}
	}
	s.tellDelay(t, e)
}

// where says where a player's body lies.
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
