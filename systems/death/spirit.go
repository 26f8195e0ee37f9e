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
	ghosts      ecs.Emit[rules.SetVitals]
	stands      ecs.Emit[rules.SetStand]
	unitFlags   ecs.Emit[rules.SetUnitFlags]
	playerFlags ecs.Emit[rules.SetPlayerFlags]
	roots       ecs.Emit[move.Root]
	jumps       ecs.Emit[move.Teleport]

	objects   ecs.Read[components.Object]
	records   ecs.ReadRef[components.Record]
	positions ecs.Read[components.Position]
	units     ecs.Read[components.Unit]

	delay msg.CorpseReclaimDelay // these are kept here, since a packet takes its message by reference
	ghost msg.PreResurrect
	at    msg.DeathReleaseLoc
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
	grave := s.grave(e)
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

// grave is where the ghost of a player appears: at the graveyard for it, on a map without one at the nearest start place of characters, or
// else where it is. In an instance without a graveyard it is that for the exit of the instance.
//
// Source: Player::RepopAtGraveyard, AzerothCore.
func (s *Spirits) grave(e ecs.Entity) life.Place {
	p, world, place := s.positions.Get(e), s.defs.Get(), s.place.Get()
	race := s.units.Get(e).Bytes0[components.ByteRace]
	at := defs.Hub{Map: place.ID, X: p.X, Y: p.Y, Z: p.Z, O: p.O}
	to, ok := world.Graveyard(race, at)
	if !ok && place.Instanced && len(world.Graveyards) > 0 {
		to, ok = world.Graveyard(race, place.Exit)
	}
	if !ok {
		to = world.NearestHub(at)
	}
	return life.Place{Map: to.Map, X: to.X, Y: to.Y, Z: to.Z, O: to.O}
}
