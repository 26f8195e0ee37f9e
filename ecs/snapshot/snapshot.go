// Package snapshot writes a value, with everything that it points to, as bytes, and reads it into another value that was
// made the same way.
//
// Functions, and the types that Given names, are not in a snapshot: they stay what they are where a snapshot is read. So
// a snapshot is data, and the program that reads it provides the wiring. Fields with the tag `snapshot:"-"`, which are
// only used within a call, are left out, too.
package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"reflect"
	"sync"
	"unsafe"
)

var (
	// ErrShort is the error of a snapshot that ends too early, or counts more than it has.
	ErrShort = errors.New("snapshot: cut off")
	// ErrShape is the error of a value of another shape than the one of which the snapshot was made.
	ErrShape = errors.New("snapshot: of another shape")
	// ErrKind is the error of values of a type that has no snapshot.
	ErrKind = errors.New("snapshot: not data")
)

// A Lens is the rules of what is in snapshots. Any goroutine may use it: one is enough for a program.
type Lens struct {
	// Given reports whether the program supplies values of a type. It must not use the lens.
	Given func(reflect.Type) bool

	mu      sync.Mutex // of what was found out
	layouts map[reflect.Type]*layout
	shapes  map[reflect.Type]uint64
}

// A layout is what decides how values of a type are in snapshots. It is found out once for each type.
type layout struct {
	of        reflect.Type
	kind      reflect.Kind
	size      uintptr
	given     bool // the program supplies its values
	flat      bool // it has no pointers of any kind: its snapshot is its memory, in the byte order of the machine
	fields    []field
	key, elem *layout
}

// A field of a struct is in its snapshot.
type field struct {
	*layout
	name   string
	offset uintptr
}

// NewLens returns a lens.
func NewLens(given func(reflect.Type) bool) *Lens {
	return &Lens{Given: given, layouts: make(map[reflect.Type]*layout), shapes: make(map[reflect.Type]uint64)}
}

// layoutOf returns the layout of a type.
func (l *Lens) layoutOf(t reflect.Type) *layout {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.layout(t)
}

func (l *Lens) layout(t reflect.Type) *layout {
	if known := l.layouts[t]; known != nil {
		return known
	}
	at := &layout{of: t, kind: t.Kind(), size: t.Size(), given: l.Given(t)}
	l.layouts[t] = at // a type may have pointers to itself
	if at.given {
		return at
	}
	switch at.kind {
	case reflect.Struct:
		flat := true // at is not flat meanwhile: what has it by a pointer to itself has that pointer
		for f := range t.Fields() {
			if left(f) {
				flat = false
				continue
			}
			it := field{l.layout(f.Type), f.Name, f.Offset}
			flat = flat && it.flat
			at.fields = append(at.fields, it)
		}
		at.flat = flat
	case reflect.Array:
		at.elem = l.layout(t.Elem())
		at.flat = at.elem.flat
	case reflect.Map:
		at.key = l.layout(t.Key())
		at.elem = l.layout(t.Elem())
	case reflect.Slice, reflect.Pointer:
		at.elem = l.layout(t.Elem())
	default:
		at.flat = at.kind >= reflect.Bool && at.kind <= reflect.Complex128
	}
	return at
}

// left reports whether a field is left out.
func left(f reflect.StructField) bool { return f.Tag.Get("snapshot") == "-" }

// Shape hashes what a snapshot of a type depends on: names, types and offsets of all fields, also of what they point
// to. It is found out once for each type.
func (l *Lens) Shape(t reflect.Type) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	shape, known := l.shapes[t]
	if !known {
		h := fnv.New64a()
		l.describe(h, t, make(map[reflect.Type]bool))
		shape = h.Sum64()
		l.shapes[t] = shape
	}
	return shape
}

func (l *Lens) describe(w io.Writer, t reflect.Type, seen map[reflect.Type]bool) {
	fmt.Fprintf(w, "%v %s %d;", t.Kind(), t, t.Size())
	if seen[t] || l.layout(t).given {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			fmt.Fprintf(w, "%s at %d ", f.Name, f.Offset)
			if !left(f) {
				l.describe(w, f.Type, seen)
			}
		}
	case reflect.Map:
		l.describe(w, t.Key(), seen)
		l.describe(w, t.Elem(), seen)
	case reflect.Array, reflect.Slice, reflect.Pointer:
		l.describe(w, t.Elem(), seen)
	}
}

// A place is the address and the type of what a pointer points to.
type place struct {
	at unsafe.Pointer
	of reflect.Type
}

// The mark before what a pointer points to.
const (
	isNil = iota
	isGiven
	isNew   // its snapshot follows
	isKnown // its number follows: it is in the snapshot already
)

// memory returns a value as bytes.
func memory(p unsafe.Pointer, n uintptr) []byte { return unsafe.Slice((*byte)(p), n) }

// room reports whether n elements of a size can be in so many bytes.
func room(n uint64, size uintptr, have int) bool {
	hi, all := bits.Mul64(n, uint64(max(size, 1)))
	return hi == 0 && all <= uint64(have)
}

// within adds a part of a value to the path of an error.
func within(part string, err error) error {
	if err == nil {
		return nil
	}
	var at *Error
	if errors.As(err, &at) {
		at.Path = part + at.Path
		return at
	}
	return &Error{Path: part, Err: err}
}

// An Error is an error in a part of a value. Err is ErrShort, ErrShape or ErrKind.
type Error struct {
	Path string // .field, [index], * for what is pointed to
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

func appendCount(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }
