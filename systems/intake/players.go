package intake

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/record"
	"muster/systems/rules"
)

// players adds players to the world, and finds them by session.
type players struct {
	entities ecs.Entities
	place    ecs.Res[defs.Map]
	space    ecs.ResMut[space.Space]
	index    ecs.ResMut[Sessions]
	out      change.Out
	unsaved  change.Unsaved
	cells    change.Cells
	loader   record.Loader
	arrivals arrivals

	joined    ecs.Emit[change.Joined]
	changes   ecs.Emit[rules.StatsDirty]
	leaving   ecs.Emit[change.Leaving]
	newcomers ecs.Emit[goods.Newcomer]
	handOvers ecs.Emit[move.HandOver]

	player    ecs.Spawn[player]
	sessions  ecs.Write[components.Session]
	observers ecs.Fill[components.Observer]
	speeds    ecs.Fill[components.Speeds]

	going     ecs.Read[components.Logout]
	transfers ecs.Read[components.MapTransfer]
	resumed   ecs.Emit[change.Resumed]
	again     []change.Resumed `snapshot:"-"` // in this tick, one for a player
	entered   []entered        `snapshot:"-"` // in this tick
	refreshed ecs.Emit[change.Refreshed]

	absent       sched.Counter `name:"intake.no_player"`
	taken        sched.Counter `name:"intake.session_taken"`
	arrivedTwice sched.Counter `name:"intake.arrived_twice"`
	inTwice      sched.Counter `name:"intake.guid_taken"`
	badCharacter sched.Counter `name:"intake.bad_character"`
}

// A player is the archetype of all players.
type player struct{}

// Components implements ecs.Bundle.
func (player) Components() []ecs.Type {
	return slices.Concat(components.PlayerParts(), components.CombatParts(),
		ecs.Of4[components.Session, components.Record, components.Name, components.Position](),
		ecs.Of4[components.Motion, components.Clock, components.HomeCell, components.Observer](),
		ecs.Of4[components.Speeds, components.Logout, components.Dirty, components.PlayerImage](),
		ecs.Of3[components.SavedState, components.Unsaved, components.Walk](),
		ecs.Of2[components.ChatThrottle, components.Cheats](),
		ecs.Of4[components.Spellbook, components.PendingMoveAcks, components.MoveValidation, components.MapTransfer](),
		ecs.Of4[components.Inventory, components.Looting, components.Actions, components.ResurrectOffer](), ecs.Of3[components.Cooldowns, components.Buyback, components.Dialog]())
}

// entered is a player with what its login sequence says. One that arrives from another map is sent a part of that, unless another client goes on with
// it in the same tick.
type entered struct {
	entity  ecs.Entity
	arrives bool
	login   frame.Character
}

// find is the player of a session.
func (p *players) find(session uint32) (ecs.Entity, bool) {
	e := p.index.Get().find(session)
	return e, p.entities.Exists(e)
}

// enter adds a player to the world at once: what its gateway posts next may be in the same inbox. For an invalid
// character, and for one that is in the world already and does not come back to it, it emits the player's leaving, so that its gateway does not
// wait for it.
func (p *players) enter(t sched.Tick, n uint32, it *frame.Item) {
	var c frame.Character
	err := msg.Decode(wire.V12340, it.Body, &c)
	at := components.Position{X: c.X, Y: c.Y, Z: c.Z}
	o, facing := components.Facing(c.O)
	_, taken := p.find(it.Session)
	place := p.place.Get()
	switch {
	case taken:
		p.taken.Count()
		return
	case err == nil && !p.arrivals.take(c.Transfer):
		p.arrivedTwice.Count() // it has been let in, and has left since: its session may be another's
		return
	case err != nil || c.Map != place.ID || !at.OnMap() || !facing:
		p.badCharacter.Count()
		p.out.Write(append(p.out.Buffer(), it.Body...))
		p.out.Goodbye(it.Session)
		return
	}
	if e := p.space.Get().Find(c.GUID); p.entities.Exists(e) {
		if it.Op == frame.OpEnter && p.sessions.Has(e) && p.stays(e) {
			p.takeOver(e, it.Session)
			p.resume(e, n, &c)
			return
		}
		p.inTwice.Count()
		if it.Op == frame.OpArrive {
			p.out.Write(append(p.out.Buffer(), it.Body...))
		} // else it is on its way out, with a later state than this one
		p.out.Goodbye(it.Session)
		return
	}
	c.O, c.Zone = o, place.Zone(c.X, c.Y)
	p.spawn(t, p.player.Spawn(), it.Session, &c, it.Op == frame.OpArrive)
}

// leave marks a player as leaving; fanout removes it.
func (p *players) leave(session uint32) {
	if e, ok := p.find(session); ok {
		p.leaving.Emit(change.Leaving{Entity: e})
	} else {
		p.absent.Count()
	}
}

// handOver has all players leave for the world that has the map next.
func (p *players) handOver() {
	for _, e := range p.index.Get().players {
		if p.entities.Exists(e) {
			p.handOvers.Emit(move.HandOver{Entity: e})
		}
	}
}

// refresh has a player be sent all that it sees anew.
func (p *players) refresh(session uint32) {
	if e, ok := p.find(session); ok {
		p.refreshed.Emit(change.Refreshed{Entity: e})
	} else {
		p.absent.Count()
	}
}

// spawn makes a new entity the player of a session; welcome sends its client the login sequence.
func (p *players) spawn(t sched.Tick, e ecs.Entity, session uint32, c *frame.Character, arrives bool) {
	p.index.Get().set(session, e)
	p.sessions.Get(e).ID = session
	p.unsaved.Mark(e, p.loader.Put(t, e, c))
	p.observers.Get(e).Layers = components.VisibleLayers(c.Flags&components.PlayerGM != 0, false, false, false)
	*p.speeds.Get(e) = components.NormalSpeeds()
	p.space.Get().Add(c.GUID, e)
	p.space.Get().Arrive(e)
	p.cells.Set(t, e, grid.At(c.X, c.Y, grid.Living))
	p.joined.Emit(change.Joined{Entity: e})
	p.entered = append(p.entered, entered{e, arrives, *c})
	p.changes.Emit(rules.StatsDirty{Entity: e})
	if !c.Begun {
		p.newcomers.Emit(goods.Newcomer{Entity: e})
	}
	p.out.Happen(change.Happening{Kind: change.HappenedEnter, Subject: c.GUID})
}

// welcome sends the client that a new player has at the end of the inbox the login sequence.
func (p *players) welcome(t sched.Tick, it *entered) {
	c := &it.login
	if c.Flags&components.PlayerGM != 0 {
		p.out.SetGM(it.entity, true)
	}
	p.out.Write(appendLogin(p.out.Buffer(), t, c, it.arrives))
	p.out.SendSpan(it.entity, frame.First, p.out.Cut()) // all of it before the player's own create block
	// World states follow the create block; movement adds the first request for the client's clock.
	p.out.Send(it.entity, msg.OpInitWorldStates, &msg.InitWorldStates{Map: c.Map, Zone: c.Zone, Area: c.Zone})
}
