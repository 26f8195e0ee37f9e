package ecs

import (
	"bytes"
	"errors"
	"testing"
)

// A colony is a world of three archetypes, of which some have had entities.
type colony struct {
	w                  *World
	one, other, unused *Archetype
	bodies             Accessor[body]
	speeds             Accessor[speed]
	all                *Filter1[body]
}

func newColony() *colony {
	w := NewWorld(4)
	p := &colony{w: w, all: NewFilter1[body](w)}
	p.one, p.other, p.unused = NewArchetype(w, Of2[body, tag]()...), NewArchetype(w, Of2[body, speed]()...), NewArchetype(w, Of[speed]()...)
	p.bodies, p.speeds = NewAccessor[body](w), NewAccessor[speed](w)
	return p
}

// walk lists the entities of a walk, in order.
func (p *colony) walk() (all []Entity) {
	for q := p.all.Iter(); q.Next(); {
		all = append(all, q.Entity())
	}
	return all
}

// lived is a colony in which the second archetype was used first, with gaps, and no entity of the first is left.
func lived() (p *colony, gone Entity) {
	p = newColony()
	var all []Entity
	for i := range 10 {
		e := p.other.Spawn()
		p.bodies.Get(e).X = float32(i)
		all = append(all, e)
	}
	gone = p.one.Spawn()
	for _, e := range []Entity{all[3], gone, all[0], all[8]} {
		p.w.Despawn(e)
	}
	p.w.EndStage()
	return p, gone
}

// Entities, rows and free rows are as they were, so that both worlds go on alike.
func TestTablesComeBack(t *testing.T) {
	was, gone := lived()
	b := was.w.AppendTables([]byte("before"))
	now := newColony()
	now.one.Spawn()
	now.unused.Spawn() // is replaced with the rest
	if _, err := now.w.RestoreTables(b[6:]); !errors.Is(err, ErrTables) {
		t.Fatalf("a world that has had another archetype: %v", err)
	}
	now = newColony()
	if rest, err := now.w.RestoreTables(append(b[6:], "after"...)); err != nil || string(rest) != "after" {
		t.Fatalf("%v, and %q follows", err, rest)
	}
	same := func() {
		t.Helper()
		if a, b := was.w.AppendTables(nil), now.w.AppendTables(nil); !bytes.Equal(a, b) {
			t.Fatalf("% x is % x", b, a)
		}
		for i, e := range was.walk() {
			if now.walk()[i] != e || now.bodies.Get(e).X != was.bodies.Get(e).X {
				t.Fatalf("%v is %v", now.walk()[i], e)
			}
		}
	}
	same()
	if now.w.Exists(gone) || now.one.Count() != 0 || now.other.Count() != 7 {
		t.Error("a despawned entity exists")
	}
	for range 6 { // into reused rows, and into new ones
		for _, p := range []*colony{was, now} {
			p.speeds.Get(p.other.Spawn()).X = 3
			p.w.Despawn(p.walk()[2])
			p.bodies.Get(p.one.Spawn()).X = 4
			p.w.EndStage()
		}
		same()
	}
}

// Bytes that are cut off or of other archetypes are refused.
func TestBadTables(t *testing.T) {
	was, _ := lived()
	b := was.w.AppendTables(nil)
	for n := range len(b) {
		if _, err := newColony().w.RestoreTables(b[:n]); !errors.Is(err, ErrTables) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
	w := NewWorld(4)
	NewArchetype(w, Of[speed]()...)
	if _, err := w.RestoreTables(b); !errors.Is(err, ErrTables) {
		t.Errorf("in a world of other archetypes: %v", err)
	}
}

// Columns that several goroutines copy are as one would copy them.
func TestLargeColumnsAreCopied(t *testing.T) {
	p := newColony()
	const n = 1 << 19 // of several pieces
	p.other.SpawnBatch(n, func(i int, e Entity) { p.bodies.Get(e).X = float32(i) })
	b := p.w.AppendTables([]byte("before"))
	if most := p.w.TableBytes(); len(b)-6 > most || len(b)-6 < most-most/8 {
		t.Errorf("%d bytes, said to be %d", len(b)-6, most)
	}
	now := newColony()
	if rest, err := now.w.RestoreTables(b[6:]); err != nil || len(rest) != 0 {
		t.Fatalf("%v, %d bytes are left", err, len(rest))
	}
	i := 0
	for q := now.all.Iter(); q.Next(); i++ {
		if q.Get().X != float32(i) {
			t.Fatalf("entity %d has %v", i, q.Get().X)
		}
	}
	if i != n {
		t.Errorf("%d entities", i)
	}
}
