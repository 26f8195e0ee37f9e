package snapshot

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// An Appender makes the snapshot of several values; memory that several pointers point to is in it once.
type Appender struct {
	lens *Lens
	seen map[place]int
	rest Rest
	b    []byte
}

// A Rest is what is left to do of a snapshot when all values have been copied into it. It needs none of them any more, so another
// goroutine may do it while they change.
type Rest struct {
	lies   []extent
	tables []table
}

// An extent is memory that is in the snapshot.
type extent struct {
	at, end uintptr
	of      reflect.Type
}

// A table is where the entries of a map are in the snapshot, in no order, with the sizes of an entry and of its key.
type table struct{ at, end, entry, key int }

// Append returns an appender to a slice.
func (l *Lens) Append(b []byte) *Appender {
	return &Appender{lens: l, seen: make(map[place]int), b: b}
}

// Copied returns the slice with all snapshots so far, which are complete after Finish of the rest.
func (a *Appender) Copied() ([]byte, *Rest) { return a.b, &a.rest }

// Bytes returns the slice with all snapshots so far. It fails as Finish does.
func (a *Appender) Bytes() ([]byte, error) {
	if err := a.rest.Finish(a.b); err != nil {
		return nil, err
	}
	return a.b, nil
}

// Finish completes the snapshots in what Copied has returned, and can be called once. It fails with ErrKind if two values overlap in memory
// without being the same: they would not overlap when the snapshots are read.
func (r *Rest) Finish(b []byte) error {
	var room []byte
	for _, t := range r.tables {
		room = sortEntries(b[t.at:t.end], room, t.entry, t.key)
	}
	r.tables = nil
	slices.SortFunc(r.lies, func(x, y extent) int { return cmp.Compare(x.at, y.at) })
	for i := 1; i < len(r.lies); i++ {
		if x, y := r.lies[i-1], r.lies[i]; x.end > y.at {
			return fmt.Errorf("%w: a %v lies within a %v", ErrKind, y.of, x.of)
		}
	}
	return nil
}

// note records where a value lies that is in the snapshot.
func (a *Appender) note(of reflect.Type, at unsafe.Pointer, size uintptr) {
	if size > 0 {
		a.rest.lies = append(a.rest.lies, extent{uintptr(at), uintptr(at) + size, of})
	}
}

// Value appends the value that a pointer points to. The cost is that of its memory.
func (a *Appender) Value(pointer any) error {
	v := reflect.ValueOf(pointer)
	return a.pointer(a.lens.layoutOf(v.Type().Elem()), v.UnsafePointer())
}

// pointer appends what a pointer to a type points to.
func (a *Appender) pointer(l *layout, at unsafe.Pointer) error {
	switch {
	case at == nil:
		a.b = append(a.b, isNil)
		return nil
	case l.given:
		a.b = append(a.b, isGiven)
		return nil
	}
	key := place{at, l.of}
	if number, ok := a.seen[key]; ok {
		a.b = appendCount(append(a.b, isKnown), number)
		return nil
	}
	a.seen[key] = len(a.seen)
	a.note(l.of, at, l.size)
	a.b = append(a.b, isNew)
	return within("*", a.value(l, at))
}

// value appends the value of a type at an address.
func (a *Appender) value(l *layout, at unsafe.Pointer) error {
	if l.given {
		return nil
	}
	if l.flat {
		a.b = append(a.b, memory(at, l.size)...)
		return nil
	}
	switch l.kind {
	case reflect.Struct:
		for i := range l.fields {
			f := &l.fields[i]
			if err := a.value(f.layout, unsafe.Add(at, f.offset)); err != nil {
				return within("."+f.name, err)
			}
		}
		return nil
	case reflect.Array:
		return a.row(l.elem, at, l.of.Len())
	case reflect.Slice:
		s := (*[]byte)(at) // of any type: its length counts elements
		if *s == nil {
			a.b = append(a.b, 0)
			return nil
		}
		a.b = appendCount(a.b, len(*s)+1)
		a.note(l.of, unsafe.Pointer(unsafe.SliceData(*s)), uintptr(len(*s))*l.elem.size)
		return a.row(l.elem, unsafe.Pointer(unsafe.SliceData(*s)), len(*s))
	case reflect.String:
		s := *(*string)(at)
		a.b = append(appendCount(a.b, len(s)), s...)
		return nil
	case reflect.Map:
		return a.table(l, reflect.NewAt(l.of, at).Elem())
	case reflect.Pointer:
		return a.pointer(l.elem, *(*unsafe.Pointer)(at))
	case reflect.Func:
		if *(*unsafe.Pointer)(at) == nil {
			a.b = append(a.b, isNil)
		} else {
			a.b = append(a.b, isGiven)
		}
		return nil
	}
	return fmt.Errorf("%w: a %v", ErrKind, l.of)
}

// row appends values that lie side by side.
func (a *Appender) row(of *layout, at unsafe.Pointer, n int) error {
	if of.flat {
		a.b = append(a.b, memory(at, uintptr(n)*of.size)...)
		return nil
	}
	for i := range n {
		if err := a.value(of, unsafe.Add(at, uintptr(i)*of.size)); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// table appends a map of flat keys and values, which Finish puts in the order of their memory: equal maps have equal snapshots.
func (a *Appender) table(l *layout, m reflect.Value) error {
	if !l.key.flat || !l.elem.flat {
		return fmt.Errorf("%w: a %v", ErrKind, l.of)
	}
	if m.IsNil() {
		a.b = appendCount(a.b, 0)
		return nil
	}
	a.b = appendCount(a.b, m.Len()+1)
	t := table{at: len(a.b), entry: int(l.key.size + l.elem.size), key: int(l.key.size)}
	atKey, atValue := reflect.New(l.key.of), reflect.New(l.elem.of)
	key, value := memory(atKey.UnsafePointer(), l.key.size), memory(atValue.UnsafePointer(), l.elem.size)
	k, v := atKey.Elem(), atValue.Elem()
	for it := m.MapRange(); it.Next(); {
		k.SetIterKey(it)
		v.SetIterValue(it)
		a.b = append(append(a.b, key...), value...)
	}
	if t.end = len(a.b); t.end > t.at {
		a.rest.tables = append(a.rest.tables, t)
	}
	return nil
}
