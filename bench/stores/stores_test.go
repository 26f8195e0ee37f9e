package stores

import (
	"math"
	"testing"
)

// All stores do the same to the same movers.
func TestStoresAgree(t *testing.T) {
	const n = 3_000
	var place float64
	var health, flagged uint64
	for i, m := range Makers {
		s := m.Make(n)
		s.Move(0.5)
		s.Regain(0.25)
		Churn(s, 1_500, 1_000)
		s.Toggle()
		s.Regain(0.25)
		p, h, f := s.Sums()
		if i == 0 {
			place, health, flagged = p, h, f
			if f != n || h <= n*50 {
				t.Fatalf("%v, %d, %d", p, h, f)
			}
		}
		if math.Abs(p-place) > 1e-6*math.Abs(place) || h != health || f != flagged {
			t.Errorf("%s: %v, %d, %d, want %v, %d, %d", m.Name, p, h, f, place, health, flagged)
		}
		s.Toggle()
		if _, _, f := s.Sums(); f != 0 {
			t.Errorf("%s: %d are still flagged", m.Name, f)
		}
	}
}

// What is measured as ours allocates nothing.
func TestOursDoesNotAllocate(t *testing.T) {
	s := Make("ecs, rows", 1_000)
	s.Turn(1_000)
	for name, do := range map[string]func(){
		"move": func() { s.Move(1) }, "regain": func() { s.Regain(1) }, "toggle": s.Toggle, "turn": func() { s.Turn(1_000) },
	} {
		if n := testing.AllocsPerRun(10, do); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
