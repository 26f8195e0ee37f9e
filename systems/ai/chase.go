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

// contactYards is the gap between the bounding radii of attacker and victim in melee, yards.
//
// Source: CONTACT_DISTANCE, ObjectDefines.h, AzerothCore.
const contactYards = 0.5

// Chases has creatures attack their victims, and moves them to free places within reach.
type Chases struct {
	rules.Reach
	entities ecs.Entities
	place    ecs.Res[defs.Map]
	threats  rules.Threats
	chases   ecs.Events[chase]
	begins   ecs.Emit[rules.Attack]
	orders   ecs.Emit[walkOrder]
	rests    ecs.Emit[rest]

	positions ecs.Read[components.Position]
	units     ecs.Read[components.Unit]
	attacks   ecs.Read[components.Attack]
	walks     ecs.ReadRef[components.Walk]
	speeds    ecs.Read[components.Speeds]
	unitAuras ecs.Read[components.UnitAuras]
	aiStates  ecs.Write[components.AIState]

	melee   sched.Counter `name:"ai.melee"`
	unready sched.Counter `name:"ai.out_of_reach"`
	chasing sched.Counter `name:"ai.chase"`

	nowMs   uint32
	taken   places                        // occupied around a victim
	onRival func(e ecs.Entity, _ float32) // crowd, bound once
}

// A chase is a step of a creature that fights a victim without casting. System chases takes it.
type chase struct {
	entity, victim ecs.Entity
	turn           uint32
}

// Init implements ecs.Initializer.
func (s *Chases) Init() { s.onRival = s.crowd }

// OnEvents implements sched.Handler.
func (s *Chases) OnEvents(t sched.Tick) {
	s.nowMs = t.NowMs
	for _, it := range s.chases.All() {
		a := s.attacks.Get(it.entity)
		how := uint32(components.SwingMelee)
		if s.aiStates.Get(it.entity).Limits&components.AINoMelee != 0 {
			how = 0
		}
		if a.Victim != it.victim || a.Swinging != how {
			s.begins.Emit(rules.Attack{Entity: it.entity, Victim: it.victim, How: how})
			s.claim(it, s.end(it.entity))
		}
		delay, reason := s.close(it, a.Victim != it.victim)
		reason.Count()
		s.rests.Emit(rest{it.entity, delay})
	}
}

// close moves a creature to a free place within reach of its victim. If the victim is new, what the creature walks for is something else.
func (s *Chases) close(it chase, isNew bool) (time.Duration, *sched.Counter) {
	e, victim := it.entity, it.victim
	state := s.aiStates.Get(e)
	here, there := s.positions.Get(e).Vec(), s.positions.Get(victim).Vec()
	inReach := s.InReach(e, victim)
	if inReach {
		state.ReachedMs = s.nowMs
	}
	_, leftMs := s.walks.Get(e).Remaining(s.nowMs)
	s.taken = places{self: e, victim: victim}
	s.threats.Against(victim, s.onRival)
	spot, room := s.spot(e, victim)
	speed := s.speeds.Get(e)[components.SpeedRun]
	switch {
	case inReach && leftMs == 0 && (!room || s.free(here)):
		return meleePace, &s.melee
	case leftMs == 0 && flat(here, spot) <= atHome: // the victim is above or below it
		return meleePace, &s.unready
	case leftMs > 0 && !isNew && flat(state.VictimPos, there) <= contactYards:
		return min(time.Duration(leftMs)*time.Millisecond, chasePace), &s.chasing
	case state.Limits&components.AINoChase != 0:
		state.ReachedMs = s.nowMs // it stands where it wants to
		return meleePace, &s.unready
	case held(s.unitAuras.Get(e).States) || !(speed > 0):
		return meleePace, &s.unready
	}
	state.ReachedMs = s.nowMs
	state.VictimPos = there
	s.claim(it, spot)
	s.orders.Emit(walkOrder{entity: e, to: spot, speed: speed, turn: it.turn})
	return max(min(walkTime(here, spot, speed), chasePace), 2*leastPace), &s.chasing
}

// claim notes the place that a creature takes around its victim, for those that choose theirs later in this tick.
func (s *Chases) claim(it chase, at components.Vec) {
	state := s.aiStates.Get(it.entity)
	state.Victim, state.Claim, state.ClaimMs = it.victim, at, s.nowMs
}

// end is where a unit's walk ends, or its position.
func (s *Chases) end(e ecs.Entity) components.Vec {
	if walk := s.walks.Get(e); walk.Walking() {
		return walk.Legs[walk.Count-1].To
	}
	return s.positions.Get(e).Vec()
}

// places are the positions around a victim that are occupied, or that other attackers move to.
type places struct {
	self, victim ecs.Entity
	count        int
	at           [24]components.Vec
}

// crowd notes the position of another attacker of the same victim.
func (s *Chases) crowd(e ecs.Entity, _ float32) {
	p := &s.taken
	if e == p.self || p.count == len(p.at) || !s.entities.Exists(e) {
		return
	}
	state := s.aiStates.Get(e)
	if claims := state.ClaimMs == s.nowMs; claims && state.Victim == p.victim {
		p.at[p.count] = state.Claim
	} else if !claims && s.attacks.Get(e).Victim == p.victim {
		p.at[p.count] = s.end(e)
	} else {
		return
	}
	p.count++
}

// Around a victim there are rings of places, our own choice. Each place is for one attacker, and all of them are
// within reach of the victim. With more attackers than places some share theirs.
const (
	rings        = 3
	ringYards    = 1.2
	aroundPlaces = 10
	elbowYards   = 0.8
)

// spot is the place of a creature in a fight: straight before its victim, else the nearest free place to either side,
// else one in an outer ring. If all are taken it is straight before the victim, and room is false.
func (s *Chases) spot(e, victim ecs.Entity) (at components.Vec, room bool) {
	from, to := s.positions.Get(e).Vec(), s.positions.Get(victim).Vec()
	yards := s.units.Get(e).BoundingRadius + s.units.Get(victim).BoundingRadius + contactYards
	angle := float32(math.Atan2(float64(from.Y-to.Y), float64(from.X-to.X)))
	for i := range rings * aroundPlaces {
		turn, ring := float32((i%aroundPlaces+1)/2), float32(i/aroundPlaces)
		if i%2 == 1 {
			turn = -turn
		}
		at = beside(s.place.Get(), to, angle+float32(turn*(2*math.Pi/aroundPlaces)), yards+float32(ring*ringYards))
		if s.free(at) {
			return at, true
		}
	}
	return beside(s.place.Get(), to, angle, yards), false
}

// free reports whether a place has enough distance to all occupied ones.
func (s *Chases) free(at components.Vec) bool {
	for _, other := range s.taken.at[:s.taken.count] {
		if flat(at, other) < elbowYards {
			return false
		}
	}
	return true
}
