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

// A servant is a creature that was summoned by somebody. It stays beside its owner, fights whom the owner attacks or is
// attacked by, and goes when the owner does.

// servePace is how often a servant that has nothing to do looks to its owner, our own choice.
const servePace = 500 * time.Millisecond

// How a servant walks beside its owner: so far between their bodies, in this direction from where the owner faces, and
// each next one a quarter of a turn further. It sets out when it is so much farther away than that.
//
// Source: PET_FOLLOW_DIST and PET_FOLLOW_ANGLE, PetDefines.h, AzerothCore; the last, and that they share the circle, are
// our own choices.
const (
	heelYards = 1
	heelAngle = math.Pi / 2
	heelSlack = 2
)

// serves reports whether a creature was summoned by somebody, who may have gone since.
func (s *System) serves(e ecs.Entity) bool { return s.spawnInfos.Get(e).Owner != ecs.Entity{} }

// lost reports whether a servant has nobody left to serve: the owner is dead, gone, or out of sight.
//
// Source: Unit::setDeathState and Unit::RemoveAllControlled, AzerothCore; the distance is our own choice.
func (s *System) lost(e ecs.Entity) bool {
	owner := s.spawnInfos.Get(e).Owner
	return !s.book.Alive(owner) || flat(s.positions.Get(e).Vec(), s.positions.Get(owner).Vec()) > grid.MustSeeYards
}

// vanish has a servant that is lost go.
func (s *System) vanish(e ecs.Entity) (time.Duration, sched.Counter) {
	s.despawnRequests.Emit(rules.DespawnCreature{Entity: e})
	return forever, s.why.lost
}

// attend is a step of a servant at peace.
func (s *System) attend(e ecs.Entity) (time.Duration, sched.Counter) {
	owner := s.spawnInfos.Get(e).Owner
	if s.lost(e) {
		return s.vanish(e)
	}
	if s.tread(e); s.aiStates.Get(e).Mode == components.Fighting || s.side(e, owner) {
		return 0, s.why.assist
	}
	if s.held(e) || !(s.speeds.Get(e)[components.SpeedRun] > 0) {
		return servePace, s.why.stuck
	}
	at, unit := s.positions.Get(owner), s.units.Get(owner)
	turn := float32(s.objects.Get(e).GUID&3) * heelAngle
	yards := heelYards + unit.BoundingRadius + s.units.Get(e).BoundingRadius
	spot := s.beside(at.Vec(), at.O+heelAngle+turn, yards)
	mind := s.aiStates.Get(e)
	_, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs)
	switch {
	case leftMs > 0 && mind.VictimPos == spot:
		return servePace, s.why.follow
	case flat(s.positions.Get(e).Vec(), spot) <= heelSlack:
		return servePace, s.why.rest
	}
	mind.VictimPos = spot
	s.runTo(e, spot)
	return servePace, s.why.follow
}

// side has a servant fight whom its owner attacks, or who hates its owner most, and reports whether there is such a one.
//
// Source: PetAI::OwnerAttacked and OwnerAttackedBy, AzerothCore.
func (s *System) side(e, owner ecs.Entity) bool {
	if s.template(e).Temper == defs.Passive || s.combats.Get(e).States&components.StateIncapacitated != 0 {
		return false
	}
	foe := s.combats.Get(owner).Victim
	if foe == (ecs.Entity{}) || !s.book.Attackable(e, foe) {
		s.ward = ward{servant: e, most: -1}
		s.book.ThreatenedBy(owner, s.worse)
		foe = s.ward.foe
	}
	if foe == (ecs.Entity{}) || flat(s.positions.Get(foe).Vec(), s.positions.Get(owner).Vec()) > leashYards {
		return false
	}
	s.book.Engage(s.tick, e, foe)
	s.rouse(foe)
	return s.begin(e)
}

// A ward is what a servant looks for among those who hate its owner.
type ward struct {
	servant, foe ecs.Entity
	most         float32
}

// compare keeps the one who hates the owner more, of those whom the servant can attack.
func (s *System) compare(hater ecs.Entity, amount float32) {
	if w := &s.ward; amount > w.most && s.book.Attackable(w.servant, hater) {
		w.foe, w.most = hater, amount
	}
}

// heel ends a servant's fight. It runs nowhere but to its owner, and is not healed.
func (s *System) heel(e ecs.Entity) (time.Duration, sched.Counter) {
	s.book.Stop(e)
	s.book.ClearThreat(e)
	mind := s.aiStates.Get(e)
	mind.Mode, mind.SinceMs = components.Idle, s.tick.NowMs
	return s.attend(e)
}

// prized reports whether creatures attack somebody whom they see: players, and who serves one.
func (s *System) prized(e ecs.Entity) bool {
	if s.book.Player(e) {
		return true
	}
	return s.spawnInfos.Has(e) && s.entities.Alive(s.spawnInfos.Get(e).Owner) && s.book.Player(s.spawnInfos.Get(e).Owner)
}
