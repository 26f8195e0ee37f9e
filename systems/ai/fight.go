package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// The time between steps of a creature that fights, our own choices: while it chases its victim, while it stands before it,
// and the least of all. Clients predict its position from the packets of these steps.
const (
	chasePace = 400 * time.Millisecond
	meleePace = 500 * time.Millisecond
	leastPace = 50 * time.Millisecond
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

// contactYards is the gap between the bounding radii of attacker and victim in melee, yards.
//
// Source: CONTACT_DISTANCE, ObjectDefines.h, AzerothCore.
const contactYards = 0.5

// fight is a step of a creature that fights.
func (s *System) fight(e ecs.Entity) (time.Duration, sched.Counter) {
	state, attack, template := s.aiStates.Get(e), s.attacks.Get(e), s.template(e)
	if states := s.auraStates.Get(e).States; states&components.StateIncapacitated != 0 {
		if states&components.StateStunned != 0 {
			s.halt(e)
		}
		return meleePace, s.why.helpless
	}
	if template.Temper == defs.Passive {
		return s.endure(e)
	}
	victim := s.choose(e)
	s.alarmGuards(e, victim)
	switch {
	case s.serves(e) && s.lost(e):
		return s.despawn(e)
	case victim == (ecs.Entity{}), s.strayed(e), s.tick.NowMs-state.ReachedMs > unreachableMs:
		return s.evade(e)
	case template.Temper == defs.Timid, s.scared(e, template):
		return s.flee(e, victim)
	case s.castings.Get(e).Cast.Spell != 0:
		state.ReachedMs = s.tick.NowMs
		return chasePace, s.why.casting
	case s.cast(e, victim, template):
		state.ReachedMs = s.tick.NowMs
		return chasePace, s.why.cast
	}
	if attack.Victim != victim || attack.Swinging != components.SwingMelee {
		begun := rules.Attack{Entity: e, Victim: victim, How: components.SwingMelee}
		s.attackOrders.Emit(begun)
		s.begun = append(s.begun, begun)
	}
	return s.close(e, victim)
}

// strayed reports whether a creature that fights is too far from where its fight began, a servant too far from its
// owner.
func (s *System) strayed(e ecs.Entity) bool {
	from := s.aiStates.Get(e).HomePosition.Vec()
	if s.serves(e) {
		from = s.positions.Get(s.spawnInfos.Get(e).Owner).Vec()
	}
	return flat(s.positions.Get(e).Vec(), from) > leashYards
}

// endure has a passive creature wait until it has not been hit for a while.
func (s *System) endure(e ecs.Entity) (time.Duration, sched.Counter) {
	if now := s.tick.NowMs; now-s.vitalsStates.Get(e).LastHitMs > unreachableMs && now-s.aiStates.Get(e).SinceMs > unreachableMs {
		return s.evade(e)
	}
	return meleePace, s.why.unready
}

// close moves a creature to a free place within reach of its victim.
func (s *System) close(e, victim ecs.Entity) (time.Duration, sched.Counter) {
	state, walk := s.aiStates.Get(e), s.walks.Get(e)
	there := s.positions.Get(victim).Vec()
	inReach := s.InReach(e, victim)
	if inReach {
		state.ReachedMs = s.tick.NowMs
	}
	_, leftMs := walk.Remaining(s.tick.NowMs)
	left := time.Duration(leftMs) * time.Millisecond
	s.others(e, victim)
	spot, room := s.spot(e, victim)
	switch {
	case inReach && leftMs == 0 && (!room || s.free(s.positions.Get(e).Vec())):
		return meleePace, s.why.melee
	case leftMs == 0 && flat(s.positions.Get(e).Vec(), spot) <= atHome: // the victim is above or below it
		return meleePace, s.why.unready
	case leftMs > 0 && flat(state.VictimPos, there) <= contactYards:
		return min(left, chasePace), s.why.chase
	case s.held(e) || !(s.speeds.Get(e)[components.SpeedRun] > 0):
		return meleePace, s.why.unready
	}
	state.ReachedMs = s.tick.NowMs
	state.VictimPos = there
	return max(min(s.runTo(e, spot), chasePace), 2*leastPace), s.why.chase
}

// places are the positions around a victim that are occupied, or that other attackers move to.
type places struct {
	self, victim ecs.Entity
	count        int
	at           [24]components.Vec
}

// crowd notes the position of another attacker of the same victim.
func (s *System) crowd(e ecs.Entity, _ float32) {
	p := &s.taken
	if e == p.self || p.count == len(p.at) || !s.entities.Alive(e) || s.victim(e) != p.victim {
		return
	}
	p.at[p.count] = s.positions.Get(e).Vec()
	if walk := s.walks.Get(e); walk.Walking() {
		p.at[p.count] = walk.Legs[walk.Count-1].To
	}
	p.count++
}

// victim returns the unit that a creature attacks, or begins to attack in this tick.
func (s *System) victim(e ecs.Entity) ecs.Entity {
	for i := range s.begun {
		if s.begun[i].Entity == e {
			return s.begun[i].Victim
		}
	}
	return s.attacks.Get(e).Victim
}

// Around a victim there are rings of places, our own choice. Each place is for one attacker, and all of them are
// within reach of the victim. With more attackers than places some share theirs.
const (
	rings        = 3
	ringYards    = 1.2
	aroundPlaces = 10
	elbowYards   = 0.8
)

// others notes the positions of all other attackers of a victim.
func (s *System) others(e, victim ecs.Entity) {
	s.taken = places{self: e, victim: victim}
	s.threats.Against(victim, s.onRival)
}

// spot is the place of a creature in a fight: straight before its victim, else the nearest free place to either side,
// else one in an outer ring. If all are taken it is straight before the victim, and room is false.
func (s *System) spot(e, victim ecs.Entity) (at components.Vec, room bool) {
	from, to := s.positions.Get(e).Vec(), s.positions.Get(victim).Vec()
	yards := s.units.Get(e).BoundingRadius + s.units.Get(victim).BoundingRadius + contactYards
	angle := float32(math.Atan2(float64(from.Y-to.Y), float64(from.X-to.X)))
	for i := range rings * aroundPlaces {
		turn, ring := float32((i%aroundPlaces+1)/2), float32(i/aroundPlaces)
		if i%2 == 1 {
			turn = -turn
		}
		at = s.beside(to, angle+float32(turn*(2*math.Pi/aroundPlaces)), yards+float32(ring*ringYards))
		if s.free(at) {
			return at, true
		}
	}
	return s.beside(to, angle, yards), false
}

// free reports whether a place has enough distance to all occupied ones.
func (s *System) free(at components.Vec) bool {
	for _, other := range s.taken.at[:s.taken.count] {
		if flat(at, other) < elbowYards {
			return false
		}
	}
	return true
}
