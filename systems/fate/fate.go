// Package fate is what follows from a death: experience for who brought it about, and for a player who died the way
// back to life.
package fate

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// A Reclaim says how a dead player comes back into its body.
type Reclaim uint8

// The ways. Clients that judge by their own health alone whether they live need Anywhere: they would take a ghost,
// which has health 1, for alive.
//
// Source: protocol.md 3.1.3 and 7.14.
const (
	Anywhere Reclaim = iota // its health stays 0, and after a while it can stand up wherever it is
	AtCorpse                // it is a ghost at a graveyard, and has to walk to its body
)

// Config is how death works in a world: a shared value.
type Config struct {
	Reclaim Reclaim
	XPRate  float32 // times the experience of a death; 0 is 1
}

// rate is how much more a death is worth than usual.
func (c *Config) rate() float32 { return cmp.Or(c.XPRate, 1) }

// System returns the system of a world. It comes after all that kills.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world:  w,
		config: ecs.Shared[Config](w),
		defs:   ecs.Shared[defs.World](w),
		place:  ecs.Shared[defs.Map](w),
		space:  ecs.Shared[space.Space](w),
		log:    ecs.Shared[change.Log](w),
		book:   rules.New(w),
		ledger: goods.New(w),

		deaths:   ecs.QueueOf[rules.Death](w).Reader(),
		levels:   ecs.QueueOf[rules.Levelled](w).Lasting(),
		offers:   ecs.QueueOf[rules.Resurrect](w).Lasting(),
		rises:    ecs.QueueOf[rules.Rise](w).Lasting(),
		rescues:  ecs.QueueOf[rules.Rescue](w).Lasting(),
		casts:    ecs.QueueOf[rules.Cast](w),
		roots:    ecs.QueueOf[move.Root](w),
		jumps:    ecs.QueueOf[move.Teleport](w),
		repops:   ecs.QueueOf[change.Sent[msg.RepopRequest]](w),
		reclaims: ecs.QueueOf[change.Sent[msg.ReclaimCorpse]](w),
		answers:  ecs.QueueOf[change.Sent[msg.ResurrectResponse]](w),
		healers:  ecs.QueueOf[change.Sent[msg.SpiritHealerActivate]](w),
		empty:    ecs.QueueOf[change.Sent[msg.Empty]](w),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		stats:     ecs.NewColumn[components.Stats](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		guises:    ecs.NewColumn[components.Guise](w),
		progress:  ecs.NewColumn[components.Progress](w),
		records:   ecs.NewColumn[components.Record](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		sights:    ecs.NewColumn[components.Sight](w),
		sessions:  ecs.NewColumn[components.Session](w),
		names:     ecs.NewColumn[components.Name](w),
		wills:     ecs.NewColumn[components.Will](w),

		kind:    ecs.NewKind(w, corpseParts()...),
		corpses: ecs.NewColumn[components.Corpse](w),
		posts:   ecs.NewColumn[components.Post](w),
		worn:    ecs.NewColumn[components.Worn](w),

		early:  counters.Counter("fate.reclaim_early"),
		far:    counters.Counter("fate.reclaim_far"),
		unable: counters.Counter("fate.unable"),
	}
	return sched.System{
		Name: "fate", Stage: sched.Settle,
		Reads: slices.Concat(goods.Reads(),
			ecs.Of3[Config, defs.Map, components.Name](),
			ecs.Of4[ecs.Queue[change.Sent[msg.RepopRequest]], ecs.Queue[change.Sent[msg.ReclaimCorpse]], ecs.Queue[change.Sent[msg.ResurrectResponse]], ecs.Queue[change.Sent[msg.SpiritHealerActivate]]](),
			ecs.Of[ecs.Queue[change.Sent[msg.Empty]]]()),
		Writes: slices.Concat(goods.Writes(), corpseParts(), ecs.Of[ecs.Queue[rules.Cast]](),
			ecs.Of4[components.Stats, components.Guise, components.Progress, components.Record](),
			ecs.Of4[components.Home, components.Sight, components.Will, ecs.Queue[rules.Levelled]](),
			ecs.Of2[ecs.Queue[rules.Rise], ecs.Queue[rules.Rescue]](),
			ecs.Of4[ecs.Queue[rules.Resurrect], ecs.Queue[move.Root], ecs.Queue[move.Teleport], space.Space]()),
		Timers: []sched.Timers{&s.unreleased, &s.ghosts},
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world  *ecs.World
	config *Config
	defs   *defs.World
	place  *defs.Map
	space  *space.Space
	log    *change.Log
	book   *rules.Book
	ledger *goods.Ledger

	deaths   *ecs.Reader[rules.Death]
	levels   *ecs.Queue[rules.Levelled]
	offers   *ecs.Queue[rules.Resurrect]
	rises    *ecs.Queue[rules.Rise]
	rescues  *ecs.Queue[rules.Rescue]
	casts    *ecs.Queue[rules.Cast]
	roots    *ecs.Queue[move.Root]
	jumps    *ecs.Queue[move.Teleport]
	repops   *ecs.Queue[change.Sent[msg.RepopRequest]]
	reclaims *ecs.Queue[change.Sent[msg.ReclaimCorpse]]
	answers  *ecs.Queue[change.Sent[msg.ResurrectResponse]]
	healers  *ecs.Queue[change.Sent[msg.SpiritHealerActivate]]
	empty    *ecs.Queue[change.Sent[msg.Empty]]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	stats     ecs.Column[components.Stats]
	bouts     ecs.Column[components.Bout]
	guises    ecs.Column[components.Guise]
	progress  ecs.Column[components.Progress]
	records   ecs.Column[components.Record]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	sights    ecs.Column[components.Sight]
	sessions  ecs.Column[components.Session]
	names     ecs.Column[components.Name]
	wills     ecs.Column[components.Will]

	kind    *ecs.Kind
	corpses ecs.Column[components.Corpse]
	posts   ecs.Column[components.Post]
	worn    ecs.Column[components.Worn]
	bodies  []corpse

	unreleased sched.Wheel[lying]
	ghosts     sched.Wheel[haunting] // when it is looked what each of them sees

	said packets

	early, far, unable *metric.Counter
}

// packets are those that are sent, kept so that sending them does not allocate.
type packets struct {
	xp      msg.XPGain
	level   msg.LevelUpInfo
	delay   msg.CorpseReclaimDelay
	place   msg.DeathReleaseLoc
	ghost   msg.PreResurrect
	corpse  msg.CorpseQueryResponse
	request msg.ResurrectRequest
}

// run does what follows from the deaths of the tick, and then what the dead ask for.
func (s *system) run(t sched.Tick) {
	for _, e := range s.log.Joined {
		if s.world.Alive(e) && s.records.Get(e).Death.State != life.Alive {
			s.comeBack(t, e)
		}
	}
	for _, d := range s.deaths.Next() {
		switch {
		case !s.world.Alive(d.Entity):
		case s.sessions.Has(d.Entity):
			s.die(t, d.Entity)
		default:
			s.reward(t, d.Entity)
		}
	}
	for _, due := range s.unreleased.Take(t.N) {
		if s.world.Alive(due.entity) && s.bouts.Get(due.entity).HitMs == due.diedMs && s.records.Get(due.entity).Death.State == life.Dead {
			s.release(t, due.entity)
		}
	}
	for _, h := range s.ghosts.Take(t.N) {
		if s.world.Alive(h.entity) && s.haunts(h.entity) && s.records.Get(h.entity).ReclaimMs == h.reclaimMs {
			s.peer(t, h.entity)
			s.ghosts.Add(t.After(peerEvery), h)
		}
	}
	s.grant(t)
	s.hear(t)
	s.bury()
}

// hear does what the dead ask for.
func (s *system) hear(t sched.Tick) {
	for i := range s.repops.All() {
		if e := s.repops.All()[i].By; s.world.Alive(e) {
			s.release(t, e)
		}
	}
	for i := range s.reclaims.All() {
		if e := s.reclaims.All()[i].By; s.world.Alive(e) {
			s.reclaim(t, e)
		}
	}
	for i := range s.healers.All() {
		if h := &s.healers.All()[i]; s.world.Alive(h.By) {
			s.heal(t, h.By, h.Msg.GUID)
		}
	}
	for i := range s.empty.All() {
		if q := &s.empty.All()[i]; q.Op == msg.OpCorpseQuery && s.world.Alive(q.By) {
			s.where(q.By)
		}
	}
	offers := s.offers.Take()
	for i := range offers {
		s.offer(&offers[i])
	}
	for i := range s.answers.All() {
		if a := &s.answers.All()[i]; s.world.Alive(a.By) {
			s.answer(t, a.By, &a.Msg)
		}
	}
}

// tell sends a packet to a player without waiting for its flush, where it stands among the others.
func (s *system) tell(e ecs.Entity, place frame.Place, op uint16, m msg.Message) {
	d := &s.log.Draft
	d.Bytes = msg.Packet(d.Bytes, wire.V12340, op, m)
	d.TellNow(s.sessions.Get(e).ID, place, d.Cut())
}
