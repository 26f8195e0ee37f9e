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
	err := r.pointer(v.Type(), &at)
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

func (r *Restorer) pointer(t reflect.Type, at *unsafe.Pointer) error {
	head, err := r.take(1)
	if err != nil {
		return err
	}
	switch head[0] {
	case isNil:
		*at = nil
		return nil
	case isGiven:
		return r.given(t, *at)
	case isKnown:
		number, err := r.count()
		if err != nil {
			return err
		}
		if number >= uint64(len(r.known)) || r.known[number].of != t.Elem() {
			return ErrShape
		}
		*at = r.known[number].at
		return nil
	case isNew:
	default:
		return ErrShape
	}
	if *at == nil {
		*at = reflect.New(t.Elem()).UnsafePointer()
	}
	r.known = append(r.known, place{*at, t.Elem()})
	return within("*", r.value(t.Elem(), *at))
}

// given checks, and leaves in place, what the program supplies.
func (r *Restorer) given(t reflect.Type, at unsafe.Pointer) error {
	if at == nil {
		return fmt.Errorf("%w: there was a %v, which is no data", ErrShape, t)
	}
	return nil
}

func (r *Restorer) value(t reflect.Type, at unsafe.Pointer) error {
	l := r.lens.layoutOf(t)
	if l.given {
		return nil
	}
	if l.flat {
		return r.row(t, at, 1)
	}
	switch l.kind {
	case reflect.Struct:
		for _, f := range l.fields {
			if err := r.value(f.of, unsafe.Add(at, f.offset)); err != nil {
				return within("."+f.name, err)
			}
		}
		return nil
	case reflect.Array:
		return r.row(t.Elem(), at, t.Len())
	case reflect.Slice:
		return r.slice(reflect.NewAt(t, at).Elem())
	case reflect.String:
		n, err := r.count()
		if err != nil || n > uint64(len(r.b)) {
			return ErrShort
		}
		b, err := r.take(int(n))
		*(*string)(at) = string(b)
		return err
	case reflect.Map:
		return r.table(reflect.NewAt(t, at).Elem())
	case reflect.Pointer:
		return r.pointer(t, (*unsafe.Pointer)(at))
	case reflect.Func:
		head, err := r.take(1)
		if err == nil && head[0] == isGiven {
			err = r.given(t, *(*unsafe.Pointer)(at))
		}
		return err
	}
	return fmt.Errorf("%w: a %v", ErrKind, t)
}

func (r *Restorer) row(of reflect.Type, at unsafe.Pointer, n int) error {
	if r.lens.layoutOf(of).flat {
		b, err := r.take(n * int(of.Size()))
		if err == nil {
			copy(memory(at, uintptr(len(b))), b)
		}
		return err
	}
	for i := range n {
		if err := r.value(of, unsafe.Add(at, uintptr(i)*of.Size())); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// slice reads into the memory of a slice of the same length, which may hold wiring; else into new memory.
func (r *Restorer) slice(s reflect.Value) error {
	n, err := r.count()
	if err != nil {
		return err
	}
	if n == 0 {
		s.SetZero()
		return nil
	}
	n--
	elem := s.Type().Elem()
	l := r.lens.layoutOf(elem)
	least := uintptr(1) // of an element that is not flat
	if l.flat {
		least = l.size
	}
	if !l.given && !room(n, least, len(r.b)) {
		return ErrShort
	}
	if uint64(s.Len()) != n || s.IsNil() {
		if l.given && n > 0 {
			return fmt.Errorf("%w: %d of %v, which is no data, not %d", ErrShape, n, elem, s.Len())
		}
		s.Set(reflect.MakeSlice(s.Type(), int(n), int(n)))
	}
	return r.row(elem, s.UnsafePointer(), int(n))
}

func (r *Restorer) table(m reflect.Value) error {
	key, elem := m.Type().Key(), m.Type().Elem()
	n, err := r.count()
	if err != nil {
		return err
	}
	if n == 0 {
		m.SetZero()
		return nil
	}
	n--
	if !room(n, key.Size()+elem.Size(), len(r.b)) {
		return ErrShort
	}
	m.Set(reflect.MakeMapWithSize(m.Type(), int(n)))
	k, v := reflect.New(key), reflect.New(elem)
	for range n {
		if err := r.row(key, k.UnsafePointer(), 1); err != nil {
			return err
		}
		if err := r.row(elem, v.UnsafePointer(), 1); err != nil {
			return err
		}
		m.SetMapIndex(k.Elem(), v.Elem())
	}
	return nil
}
