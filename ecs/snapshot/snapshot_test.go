package snapshot

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

type wiring struct{ calls int }

type leaf struct {
	A uint8
	B [3]float32
}

type node struct {
	Name   string
	leaves []leaf
	nested [][]uint16
	roll   map[uint64]leaf
	next   *node
	page   *[2]leaf
	none   []int
	empty  []int
	do     func()
	wired  []wiring
	wire   *wiring
	hasty  []byte `snapshot:"-"`
}

func lens() *Lens {
	return NewLens(func(t reflect.Type) bool { return t == reflect.TypeFor[wiring]() })
}

func full() *node {
	n := &node{
		Name: "first", leaves: []leaf{{1, [3]float32{1, 2, 3}}, {A: 2}}, nested: [][]uint16{{1, 2}, nil, {}},
		roll: map[uint64]leaf{7: {A: 7}, 3: {A: 3}, 300: {A: 30}}, page: &[2]leaf{{A: 5}, {A: 6}}, empty: []int{},
		do: func() {}, wired: make([]wiring, 2), wire: new(wiring), hasty: []byte("now"),
	}
	n.next = &node{Name: "second", next: n, page: n.page}
	return n
}

// bare is as full was made, before anything happened to it.
func bare() *node {
	return &node{Name: "new", leaves: make([]leaf, 5), do: func() {}, wired: make([]wiring, 2), wire: &wiring{calls: 9}, hasty: []byte("later")}
}

