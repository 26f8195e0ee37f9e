package snapshot

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// A Restorer reads snapshots into values, in the order in which they were appended.
type Restorer struct {
	lens  *Lens
	known []place
	b     []byte
}

// Restore returns a restorer of what an Appender has appended.
func (l *Lens) Restore(b []byte) *Restorer { return &Restorer{lens: l, b: b} }

// Rest returns the bytes that were not read yet.
func (r *Restorer) Rest() []byte { return r.b }

// Value reads into what a pointer points to. If that fails, part of it was read.
func (r *Restorer) Value(pointer any) error {
	v := reflect.ValueOf(pointer)
	at := v.UnsafePointer()
	err := r.pointer(r.lens.layoutOf(v.Type().Elem()), &at)
	if err == nil && at != v.UnsafePointer() {
		err = fmt.Errorf("%w: it was another thing's, too", ErrShape)
	}
	return err
}

// take returns the next n bytes.
func (r *Restorer) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.b) {
		return nil, ErrShort
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b, nil
}

func (r *Restorer) count() (uint64, error) {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		return 0, ErrShort
	}
	r.b = r.b[size:]
	return n, nil
}

func (r *Restorer) pointer(l *layout, at *unsafe.Pointer) error {
	head, err := r.take(1)
	if err != nil {
		return err
	}
	switch head[0] {
	case isNil:
		*at = nil
		return nil
	case isGiven:
		return r.given(reflect.PointerTo(l.of), *at)
	case isKnown:
		number, err := r.count()
		if err != nil {
			return err
		}
		if number >= uint64(len(r.known)) || r.known[number].of != l.of {
			return ErrShape
		}
		*at = r.known[number].at
		return nil
	case isNew:
	default:
		return ErrShape
	}
	if *at == nil {
		*at = reflect.New(l.of).UnsafePointer()
	}
	r.known = append(r.known, place{*at, l.of})
	return within("*", r.value(l, *at))
}

// given checks, and leaves in place, what the program supplies.
func (r *Restorer) given(t reflect.Type, at unsafe.Pointer) error {
	if at == nil {
		return fmt.Errorf("%w: there was a %v, which is no data", ErrShape, t)
	}
	return nil
}

func (r *Restorer) value(l *layout, at unsafe.Pointer) error {
	if l.given {
		return nil
	}
	if l.flat {
		return r.row(l, at, 1)
	}
	switch l.kind {
	case reflect.Struct:
		for _, f := range l.fields {
			if err := r.value(f.layout, unsafe.Add(at, f.offset)); err != nil {
				return within("."+f.name, err)
			}
		}
		return nil
	case reflect.Array:
		return r.row(l.elem, at, l.of.Len())
	case reflect.Slice:
		return r.slice(l, reflect.NewAt(l.of, at).Elem())
	case reflect.String:
		n, err := r.count()
		if err != nil || n > uint64(len(r.b)) {
			return ErrShort
		}
		b, err := r.take(int(n))
		*(*string)(at) = string(b)
		return err
	case reflect.Map:
		return r.table(l, reflect.NewAt(l.of, at).Elem())
	case reflect.Pointer:
		return r.pointer(l.elem, (*unsafe.Pointer)(at))
	case reflect.Func:
		head, err := r.take(1)
		if err == nil && head[0] == isGiven {
			err = r.given(l.of, *(*unsafe.Pointer)(at))
		}
		return err
	}
	return fmt.Errorf("%w: a %v", ErrKind, l.of)
}

func (r *Restorer) row(l *layout, at unsafe.Pointer, n int) error {
	if l.flat {
		b, err := r.take(n * int(l.size))
		if err == nil {
			copy(memory(at, uintptr(len(b))), b)
		}
		return err
	}
	for i := range n {
		if err := r.value(l, unsafe.Add(at, uintptr(i)*l.size)); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// slice reads into the memory of a slice of the same length, which may hold wiring; else into new memory.
func (r *Restorer) slice(of *layout, s reflect.Value) error {
	n, err := r.count()
	if err != nil {
		return err
	}
	if n == 0 {
		s.SetZero()
		return nil
	}
	n--
	l := of.elem
	least := uintptr(1) // of an element that is not flat
	if l.flat {
		least = l.size
	}
	if !l.given && !room(n, least, len(r.b)) {
		return ErrShort
	}
	if uint64(s.Len()) != n || s.IsNil() {
		if l.given && n > 0 {
			return fmt.Errorf("%w: %d of %v, which is no data, not %d", ErrShape, n, l.of, s.Len())
		}
		s.Set(reflect.MakeSlice(s.Type(), int(n), int(n)))
	}
	return r.row(l, s.UnsafePointer(), int(n))
}

func (r *Restorer) table(l *layout, m reflect.Value) error {
	n, err := r.count()
	if err != nil {
		return err
	}
	if n == 0 {
		m.SetZero()
		return nil
	}
	n--
	if !room(n, l.key.size+l.elem.size, len(r.b)) {
		return ErrShort
	}
	m.Set(reflect.MakeMapWithSize(m.Type(), int(n)))
	k, v := reflect.New(l.key.of), reflect.New(l.elem.of)
	for range n {
		if err := r.row(l.key, k.UnsafePointer(), 1); err != nil {
			return err
		}
		if err := r.row(l.elem, v.UnsafePointer(), 1); err != nil {
			return err
		}
		m.SetMapIndex(k.Elem(), v.Elem())
	}
	return nil
}
