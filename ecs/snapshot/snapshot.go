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

// A Lens is the rules of what is in snapshots. One goroutine at a time may use it, but none for the Rest of a snapshot.
type Lens struct {
	// Given reports whether the program supplies values of a type.
	Given func(reflect.Type) bool

	flat   map[reflect.Type]bool
	given  map[reflect.Type]bool
	fields map[reflect.Type][]field // of structs that are not flat
}

// A field of a struct is in its snapshot.
type field struct {
	name   string
	of     reflect.Type
	offset uintptr
}

// NewLens returns a lens.
func NewLens(given func(reflect.Type) bool) *Lens {
	return &Lens{Given: given, flat: make(map[reflect.Type]bool), given: make(map[reflect.Type]bool), fields: make(map[reflect.Type][]field)}
}

// isFlat reports whether a type has no pointers of any kind: its snapshot is its memory, in the byte order of the
// machine.
func (l *Lens) isFlat(t reflect.Type) bool {
	if flat, ok := l.flat[t]; ok {
		return flat
	}
	flat := !l.isGiven(t)
	switch kind := t.Kind(); kind {
	case reflect.Struct:
		for f := range t.Fields() {
			flat = flat && !left(f) && l.isFlat(f.Type)
		}
	case reflect.Array:
		flat = flat && l.isFlat(t.Elem())
	default:
		flat = flat && kind >= reflect.Bool && kind <= reflect.Complex128
	}
	l.flat[t] = flat
	return flat
}

// isGiven is Given, asked once for each type.
func (l *Lens) isGiven(t reflect.Type) bool {
	given, ok := l.given[t]
	if !ok {
		given = l.Given(t)
		l.given[t] = given
	}
	return given
}

// fieldsOf returns the fields of a struct that are not left out.
func (l *Lens) fieldsOf(t reflect.Type) []field {
	fields, ok := l.fields[t]
	if !ok {
		for f := range t.Fields() {
			if !left(f) {
				fields = append(fields, field{f.Name, f.Type, f.Offset})
			}
		}
		l.fields[t] = fields
	}
	return fields
}

// left reports whether a field is left out.
func left(f reflect.StructField) bool { return f.Tag.Get("snapshot") == "-" }

// Shape hashes what a snapshot of a type depends on: names, types and offsets of all fields, also of what they point
// to.
func (l *Lens) Shape(t reflect.Type) uint64 {
	h := fnv.New64a()
	l.describe(h, t, make(map[reflect.Type]bool))
	return h.Sum64()
}

func (l *Lens) describe(w io.Writer, t reflect.Type, seen map[reflect.Type]bool) {
	fmt.Fprintf(w, "%v %s %d;", t.Kind(), t, t.Size())
	if seen[t] || l.isGiven(t) {
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
