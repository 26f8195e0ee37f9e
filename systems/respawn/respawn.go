// Package respawn puts creatures where they belong, takes their bodies away when they have died, and brings
// the next ones.
//
// A spawn point has a creature only once somebody has been near enough to see it: until then the point lies
// dormant in its tile's list, and costs a few bytes. A timer that fires while the point's cell sleeps makes it
// dormant again, so that no timer is lost and nobody is made whom nobody can see. And a creature that has slept
// for long, whole and at peace, goes back to being its point.
package respawn

import (
	"slices"
	"time"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/sched"
	"muster/systems/rules"
)

// System returns the system of a world. It panics if the map has more than MaxCreatures spawn points, or one
// whose creature, path or leader is not there, or a path or pool that makes no sense.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world: w,
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		book:  rules.New(w),
		kind:  ecs.NewKind(w, parts()...),

		deaths:  ecs.QueueOf[rules.Death](w).Reader(),
		looted:  ecs.QueueOf[rules.Looted](w).Lasting(),
		summons: ecs.QueueOf[rules.Summon](w).Lasting(),

		dismissals: ecs.QueueOf[rules.Dismiss](w).Lasting(),
		refills:    ecs.QueueOf[rules.Refill](w).Lasting(),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		walks:     ecs.NewColumn[components.Walk](w),
		posts:     ecs.NewColumn[components.Post](w),
		minds:     ecs.NewColumn[components.Mind](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		bouts:     ecs.NewColumn[components.Bout](w),

		badSummon: counters.Counter("respawn.bad_summon"),
		crowded:   counters.Counter("respawn.crowded"),
		forgotten: counters.Counter("respawn.forgotten"),
	}
	s.check()
	s.fresh, s.gone = s.wake, s.forget
	s.born = func(i int, e ecs.Entity) { s.settle(s.tick, s.points.waking[i], e) }
	return sched.System{
		Name: "respawn", Stage: sched.Settle,
		Reads: append(rules.Reads(), ecs.Of[defs.Map]()...),
		Writes: slices.Concat(parts(), rules.Writes(),
			ecs.Of2[ecs.Queue[rules.Dismiss], ecs.Queue[rules.Refill]](),
			ecs.Of3[ecs.Queue[rules.Looted], ecs.Queue[rules.Summon], space.Space]()),
		Timers: []sched.Timers{&s.timers},
		Self:   s,
		Run:    s.run,
	}
}

// parts are what a creature is made of.
func parts() []ecs.Type {
	return slices.Concat(components.CreatureParts(),
		ecs.Of4[components.Position, components.Home, components.Walk, components.Post](),
		ecs.Of4[components.Mind, components.Speeds, components.Touched, components.CreatureImage](),
		ecs.Of4[components.Bout, components.Prowess, components.Casting, components.Remains]())
}

type system struct {
	world *ecs.World
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log
	book  *rules.Book
	kind  *ecs.Kind

	deaths  *ecs.Reader[rules.Death]
	looted  *ecs.Queue[rules.Looted]
	summons *ecs.Queue[rules.Summon]

	dismissals *ecs.Queue[rules.Dismiss]
	refills    *ecs.Queue[rules.Refill]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	walks     ecs.Column[components.Walk]
	posts     ecs.Column[components.Post]
	minds     ecs.Column[components.Mind]
	speeds    ecs.Column[components.Speeds]
	bouts     ecs.Column[components.Bout]

	points points
	pools  pools
	timers sched.Wheel[timer]
	tick   sched.Tick
	fresh  func(grid.Patch)      // wake, bound once
	gone   func(ecs.Entity) bool // forget, likewise
	born   func(int, ecs.Entity) // settle, for those who wake
	guests guests
	begun  bool

	badSummon, crowded, forgotten *metric.Counter
}

// A timer is of a spawn point that is to have its next creature, or of an entity that is to go.
type timer struct {
	entity ecs.Entity
	point  uint32 // one more than its number; 0: it is the entity's
}

func (s *system) run(t sched.Tick) {
	s.tick = t
	if !s.begun {
		s.begun = true
		s.begin(t)
	}
	for _, death := range s.deaths.Next() {
		s.bury(t, death.Entity)
	}
	for _, body := range s.looted.Take() {
		s.empty(t, body.Entity)
	}
	for _, due := range s.timers.Take(t.N) {
		if due.point == 0 {
			s.remove(due.entity)
		} else {
			s.refill(t, due.point-1)
		}
	}
	s.grant(t)
	s.space.Fresh(s.fresh)
	summons := s.summons.Take()
	for i := range summons {
		s.summon(t, &summons[i])
	}
	s.space.LookIn(looksPerTick, s.gone)
}

func (s *system) after(t sched.Tick, ms uint32, due timer) {
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), due)
}
