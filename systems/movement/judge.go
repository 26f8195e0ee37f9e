package movement

import (
	"cmp"
	"math"

	"muster/components"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/sched"
)

// Limits are how much is put up with.
type Limits struct {
	// Strikes is how many reports of a player may be unbelievable within a minute; with the last of them its
	// connection is closed. Default 10.
	Strikes uint32
}

func (l *Limits) strikes() uint32 { return cmp.Or(l.Strikes, 10) }

// What is believed of a client's movement, our own choices: what connections and clocks do to honest clients is
// well within them.
const (
	strikesMs   = 60_000 // strikes are counted within this time
	correctMs   = 1000   // a client is told where it is once in this time at most
	mercyMs     = 2000   // who has just lost its legs may not know it yet
	stride      = 1.25   // times the speed between two reports, on the client's clock, and slackYards
	standYards  = 0.5    // who may not move may be pushed so far in all
	jumpYards   = 100    // whoever is so far away all at once has not run
	clockBackMs = 500    // a client's clock may go backwards so far
)

// reasons are what is counted.
type reasons struct {
	// What makes no sense.
	foreignMover sched.Counter `name:"anticheat_foreign_mover"`
	notFinite    sched.Counter `name:"anticheat_not_finite"`
	offMap       sched.Counter `name:"anticheat_off_map"`
	badFacing    sched.Counter `name:"anticheat_bad_facing"`

	// What is not possible.
	clock  sched.Counter `name:"anticheat_clock"`
	speed  sched.Counter `name:"anticheat_speed"`
	jump   sched.Counter `name:"anticheat_jump"`
	flight sched.Counter `name:"anticheat_flight"`
	held   sched.Counter `name:"anticheat_held"`

	otherSpeed sched.Counter `name:"anticheat_other_speed"` // an answer with another speed than was ordered
	kicked     sched.Counter `name:"anticheat_kicked"`

	// What is no fault of the client.
	late        sched.Counter `name:"move.late"`
	unanswered  sched.Counter `name:"move.unanswered"`
	staleAnswer sched.Counter `name:"move.stale_answer"`
	badOrder    sched.Counter `name:"move.bad_order"`
	noMap       sched.Counter `name:"move.no_map"`
}

// believe reports whether a report is to be believed. What makes no sense or cannot be is a strike, and the client
// is told where it is; what a client did not know better yet is left out, and no more. i is the player's row.
func (s *System) believe(t sched.Tick, e ecs.Entity, i int, m *msg.Move) bool {
	if reason := s.absurd(i, m); reason != nil {
		s.strike(t, e, reason)
		return false
	}
	if s.rows.transfers[i].Going != 0 || s.rows.pendingAcks[i].Pending[components.OrderTeleport] != 0 || s.driven(i) {
		s.reasons.late.Count()
		return false
	}
	pace, from := &s.rows.validations[i], &s.rows.positions[i]
	far := way(from, m)
	if s.held(e, i) {
		if pace.ImmobileSinceMs == 0 {
			pace.ImmobileSinceMs, pace.ImmobileYards = max(t.NowMs, 1), 0
		}
		switch {
		case pace.ImmobileYards+far <= standYards:
			pace.ImmobileYards += far
		case t.NowMs-pace.ImmobileSinceMs < mercyMs:
			s.reasons.late.Count()
			return false
		default:
			s.strike(t, e, s.reasons.held.Counter)
			return false
		}
	} else {
		pace.ImmobileSinceMs = 0
	}
	if s.rows.records[i].SecurityLevel > 0 { // a game master goes as it likes
		return true
	}
	if reason := s.impossible(t, i, m, far); reason != nil {
		s.strike(t, e, reason)
		return false
	}
	return true
}

// driven reports whether a player is moved by somebody else: its client, which is told so, has no say meanwhile.
//
// Source: Player::SetClientControl, AzerothCore.
func (s *System) driven(i int) bool {
	return s.rows.walks[i].Walking() || s.rows.combats[i].States&(components.StateFeared|components.StateConfused) != 0
}

// absurd says why a report makes no sense, nil if it does.
func (s *System) absurd(i int, m *msg.Move) *metric.Counter {
	at := components.Position{X: m.X, Y: m.Y, Z: m.Z}
	_, facing := components.Facing(m.O)
	switch {
	case m.Mover != s.rows.objects[i].GUID:
		return s.reasons.foreignMover.Counter
	case !finite(&m.Movement):
		return s.reasons.notFinite.Counter
	case !at.OnMap():
		return s.reasons.offMap.Counter
	case !facing:
		return s.reasons.badFacing.Counter
	}
	return nil
}

