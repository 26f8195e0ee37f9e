// Package visibility keeps the order of the awake: it wakes the cells that observers see, puts the
// others to sleep, and sorts what is awake into cell order. What each observer is owed for it is
// fanout's business, and in the end the gateway's.
package visibility

import (
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

	watched        grid.Set // homes whose view in their own layer is in sight
	awake, hunters []grid.Entry[ecs.Entity]
}

func (s *system) run(t sched.Tick) {
	s.awake, s.hunters = s.awake[:0], s.hunters[:0]
	s.watch()
	s.space.Wake(s.woke)
	for _, it := range s.space.Order.All() {
		s.keep(t, it.Entity)
	}
	for _, e := range s.space.Arrived() {
		s.keep(t, e)
	}
	s.space.Sort(s.awake, s.hunters)
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

// woke takes an entity in whose cell woke up.
func (s *system) woke(e ecs.Entity) {
	if s.world.Alive(e) {
		s.log.Woken = append(s.log.Woken, e)
		s.append(e, s.homes.Get(e).Cell)
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
		s.append(e, home)
	default:
		s.minds.Get(e).SleptAtMs = t.NowMs
		s.space.Sleep(e, home)
	}
}

func (s *system) append(e ecs.Entity, home grid.Cell) {
	p := s.positions.Get(e)
	s.awake = append(s.awake, grid.Entry[ecs.Entity]{})
	entry := &s.awake[len(s.awake)-1] // written where it lies: a copy would wait for what was just written
	entry.Entity, entry.Home, entry.X, entry.Y = e, home, p.X, p.Y
	if s.space.Hunts(e) {
		s.hunters = append(s.hunters, *entry)
	}
}
