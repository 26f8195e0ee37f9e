// Package aura is what lasts on units: it comes, lies on what is there, pulses, and goes with its time, with its
// bearer's death or with whatever breaks it.
//
// Durations and pulses are timers in a wheel, and each aura has one; they do not sleep with the cells of creatures.
// What auras do to a unit's figures is rules.Book.Recompute's business, which is asked each time they change.
package aura

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/msg"
	"muster/sched"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world: w,
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		book:  rules.New(w),
		slab:  ecs.Shared[ecs.Slab[components.Auras]](w),

		clicks:  ecs.QueueOf[change.Sent[msg.CancelAura]](w),
		moves:   ecs.QueueOf[change.Sent[msg.Move]](w),
		applies: ecs.QueueOf[rules.Apply](w).Lasting(),
		strips:  ecs.QueueOf[rules.Strip](w).Lasting(),
		broken:  ecs.QueueOf[rules.Broken](w).Lasting(),
		blows:   ecs.QueueOf[rules.Blow](w),
		deaths:  ecs.QueueOf[rules.Death](w).Reader(),
		casts:   ecs.QueueOf[rules.Cast](w),
		halts:   ecs.QueueOf[rules.Halt](w),
		roots:   ecs.QueueOf[move.Root](w),
		runs:    ecs.QueueOf[move.Run](w),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		positions: ecs.NewColumn[components.Position](w),
		motions:   ecs.NewColumn[components.Motion](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		sessions:  ecs.NewColumn[components.Session](w),
		spells:    ecs.NewColumn[components.Spellbook](w),
		departure: ecs.NewColumn[components.Departure](w),

		own: ecs.NewFetch(w, slices.Concat(ecs.Of4[components.Bout, components.Vitals, components.Unit, components.Object](),
			ecs.Of2[components.Prowess, components.Touched]())...),
		foe: ecs.NewFetch(w, ecs.Of3[components.Bout, components.Vitals, components.Unit]()...),

		full:    counters.Counter("aura.full"),
		refused: counters.Counter("aura.refused"),
		skipped: counters.Counter("aura.skipped_pulse"),
	}
	return sched.System{
		Name: "aura", Stage: sched.Act,
		Reads: slices.Concat(rules.Reads(),
			ecs.Of4[defs.Map, space.Space, components.Speeds, components.Departure](),
			ecs.Of3[components.Motion, ecs.Queue[change.Sent[msg.CancelAura]], ecs.Queue[change.Sent[msg.Move]]]()),
		Writes: slices.Concat(rules.Writes(),
			ecs.Of4[ecs.Queue[rules.Apply], ecs.Queue[rules.Strip], ecs.Queue[rules.Broken], ecs.Queue[rules.Cast]](),
			ecs.Of4[ecs.Queue[rules.Halt], ecs.Queue[move.Root], ecs.Queue[move.Run], components.Spellbook](),
			ecs.Of2[components.Home, components.Unsaved]()),
		Timers: []sched.Timers{&s.turns, &s.hops},
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world *ecs.World
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log
	book  *rules.Book
	slab  *ecs.Slab[components.Auras]

	clicks  *ecs.Queue[change.Sent[msg.CancelAura]]
	moves   *ecs.Queue[change.Sent[msg.Move]]
	applies *ecs.Queue[rules.Apply]
	strips  *ecs.Queue[rules.Strip]
	broken  *ecs.Queue[rules.Broken]
	blows   *ecs.Queue[rules.Blow]
	deaths  *ecs.Reader[rules.Death]
	casts   *ecs.Queue[rules.Cast]
	halts   *ecs.Queue[rules.Halt]
	roots   *ecs.Queue[move.Root]
	runs    *ecs.Queue[move.Run]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	bouts     ecs.Column[components.Bout]
	positions ecs.Column[components.Position]
	motions   ecs.Column[components.Motion]
	speeds    ecs.Column[components.Speeds]
	sessions  ecs.Column[components.Session]
	spells    ecs.Column[components.Spellbook]
	departure ecs.Column[components.Departure]

	// Auras that found no room, effects that nobody executes, pulses that were left out.
	full, refused, skipped *metric.Counter

	turns sched.Wheel[turn]
	hops  sched.Wheel[turn]
	fears []uint32 // by entity id: number of the next hop of a player that flees
	last  uint32   // number of the last turn that was given out
	said  said
	own   *ecs.Fetch // of who bears an aura,
	foe   *ecs.Fetch // and of whom it fights
}

// A turn is something that an aura has to do; it is stale if the aura has got another number since, or is gone.
type turn struct {
	entity ecs.Entity
	number uint32
}

// run does what is due, takes off what is to go, looks at what the tick's blows, its own among them, have broken, and
// puts on what is to come, which those blows were before; then it looks at who has died.
func (s *system) run(t sched.Tick) {
	for _, e := range s.log.Joined {
		if s.world.Alive(e) {
			s.resume(t, e)
		}
	}
	turns := s.turns.Take(t.N)
	for i, due := range turns {
		s.fetch(ecs.Ahead(turns, i))
		s.take(t, due)
	}
	s.breakOff(t)
	s.click(t)
	for _, strip := range s.strips.Take() {
		if s.world.Alive(strip.From) {
			s.strip(t, &strip)
		}
	}
	s.suffer(t)
	applies := s.applies.Take()
	for i := range applies {
		s.apply(t, &applies[i])
	}
	s.bury(t)
	s.flee(t)
}

// fetch reads what the next turns look at: of the bearers, of their auras, and of whom they fight, since it is they who
// put most of those on them.
func (s *system) fetch(next []turn) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if !s.world.Alive(due.entity) {
			continue
		}
		s.foe.Of(s.bouts.Get(due.entity).Victim)
		if auras := s.auras(due.entity); auras != nil {
			for i := range auras.List[:auras.Count] {
				s.own.Word(&auras.List[i].Turn)
			}
		}
	}
}

// auras are those on a unit, nil if there are none. They are good until the next aura is put on anybody.
func (s *system) auras(e ecs.Entity) *components.Auras {
	if block := s.bouts.Get(e).Auras; block != 0 {
		return s.slab.At(block)
	}
	return nil
}

// template is that of an aura that is there.
func (s *system) template(a *components.Aura) *defs.Spell { return s.defs.Spell(a.Spell) }
