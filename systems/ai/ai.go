// Package ai is what creatures want next. A creature thinks in small steps of its own pace: a step starts
// something and says when the next is due, and why. A creature that stands where it belongs takes no steps until
// something happens to it, and one whose cell sleeps does not think at all. Only servants look to their owners again and
// again.
package ai

import (
	"slices"
	"time"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/msg"
	"muster/sched"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		world: w,
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		book:  rules.New(w),

		moves:  ecs.QueueOf[change.Sent[msg.Move]](w),
		deaths: ecs.QueueOf[rules.Death](w).Reader(),
		roused: ecs.QueueOf[rules.Roused](w),
		posted: ecs.QueueOf[rules.Repost](w),
		casts:  ecs.QueueOf[rules.Cast](w),
		strips: ecs.QueueOf[rules.Strip](w),

		dismissals: ecs.QueueOf[rules.Dismiss](w),

		objects:   ecs.NewColumn[components.Object](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		walks:     ecs.NewColumn[components.Walk](w),
		posts:     ecs.NewColumn[components.Post](w),
		minds:     ecs.NewColumn[components.Mind](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		stances:   ecs.NewColumn[components.Stance](w),
		units:     ecs.NewColumn[components.Unit](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		castings:  ecs.NewColumn[components.Casting](w),

		own: ecs.NewFetch(w, slices.Concat(
			ecs.Of4[components.Mind, components.Bout, components.Vitals, components.Casting](),
			ecs.Of4[components.Home, components.Object, components.Position, components.Unit]())...),
		foe: ecs.NewFetch(w, ecs.Of4[components.Bout, components.Vitals, components.Unit, components.Position]()...),
		why: newReasons(ecs.Shared[metric.Table](w)),
	}
	s.see, s.rival, s.hear, s.worse = s.notice, s.crowd, s.answer, s.compare
	return sched.System{
		Name: "ai", Stage: sched.Think,
		Reads: slices.Concat(rules.Reads(),
			ecs.Of4[components.Home, components.Post, components.Speeds, components.Casting](),
			ecs.Of4[defs.Map, space.Space, ecs.Queue[change.Sent[msg.Move]], ecs.Queue[rules.Repost]]()),
		Writes: slices.Concat(rules.Writes(),
			ecs.Of4[components.Walk, components.Mind, ecs.Queue[rules.Cast], ecs.Queue[rules.Strip]](),
			ecs.Of[ecs.Queue[rules.Dismiss]]()),
		Timers: []sched.Timers{&s.turns},
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

	moves  *ecs.Queue[change.Sent[msg.Move]]
	deaths *ecs.Reader[rules.Death]
	roused *ecs.Queue[rules.Roused]
	posted *ecs.Queue[rules.Repost]
	casts  *ecs.Queue[rules.Cast]
	strips *ecs.Queue[rules.Strip]

	dismissals *ecs.Queue[rules.Dismiss]

	objects   ecs.Column[components.Object]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	walks     ecs.Column[components.Walk]
	posts     ecs.Column[components.Post]
	minds     ecs.Column[components.Mind]
	speeds    ecs.Column[components.Speeds]
	stances   ecs.Column[components.Stance]
	units     ecs.Column[components.Unit]
	vitals    ecs.Column[components.Vitals]
	bouts     ecs.Column[components.Bout]
	castings  ecs.Column[components.Casting]

	own    *ecs.Fetch // of who thinks,
	foe    *ecs.Fetch // and of whom it fights
	why    reasons
	turns  sched.Wheel[turn]
	tick   sched.Tick
	way    [1]components.Vec // of a walk
	probed []probe           // by entity ID
	growl  msg.AIReaction

	prey   ecs.Entity                    // whom creatures may notice,
	hunter ecs.Entity                    // or the one creature that looks around
	found  bool                          // and whether it found somebody
	see    func(ecs.Entity)              // notice, bound once
	caller ecs.Entity                    // who calls for help
	hear   func(ecs.Entity)              // answer, bound once
	taken  places                        // around a victim
	rival  func(e ecs.Entity, _ float32) // crowd, bound once
	ward   ward                          // of the servant that looks to its owner
	worse  func(ecs.Entity, float32)     // compare, bound once
}

// A turn is a creature's next step; it is stale if the creature has got another number since.
type turn struct {
	entity ecs.Entity
	number uint32
}

func (s *system) run(t sched.Tick) {
	s.tick = t
	for _, death := range s.deaths.Next() {
		s.die(death.Entity)
	}
	for _, e := range s.log.Woken {
		s.wake(e)
	}
	for i, n := 0, len(s.roused.All()); i < n; i++ {
		s.rouse(s.roused.All()[i].Entity)
	}
	for _, post := range s.posted.All() {
		s.repost(post.Entity)
	}
	for i := range s.moves.All() {
		s.tread(s.moves.All()[i].By)
	}
	for _, e := range s.log.Rehomed {
		s.tread(e)
	}
	turns := s.turns.Take(t.N)
	for i, due := range turns {
		s.fetch(ecs.Ahead(turns, i))
		e := due.entity
		if !s.world.Alive(e) || s.minds.Get(e).Turn != due.number {
			continue
		}
		if !s.space.Awake(s.homes.Get(e).Cell) {
			s.forsake(e)
			continue
		}
		delay, reason := s.step(e)
		reason.Count()
		if delay != forever {
			s.schedule(e, delay)
		}
	}
}

// fetch reads what the next creatures look at in their steps, of themselves and of whom they fight.
func (s *system) fetch(next []turn) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if s.world.Alive(due.entity) {
			s.foe.Of(s.bouts.Get(due.entity).Victim)
		}
	}
}

// schedule makes a step due after a delay.
func (s *system) schedule(e ecs.Entity, delay time.Duration) {
	mind := s.minds.Get(e)
	mind.Turn++
	mind.DueMs = s.tick.NowMs + uint32(delay/time.Millisecond)
	s.turns.Add(s.tick.After(delay), turn{e, mind.Turn})
}

// forsake ends the fight of a creature whose cell has fallen asleep: its foes are far away, and would stay in combat
// for as long as nobody came by. A servant has lost its owner.
func (s *system) forsake(e ecs.Entity) {
	if s.serves(e) {
		_, reason := s.vanish(e)
		reason.Count()
		return
	}
	if mood := s.minds.Get(e).Mood; mood == components.Fighting || mood == components.Fleeing {
		_, reason := s.evade(e)
		reason.Count()
	}
}

// wake lets a creature go on where it was when its cell fell asleep, or begin if it is new.
func (s *system) wake(e ecs.Entity) {
	if !s.world.Alive(e) || s.vitals.Get(e).Health == 0 {
		return
	}
	mind := s.minds.Get(e)
	slept := mind.SleptAtMs != 0
	if slept {
		s.resume(e)
	}
	switch {
	case s.serves(e):
		s.schedule(e, s.tick.Step)
	case mind.Turn == 0 && s.space.Hunts(e): // it looks around first
		s.schedule(e, lookEvery)
	case s.look(e), mind.Mood == components.Idle && !s.restless(e):
	case mind.Turn == 0: // its first thought: not all at once
		dice := s.dice("ai.wake", e)
		s.schedule(e, time.Duration(dice.Between(0, float32(longestRest))))
	case slept:
		left := max(int32(mind.DueMs-s.tick.NowMs), 0)
		s.schedule(e, time.Duration(left)*time.Millisecond)
	}
}

// resume puts off by the time for which a creature slept what it was about to do, and has it walk on.
func (s *system) resume(e ecs.Entity) {
	mind := s.minds.Get(e)
	slept := s.tick.NowMs - mind.SleptAtMs
	mind.SleptAtMs = 0
	mind.BusyMs += slept
	mind.DueMs += slept
	if walk := s.walks.Get(e); walk.Walking() {
		walk.StartMs += slept
		s.log.SetOut = append(s.log.SetOut, e)
	}
}

// die has a dead creature stand still and think no more.
func (s *system) die(e ecs.Entity) {
	if !s.world.Alive(e) || !s.minds.Has(e) {
		return
	}
	mind := s.minds.Get(e)
	mind.Turn++
	mind.Mood = components.Idle
	s.halt(e)
}

func (s *system) template(e ecs.Entity) *defs.Creature {
	return s.defs.Creature(s.objects.Get(e).Entry)
}

func (s *system) dice(who string, e ecs.Entity) sched.Dice {
	return s.tick.Dice(who, s.objects.Get(e).GUID)
}
