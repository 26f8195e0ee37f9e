// Package ai is what creatures want next. A creature thinks in small steps of its own pace: a step
// starts something and says when the next is due, and why. Nobody is polled; a creature whose cell
// sleeps does not think at all.
package ai

import (
	"time"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/sched"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world:     w,
		place:     ecs.Shared[defs.Map](w),
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		objects:   ecs.NewColumn[components.Object](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		walks:     ecs.NewColumn[components.Walk](w),
		posts:     ecs.NewColumn[components.Post](w),
		minds:     ecs.NewColumn[components.Mind](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		stances:   ecs.NewColumn[components.Stance](w),

		stroll: counters.Counter("ai.stroll"),
		patrol: counters.Counter("ai.patrol"),
		rest:   counters.Counter("ai.rest"),
		stuck:  counters.Counter("ai.stuck"),
	}
	return sched.System{
		Name: "ai", Stage: sched.Think,
		Reads: append(ecs.Of4[components.Object, components.Position, components.Home, components.Post](),
			ecs.Of3[components.Speeds, defs.Map, space.Space]()...),
		Writes: append(ecs.Of4[components.Walk, components.Mind, components.Stance, components.Touched](),
			ecs.Of2[change.Log, metric.Table]()...),
		Run: s.run,
	}
}

type system struct {
	world     *ecs.World
	place     *defs.Map
	space     *space.Space
	log       *change.Log
	objects   ecs.Column[components.Object]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	walks     ecs.Column[components.Walk]
	posts     ecs.Column[components.Post]
	minds     ecs.Column[components.Mind]
	speeds    ecs.Column[components.Speeds]
	stances   ecs.Column[components.Stance]

	stroll, patrol, rest, stuck *metric.Counter // why creatures thought

	turns sched.Wheel[turn]
	path  [components.MaxLegs]components.Vec
}

// A turn is a creature's next step; it is stale if the creature has got another number since.
type turn struct {
	entity ecs.Entity
	number uint32
}

func (s *system) run(t sched.Tick) {
	for _, e := range s.log.Woken {
		s.wake(t, e)
	}
	for _, due := range s.turns.Take(t.N) {
		e := due.entity
		if !s.world.Alive(e) || s.minds.Get(e).Turn != due.number || !s.space.Awake(s.homes.Get(e).Cell) {
			continue
		}
		delay, reason := s.step(t, e)
		reason.Count()
		s.schedule(t, e, delay)
	}
}

// schedule makes a step due after a delay.
func (s *system) schedule(t sched.Tick, e ecs.Entity, delay time.Duration) {
	mind := s.minds.Get(e)
	mind.Turn++
	mind.DueMs = t.NowMs + uint32(delay/time.Millisecond)
	s.turns.Add(t.After(delay), turn{e, mind.Turn})
}

// wake lets a creature go on where it was when its cell fell asleep.
func (s *system) wake(t sched.Tick, e ecs.Entity) {
	mind, walk, post := s.minds.Get(e), s.walks.Get(e), s.posts.Get(e)
	switch {
	case post.Path < 0 && post.Wander == 0:
		return
	case mind.Turn == 0: // its first thought: not all at once
		dice := t.Dice("ai.wake", s.objects.Get(e).GUID)
		s.schedule(t, e, time.Duration(dice.Between(0, float32(longestRest))))
		return
	}
	slept := t.NowMs - mind.SleptAtMs
	if walk.Walking() {
		walk.StartMs += slept
		s.log.SetOut = append(s.log.SetOut, e)
	}
	left := max(int32(mind.DueMs-mind.SleptAtMs), 0)
	s.schedule(t, e, time.Duration(left)*time.Millisecond)
}
