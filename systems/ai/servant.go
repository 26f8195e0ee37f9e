package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/sched"
	"muster/systems/rules"
)

// A servant is a summoned creature. It stays beside its owner, fights what the owner attacks or is attacked by, and
// despawns when the owner is gone.

// servePace is the time between two steps of a servant without a task, our own choice.
const servePace = 500 * time.Millisecond

// The place of a servant beside its owner: the gap between their bodies, the angle from the owner's facing, and for
// each next servant a quarter of a turn more. It starts walking when it is farther from that place than the slack.
//
// Source: PET_FOLLOW_DIST and PET_FOLLOW_ANGLE, PetDefines.h, AzerothCore; the last, and that they share the circle, are
// our own choices.
const (
	heelYards = 1
	heelAngle = math.Pi / 2
	heelSlack = 2
)

// serves reports whether a creature was summoned; its owner may be gone.
func (s *System) serves(e ecs.Entity) bool { return s.spawnInfos.Get(e).Owner != ecs.Entity{} }

// lost reports whether a servant's owner is dead, gone, or out of sight.
//
// Source: Unit::setDeathState and Unit::RemoveAllControlled, AzerothCore; the distance is our own choice.
func (s *System) lost(e ecs.Entity) bool {
	owner := s.spawnInfos.Get(e).Owner
	return !s.Alive(owner) || flat(s.positions.Get(e).Vec(), s.positions.Get(owner).Vec()) > grid.MustSeeYards
}

// despawn requests the despawn of a servant that has lost its owner.
func (s *System) despawn(e ecs.Entity) (time.Duration, sched.Counter) {
	s.despawnRequests.Emit(rules.DespawnCreature{Entity: e})
	return forever, s.why.lost
}

// serve is a step of an idle servant.
func (s *System) serve(e ecs.Entity) (time.Duration, sched.Counter) {
	owner := s.spawnInfos.Get(e).Owner
	if s.lost(e) {
		return s.despawn(e)
	}
	if s.noticeMoved(e); s.aiStates.Get(e).Mode == components.Fighting || s.assistOwner(e, owner) {
		return 0, s.why.assist
	}
	if s.held(e) || !(s.speeds.Get(e)[components.SpeedRun] > 0) {
		return servePace, s.why.stuck
	}
	at, unit := s.positions.Get(owner), s.units.Get(owner)
	turn := float32(s.objects.Get(e).GUID&3) * heelAngle
	yards := heelYards + unit.BoundingRadius + s.units.Get(e).BoundingRadius
	spot := s.beside(at.Vec(), at.O+heelAngle+turn, yards)
	state := s.aiStates.Get(e)
	_, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs)
	switch {
	case leftMs > 0 && state.VictimPos == spot:
		return servePace, s.why.follow
	case flat(s.positions.Get(e).Vec(), spot) <= heelSlack:
		return servePace, s.why.rest
	}
	state.VictimPos = spot
	s.runTo(e, spot)
	return servePace, s.why.follow
}

// assistOwner has a servant attack its owner's victim, or else the attacker with the most threat against the owner,
// and reports whether there is one.
//
// Source: PetAI::OwnerAttacked and OwnerAttackedBy, AzerothCore.
func (s *System) assistOwner(e, owner ecs.Entity) bool {
	if s.template(e).Temper == defs.Passive || s.auraStates.Get(e).States&components.StateIncapacitated != 0 {
		return false
	}
	foe := s.attacks.Get(owner).Victim
	if foe == (ecs.Entity{}) || !s.Attackable(e, foe) {
		s.ownerThreat = ownerThreat{servant: e, most: -1}
		s.threats.Against(owner, s.onThreat)
		foe = s.ownerThreat.foe
	}
	if foe == (ecs.Entity{}) || flat(s.positions.Get(foe).Vec(), s.positions.Get(owner).Vec()) > leashYards {
		return false
	}
	s.engage(e, foe)
	s.rouse(foe, e)
	return s.begin(e, foe)
}

// An ownerThreat is the search among the attackers of a servant's owner.
type ownerThreat struct {
	servant, foe ecs.Entity
	most         float32
}

// compare keeps the attacker with the most threat against the owner, of those that the servant can attack.
func (s *System) compare(attacker ecs.Entity, amount float32) {
	if w := &s.ownerThreat; amount > w.most && s.Attackable(w.servant, attacker) {
		w.foe, w.most = attacker, amount
	}
}

// returnToOwner ends a servant's fight. It runs to its owner, and is not healed.
func (s *System) returnToOwner(e ecs.Entity) (time.Duration, sched.Counter) {
	s.stops.Emit(rules.StopAttack{Entity: e})
	s.forgets.Emit(rules.ClearThreat{Entity: e})
	state := s.aiStates.Get(e)
	state.Mode, state.SinceMs = components.Idle, s.tick.NowMs
	return s.serve(e)
}

// isPrey reports whether creatures attack an entity on sight: players and their servants.
func (s *System) isPrey(e ecs.Entity) bool {
	if s.Player(e) {
		return true
	}
	return s.spawnInfos.Has(e) && s.entities.Alive(s.spawnInfos.Get(e).Owner) && s.Player(s.spawnInfos.Get(e).Owner)
}
