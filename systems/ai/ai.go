// Package ai decides what creatures do. A creature acts in steps: a step starts an action and returns the delay until
// the next one, and a reason. A creature that stands at its spawn point takes no steps until an event concerns it,
// and one in a sleeping cell takes none at all. Only servants check on their owners periodically.
package ai

import (
	"slices"
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

// System runs the creatures' steps that are due.
type System struct {
	rules.Units
	rules.Reach

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	ways     ecs.Res[rules.Ways]
	space    ecs.Res[space.Space]
	out      change.Out
	threats  rules.Threats

	moves        ecs.Events[change.Sent[msg.Move]]
	deaths       ecs.EventReader[rules.Death]
	engaged      ecs.EventReader[rules.Engaged]
	posted       ecs.Events[rules.SpawnInfoChanged]
	woken        ecs.Events[change.Woken]
	rehomed      ecs.Events[change.Rehomed]
	setOut       ecs.Emit[change.SetOut]
	casts        ecs.Emit[rules.Cast]
	auraRemovals ecs.Emit[rules.RemoveAuras]
	attackOrders ecs.Emit[rules.Attack]
	stops        ecs.Emit[rules.StopAttack]
	engages      ecs.Emit[rules.Engage]
	evades       ecs.Emit[rules.Evade]
	forgets      ecs.Emit[rules.ClearThreat]
	restores     ecs.Emit[rules.SetVitals]
	stands       ecs.Emit[rules.SetStand]

	despawnRequests ecs.Emit[rules.DespawnCreature]

	objects      ecs.Read[components.Object]
	positions    ecs.Read[components.Position]
	homeCells    ecs.Read[components.HomeCell]
	walks        ecs.Write[components.Walk]
	spawnInfos   ecs.Read[components.SpawnInfo]
	aiStates     ecs.Write[components.AIState]
	formations   ecs.Read[components.Formation]
	speeds       ecs.Read[components.Speeds]
	stances      ecs.Read[components.Stance]
	units        ecs.Read[components.Unit]
	auraStates   ecs.Read[components.AuraState]
	threatStates ecs.Read[components.ThreatState]
	vitalsStates ecs.Read[components.VitalsState]
	vitals       ecs.View[components.Vitals]
	attacks      ecs.Read[components.Attack]
	castings     ecs.View[components.Casting]

	own      ecs.Prefetch[ownParts] // of a creature that takes a step,
	foe      ecs.Prefetch[foeParts] // and of its victim
	why      reasons
	turns    sched.Wheel[turn]
	guards   []ecs.Entity // in cells that are awake, and some that no longer are
	tick     sched.Tick
	way      [1]components.Vec // of a walk
	probed   []probe           // by entity ID
	reaction msg.AIReaction

	prey          ecs.Entity                    // the target that creatures may notice,
	hunter        ecs.Entity                    // or the one creature that searches
	found         bool                          // whether that creature found a target
	see           func(ecs.Entity)              // notice, bound once
	caller, enemy ecs.Entity                    // the creature that calls for assistance, and its foe
	onCall        func(ecs.Entity)              // assistCaller, bound once
	taken         places                        // occupied around a victim
	begun         []rules.Attack                // in this tick
	onRival       func(e ecs.Entity, _ float32) // crowd, bound once
	ownerThreat   ownerThreat                   // of the servant whose step it is
	onThreat      func(ecs.Entity, float32)     // compare, bound once
}

// Init implements ecs.Initializer.
func (s *System) Init() {
	s.see, s.onRival, s.onCall, s.onThreat = s.notice, s.crowd, s.assistCaller, s.compare
}

type ownParts struct{}

// Components implements ecs.Bundle.
func (ownParts) Components() []ecs.Type {
	return slices.Concat(ecs.Of4[components.AIState, components.Attack, components.ThreatState, components.AuraState](),
		ecs.Of4[components.VitalsState, components.Vitals, components.Casting, components.HomeCell](),
		ecs.Of3[components.Object, components.Position, components.Unit]())
}

type foeParts struct{}

// Components implements ecs.Bundle.
func (foeParts) Components() []ecs.Type {
	return ecs.Of4[components.VitalsState, components.Vitals, components.Unit, components.Position]()
}

// A turn is a creature's scheduled step; it is stale if the creature's step number has changed since.
type turn struct {
	entity ecs.Entity
	number uint32
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.tick, s.begun = t, s.begun[:0]
	for _, death := range s.deaths.Next() {
		s.die(death.Entity)
	}
	for _, it := range s.woken.All() {
		s.wake(it)
	}
	for _, it := range s.engaged.Next() {
		if s.entities.Alive(it.Entity) && len(s.threats.List(it.Entity)) > 0 {
			s.rouse(it.Entity, it.By)
		}
	}
	for _, post := range s.posted.All() {
		s.restart(post.Entity)
	}
	for i := range s.moves.All() {
		s.noticeMoved(s.moves.All()[i].By)
	}
	for _, it := range s.rehomed.All() {
		s.noticeMoved(it.Entity)
	}
	turns := s.turns.Take(t.N)
	for i, due := range turns {
		s.fetch(ecs.PrefetchNext(turns, i))
		e := due.entity
		if !s.entities.Alive(e) || s.aiStates.Get(e).StepNumber != due.number {
			continue
		}
		if !s.space.Get().Awake(s.homeCells.Get(e).Cell) {
			s.abandonFight(e)
			continue
		}
		delay, reason := s.step(e)
		reason.Count()
		if delay != forever {
			s.schedule(e, delay)
		}
	}
}

// fetch prefetches what the next steps read of the creatures and of their victims.
func (s *System) fetch(next []turn) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if s.entities.Alive(due.entity) {
			s.foe.Of(s.attacks.Get(due.entity).Victim)
		}
	}
}

