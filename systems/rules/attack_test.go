package rules

import (
	"math"
	"testing"

	"muster/components"
)

// A blow strikes within 60 degrees of where its striker faces, a parry and a shot within 90. A creature that attacks
// faces its victim wherever it is.
//
// Source: Player::Update and Unit::HasInArc, AzerothCore.
func TestFacing(t *testing.T) {
	s := newStage(people())
	p, b := s.addPlayer(1), s.addBeast(2)
	*s.book.positions.Get(b) = components.Position{X: 10, Y: 10, O: 3}
	for _, c := range []struct {
		degrees       float64
		faces, before bool
	}{{0, true, true}, {59, true, true}, {-59, true, true}, {61, false, true}, {-89, false, true}, {91, false, false}, {180, false, false}} {
		at := (45 + c.degrees) / 180 * math.Pi
		s.book.positions.Get(p).O = float32(math.Mod(at+2*math.Pi, 2*math.Pi))
		if got := s.book.Faces(p, b); got != c.faces {
			t.Errorf("%v degrees: it faces its victim: %v", c.degrees, got)
		}
		if got := s.book.InFront(p, b); got != c.before {
			t.Errorf("%v degrees: it has its victim before it: %v", c.degrees, got)
		}
	}
	if s.book.Faces(b, p) != true || s.book.InFront(b, p) != true { // it looks at 172 degrees, and they are at 225
		t.Error("a creature does not see who is before it")
	}
	s.book.positions.Get(b).O = 0
	if s.book.InFront(b, p) {
		t.Error("a creature at peace sees who is behind it")
	}
	if !s.book.Attack(s.tick, b, p, components.SwingMelee) || !s.book.Faces(b, p) {
		t.Error("a creature does not turn to its victim")
	}
	*s.book.positions.Get(b) = *s.book.positions.Get(p)
	if !s.book.Faces(p, b) || !s.book.Faces(b, p) {
		t.Error("who stands in the same place is not before them")
	}
}
