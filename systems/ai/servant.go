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
func (s *System) serves(e ecs.Entity) bool { return s.posts.Get(e).Owner != ecs.Entity{} }

// lost reports whether a servant has nobody left to serve: the owner is dead, gone, or out of sight.
//
// Source: Unit::setDeathState and Unit::RemoveAllControlled, AzerothCore; the distance is our own choice.
func (s *System) lost(e ecs.Entity) bool {
	owner := s.posts.Get(e).Owner
	return !s.book.Alive(owner) || flat(s.positions.Get(e).Vec(), s.positions.Get(owner).Vec()) > grid.MustSeeYards
}

// vanish has a servant that is lost go.
func (s *System) vanish(e ecs.Entity) (time.Duration, sched.Counter) {
	s.dismissals.Emit(rules.Dismiss{Entity: e})
	return forever, s.why.lost
}

// attend is a step of a servant at peace.
func (s *System) attend(e ecs.Entity) (time.Duration, sched.Counter) {
	owner := s.posts.Get(e).Owner
	if s.lost(e) {
		return s.vanish(e)
	}
	if s.tread(e); s.minds.Get(e).Mood == components.Fighting || s.side(e, owner) {
		return 0, s.why.assist
	}
	if s.held(e) || !(s.speeds.Get(e)[components.SpeedRun] > 0) {
		return servePace, s.why.stuck
	}
	at, unit := s.positions.Get(owner), s.units.Get(owner)
	turn := float32(s.objects.Get(e).GUID&3) * heelAngle
	yards := heelYards + unit.BoundingRadius + s.units.Get(e).BoundingRadius
	spot := s.beside(at.Vec(), at.O+heelAngle+turn, yards)
	mind := s.minds.Get(e)
	_, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs)
	switch {
	case leftMs > 0 && mind.Aim == spot:
		return servePace, s.why.follow
	case flat(s.positions.Get(e).Vec(), spot) <= heelSlack:
		return servePace, s.why.rest
	}
	mind.Aim = spot
	s.runTo(e, spot)
	return servePace, s.why.follow
}

// side has a servant fight whom its owner attacks, or who hates its owner most, and reports whether there is such a one.
//
// Source: PetAI::OwnerAttacked and OwnerAttackedBy, AzerothCore.
func (s *System) side(e, owner ecs.Entity) bool {
	if s.template(e).Temper == defs.Passive || s.bouts.Get(e).States&components.StateHelpless != 0 {
		return false
	}
	foe := s.bouts.Get(owner).Victim
	if foe == (ecs.Entity{}) || !s.book.Attackable(e, foe) {
		s.ward = ward{servant: e, most: -1}
		s.book.Haters(owner, s.worse)
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
	s.book.Forgive(e)
	mind := s.minds.Get(e)
	mind.Mood, mind.SinceMs = components.Idle, s.tick.NowMs
	return s.attend(e)
}

// prized reports whether creatures attack somebody whom they see: players, and who serves one.
func (s *System) prized(e ecs.Entity) bool {
	if s.book.Player(e) {
		return true
	}
	return s.posts.Has(e) && s.entities.Alive(s.posts.Get(e).Owner) && s.book.Player(s.posts.Get(e).Owner)
}
