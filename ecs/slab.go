package ecs

// A Slab holds what only few entities have at a time, too large to be a component of all: the entity's
// component keeps the number of its block. Numbers begin at 1; 0 is no block. A block that is free is zero.
// Blocks never move in number, but do in memory. The zero Slab is empty; Share it to meet in it.
type Slab[T any] struct {
	blocks []T
	free   []uint32
}

// Take gives out a zero block.
func (s *Slab[T]) Take() uint32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return i
	}
	var zero T
	s.blocks = append(s.blocks, zero)
	return uint32(len(s.blocks))
}

// At is a block in use. The pointer is good until the next Take. It panics for 0.
func (s *Slab[T]) At(i uint32) *T { return &s.blocks[i-1] }

// Free takes a block back. Freeing 0 does nothing.
func (s *Slab[T]) Free(i uint32) {
	if i == 0 {
		return
	}
	var zero T
	s.blocks[i-1] = zero
	s.free = append(s.free, i)
}

// InUse is how many blocks are given out.
func (s *Slab[T]) InUse() int { return len(s.blocks) - len(s.free) }
