package systems

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/sched/tickstats"
	"muster/systems/rules"
)

// A loadCounter has the access that counting the load of a world needs.
type loadCounter struct {
	creatures *ecs.Filter1[components.AIState]
	corpses   *ecs.Filter1[components.Corpse]
	sessions  ecs.Accessor[components.Session]

	scripts      *rules.ScriptLoad
	items, bytes int // of the last tick's inbox
	crowds       tickstats.Crowds
}

func newLoadCounter(w *ecs.World) loadCounter {
	return loadCounter{
		creatures: ecs.NewFilter1[components.AIState](w), corpses: ecs.NewFilter1[components.Corpse](w),
		sessions: ecs.NewAccessor[components.Session](w), scripts: ecs.Shared[rules.ScriptLoad](w),
	}
}

// Load is the work of the last tick. Its cost is constant.
func (w *World) Load() tickstats.Load {
	return tickstats.Load{
		Players: w.Players(), Creatures: w.loadCounter.creatures.Count(), Corpses: w.loadCounter.corpses.Count(),
		Awake: w.Awake(), Asleep: w.space.Asleep(), Items: w.loadCounter.items, Bytes: w.loadCounter.bytes,
		Late: int(w.loadCounter.scripts.Late), Blame: int(w.loadCounter.scripts.Entry),
	}
}

// Crowds are the cells with the most awake entities. It visits each of those; the result is valid until the next
// call.
func (w *World) Crowds() *tickstats.Crowds {
	c := &w.loadCounter
	c.crowds = tickstats.Crowds{}
	w.space.Order.Each(func(home grid.Cell, in []ecs.Entity) { c.crowds.Add(tickstats.Crowd{Cell: home, Things: len(in)}) })
	for i := range c.crowds {
		if crowd := &c.crowds[i]; crowd.Things > 0 {
			crowd.Players = w.playersIn(crowd.Cell)
		}
	}
	return &c.crowds
}

// playersIn counts the players of a cell.
func (w *World) playersIn(c grid.Cell) (n int) {
	for _, e := range w.space.Order.In(c) {
		if w.ecs.Exists(e) && w.loadCounter.sessions.Has(e) {
			n++
		}
	}
	return n
}
