package movement

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// The tolerances for a client's movement, our own choices: the effects of connections and clocks on honest clients
// are well within them.
const (
	graceMs     = 2000 // a player that has just been rooted or stunned may not know it yet
	stride      = 1.25 // factor of speed between two reports by the client's clock, besides slackYards
	standYards  = 0.5  // an immobile player may be pushed so far in all
	jumpYards   = 100  // no player runs so far between two reports
	clockBackMs = 500  // a client's clock may go backwards so far
)

// reasons are the counters of movement.
type reasons struct {
	// Malformed reports.
	foreignMover sched.Counter `name:"anticheat_foreign_mover"`
	notFinite    sched.Counter `name:"anticheat_not_finite"`
	offMap       sched.Counter `name:"anticheat_off_map"`
	badFacing    sched.Counter `name:"anticheat_bad_facing"`

	// Impossible reports.
	clock  sched.Counter `name:"anticheat_clock"`
	speed  sched.Counter `name:"anticheat_speed"`
	jump   sched.Counter `name:"anticheat_jump"`
	flight sched.Counter `name:"anticheat_flight"`
	held   sched.Counter `name:"anticheat_held"`

	otherSpeed sched.Counter `name:"anticheat_other_speed"` // an acknowledged speed other than the ordered one

	// Not the client's fault.
	late        sched.Counter `name:"move.late"`
	unanswered  sched.Counter `name:"move.unanswered"`
	staleAnswer sched.Counter `name:"move.stale_answer"`
}

// accept reports whether a report of a player is accepted. Malformed and impossible ones are violations, and the
// client's position is corrected; a report that the client sent before it knew of a change is dropped without one. i
// is the player's row.
func (s *Movement) accept(t sched.Tick, e ecs.Entity, i int, op uint16, m *msg.Move) bool {
	if reason := s.malformed(i, m); reason != nil {
		s.violation(t, e, op, reason)
		return false
	}
	validation, from, acks := &s.rows.validations[i], &s.rows.positions[i], &s.rows.pendingAcks[i]
	if acks.Away != 0 || acks.Pending[components.OrderTeleport] != 0 || validation.Control&components.ControlServer != 0 {
		s.out.Refuse(e, op, &s.reasons.late)
		return false
	}
	far := way(from, m)
	if acks.Rooted != 0 || validation.Control&components.ControlHeld != 0 {
		if validation.ImmobileSinceMs == 0 {
			validation.ImmobileSinceMs, validation.ImmobileYards = max(t.NowMs, 1), 0
		}
		switch {
		case validation.ImmobileYards+far <= standYards:
			validation.ImmobileYards += far
		case t.NowMs-validation.ImmobileSinceMs < graceMs:
			s.out.Refuse(e, op, &s.reasons.late)
			return false
		default:
			s.violation(t, e, op, &s.reasons.held)
			return false
		}
	} else {
		validation.ImmobileSinceMs = 0
	}
	if validation.Control&components.ControlMaster != 0 {
		return true
	}
	if reason := s.impossible(t, i, m, far); reason != nil {
		s.violation(t, e, op, reason)
		return false
	}
	return true
}

// malformed returns why a report makes no sense, nil if it does.
func (s *Movement) malformed(i int, m *msg.Move) *sched.Counter {
	at := components.Position{X: m.X, Y: m.Y, Z: m.Z}
	_, facing := components.Facing(m.O)
	switch {
	case m.Mover != s.rows.objects[i].GUID:
		return &s.reasons.foreignMover
	case !finite(&m.Movement):
		return &s.reasons.notFinite
	case !at.OnMap():
		return &s.reasons.offMap
	case !facing:
		return &s.reasons.badFacing
	}
	return nil
}

// finite reports whether all numbers of a report are finite: the difference of any other from itself is not 0.
func finite(m *msg.Movement) bool {
	place := (m.X - m.X) + (m.Y - m.Y) + (m.Z - m.Z) + (m.O - m.O)
	jump := (m.Jump.ZSpeed - m.Jump.ZSpeed) + (m.Jump.Sin - m.Jump.Sin) + (m.Jump.Cos - m.Jump.Cos) + (m.Jump.XYSpeed - m.Jump.XYSpeed)
	return place+jump+(m.Pitch-m.Pitch)+(m.SplineElevation-m.SplineElevation) == 0
}

// way is the distance from a position to a report, as credit counts it: over ground, or half of the way upwards if
// that is more, since a jump is steeper than a run is long. Downwards counts as nothing.
func way(from *components.Position, m *msg.Move) float32 {
	x, y := float64(m.X-from.X), float64(m.Y-from.Y)
	return max(float32(math.Sqrt(float64(x*x)+float64(y*y))), (m.Z-from.Z)/2)
}

// impossible returns why a player cannot have moved so far since its last report, nil if it can. There are two
// checks. By the world's clock, all reports together are limited by the credit (addCredit). By the client's own
// clock, each report is limited by the time since the one before, if that clock runs at all; since each has its
// slack, many reports at once are limited by the world's clock alone.
func (s *Movement) impossible(t sched.Tick, i int, m *msg.Move, far float32) *sched.Counter {
	validation := &s.rows.validations[i]
	if m.Flags&(components.MoveFlying|components.MoveCanFly) != 0 {
		if r := &s.rows.pendingAcks[i]; r.MayFly == 0 && r.Pending[components.OrderFly] == 0 {
			return &s.reasons.flight
		}
	}
	speed := max(fastest(&s.rows.speeds[i], m), validation.RecentSpeed(t.NowMs))
	if validation.Known == 0 { // it may have run since it entered
		validation.Known, validation.SeenMs, validation.ClientMs, validation.Credit = 1, t.NowMs, m.Time, burstSec*speed+slackYards
	}
	onClient := int32(m.Time - validation.ClientMs)
	addCredit(validation, t.NowMs, speed)
	validation.ClientMs = m.Time
	switch {
	case onClient < -clockBackMs:
		return &s.reasons.clock
	case far > validation.Credit, onClient > 0 && far > float32(onClient)/1000*stride*speed+slackYards:
		if far > jumpYards {
			return &s.reasons.jump
		}
		return &s.reasons.speed
	}
	validation.Credit -= far
	return nil
}

// fastest is the greatest speed of a player that moves as the report says, yards per second.
func fastest(v *components.Speeds, m *msg.Move) float32 {
	fastest := max(v[components.SpeedWalk], v[components.SpeedRun], v[components.SpeedRunBack])
	if m.Flags&components.MoveSwimming != 0 {
		fastest = max(fastest, v[components.SpeedSwim], v[components.SpeedSwimBack])
	}
	if m.Flags&components.MoveFlying != 0 {
		fastest = max(fastest, v[components.SpeedFlight], v[components.SpeedFlightBack])
	}
	return fastest
}
