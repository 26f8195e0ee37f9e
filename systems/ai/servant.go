package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/sched"
	"muster/systems/rules"
)

// Servants has summoned creatures leave that have lost their owners. Others defend their owners, or follow them.
type Servants struct {
	rules.Living
	defs     ecs.Res[defs.World]
	steps    ecs.Events[step]
	next     ecs.Emit[step]
	despawns ecs.Emit[rules.DespawnCreature]

	objects    ecs.Read[components.Object]
	positions  ecs.Read[components.Position]
	spawnInfos ecs.Read[components.SpawnInfo]
	aiStates   ecs.Read[components.AIState]
	unitAuras  ecs.Read[components.UnitAuras]

	lost sched.Counter `name:"ai.lost_owner"`
}

// OnEvents implements sched.Handler.
func (s *Servants) OnEvents(sched.Tick) {
	for _, it := range s.steps.All() {
		if it.task == toLeave || it.task == toServe && s.aiStates.Get(it.entity).Mode == components.Idle {
			s.serve(it)
		}
	}
}

// serve is a step of an idle servant, or of one that has lost its owner.
//
// Source: Unit::setDeathState and Unit::RemoveAllControlled, AzerothCore.
func (s *Servants) serve(it step) {
	e, owner := it.entity, s.spawnInfos.Get(it.entity).Owner
	if it.task == toLeave || !s.Alive(owner) || outOfSight(s.positions.Get(e), s.positions.Get(owner)) {
		s.despawns.Emit(rules.DespawnCreature{Entity: e})
		s.lost.Count()
		return
	}
	passive := reactState(s.defs.Get().Creature(s.objects.Get(e).Entry), s.aiStates.Get(e).React) == defs.Passive
	if it.task = toDefend; passive || s.unitAuras.Get(e).States&components.StateIncapacitated != 0 {
		it.task = toFollow
	}
	s.next.Emit(it)
}

// outOfSight reports whether a servant is too far from its owner to stay; the distance is our own choice.
func outOfSight(p, owner components.Position) bool {
	return flat(p.Vec(), owner.Vec()) > grid.MustSeeYards
}

// OwnerDefenses has servants fight what their owners attack or are attacked by.
//
// Source: PetAI::OwnerAttacked and OwnerAttackedBy, AzerothCore.
type OwnerDefenses struct {
	callingStarter
	steps   ecs.Events[step]
	next    ecs.Emit[step]
	engages ecs.Emit[rules.Engage]
	threats rules.Threats
	attacks ecs.Read[components.Attack]

	assists sched.Counter `name:"ai.assist"`

	servant, foe ecs.Entity                // of the search among the attackers of its owner
	most         float32                   // the highest threat so far
	onThreat     func(ecs.Entity, float32) // compare, bound once
}

// Init implements ecs.Initializer.
func (s *OwnerDefenses) Init() { s.onThreat = s.compare }

// OnEvents implements sched.Handler.
func (s *OwnerDefenses) OnEvents(t sched.Tick) {
	for _, it := range s.steps.All() {
		if it.task != toDefend {
			continue
		}
		if s.assistOwner(t, it.entity, s.spawnInfos.Get(it.entity).Owner) {
			s.assists.Count()
			continue
		}
		it.task = toFollow
		s.next.Emit(it)
	}
}

// assistOwner has a servant attack its owner's victim, or else the attacker with the most threat against the owner,
// and reports whether there is one.
func (s *OwnerDefenses) assistOwner(t sched.Tick, e, owner ecs.Entity) bool {
	foe := s.attacks.Get(owner).Victim
	if foe == (ecs.Entity{}) || !s.Attackable(e, foe) {
		s.servant, s.foe, s.most = e, ecs.Entity{}, -1
		s.threats.Against(owner, s.onThreat)
		foe = s.foe
	}
	if foe == (ecs.Entity{}) || flat(s.positions.Get(foe).Vec(), s.positions.Get(owner).Vec()) > leashYards {
		return false
	}
	s.engages.Emit(rules.Engage{By: e, To: foe})
	s.beginCalling(t, foe, e, false)
	return s.begin(t, begun{entity: e, foe: foe})
}

// compare keeps the attacker with the most threat against the owner, of those that the servant can attack.
func (s *OwnerDefenses) compare(attacker ecs.Entity, amount float32) {
	if amount > s.most && s.Attackable(s.servant, attacker) {
		s.foe, s.most = attacker, amount
	}
}
