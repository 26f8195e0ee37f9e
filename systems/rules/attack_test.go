package rules

import (
	"math"
	"testing"

	"muster/components"
	"muster/ecs"
)

// A melee attack hits within 60 degrees of where the attacker faces; a parry and a shot need 90. A creature that
// attacks faces its victim wherever it is.
//
// Source: Player::Update and Position::HasInArc, AzerothCore.
func TestFacing(t *testing.T) {
	s := newStage(people())
	p, b := s.addPlayer(1), s.addBeast(2)
	*s.positions.Get(b) = components.Position{X: 10, Y: 10, O: 3}
	for _, c := range []struct {
		degrees       float64
		faces, before bool
	}{{0, true, true}, {59, true, true}, {-59, true, true}, {61, false, true}, {-89, false, true}, {91, false, false}, {180, false, false}} {
		at := (45 + c.degrees) / 180 * math.Pi
		s.positions.Get(p).O = float32(math.Mod(at+2*math.Pi, 2*math.Pi))
		if got := s.Faces(p, b); got != c.faces {
			t.Errorf("%v degrees: it faces its victim: %v", c.degrees, got)
		}
		if got := s.InFront(p, b); got != c.before {
			t.Errorf("%v degrees: it has its victim before it: %v", c.degrees, got)
		}
	}
	if s.Faces(b, p) != true || s.InFront(b, p) != true { // it looks at 172 degrees, and they are at 225
		t.Error("a creature does not face a unit before it")
	}
	s.positions.Get(b).O = 0
	if s.InFront(b, p) {
		t.Error("a creature out of combat faces a unit behind it")
	}
	if s.attack(b, p); !s.Faces(b, p) {
		t.Error("a creature does not turn to its victim")
	}
	*s.positions.Get(b) = *s.positions.Get(p)
	if !s.Faces(p, b) || !s.Faces(b, p) {
		t.Error("a unit in the same place is not in front")
	}
}

// A weapon is ready from its time on, and for a minute; later than that its time is one to come, since world time wraps around.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		next, now uint32
		want      bool
	}{
		{1000, 999, false}, {1000, 1000, true}, {1000, 1001, true}, {1000, 50_000, true}, {61_000, 1000, false}, {61_001, 1000, true},
		{0, 0, true}, {10, math.MaxUint32, false}, {math.MaxUint32, 10, true},
	} {
		if got := Due(c.next, c.now); got != c.want {
			t.Errorf("at %d ms a weapon of %d ms is ready: %v", c.now, c.next, got)
		}
	}
}

// What lies at a right angle is in front, and what is a little more than 60 degrees off is not faced, however far away. A
// creature whose victim has left the world faces where it looks.
func TestFacingExactly(t *testing.T) {
	s := newStage(people())
	b, victim, other := s.addBeast(1), s.addPlayer(2), s.addPlayer(3)
	*s.positions.Get(b) = components.Position{O: math.Pi}
	*s.positions.Get(victim) = components.Position{X: 20}
	*s.positions.Get(other) = components.Position{Y: 20}
	s.attack(b, victim)
	if !s.InFront(b, other) || s.Faces(b, other) {
		t.Errorf("at 90 degrees it is in front: %v, and faced: %v", s.InFront(b, other), s.Faces(b, other))
	}
	*s.positions.Get(victim), *s.positions.Get(other) = components.Position{Y: 20}, components.Position{X: 14, Y: 7} // 63 degrees
	if s.Faces(b, other) || !s.Faces(b, victim) {
		t.Error("it does not face its victim alone")
	}
	*s.positions.Get(victim), *s.positions.Get(other) = components.Position{X: 20}, components.Position{X: 7, Y: 14}
	if s.Faces(b, other) || !s.Faces(b, victim) {
		t.Error("it does not face its victim alone")
	}
	*s.positions.Get(other) = components.Position{X: -5}
	if s.Faces(b, other) {
		t.Error("it faces two directions")
	}
	s.Despawn(victim)
	if s.EndStage(); !s.Faces(b, other) {
		t.Error("without a victim it does not face where it looks")
	}
}

// A cone lies around a unit's facing: a player's as its client reports it, a creature's towards its target point,
// else its victim, else its own orientation.
func TestInArc(t *testing.T) {
	s := newStage(people())
	p, b, other := s.addPlayer(1), s.addBeast(2), s.addPlayer(3)
	s.positions.Get(p).O = 0.1
	for _, c := range []struct {
		x, y float32
		arc  float64
		want bool
	}{
		{5, 0, math.Pi, true}, {0, 5, math.Pi, true}, {0, -5, math.Pi, false}, {-5, 0, math.Pi, false},
		{5, 4, math.Pi / 2, true}, {5, -5, math.Pi / 2, false}, {0, 0, 0.1, true},
	} {
		*s.positions.Get(b) = components.Position{X: c.x, Y: c.y}
		if got := s.InArc(p, b, b, c.arc); got != c.want {
			t.Errorf("%v,%v within %.2f: %v", c.x, c.y, c.arc, got)
		}
	}
	*s.positions.Get(b) = components.Position{X: 5}
	*s.positions.Get(other) = components.Position{X: 10}
	behind := func(mark ecs.Entity) bool { return s.InArc(b, mark, p, math.Pi/2) }
	if behind(ecs.Entity{}) || behind(b) || behind(other) || !behind(p) {
		t.Error("a creature out of combat does not face its target point")
	}
	if s.attack(b, p); !behind(ecs.Entity{}) || !behind(b) || behind(other) {
		t.Error("a creature that attacks does not face its victim, or its target point")
	}
}
