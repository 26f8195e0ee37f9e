package intake

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/record"
)

// players are those in the world, by session.
type players struct {
	world *ecs.World
	place *defs.Map
	taker *record.Taker
	space *space.Space
	log   *change.Log

	newcomers *ecs.Queue[goods.Newcomer]

	kind *ecs.Kind

	bySession []ecs.Entity // no entity for none

	sessions ecs.Column[components.Session]
	sights   ecs.Column[components.Sight]
	speeds   ecs.Column[components.Speeds]

	absent       *metric.Counter
	taken        *metric.Counter
	badCharacter *metric.Counter
}

func newPlayers(w *ecs.World) *players {
	counters := ecs.Shared[metric.Table](w)
	return &players{
		world: w,
		place: ecs.Shared[defs.Map](w),
		taker: record.New(w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),

		newcomers: ecs.QueueOf[goods.Newcomer](w),

		kind:     ecs.NewKind(w, parts()...),
		sessions: ecs.NewColumn[components.Session](w),
		sights:   ecs.NewColumn[components.Sight](w),
		speeds:   ecs.NewColumn[components.Speeds](w),

		absent:       counters.Counter("intake.no_player"),
		taken:        counters.Counter("intake.session_taken"),
		badCharacter: counters.Counter("intake.bad_character"),
	}
}

// parts are what a player is made of.
func parts() []ecs.Type {
	return slices.Concat(components.PlayerParts(),
		ecs.Of4[components.Session, components.Record, components.Name, components.Position](),
		ecs.Of4[components.Motion, components.Clock, components.Home, components.Sight](),
		ecs.Of4[components.Speeds, components.Departure, components.Touched, components.PlayerImage](),
		ecs.Of3[components.Kept, components.Unsaved, components.Walk](),
		ecs.Of4[components.Voice, components.Bout, components.Prowess, components.Casting](),
		ecs.Of4[components.Spellbook, components.Reins, components.Pace, components.Passage](),
		ecs.Of4[components.Inventory, components.Looting, components.Actions, components.Will]())
}

// find is the player of a session.
func (p *players) find(session uint32) (ecs.Entity, bool) {
	if session >= uint32(len(p.bySession)) || !p.world.Alive(p.bySession[session]) {
		return ecs.Entity{}, false
	}
	return p.bySession[session], true
}

// enter brings a player in, at once: what its gateway posts next may be in the same inbox. A character
// that makes no sense is said good-bye to, so that its gateway does not wait for it.
func (p *players) enter(t sched.Tick, it *frame.Item) {
	var c frame.Character
	err := msg.Decode(wire.V12340, it.Body, &c)
	at := components.Position{X: c.X, Y: c.Y, Z: c.Z}
	o, facing := components.Facing(c.O)
	_, taken := p.find(it.Session)
	switch {
	case taken:
		p.taken.Count()
		return
	case err != nil || c.Map != p.place.ID || !at.OnMap() || !facing:
		p.badCharacter.Count()
		p.log.Draft.Bytes = append(p.log.Draft.Bytes, it.Body...)
		p.log.Draft.Goodbye(it.Session, p.log.Draft.Cut())
		return
	}
	c.O, c.Zone = o, p.place.Zone(c.X, c.Y)
	p.spawn(t, p.kind.Spawn(), it.Session, &c, it.Op == frame.OpArrive)
}

// leave takes a player out; fanout says good-bye.
func (p *players) leave(session uint32) {
	if e, ok := p.find(session); ok {
		p.log.Leaving = append(p.log.Leaving, e)
	} else {
		p.absent.Count()
	}
}

// spawn makes a new entity the player of a session, and tells its client where it is.
func (p *players) spawn(t sched.Tick, e ecs.Entity, session uint32, c *frame.Character, arrives bool) {
	if n := int(session) + 1 - len(p.bySession); n > 0 {
		p.bySession = append(p.bySession, make([]ecs.Entity, n)...)
	}
	p.bySession[session] = e
	p.sessions.Get(e).ID = session
	p.log.Unsave(e, p.taker.Put(t, e, c))
	if c.Flags&components.PlayerGM != 0 {
		p.log.Mark(e, true)
	}
	p.sights.Get(e).Layers = components.Seen(c.Flags&components.PlayerGM != 0, false, false, false)
	*p.speeds.Get(e) = components.NormalSpeeds()
	p.space.Enroll(c.GUID, e)
	p.space.Arrive(e)
	p.log.Rehome(t, e, grid.At(c.X, c.Y, grid.Living))
	p.log.Joined = append(p.log.Joined, e)
	if !c.Begun {
		p.newcomers.Next().Entity = e
	}
	p.log.Draft.Bytes = appendLogin(p.log.Draft.Bytes, t, c, arrives)
	p.log.Tell(e, frame.First)
	p.log.Draft.Bytes = appendWelcome(p.log.Draft.Bytes, c)
	p.log.Tell(e, frame.Last)
}