func append1(t *testing.T, values ...any) []byte {
	t.Helper()
	a := lens().Append(nil)
	for _, v := range values {
		if err := a.Value(v); err != nil {
			t.Fatal(err)
		}
	}
	b, err := a.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// All data comes back, in the same shape: what two things pointed to they point to again. The wiring stays.
func TestDataComesBack(t *testing.T) {
	was, now := full(), bare()
	wire := now.wire
	more := []*node{was.next}
	b := append1(t, was, &more)
	r := lens().Restore(b)
	if err := r.Value(now); err != nil {
		t.Fatal(err)
	}
	more = nil
	if err := r.Value(&more); err != nil || len(r.Rest()) != 0 {
		t.Fatalf("%v, and %d bytes are left", err, len(r.Rest()))
	}
	if more[0] != now.next || now.next.next != now || now.next.page != now.page || now.page == was.page {
		t.Error("what was one thing is two")
	}
	if now.wire != wire || wire.calls != 9 || now.do == nil || string(now.hasty) != "later" {
		t.Error("the wiring was touched")
	}
	if now.none != nil || now.empty == nil || now.nested[1] != nil || now.nested[2] == nil {
		t.Error("what is nil has become empty, or the other way round")
	}
	if &now.leaves[0] == &was.leaves[0] {
		t.Error("memory is shared")
	}
	for _, n := range []*node{was, now, was.next, now.next} {
		n.do, n.wire, n.wired, n.hasty = nil, nil, nil, nil
	}
	if !reflect.DeepEqual(now, was) {
		t.Errorf("%+v came back, want %+v", now, was)
	}
	if again := append1(t, full()); !bytes.Equal(again, b[:len(again)]) {
		t.Error("the snapshot of an equal value is another")
	}
}

type ring struct{ at *seat }

type seat struct {
	in   ring
	laps uint32
}

// A type that has itself by way of a pointer is no memory that can be copied as it is, whichever of its parts is seen first.
func TestTypesWithPointersToThemselves(t *testing.T) {
	was := &ring{&seat{laps: 7}}
	was.at.in.at = was.at
	now := new(ring)
	if err := lens().Restore(append1(t, was)).Value(now); err != nil {
		t.Fatal(err)
	}
	if now.at == was.at || now.at.in.at != now.at || now.at.laps != 7 {
		t.Errorf("%+v came back of %+v", now.at, was.at)
	}
}

// Where a snapshot is cut off, and where it says what cannot be, reading it fails, and takes no memory for it.
func TestBadSnapshots(t *testing.T) {
	b := append1(t, full())
	for n := range len(b) {
		if err := lens().Restore(b[:n]).Value(bare()); err == nil {
			t.Errorf("%d of %d bytes are a snapshot", n, len(b))
		}
	}
	for i := range b {
		for _, bit := range []byte{1, 0x80} {
			bad := bytes.Clone(b)
			bad[i] ^= bit
			lens().Restore(bad).Value(bare()) // not to panic is all that can be asked
		}
	}
	huge := []byte{isNew, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}
	var list []leaf
	if err := lens().Restore(huge).Value(&list); !errors.Is(err, ErrShort) {
		t.Errorf("a huge list: %v", err)
	}
	var table map[uint64]leaf
	if err := lens().Restore(huge).Value(&table); !errors.Is(err, ErrShort) {
		t.Errorf("a huge map: %v", err)
	}
}

// What has no snapshot is said, with where it is; nothing is left out in silence.
func TestWhatHasNoSnapshot(t *testing.T) {
	inner := []int{1, 2, 3}
	for _, c := range []struct {
		value any
		says  string
	}{
		{&struct{ A struct{ C chan int } }{}, "*.A.C: snapshot: not data: a chan int"},
		{&struct{ L []any }{[]any{nil, 1}}, "*.L[0]: snapshot: not data: a interface {}"},
		{&struct{ M map[string]int }{map[string]int{"a": 1}}, "*.M: snapshot: not data: a map[string]int"},
		{&struct{ A, B []int }{inner, inner[1:]}, "snapshot: not data: a []int lies within a []int"},
		{&struct {
			A []int
			B *int
		}{inner, &inner[1]}, "snapshot: not data: a int lies within a []int"},
	} {
		a := lens().Append(nil)
		err := a.Value(c.value)
		if err == nil {
			_, err = a.Bytes()
		}
		if !errors.Is(err, ErrKind) || err.Error() != c.says {
			t.Errorf("%T: %v, want %s", c.value, err, c.says)
		}
	}
}

// Wiring that was there has to be there again.
func TestMissingWiring(t *testing.T) {
	b := append1(t, full())
	for what, cut := range map[string]func(*node){
		".wire":  func(n *node) { n.wire = nil },
		".do":    func(n *node) { n.do = nil },
		".wired": func(n *node) { n.wired = n.wired[:1] },
	} {
		n := bare()
		cut(n)
		if err := lens().Restore(b).Value(n); !errors.Is(err, ErrShape) || !strings.HasPrefix(err.Error(), "*"+what+":") {
			t.Errorf("without %s: %v", what, err)
		}
	}
}

// A type has another shape if anything in it has another name, type or place.
func TestShape(t *testing.T) {
	type inner struct{ A, B uint32 }
	shapes := make(map[uint64]reflect.Type)
	for _, of := range []reflect.Type{
		reflect.TypeFor[inner](), reflect.TypeFor[struct{ A, C uint32 }](), reflect.TypeFor[struct{ B, A uint32 }](),
		reflect.TypeFor[struct{ A, B int32 }](), reflect.TypeFor[struct{ A, B, C uint32 }](), reflect.TypeFor[[2]uint32](),
		reflect.TypeFor[[]inner](), reflect.TypeFor[*inner](), reflect.TypeFor[map[uint32]inner](), reflect.TypeFor[node](),
	} {
		s := lens().Shape(of)
		if other, ok := shapes[s]; ok {
			t.Errorf("%v has the shape of %v", of, other)
		}
		if shapes[s] = of; lens().Shape(of) != s {
			t.Errorf("%v has two shapes", of)
		}
	}
	func() {
		type inner struct{ A, C uint32 }
		if s := lens().Shape(reflect.TypeFor[*inner]()); shapes[s] != nil {
			t.Errorf("*inner with another field has the shape of %v", shapes[s])
		}
	}()
}

// What Copied leaves to Finish needs the values no more: they may change between both, and the snapshot is the one that Bytes makes.
func TestRestNeedsNoValues(t *testing.T) {
	want := append1(t, full())
	n := full()
	a := lens().Append([]byte("before"))
	if err := a.Value(n); err != nil {
		t.Fatal(err)
	}
	b, rest := a.Copied()
	clear(n.roll)
	clear(n.leaves)
	n.Name, n.next = "another", nil
	if err := rest.Finish(b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, append([]byte("before"), want...)) {
		t.Errorf("the snapshot is % x, want % x", b[6:], want)
	}
}

// The shape of a type is found out once.
func TestShapeIsKept(t *testing.T) {
	l, of := lens(), reflect.TypeFor[struct {
		A int32
		B []string
	}]()
	shape := l.Shape(of)
	if n := testing.AllocsPerRun(10, func() { shape = l.Shape(of) }); n != 0 || shape != lens().Shape(of) {
		t.Errorf("a shape that is known takes %v allocations, and is %x", n, shape)
	}
}
