package ecs

import "testing"

func TestSlab(t *testing.T) {
	var s Slab[[3]int]
	a, b := s.Alloc(), s.Alloc()
	if a != 1 || b != 2 || s.InUse() != 2 {
		t.Fatalf("took %d and %d, %d in use", a, b, s.InUse())
	}
	s.At(a)[1], s.At(b)[1] = 5, 6
	s.Free(a)
	s.Free(0)
	if s.InUse() != 1 || s.At(b)[1] != 6 {
		t.Errorf("%d in use, the second holds %v", s.InUse(), *s.At(b))
	}
	if c := s.Alloc(); c != a || *s.At(c) != [3]int{} {
		t.Errorf("took %d with %v, want %d and nothing", c, *s.At(c), a)
	}
	if n := testing.AllocsPerRun(100, func() { s.Free(s.Alloc()) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
