package ai

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// The distance at which a creature attacks a target of its own level, yards; one yard more for each level that the
// creature is above its target, one less for each level below, within limits.
//
// Source: Creature::GetAttackDistance, AzerothCore.
const (
	aggroYards    = 20
	minAggroYards = 5
	maxAggroYards = 45
)

// aggroDistance is the distance at which a creature of a level attacks a target of another level, yards.
func aggroDistance(level, prey uint32) float32 {
	return min(max(aggroYards+float32(int32(level-prey)), minAggroYards), maxAggroYards)
}

// aggroHeight is the largest difference in height between a creature that walks and a target that it attacks, yards,
// without the combat reach of both.
//
// Source: CREATURE_Z_ATTACK_RANGE and Creature::CanStartAttack, WorldObject::GetDistanceZ, AzerothCore.
const aggroHeight = 3

// probeYards is the distance that a player moves between two searches for creatures that would attack it, our own
// choice.
const probeYards = 2

// A probe is the position of an entity's last search.
type probe struct {
	entity ecs.Entity
	at     components.Vec
}

// inAggroRange reports whether a target is within the aggro distance of a creature.
func inAggroRange(own, prey components.Unit, from, to components.Vec) bool {
	return flat(from, to) <= aggroDistance(own.Level, prey.Level) &&
		height(from, to) <= aggroHeight+own.CombatReach+prey.CombatReach
}

// Aggro has aggressive creatures notice players and their servants: those that move, and all around when they look
// themselves.
type Aggro struct {
	callingStarter
	entities ecs.Entities
	space    ecs.Res[space.Space]
	steps    ecs.Events[step]
	moves    ecs.Events[change.Sent[msg.Move]]
	rehomed  ecs.Events[change.Rehomed]
	engages  ecs.Emit[rules.Engage]

	units     ecs.Read[components.Unit]
	homeCells ecs.Read[components.HomeCell]
	unitAuras ecs.Read[components.UnitAuras]

	probed []probe // by entity ID
	tick   sched.Tick
	prey   ecs.Entity       // the target that creatures may notice,
	hunter ecs.Entity       // or the one creature that searches
	found  bool             // whether that creature found a target
	see    func(ecs.Entity) // notice, bound once
}

// Init implements ecs.Initializer.
func (s *Aggro) Init() { s.see = s.notice }

// OnEvents implements sched.Handler.
func (s *Aggro) OnEvents(t sched.Tick) {
	s.tick = t
	steps := s.steps.All()
	for i := range steps {
		if steps[i].task == toLook {
			s.look(steps[i].entity)
		}
	}
	for i := range s.moves.All() {
		s.noticeMoved(s.moves.All()[i].By)
	}
	for _, it := range s.rehomed.All() {
		s.noticeMoved(it.Entity)
	}
	for i := range steps {
		switch steps[i].task {
		case toIdle:
			s.look(steps[i].entity)
		case toServe:
			s.noticeMoved(steps[i].entity)
		}
	}
}

// noticeMoved lets creatures notice a player, or a player's servant, that has moved. It is nearly free in a cell
// without aggressive creatures.
func (s *Aggro) noticeMoved(e ecs.Entity) {
	if len(s.space.Get().Hunters.All()) == 0 || !s.Alive(e) || !s.isPrey(e) {
		return
	}
	id := int(e.ID())
	if id >= len(s.probed) {
		s.probed = append(s.probed, make([]probe, id+1-len(s.probed))...)
	}
	at := s.positions.Get(e).Vec()
	if last := &s.probed[id]; last.entity != e || max(flat(last.at, at), height(last.at, at)) >= probeYards {
		*last = probe{e, at}
		s.prey, s.hunter = e, ecs.Entity{}
		s.space.Get().Hunters.Within(at.X, at.Y, maxAggroYards, s.homeCells.Get(e).Cell.Layer(), s.see)
	}
}

// look has an aggressive creature search its surroundings.
func (s *Aggro) look(e ecs.Entity) {
	if !s.space.Get().Hunts(e) || s.aiStates.Get(e).Mode != components.Idle {
		return
	}
	p := s.positions.Get(e)
	s.hunter, s.found = e, false
	s.space.Get().Order.Within(p.X, p.Y, maxAggroYards, s.homeCells.Get(e).Cell.Layer(), s.see)
}

// notice starts an attack of a creature on its prey if that is near enough. The argument is a creature around the
// prey or, while one creature searches, an entity around that creature.
func (s *Aggro) notice(near ecs.Entity) {
	e, prey := near, s.prey
	if s.hunter != (ecs.Entity{}) {
		if e, prey = s.hunter, near; s.found || !s.entities.Exists(prey) || !s.isPrey(prey) {
			return
		}
	}
	if !s.Alive(e) || s.aiStates.Get(e).Mode != components.Idle || s.unitAuras.Get(e).States&components.StateIncapacitated != 0 {
		return
	}
	if !inAggroRange(s.units.Get(e), s.units.Get(prey), s.positions.Get(e).Vec(), s.positions.Get(prey).Vec()) || !s.Attackable(e, prey) {
		return
	}
	s.found = true
	s.engages.Emit(rules.Engage{By: e, To: prey})
	s.beginCalling(s.tick, e, prey, true)
	s.beginCalling(s.tick, prey, e, false) // the prey may be a servant
}

// isPrey reports whether creatures attack an entity on sight: players and their servants.
func (s *Aggro) isPrey(e ecs.Entity) bool {
	if s.Player(e) {
		return true
	}
	return s.spawnInfos.Has(e) && s.entities.Exists(s.spawnInfos.Get(e).Owner) && s.Player(s.spawnInfos.Get(e).Owner)
}
