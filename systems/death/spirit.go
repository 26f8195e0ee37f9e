package death

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Spirits does to a player, and sends its client, what follows from death, release and resurrection.
type Spirits struct {
	config ecs.Res[Config]
	defs   ecs.Res[defs.World]
	place  ecs.Res[defs.Map]
	out    change.Out

	changed     ecs.Events[Changed]
	empty       ecs.Events[change.Sent[msg.Empty]]
	ghosts      ecs.Emit[rules.SetVitals]
	stands      ecs.Emit[rules.SetStand]
	unitFlags   ecs.Emit[rules.SetUnitFlags]
	playerFlags ecs.Emit[rules.SetPlayerFlags]
	roots       ecs.Emit[move.Root]
	jumps       ecs.Emit[move.Teleport]

	objects   ecs.Read[components.Object]
	records   ecs.View[components.Record]
	positions ecs.Read[components.Position]

	delay  msg.CorpseReclaimDelay // these are kept here, since a packet takes its message by reference
	ghost  msg.PreResurrect
	at     msg.DeathReleaseLoc
	corpse msg.CorpseQueryResponse
}

// OnEvents implements sched.Handler.
func (s *Spirits) OnEvents(t sched.Tick) {
	for _, c := range s.changed.All() {
		switch c.State {
		case life.Alive:
			s.live(c.Entity)
			continue
		case life.Dead:
			s.lie(c.Entity)
		default:
			s.release(&c)
		}
		s.sendDelay(t, c.Entity)
	}
	for _, sent := range s.empty.All() {
		if sent.Op == msg.OpCorpseQuery {
			s.where(sent.By)
		}
	}
}

// lie makes a dead player immobile. The protocol's way is to root it, which clients that need Anywhere do not
// acknowledge.
//
// Source: Player::KillPlayer, AzerothCore; protocol.md 3.1.2.
func (s *Spirits) lie(e ecs.Entity) {
	s.stands.Emit(rules.SetStand{Entity: e, State: components.LyingDead})
	s.root(e, true)
}

// root roots a player, or ends that.
func (s *Spirits) root(e ecs.Entity, on bool) {
	if s.config.Get().Reclaim == AtCorpse {
		s.roots.Emit(move.Root{Entity: e, On: on})
	}
}

// sendDelay sends the time until a player can reclaim its corpse.
//
// Source: Player::SendCorpseReclaimDelay, AzerothCore.
func (s *Spirits) sendDelay(t sched.Tick, e ecs.Entity) {
	if left := s.records.Get(e).DeathAt(t.NowMs).ReclaimLeftMs; left > 0 {
		s.delay.Ms = left
		s.out.SendNow(e, msg.OpCorpseReclaimDelay, &s.delay)
	}
}

// release makes a player a ghost. With Anywhere only its flag changes, and it stays where it is; a ghost that comes in
// is where it left.
//
// Source: Player::BuildPlayerRepop and RepopAtGraveyard, AzerothCore.
func (s *Spirits) release(c *Changed) {
	e, anywhere := c.Entity, s.config.Get().Reclaim == Anywhere
	if !c.Joined {
		s.ghost.GUID = s.objects.Get(e).GUID
		s.out.SendNow(e, msg.OpPreResurrect, &s.ghost)
	}
	s.playerFlags.Emit(rules.SetPlayerFlags{Entity: e, Set: components.PlayerGhost})
	if anywhere {
		s.ghosts.Emit(rules.SetVitals{Entity: e, Kind: rules.BecomeGhost})
	} else {
		s.ghosts.Emit(rules.SetVitals{Entity: e, Kind: rules.BecomeGhost, Health: 1})
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: components.UnitNotAttackable1})
	}
	grave := s.grave(s.positions.Get(e))
	switch {
	case !c.Joined:
		if !anywhere {
			s.root(e, false)
			s.jumps.Emit(move.Teleport{Entity: e, To: grave})
		}
		s.at = msg.DeathReleaseLoc{Map: int32(grave.Map), Position: wire.Vec3{X: grave.X, Y: grave.Y, Z: grave.Z}}
		s.out.SendNow(e, msg.OpDeathReleaseLoc, &s.at)
	case anywhere:
		s.lie(e)
	}
}

// live makes a player that was dead a living one.
//
// Source: Player::ResurrectPlayer, AzerothCore.
func (s *Spirits) live(e ecs.Entity) {
	s.playerFlags.Emit(rules.SetPlayerFlags{Entity: e, Clear: components.PlayerGhost})
	s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Clear: components.UnitNotAttackable1})
	s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
	s.root(e, false)
	s.at = msg.DeathReleaseLoc{Map: -1}
	s.out.SendNow(e, msg.OpDeathReleaseLoc, &s.at)
}

// grave is the graveyard for a point: the nearest start place of characters, or the point itself on a map without
// one.
func (s *Spirits) grave(p components.Position) life.Place {
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

// where answers where a player's corpse is.
//
// Source: WorldSession::HandleCorpseQueryOpcode, AzerothCore.
func (s *Spirits) where(e ecs.Entity) {
	s.corpse = msg.CorpseQueryResponse{}
	if d := &s.records.Get(e).Death; d.State == life.Ghost {
		s.corpse = msg.CorpseQueryResponse{
			Found: true, Map: int32(d.Body.Map), CorpseMap: int32(d.Body.Map),
			Position: wire.Vec3{X: d.Body.X, Y: d.Body.Y, Z: d.Body.Z},
		}
	}
	s.out.SendNow(e, msg.OpCorpseQuery, &s.corpse)
}