// schedule makes a step due after a delay.
func (s *System) schedule(e ecs.Entity, delay time.Duration) {
	state := s.aiStates.Get(e)
	state.StepNumber++
	state.DueMs = s.tick.NowMs + uint32(delay/time.Millisecond)
	s.turns.Add(s.tick.After(delay), turn{e, state.StepNumber})
}

// abandonFight ends the fight of a creature whose cell has fallen asleep: its opponents are far away, and would stay
// in combat for as long as no observer came by. A servant has lost its owner.
func (s *System) abandonFight(e ecs.Entity) {
	if s.serves(e) {
		_, reason := s.despawn(e)
		reason.Count()
		return
	}
	if mode := s.aiStates.Get(e).Mode; mode == components.Fighting || mode == components.Fleeing {
		_, reason := s.evade(e)
		reason.Count()
	}
}

// wake resumes what a creature did when its cell fell asleep, or starts a new creature.
func (s *System) wake(it change.Woken) {
	e := it.Entity
	if !s.entities.Alive(e) || s.vitals.Get(e).Health == 0 {
		return
	}
	s.stationGuard(e)
	state := s.aiStates.Get(e)
	slept := it.SleptMs != 0
	if slept {
		s.resume(e, it.SleptMs)
	}
	switch {
	case s.serves(e):
		s.schedule(e, leastPace)
	case state.StepNumber == 0 && s.space.Get().Hunts(e): // it searches first
		s.schedule(e, lookEvery)
	case s.look(e), state.Mode == components.Idle && !s.restless(e):
	case state.StepNumber == 0: // first steps are spread over time
		dice := s.dice("ai.wake", e)
		s.schedule(e, time.Duration(dice.Between(0, float32(longestRest))))
	case slept:
		left := max(int32(state.DueMs-s.tick.NowMs), 0)
		s.schedule(e, time.Duration(left)*time.Millisecond)
	}
}

// resume postpones what a creature had scheduled by the time that it slept, and continues its walk.
func (s *System) resume(e ecs.Entity, slept uint32) {
	state := s.aiStates.Get(e)
	state.BusyMs += slept
	state.DueMs += slept
	if walk := s.walks.Get(e); walk.Walking() {
		walk.StartMs += slept
		s.setOut.Emit(change.SetOut{Entity: e})
	}
}

// die stops a dead creature and its steps.
func (s *System) die(e ecs.Entity) {
	if !s.entities.Alive(e) || !s.aiStates.Has(e) {
		return
	}
	state := s.aiStates.Get(e)
	state.StepNumber++
	state.Mode = components.Idle
	s.halt(e)
}

func (s *System) template(e ecs.Entity) *defs.Creature {
	return s.defs.Get().Creature(s.objects.Get(e).Entry)
}

func (s *System) dice(stream string, e ecs.Entity) sched.Dice {
	return s.tick.Dice(stream, s.objects.Get(e).GUID)
}
