package movement

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A stage is a world with one player, and the systems that control and apply what its client reports. None roots it.
type stage struct {
	*ecs.World
	systems []sched.System
	counts  metric.Table
	player  ecs.Entity

	positions   ecs.Accessor[components.Position]
	validations ecs.Accessor[components.MoveValidation]
	vitals      ecs.Accessor[components.Vitals]
	unitAuras   ecs.Accessor[components.UnitAuras]
	appearances ecs.Accessor[components.PlayerAppearance]
	walks       ecs.Accessor[components.Walk]
}

func newStage() *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w}
	ecs.Share(w, &s.counts)
	ecs.Share(w, new(space.Space))
	ecs.Share(w, &defs.World{})
	ecs.Share(w, &defs.Map{Half: 1000})
	ecs.Share(w, change.NewLog(w))
	ecs.Share(w, new(Limits))
	rules.Share(w)
	s.systems = []sched.System{sched.Bind(w, sched.Move, new(MoveControl)), sched.Bind(w, sched.Move, new(Movement))}
	s.positions, s.validations = ecs.NewAccessor[components.Position](w), ecs.NewAccessor[components.MoveValidation](w)
	s.vitals, s.unitAuras = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.UnitAuras](w)
	s.appearances, s.walks = ecs.NewAccessor[components.PlayerAppearance](w), ecs.NewAccessor[components.Walk](w)
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), components.CombatParts(),
		ecs.Of4[components.Position, components.Motion, components.Clock, components.Speeds](),
		ecs.Of4[components.PendingMoveAcks, components.MoveValidation, components.Walk, components.Record](),
		ecs.Of3[components.Session, components.HomeCell, components.Dirty]())...).Spawn()
	objects, speeds := ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Speeds](w)
	objects.Get(s.player).GUID = 1
	*speeds.Get(s.player) = components.Speeds{components.SpeedRun: 7}
	*s.vitals.Get(s.player) = components.Vitals{Health: 100, MaxHealth: 100}
	return s
}

// report has the player's client report that it is so far along X, in a tick, and says how far the world has it then.
func (s *stage) report(n uint64, x float32) float32 {
	t := sched.Tick{N: n, NowMs: uint32(n) * 50, Quantum: 50e6}
	*ecs.QueueOf[change.Sent[msg.Move]](s.World).Next() = change.Sent[msg.Move]{
		By: s.player, AtMs: t.NowMs, Op: msg.OpMoveHeartbeat, Msg: msg.Move{Mover: 1, Movement: msg.Movement{Time: t.NowMs, X: x}}}
	for _, system := range s.systems {
		system.Run(t)
	}
	s.EndTick()
	return s.positions.Get(s.player).X
}

// A player that is dead, or that an aura stuns or roots, does not move, whether its client has been ordered to stand or not; a
// ghost does, and one that has just entered, whose health has not been computed yet.
//
// Source: Unit::SetControlled and Player::KillPlayer, AzerothCore.
func TestHeldPlayersStay(t *testing.T) {
	for _, c := range []struct {
		name    string
		begin   func(s *stage)
		control uint32
		moves   bool
		counts  string
	}{
		{"alive", func(*stage) {}, 0, true, ""},
		{"stunned", func(s *stage) { s.unitAuras.Get(s.player).States = components.StateStunned }, 2, false, "move.late"},
		{"rooted", func(s *stage) { s.unitAuras.Get(s.player).States = components.StateRooted }, 2, false, "move.late"},
		{"silenced", func(s *stage) { s.unitAuras.Get(s.player).States = components.StateSilenced }, 0, true, ""},
		{"dead", func(s *stage) { s.vitals.Get(s.player).Health = 0 }, 2, false, "move.late"},
		{"a ghost", func(s *stage) {
			s.vitals.Get(s.player).Health, s.appearances.Get(s.player).Flags = 0, components.PlayerGhost
		}, 0, true, ""},
		{"just entered", func(s *stage) { *s.vitals.Get(s.player) = components.Vitals{} }, 0, true, ""},
		{"feared", func(s *stage) { s.unitAuras.Get(s.player).States = components.StateFeared }, 1, false, "move.late"},
		{"confused", func(s *stage) { s.unitAuras.Get(s.player).States = components.StateConfused }, 1, false, "move.late"},
		{"on a walk", func(s *stage) { *s.walks.Get(s.player) = components.Walk{Count: 1} }, 1, false, "move.late"},
		{"stunned and feared", func(s *stage) {
			s.unitAuras.Get(s.player).States = components.StateStunned | components.StateFeared
		}, 3, false, "move.late"},
	} {
		s := newStage()
		if x := s.report(100, 1); x != 1 {
			t.Fatalf("%s: at first it is at %v", c.name, x)
		}
		c.begin(s)
		x := s.report(110, 3)
		if control := s.validations.Get(s.player).Control; control != c.control {
			t.Errorf("%s: control %d, want %d", c.name, control, c.control)
		}
		if (x == 3) != c.moves {
			t.Errorf("%s: it is at %v", c.name, x)
		}
		if c.counts != "" && s.counts.Value(c.counts) != 1 {
			t.Errorf("%s: %s is %d", c.name, c.counts, s.counts.Value(c.counts))
		}
	}
}

// A held player may be pushed half a yard. For two seconds its client may not know that it is held; then a report from elsewhere
// is a violation.
func TestHeldPlayersAreGivenTime(t *testing.T) {
	s := newStage()
	s.report(100, 1)
	s.unitAuras.Get(s.player).States = components.StateStunned
	for _, c := range []struct {
		n          uint64
		x, want    float32
		late, held uint64
	}{
		{110, 1.25, 1.25, 0, 0}, {111, 1.5, 1.5, 0, 0}, {112, 1.75, 1.5, 1, 0}, {149, 3, 1.5, 2, 0}, {150, 3, 1.5, 2, 1},
	} {
		x := s.report(c.n, c.x)
		if late, held := s.counts.Value("move.late"), s.counts.Value("anticheat_held"); x != c.want || late != c.late || held != c.held {
			t.Errorf("tick %d: it is at %v, want %v; late %d, held %d, want %d, %d", c.n, x, c.want, late, held, c.late, c.held)
		}
	}
}
