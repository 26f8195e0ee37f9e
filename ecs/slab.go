package ecs

import "reflect"

// A Slab holds data that only few entities have at a time, too large to be a component of all: the entity's component
// holds the number of its block. Numbers begin at 1; 0 is no block. A free block is zero. Blocks keep their number,
// but move in memory. The zero Slab is empty; systems Share it.
type Slab[T any] struct {
	blocks []T
	free   []uint32
}

// Alloc allocates a zero block.
func (s *Slab[T]) Alloc() uint32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return i
	}
	var zero T
	s.blocks = append(s.blocks, zero)
	return uint32(len(s.blocks))
}

// At returns a block in use. The pointer is valid until the next Alloc. It panics for 0.
func (s *Slab[T]) At(i uint32) *T { return &s.blocks[i-1] }

// Free frees a block. Freeing 0 does nothing.
func (s *Slab[T]) Free(i uint32) {
	if i == 0 {
		return
	}
	var zero T
	s.blocks[i-1] = zero
	s.free = append(s.free, i)
}

// Blocks is what a Slab, and a resource that embeds one, tells of itself. Its blocks are a part of the components that refer to them, so
// reports of which systems write which components list it with these.
type Blocks interface{ BlockType() Type }

// BlockType is the type of its blocks.
func (s *Slab[T]) BlockType() Type { return reflect.TypeFor[T]() }

// InUse returns how many blocks are in use.
func (s *Slab[T]) InUse() int { return len(s.blocks) - len(s.free) }
