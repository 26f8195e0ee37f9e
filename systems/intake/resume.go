package intake

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/record"
)

// goOn has a player of another client of its session stay as it is. One that has left is not there any more: its gateway learns that
// from the frame in which it did.
func (p *players) goOn(n uint32, it *frame.Item) {
	e, ok := p.find(it.Session)
	if !ok || !p.stays(e) {
		p.absent.Count()
		return
	}
	var c frame.Character
	if msg.Decode(wire.V12340, it.Body, &c) != nil || p.space.Get().Find(c.GUID) != e {
		p.badCharacter.Count()
		return
	}
	c.Version = 0 // that of the world is newer
	p.resume(e, n, &c)
}

// stays reports whether a player is neither logging out nor on its way to another map.
func (p *players) stays(e ecs.Entity) bool {
	return p.going.Get(e).Gone == 0 && p.transfers.Get(e).Going == 0
}

// takeOver gives a player another session. The gateway of the former one is told that it has no player of that any more.
func (p *players) takeOver(e ecs.Entity, session uint32) {
	here, index := p.sessions.Get(e), p.index.Get()
	index.set(here.ID, ecs.Entity{})
	p.out.Goodbye(here.ID)
	here.ID = session
	index.set(session, e)
}

func (p *players) resume(e ecs.Entity, n uint32, c *frame.Character) {
	p.unsaved.MarkNow(e, life.All)
	p.again = slices.DeleteFunc(p.again, func(r change.Resumed) bool { return r.Entity == e }) // of a client that is gone again
	here := slices.IndexFunc(p.entered, func(it entered) bool { return it.entity == e })
	if here >= 0 {
		it := &p.entered[here]
		it.arrives, it.login.Caches, it.login.NowUnix = false, c.Caches, c.NowUnix
	}
	p.again = append(p.again, change.Resumed{Entity: e, New: here >= 0, N: n, Version: c.Version, Caches: c.Caches, NowUnix: c.NowUnix, Connection: c.Transfer})
}

// report sends the clients of new players what they are sent first, and emits which players have been resumed in this tick.
func (p *players) report(t sched.Tick) {
	for i := range p.entered {
		p.welcome(t, &p.entered[i])
	}
	for i := range p.again {
		p.resumed.Emit(p.again[i])
	}
	clear(p.again)
	clear(p.entered)
	p.again, p.entered = p.again[:0], p.entered[:0]
}

// Resumes sends clients that go on with a player what they are sent when one enters, unless it has entered in this tick. Fanout adds the player's own create block and what it
// sees.
//
// Source: WorldSession::HandlePlayerLoginToCharInWorld, AzerothCore.
type Resumes struct {
	out         change.Out
	resumed     ecs.Events[change.Resumed]
	place       ecs.Res[defs.Map]
	positions   ecs.Read[components.Position]
	lists       record.ListSaver
	appearances ecs.Read[components.PlayerAppearance]

	character frame.Character `snapshot:"-"` // what appendLogin reads of one; kept here for the memory of its lists
}

// Run implements sched.Runner.
func (s *Resumes) Run(t sched.Tick) {
	for _, it := range s.resumed.All() {
		if it.New {
			continue
		}
		c, at, place := &s.character, s.positions.Get(it.Entity), s.place.Get()
		s.lists.TakeLists(t, it.Entity, &c.Life, life.Spells|life.Cooldowns|life.Actions)
		c.X, c.Y, c.Z, c.O, c.Map, c.Zone = at.X, at.Y, at.Z, at.O, place.ID, place.Zone(at.X, at.Y)
		c.Caches, c.NowUnix = it.Caches, it.NowUnix
		if s.appearances.Get(it.Entity).Flags&components.PlayerGM != 0 {
			s.out.SetGM(it.Entity, true)
		}
		s.out.Write(appendLogin(s.out.Buffer(), t, c, false))
		s.out.SendSpan(it.Entity, frame.First, s.out.Cut())
		s.out.Send(it.Entity, msg.OpInitWorldStates, &msg.InitWorldStates{Map: c.Map, Zone: c.Zone, Area: c.Zone})
	}
}
