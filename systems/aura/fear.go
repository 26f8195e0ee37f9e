package aura

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// FearRuns has players in fear and confusion run about, without control of their movement.
type FearRuns struct {
	rules.Living

	entities ecs.Entities
	place    ecs.Res[defs.Map]
	out      change.Out
	changes  ecs.Requests[driveChange]
	runs     ecs.Emit[move.Run]

	objects   ecs.Read[components.Object]
	unitAuras ecs.Read[components.UnitAuras]
	positions ecs.Read[components.Position]
	speeds    ecs.Read[components.Speeds]

	hops    sched.Wheel[timer]
	fears   []uint32                // by entity id: number of the next hop of a player that flees
	control msg.ClientControlUpdate // kept here, since a packet takes its message by reference
}

// A driveChange is a player that loses control of its movement, or has it again.
type driveChange struct {
	entity ecs.Entity
	on     bool
}

// Run has players in fear run.
func (s *FearRuns) Run(t sched.Tick) {
	s.React(t)
	s.flee(t)
}

// React takes control of players, and returns it.
func (s *FearRuns) React(t sched.Tick) {
	for _, c := range s.changes.Take() {
		if s.entities.Exists(c.entity) {
			s.drive(t, c.entity, c.on)
		}
	}
}

// The distance that a player in fear runs before it changes its direction, yards.
//
// Source: FleeingMovementGenerator, AzerothCore (MIN_QUIET_DISTANCE and MAX_QUIET_DISTANCE are farther; here it
// runs for a second or two).
const (
	leastHop = 8
	mostHop  = 14
)

// stuckMs is the time until a feared player that cannot run just now tries again, milliseconds.
const stuckMs = 1000

// driven are the states in which a unit runs about without control.
const driven = components.StateFeared | components.StateConfused

// drive takes the control of a player's movement from its client, or returns it. Creatures in these states are moved
// by system aidispatch.
//
// Source: Unit::SetFeared and Player::SetClientControl, AzerothCore.
func (s *FearRuns) drive(t sched.Tick, e ecs.Entity, on bool) {
	p := &s.control
	p.Unit, p.Allowed = s.objects.Get(e).GUID, !on
	s.out.SendNow(e, msg.OpClientControlUpdate, p)
	id := int(e.ID())
	if n := id + 1 - len(s.fears); n > 0 {
		s.fears = append(s.fears, make([]uint32, n)...)
	}
	s.fears[id]++ // hops of before are stale
	if on {
		s.runOn(t, timer{e, s.fears[id]})
	} else {
		s.runs.Emit(move.Run{Entity: e, Stop: true})
	}
}

// flee runs the hops of players in fear that are due.
func (s *FearRuns) flee(t sched.Tick) {
	for _, due := range s.hops.Take(t.N) {
		if s.entities.Exists(due.entity) && s.fears[due.entity.ID()] == due.number && s.Alive(due.entity) &&
			s.unitAuras.Get(due.entity).States&driven != 0 {
			s.runOn(t, due)
		}
	}
}

// runOn makes a player in fear run, and run on after that.
func (s *FearRuns) runOn(t sched.Tick, due timer) {
	ms := s.hop(t, due.entity)
	s.hops.Add(t.After(time.Duration(ms)*time.Millisecond), due)
}

// hop makes a player run to a random point, and returns how long that takes. System movement executes it in the next
// tick.
func (s *FearRuns) hop(t sched.Tick, e ecs.Entity) (ms uint32) {
	if s.unitAuras.Get(e).States&standing != 0 {
		return stuckMs
	}
	p, dice, speed := s.positions.Get(e), t.Dice("aura.fear", s.objects.Get(e).GUID), s.speeds.Get(e)[components.SpeedRun]
	yards, angle := dice.Between(leastHop, mostHop), float64(dice.Between(0, 2*math.Pi))
	to := components.Vec{
		X: p.X + float32(yards*float32(math.Cos(angle))), Y: p.Y + float32(yards*float32(math.Sin(angle))),
	}
	if half := s.place.Get().Half; !(speed > 0) || max(to.X, -to.X) > half || max(to.Y, -to.Y) > half {
		return stuckMs
	}
	to.Z = s.place.Get().Height(to.X, to.Y)
	s.runs.Emit(move.Run{Entity: e, To: to, Speed: speed})
	return max(uint32(float32(yards/speed*1000)), 100)
}
