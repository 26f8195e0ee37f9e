// Package visibility keeps the order of the awake: it wakes the cells that observers see, puts the
// others to sleep, and sorts what is awake into cell order where that has changed. What each observer is owed for it is
// fanout's business, and in the end the gateway's.
package visibility

import (
	"math"

	"muster/components"
	"muster/components/change"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		world:     w,
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		homes:     ecs.NewColumn[components.Home](w),
		positions: ecs.NewColumn[components.Position](w),
		sights:    ecs.NewColumn[components.Sight](w),
		minds:     ecs.NewColumn[components.Mind](w),
	}
	s.space.Order.Locate, s.space.Hunters.Locate = s.locate, s.locate
	return sched.System{
		Name: "visibility", Stage: sched.See,
		Reads:  ecs.Of3[components.Home, components.Position, components.Sight](),
		Writes: ecs.Of3[components.Mind, space.Space, change.Log](),
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world     *ecs.World
	space     *space.Space
	log       *change.Log
	homes     ecs.Column[components.Home]
	positions ecs.Column[components.Position]
	sights    ecs.Column[components.Sight]
	minds     ecs.Column[components.Mind]

	watched grid.Set     // homes whose view in their own layer is in sight
	woken   []ecs.Entity // with the last look
}

func (s *system) run(t sched.Tick) {
	s.space.Stir()
	if len(s.log.Left.Tiles())+len(s.space.Arrived()) == 0 { // who sees something else has been given its home anew
		s.space.Rest()
		return
	}
	s.watch()
	s.woken = s.woken[:0]
	s.space.Wake(s.wake)
	s.sort(t)
	s.log.Left.Clear()
}

// sort puts the awake in order: those of a cell that is in sight, and that nobody has left, as they were.
func (s *system) sort(t sched.Tick) {
	for _, e := range s.woken {
		s.space.Put(e, s.homes.Get(e).Cell)
	}
	s.space.Order.Each(func(c grid.Cell, in []ecs.Entity) {
		if s.space.Awake(c) && !s.log.Left.Has(c) {
			s.space.Stay(c, in)
			return
		}
		for _, e := range in {
			s.keep(t, e)
		}
	})
	for _, e := range s.space.Arrived() {
		s.keep(t, e)
	}
	s.space.Sort()
}

// watch puts what observers see in sight, once for all who are at home in a cell and see only its layer.
func (s *system) watch() {
	s.space.Look()
	s.watched.Clear()
	for _, kind := range s.world.Kinds() {
		sights := s.sights.Rows(kind)
		if len(sights) == 0 {
			continue
		}
		for i, home := range s.homes.Rows(kind) {
			v := grid.View{Home: home.Cell, Layers: uint8(sights[i].Layers)}
			if v != grid.ViewFrom(v.Home) || s.watched.Mark(v.Home) {
				s.space.Watch(v)
			}
		}
	}
}

// wake takes an entity in whose cell woke up.
func (s *system) wake(e ecs.Entity) {
	if s.world.Alive(e) {
		s.log.Woken = append(s.log.Woken, e)
		s.woken = append(s.woken, e)
	}
}

// keep takes an entity in that was awake, or puts it to sleep.
func (s *system) keep(t sched.Tick, e ecs.Entity) {
	if !s.world.Alive(e) {
		return
	}
	home := s.homes.Get(e).Cell
	switch {
	case home == grid.None:
	case s.space.Awake(home) || s.sights.Has(e):
		s.space.Put(e, home)
	default:
		s.minds.Get(e).SleptAtMs = t.NowMs
		s.space.Sleep(e, home)
	}
}

// locate is where an entity is, nowhere if it is gone.
func (s *system) locate(e ecs.Entity) (x, y float32) {
	if !s.world.Alive(e) {
		return float32(math.Inf(1)), 0
	}
	p := s.positions.Get(e)
	return p.X, p.Y
}
