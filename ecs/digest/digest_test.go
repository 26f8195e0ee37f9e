package digest

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"muster/ecs"
)

type thing struct {
	A      uint8
	B      uint64 // after seven bytes of padding
	Target ecs.Entity
	List   [3]uint16
	Block  uint32 `block:"Blocks"`
	Odd    [5]uint8
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
	k := ecs.NewArchetype(w, ecs.Of[block]()...)
	s := &stage{a: k.Spawn(), b: k.Spawn()}
	s.names = map[ecs.Entity]uint64{s.a: 7, s.b: 8}
	s.blocks.Alloc()
	s.blocks.Alloc()
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
	see("an entity", s.hash(thing{Target: s.a}))
	see("another entity", s.hash(thing{Target: s.b}))
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
	see("with an entity in it", s.hash(thing{Block: 2}))
	v := thing{}
	see("another seed", s.form.Hash(2, unsafe.Pointer(&v)))
}

// Which row an entity has, which number a block has, and what is in padding does not count.
func TestWhatDoesNotCount(t *testing.T) {
	s := newStage(t)
	one := s.hash(thing{Target: s.a})
	s.names[s.a], s.names[s.b] = s.names[s.b], s.names[s.a]
	if s.hash(thing{Target: s.b}) != one {
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

// TestVectors holds Bytes against what the makers of XXH3 publish: what it is of so many bytes, without a seed and with one.
//
// Source: XSUM_XXH3_testdata and XSUM_fillTestBuffer, xxHash cli/xsum_sanity_check.c at dde858b.
func TestVectors(t *testing.T) {
	const prime32, prime64 = 2654435761, 11400714785074694797
	filled := make([]byte, 2367)
	for i, next := 0, uint64(prime32); i < len(filled); i, next = i+1, next*prime64 {
		filled[i] = byte(next >> 56)
	}
	for _, v := range []struct {
		n              uintptr
		without, under uint64 // the seed prime64
	}{
		{0, 0x2D06800538D394C2, 0xA8A6B918B2F0364A},
		{1, 0xC44BDFF4074EECDB, 0x032BE332DD766EF8},
		{6, 0x27B56A84CD2D7325, 0x84589C116AB59AB9},
		{12, 0xA713DAF0DFBB77E7, 0xE7303E1B2336DE0E},
		{24, 0xA3FE70BF9D3510EB, 0x850E80FC35BDD690},
		{48, 0x397DA259ECBA1F11, 0xADC2CBAA44ACC616},
		{80, 0xBCDEFBBB2C47C90A, 0xC6DD0CB699532E73},
		{195, 0xCD94217EE362EC3A, 0xBA68003D370CB3D9},
		{403, 0xCDEB804D65C6DEA4, 0x6259F6ECFD6443FD},
		{512, 0x617E49599013CB6B, 0x3CE457DE14C27708},
		{2048, 0xDD59E2C3A5F038E0, 0x66F81670669ABABC},
		{2240, 0x6E73A90539CF2948, 0x757BA8487D1B5247},
		{2367, 0xCB37AEB9E5D361ED, 0xD2DB3415B942B42A},
	} {
		without, under := Bytes(0, unsafe.Pointer(&filled[0]), v.n), Bytes(prime64, unsafe.Pointer(&filled[0]), v.n)
		if without != v.without || under != v.under {
			t.Errorf("%d bytes: %#x and %#x, want %#x and %#x", v.n, without, under, v.without, v.under)
		}
	}
}

// BenchmarkBytes hashes values of the sizes that components have.
func BenchmarkBytes(b *testing.B) {
	var memory [256]byte
	for _, n := range []uintptr{8, 16, 40, 72, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := uint64(0)
			for b.Loop() {
				h = Bytes(h, unsafe.Pointer(&memory[0]), n)
			}
		})
	}
}
