package movement

import (
	"cmp"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// Limits are the tolerances of movement validation.
type Limits struct {
	// Violations is the number of invalid reports within a minute after which a player's connection is closed.
	// Default 10.
	Violations uint32
}

func (l *Limits) violations() uint32 { return cmp.Or(l.Violations, 10) }

// Our own choices.
const (
	violationsMs = 60_000 // violations are counted within this time
	correctMs    = 1000   // the shortest time between two corrections of a client's position
)

// A violation is an invalid report of a player.
type violation struct {
	ecs.Entity
	Count   uint32 // of the player, within violationsMs
	Counter uint32 // of its correction, 0 if it is not corrected
}

// violation counts an invalid report, and begins to correct the client's position: what it has sent without knowledge of
// that is late, also in this tick. Game masters are exempt.
func (s *Movement) violation(t sched.Tick, e ecs.Entity, op uint16, reason *sched.Counter) {
	s.out.Refuse(e, op, reason)
	if !s.player(e) || s.validations.Get(e).Control&components.ControlMaster != 0 {
		return
	}
	validation := s.validations.Get(e)
	if validation.Violations == 0 || t.NowMs-validation.ViolationsSinceMs > violationsMs {
		validation.Violations, validation.ViolationsSinceMs = 0, t.NowMs
	}
	validation.Violations++
	v := violation{Entity: e, Count: validation.Violations}
	if validation.CorrectedMs == 0 || t.NowMs-validation.CorrectedMs >= correctMs {
		validation.CorrectedMs = max(t.NowMs, 1)
		v.Counter = s.beginCorrection(e)
	}
	s.violations.Emit(v)
}

// Violations sends the clients of players that have reported what cannot be their positions. At the limit it has
// the connection closed instead.
type Violations struct {
	corrections

	limits     ecs.Res[Limits]
	violations ecs.Events[violation]
	kicked     sched.Counter `name:"anticheat_kicked"`
}

// OnEvents implements sched.Handler.
func (s *Violations) OnEvents(t sched.Tick) {
	for _, v := range s.violations.All() {
		switch {
		case v.Count == s.limits.Get().violations():
			s.kicked.Count()
			s.out.Kick(v.Entity, "cheat")
			s.pendingAcks.Get(v.Entity).Ack(components.OrderTeleport, v.Counter) // which is not sent
		case v.Counter != 0:
			s.correct(t, v.Entity, v.Counter)
		}
	}
}
