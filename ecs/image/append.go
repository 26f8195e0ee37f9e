package image

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// An Appender makes the image of several values; memory that several pointers point to is in it once.
type Appender struct {
	lens *Lens
	seen map[place]int
	lies []extent
	b    []byte
}

// An extent is memory that is in the image.
type extent struct {
	at, end uintptr
	of      reflect.Type
}

// Append returns an appender to a slice.
func (l *Lens) Append(b []byte) *Appender {
	return &Appender{lens: l, seen: make(map[place]int), b: b}
}

// Bytes returns the slice with all images so far. It fails with ErrKind if two values overlap in memory without being
// the same: they would not overlap when the images are read.
func (a *Appender) Bytes() ([]byte, error) {
	slices.SortFunc(a.lies, func(x, y extent) int { return cmp.Compare(x.at, y.at) })
	for i := 1; i < len(a.lies); i++ {
		if x, y := a.lies[i-1], a.lies[i]; x.end > y.at {
			return nil, fmt.Errorf("%w: a %v lies within a %v", ErrKind, y.of, x.of)
		}
	}
	return a.b, nil
}

// note records where a value lies that is in the image.
func (a *Appender) note(of reflect.Type, at unsafe.Pointer, size uintptr) {
	if size > 0 {
		a.lies = append(a.lies, extent{uintptr(at), uintptr(at) + size, of})
	}
}

// Value appends the value that a pointer points to. The cost is that of its memory.
func (a *Appender) Value(pointer any) error {
	v := reflect.ValueOf(pointer)
	return a.pointer(v.Type(), v.UnsafePointer())
}

// pointer appends what a pointer of a type points to.
func (a *Appender) pointer(t reflect.Type, at unsafe.Pointer) error {
	switch {
	case at == nil:
		a.b = append(a.b, isNil)
		return nil
	case a.lens.Given(t.Elem()):
		a.b = append(a.b, isGiven)
		return nil
	}
	key := place{at, t.Elem()}
	if number, ok := a.seen[key]; ok {
		a.b = appendCount(append(a.b, isKnown), number)
		return nil
	}
	a.seen[key] = len(a.seen)
	a.note(key.of, at, key.of.Size())
	a.b = append(a.b, isNew)
	return within("*", a.value(t.Elem(), at))
}

// value appends the value of a type at an address.
func (a *Appender) value(t reflect.Type, at unsafe.Pointer) error {
	if a.lens.Given(t) {
		return nil
	}
	if a.lens.isFlat(t) {
		a.b = append(a.b, memory(at, t.Size())...)
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			if left(f) {
				continue
			}
			if err := a.value(f.Type, unsafe.Add(at, f.Offset)); err != nil {
				return within("."+f.Name, err)
			}
		}
		return nil
	case reflect.Array:
		return a.row(t.Elem(), at, t.Len())
	case reflect.Slice:
		s := (*[]byte)(at) // of any type: its length counts elements
		if *s == nil {
			a.b = appendCount(a.b, 0)
			return nil
		}
		a.b = appendCount(a.b, len(*s)+1)
		a.note(t, unsafe.Pointer(unsafe.SliceData(*s)), uintptr(len(*s))*t.Elem().Size())
		return a.row(t.Elem(), unsafe.Pointer(unsafe.SliceData(*s)), len(*s))
	case reflect.String:
		s := *(*string)(at)
		a.b = append(appendCount(a.b, len(s)), s...)
		return nil
	case reflect.Map:
		return a.table(reflect.NewAt(t, at).Elem())
	case reflect.Pointer:
		return a.pointer(t, *(*unsafe.Pointer)(at))
	case reflect.Func:
		if *(*unsafe.Pointer)(at) == nil {
			a.b = append(a.b, isNil)
		} else {
			a.b = append(a.b, isGiven)
		}
		return nil
	}
	return fmt.Errorf("%w: a %v", ErrKind, t)
}

// row appends values that lie side by side.
func (a *Appender) row(of reflect.Type, at unsafe.Pointer, n int) error {
	if a.lens.isFlat(of) {
		a.b = append(a.b, memory(at, uintptr(n)*of.Size())...)
		return nil
	}
	for i := range n {
		if err := a.value(of, unsafe.Add(at, uintptr(i)*of.Size())); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// table appends a map of flat keys and values, in the order of their memory: equal maps have equal images.
func (a *Appender) table(m reflect.Value) error {
	key, elem := m.Type().Key(), m.Type().Elem()
	if !a.lens.isFlat(key) || !a.lens.isFlat(elem) {
		return fmt.Errorf("%w: a %v", ErrKind, m.Type())
	}
	if m.IsNil() {
		a.b = appendCount(a.b, 0)
		return nil
	}
	a.b = appendCount(a.b, m.Len()+1)
	entry, k, v := int(key.Size()+elem.Size()), reflect.New(key), reflect.New(elem)
	all := make([]byte, 0, entry*m.Len())
	for it := m.MapRange(); it.Next(); {
		k.Elem().SetIterKey(it)
		v.Elem().SetIterValue(it)
		all = append(append(all, memory(k.UnsafePointer(), key.Size())...), memory(v.UnsafePointer(), elem.Size())...)
	}
	rows := slices.Collect(slices.Chunk(all, max(entry, 1)))
	slices.SortFunc(rows, bytes.Compare)
	for _, row := range rows {
		a.b = append(a.b, row...)
	}
	return nil
}
