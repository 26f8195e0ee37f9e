package ecs

import "github.com/mlange-42/arche/generic"

// An Iter1 is a walk over the entities of a Filter1. Its methods cost nothing on top of those of the
// store: they are inlined.
type Iter1[A any] struct {
	q generic.Query1[A]
}

// Next goes to the next entity, at first to the first. At the end it closes the walk and is false.
func (q *Iter1[A]) Next() bool { return q.q.Next() }

// Step goes on by n entities, at least one: Step(1) is Next. It costs as much however many they are.
func (q *Iter1[A]) Step(n int) bool { return q.q.Step(n) }

// Count is how many entities the walk visits in all.
func (q *Iter1[A]) Count() int { return q.q.Count() }

// Get is the entity's component, valid until the stage ends.
func (q *Iter1[A]) Get() *A { return q.q.Get() }

// Entity is the entity itself.
func (q *Iter1[A]) Entity() Entity { return Entity(q.q.Entity()) }

// Close ends a walk before its end.
func (q *Iter1[A]) Close() { q.q.Close() }

// An Iter2 is a walk over the entities of a Filter2, as an Iter1 is over those of a Filter1.
type Iter2[A, B any] struct {
	q generic.Query2[A, B]
}

// Next goes to the next entity, at first to the first. At the end it closes the walk and is false.
func (q *Iter2[A, B]) Next() bool { return q.q.Next() }

// Get is the entity's two components, valid until the stage ends.
func (q *Iter2[A, B]) Get() (*A, *B) { return q.q.Get() }

// Entity is the entity itself.
func (q *Iter2[A, B]) Entity() Entity { return Entity(q.q.Entity()) }

// Close ends a walk before its end.
func (q *Iter2[A, B]) Close() { q.q.Close() }