// finite reports whether all numbers of a report are some: the difference of any other to itself is none.
func finite(m *msg.Movement) bool {
	place := (m.X - m.X) + (m.Y - m.Y) + (m.Z - m.Z) + (m.O - m.O)
	jump := (m.Jump.ZSpeed - m.Jump.ZSpeed) + (m.Jump.Sin - m.Jump.Sin) + (m.Jump.Cos - m.Jump.Cos) + (m.Jump.XYSpeed - m.Jump.XYSpeed)
	return place+jump+(m.Pitch-m.Pitch)+(m.SplineElevation-m.SplineElevation) == 0
}

// held reports whether a player may not move. Who has just come in is not dead: its health is yet to be worked out.
func (s *System) held(e ecs.Entity, i int) bool {
	v := &s.rows.vitals[i]
	return s.rows.pendingAcks[i].Rooted != 0 ||
		s.rows.combats[i].States&(components.StateStunned|components.StateRooted) != 0 ||
		v.Health == 0 && v.MaxHealth > 0 && s.appearances.Get(e).Flags&components.PlayerGhost == 0
}

// way is how far a report is from a position, as legs count it: over ground, or half of the way upwards if that
// is more, since a jump is steeper than a run is long. Nobody runs downwards.
func way(from *components.Position, m *msg.Move) float32 {
	x, y := float64(m.X-from.X), float64(m.Y-from.Y)
	return max(float32(math.Sqrt(float64(x*x)+float64(y*y))), (m.Z-from.Z)/2)
}

// impossible says why a player cannot have come so far since its last report, nil if it can. It goes by two
// clocks. The world's bounds what all reports together come to: what a silence may hold, and a little that was saved
// (earn). The client's own bounds each report by the time since the one before, if it runs at all; since each has
// its slack, many of them at once are bounded by the world's alone.
func (s *System) impossible(t sched.Tick, i int, m *msg.Move, far float32) *metric.Counter {
	pace := &s.rows.validations[i]
	if m.Flags&(components.MoveFlying|components.MoveCanFly) != 0 {
		if r := &s.rows.pendingAcks[i]; r.MayFly == 0 && r.Pending[components.OrderFly] == 0 {
			return s.reasons.flight.Counter
		}
	}
	speed := max(fastest(&s.rows.speeds[i], m), pace.RecentSpeed(t.NowMs))
	if pace.Known == 0 { // it may have run since it came in
		pace.Known, pace.SeenMs, pace.ClientMs, pace.Credit = 1, t.NowMs, m.Time, burstSec*speed+slackYards
	}
	onClient := int32(m.Time - pace.ClientMs)
	earn(pace, t.NowMs, speed)
	pace.ClientMs = m.Time
	switch {
	case onClient < -clockBackMs:
		return s.reasons.clock.Counter
	case far > pace.Credit, onClient > 0 && far > float32(onClient)/1000*stride*speed+slackYards:
		if far > jumpYards {
			return s.reasons.jump.Counter
		}
		return s.reasons.speed.Counter
	}
	pace.Credit -= far
	return nil
}

// fastest is the greatest speed at which a player can go as it says that it goes.
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

// strike counts what a player should not have sent, and tells its client where it is. One who does not leave off
// is sent away; game masters are not.
func (s *System) strike(t sched.Tick, e ecs.Entity, reason *metric.Counter) {
	reason.Count()
	if !s.player(e) || s.records.Get(e).SecurityLevel > 0 {
		return
	}
	pace := s.validations.Get(e)
	if pace.Violations == 0 || t.NowMs-pace.ViolationsSinceMs > strikesMs {
		pace.Violations, pace.ViolationsSinceMs = 0, t.NowMs
	}
	pace.Violations++
	if pace.Violations == s.limits.Get().strikes() {
		s.reasons.kicked.Count()
		s.out.Kick(e, "cheat")
		return
	}
	if pace.CorrectedMs == 0 || t.NowMs-pace.CorrectedMs >= correctMs {
		pace.CorrectedMs = max(t.NowMs, 1)
		s.stand(t, e)
	}
}
