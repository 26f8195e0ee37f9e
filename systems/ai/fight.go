package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// leashYards is the distance from where its fight began at which a creature evades, yards.
//
// Source: ThreatRadius, worldserver.conf.dist, AzerothCore.
const leashYards = 60

// unreachableMs is the time after which a creature that can neither reach its victim nor cast at it evades,
// milliseconds.
//
// Source: CREATURE_NOPATH_EVADE_TIME, Creature.h, AzerothCore.
const unreachableMs = 10_000

// Fights decides whether a creature that fights goes on with it, flees or evades.
type Fights struct {
	rules.Living
	fights  ecs.Events[fight]
	steps   ecs.Emit[step]
	rests   ecs.Emit[rest]
	orders  ecs.Emit[walkOrder]
	calls   ecs.Emit[call]
	alarms  ecs.Emit[alarm]
	attacks ecs.Emit[attack]

	defs         ecs.Res[defs.World]
	objects      ecs.Read[components.Object]
	positions    ecs.Read[components.Position]
	spawnInfos   ecs.Read[components.SpawnInfo]
	aiStates     ecs.Write[components.AIState]
	vitals       ecs.Read[components.Vitals]
	vitalsStates ecs.Read[components.VitalsState]
	unitAuras    ecs.Read[components.UnitAuras]

	helpless sched.Counter `name:"ai.helpless"`
	unready  sched.Counter `name:"ai.out_of_reach"`
}

// An attack is a step of a creature that goes on fighting a victim. System creaturespells takes it.
type attack struct {
	entity, victim ecs.Entity
	turn           uint32
}

// OnEvents implements sched.Handler.
func (s *Fights) OnEvents(t sched.Tick) {
	for _, it := range s.fights.All() {
		s.fight(t, it)
	}
}

func (s *Fights) fight(t sched.Tick, it fight) {
	e, state := it.entity, s.aiStates.Get(it.entity)
	template := s.defs.Get().Creature(s.objects.Get(e).Entry)
	reactState := reactState(template, state.React)
	next := step{entity: e, foe: it.victim, turn: it.turn}
	if state.Mode == components.Fleeing && !s.fleeOn(t, it, reactState == defs.Timid) {
		next.task = toEvade
		s.steps.Emit(next)
		return
	}
	owner := s.spawnInfos.Get(e).Owner
	serves := owner != ecs.Entity{}
	states := s.unitAuras.Get(e).States
	if states&components.StateIncapacitated == 0 && reactState != defs.Passive && it.victim != (ecs.Entity{}) {
		s.alarms.Emit(alarm{e, it.victim})
	}
	switch {
	case states&components.StateIncapacitated != 0:
		if states&components.StateStunned != 0 {
			s.orders.Emit(walkOrder{entity: e, turn: it.turn, halt: true})
		}
		s.rests.Emit(rest{e, meleePace})
		s.helpless.Count()
		return
	case reactState == defs.Passive && !s.endured(t, e):
		s.rests.Emit(rest{e, meleePace})
		s.unready.Count()
		return
	case serves && s.lost(e, owner):
		next.task = toLeave
	case state.Limits&components.AINoEvade != 0 && it.victim == (ecs.Entity{}):
		s.rests.Emit(rest{e, meleePace})
		return
	case state.Limits&components.AINoEvade != 0 && reactState != defs.Passive:
		s.attacks.Emit(attack(it))
		return
	case reactState == defs.Passive, it.victim == (ecs.Entity{}), s.strayed(e, owner), t.NowMs-state.ReachedMs > unreachableMs:
		next.task = toEvade
	case reactState == defs.Timid, s.scared(e, template):
		next.task = toFlee
	default:
		s.attacks.Emit(attack(it))
		return
	}
	s.steps.Emit(next)
}

// The time for which creatures flee at most, and within which distance they call for assistance afterwards.
//
// Source: CreatureFamilyFleeDelay and CreatureFamilyFleeAssistanceRadius, worldserver.conf.dist, AzerothCore.
const (
	fleeMs        = 7000
	fleeHelpYards = 30
)

// fleeOn has a creature that fled return to the fight and call for assistance. A timid creature keeps fleeing, and
// does not fight on if it has not been hit lately.
func (s *Fights) fleeOn(t sched.Tick, it fight, timid bool) (on bool) {
	state := s.aiStates.Get(it.entity)
	state.Mode, state.ReachedMs = components.Fighting, t.NowMs
	if timid {
		return t.NowMs-s.vitalsStates.Get(it.entity).LastHitMs <= fleeMs
	}
	s.calls.Emit(call{it.entity, it.victim, fleeHelpYards})
	return true
}

// scared reports whether a creature runs away now.
func (s *Fights) scared(e ecs.Entity, template *defs.Creature) bool {
	v := s.vitals.Get(e)
	return template.FleeBelow > 0 && s.aiStates.Get(e).Fled == 0 && !held(s.unitAuras.Get(e).States) &&
		uint64(v.Health)*100 < uint64(v.MaxHealth)*uint64(template.FleeBelow)
}

// lost reports whether a servant's owner is dead, gone, or out of sight.
func (s *Fights) lost(e, owner ecs.Entity) bool {
	return !s.Alive(owner) || outOfSight(s.positions.Get(e), s.positions.Get(owner))
}

// strayed reports whether a creature that fights is too far from where its fight began, a servant too far from its
// owner.
func (s *Fights) strayed(e, owner ecs.Entity) bool {
	from := s.aiStates.Get(e).HomePosition.Vec()
	if owner != (ecs.Entity{}) {
		from = s.positions.Get(owner).Vec()
	}
	return flat(s.positions.Get(e).Vec(), from) > leashYards
}

// endured reports whether a passive creature has not been hit for a while.
func (s *Fights) endured(t sched.Tick, e ecs.Entity) bool {
	return t.NowMs-s.vitalsStates.Get(e).LastHitMs > unreachableMs && t.NowMs-s.aiStates.Get(e).SinceMs > unreachableMs
}
