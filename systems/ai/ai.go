// Package ai is what creatures want next. A creature thinks in small steps of its own pace: a step starts
// something and says when the next is due, and why. A creature that stands where it belongs takes no steps until
// something happens to it, and one whose cell sleeps does not think at all. Only servants look to their owners again and
// again.
package ai

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System has creatures take the steps that are due.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	out      change.Out
	dirty    change.Dirty
	book     rules.Book

	moves        ecs.Events[change.Sent[msg.Move]]
	deaths       ecs.EventReader[rules.Death]
	engaged      ecs.Events[rules.Engaged]
	posted       ecs.Events[rules.SpawnInfoChanged]
	woken        ecs.Events[change.Woken]
	rehomed      ecs.Events[change.Rehomed]
	setOut       ecs.Emit[change.SetOut]
	casts        ecs.Emit[rules.Cast]
	auraRemovals ecs.Emit[rules.RemoveAuras]

	despawnRequests ecs.Emit[rules.DespawnCreature]

	objects    ecs.Read[components.Object]
	positions  ecs.Read[components.Position]
	homeCells  ecs.Read[components.HomeCell]
	walks      ecs.Write[components.Walk]
	spawnInfos ecs.Read[components.SpawnInfo]
	aiStates   ecs.Write[components.AIState]
	speeds     ecs.Read[components.Speeds]
	stances    ecs.Write[components.Stance]
	units      ecs.Read[components.Unit]
	vitals     ecs.View[components.Vitals]
	combats    ecs.Write[components.CombatState]
	castings   ecs.View[components.Casting]

	own    ecs.Prefetch[ownParts] // of a creature that takes a step,
	foe    ecs.Prefetch[foeParts] // and of its victim
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

// Init implements ecs.Initializer.
func (s *System) Init() {
	s.see, s.rival, s.hear, s.worse = s.notice, s.crowd, s.answer, s.compare
}

type ownParts struct{}

// Components implements ecs.Bundle.
func (ownParts) Components() []ecs.Type {
	return append(ecs.Of4[components.AIState, components.CombatState, components.Vitals, components.Casting](),
		ecs.Of4[components.HomeCell, components.Object, components.Position, components.Unit]()...)
}

type foeParts struct{}

// Components implements ecs.Bundle.
func (foeParts) Components() []ecs.Type {
	return ecs.Of4[components.CombatState, components.Vitals, components.Unit, components.Position]()
}

// A turn is a creature's next step; it is stale if the creature has got another number since.
type turn struct {
	entity ecs.Entity
	number uint32
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.tick = t
	for _, death := range s.deaths.Next() {
		s.die(death.Entity)
	}
	for _, it := range s.woken.All() {
		s.wake(it.Entity)
	}
	for i, n := 0, len(s.engaged.All()); i < n; i++ {
		s.rouse(s.engaged.All()[i].Entity)
	}
	for _, post := range s.posted.All() {
		s.repost(post.Entity)
	}
	for i := range s.moves.All() {
		s.tread(s.moves.All()[i].By)
	}
	for _, it := range s.rehomed.All() {
		s.tread(it.Entity)
	}
	turns := s.turns.Take(t.N)
	for i, due := range turns {
		s.fetch(ecs.PrefetchNext(turns, i))
		e := due.entity
		if !s.entities.Alive(e) || s.aiStates.Get(e).StepNumber != due.number {
			continue
		}
		if !s.space.Get().Awake(s.homeCells.Get(e).Cell) {
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
func (s *System) fetch(next []turn) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if s.entities.Alive(due.entity) {
			s.foe.Of(s.combats.Get(due.entity).Victim)
		}
	}
}

// schedule makes a step due after a delay.
func (s *System) schedule(e ecs.Entity, delay time.Duration) {
	mind := s.aiStates.Get(e)
	mind.StepNumber++
	mind.DueMs = s.tick.NowMs + uint32(delay/time.Millisecond)
	s.turns.Add(s.tick.After(delay), turn{e, mind.StepNumber})
}

// forsake ends the fight of a creature whose cell has fallen asleep: its foes are far away, and would stay in combat
// for as long as nobody came by. A servant has lost its owner.
func (s *System) forsake(e ecs.Entity) {
	if s.serves(e) {
		_, reason := s.vanish(e)
		reason.Count()
		return
	}
	if mood := s.aiStates.Get(e).Mode; mood == components.Fighting || mood == components.Fleeing {
		_, reason := s.evade(e)
		reason.Count()
	}
}

// wake lets a creature go on where it was when its cell fell asleep, or begin if it is new.
func (s *System) wake(e ecs.Entity) {
	if !s.entities.Alive(e) || s.vitals.Get(e).Health == 0 {
		return
	}
	mind := s.aiStates.Get(e)
	slept := mind.SleptAtMs != 0
	if slept {
		s.resume(e)
	}
	switch {
	case s.serves(e):
		s.schedule(e, s.tick.Step)
	case mind.StepNumber == 0 && s.space.Get().Hunts(e): // it looks around first
		s.schedule(e, lookEvery)
	case s.look(e), mind.Mode == components.Idle && !s.restless(e):
	case mind.StepNumber == 0: // its first thought: not all at once
		dice := s.dice("ai.wake", e)
		s.schedule(e, time.Duration(dice.Between(0, float32(longestRest))))
	case slept:
		left := max(int32(mind.DueMs-s.tick.NowMs), 0)
		s.schedule(e, time.Duration(left)*time.Millisecond)
	}
}

// resume puts off by the time for which a creature slept what it was about to do, and has it walk on.
func (s *System) resume(e ecs.Entity) {
	mind := s.aiStates.Get(e)
	slept := s.tick.NowMs - mind.SleptAtMs
	mind.SleptAtMs = 0
	mind.BusyMs += slept
	mind.DueMs += slept
	if walk := s.walks.Get(e); walk.Walking() {
		walk.StartMs += slept
		s.setOut.Emit(change.SetOut{Entity: e})
	}
}

// die has a dead creature stand still and think no more.
func (s *System) die(e ecs.Entity) {
	if !s.entities.Alive(e) || !s.aiStates.Has(e) {
		return
	}
	mind := s.aiStates.Get(e)
	mind.StepNumber++
	mind.Mode = components.Idle
	s.halt(e)
}

func (s *System) template(e ecs.Entity) *defs.Creature {
	return s.defs.Get().Creature(s.objects.Get(e).Entry)
}

func (s *System) dice(who string, e ecs.Entity) sched.Dice {
	return s.tick.Dice(who, s.objects.Get(e).GUID)
}
