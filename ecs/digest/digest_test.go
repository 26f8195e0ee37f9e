package digest

import (
	"reflect"
	"testing"
	"unsafe"

	"muster/ecs"
)

type thing struct {
	A     uint8
	B     uint64 // after seven bytes of padding
	Who   ecs.Entity
	List  [3]uint16
	Block uint32 `block:"Blocks"`
	Odd   [5]uint8
}

type block struct {
	Count uint32
	By    ecs.Entity
}

// A stage has two entities and two blocks.
type stage struct {
	names  map[ecs.Entity]uint64
	blocks ecs.Slab[block]
	form   Form
	a, b   ecs.Entity
}

func newStage(t *testing.T) *stage {
	w := ecs.NewWorld(4)
	k := ecs.NewKind(w, ecs.Of[block]()...)
	s := &stage{a: k.Spawn(), b: k.Spawn()}
	s.names = map[ecs.Entity]uint64{s.a: 7, s.b: 8}
	s.blocks.Take()
	s.blocks.Take()
	of := &World{
		Name: func(e ecs.Entity) uint64 { return s.names[e] },
		Blocks: map[string]Block{"Blocks": {reflect.TypeFor[block](), func(i uint32) unsafe.Pointer {
			return unsafe.Pointer(s.blocks.At(i))
		}}},
	}
	var err error
	if s.form, err = of.Form(reflect.TypeFor[thing]()); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) hash(v thing) uint64 { return s.form.Hash(1, unsafe.Pointer(&v)) }

// Every byte of every field counts, in the block too.
func TestEveryFieldCounts(t *testing.T) {
	s := newStage(t)
	seen := map[uint64]string{s.hash(thing{}): "nothing"}
	see := func(name string, h uint64) {
		t.Helper()
		if was, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", name, was)
		}
		seen[h] = name
	}
	see("A", s.hash(thing{A: 1}))
	see("B", s.hash(thing{B: 1}))
	see("B's last bit", s.hash(thing{B: 1 << 63}))
	see("somebody", s.hash(thing{Who: s.a}))
	see("somebody else", s.hash(thing{Who: s.b}))
	for i := range 3 {
		v := thing{}
		v.List[i] = 1
		see("List", s.hash(v))
	}
	for i := range 5 {
		v := thing{}
		v.Odd[i] = 1
		see("Odd", s.hash(v))
	}
	see("a block", s.hash(thing{Block: 1}))
	s.blocks.At(2).Count = 3
	see("another block", s.hash(thing{Block: 2}))
	s.blocks.At(2).By = s.a
	see("with somebody in it", s.hash(thing{Block: 2}))
	v := thing{}
	see("another seed", s.form.Hash(2, unsafe.Pointer(&v)))
}

// Which row an entity has, which number a block has, and what is in padding does not count.
func TestWhatDoesNotCount(t *testing.T) {
	s := newStage(t)
	one := s.hash(thing{Who: s.a})
	s.names[s.a], s.names[s.b] = s.names[s.b], s.names[s.a]
	if s.hash(thing{Who: s.b}) != one {
		t.Error("a row counts")
	}
	s.blocks.At(1).Count, s.blocks.At(2).Count = 5, 5
	if s.hash(thing{Block: 1}) != s.hash(thing{Block: 2}) {
		t.Error("the number of a block counts")
	}
	v := thing{A: 1}
	*(*uint8)(unsafe.Add(unsafe.Pointer(&v), 3)) = 9
	if s.form.Hash(1, unsafe.Pointer(&v)) != s.hash(thing{A: 1}) {
		t.Error("padding counts")
	}
	if n := testing.AllocsPerRun(100, func() { s.form.Hash(1, unsafe.Pointer(&v)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWhatHasNoForm(t *testing.T) {
	var w World
	for _, of := range []reflect.Type{
		reflect.TypeFor[*int](), reflect.TypeFor[string](), reflect.TypeFor[struct{ L []byte }](), reflect.TypeFor[thing](),
	} {
		if _, err := w.Form(of); err == nil {
			t.Errorf("%v has a form", of)
		}
	}
}
