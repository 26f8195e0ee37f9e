// Package digest hashes flat structs for comparison between runs and between programs: the contents of padding and
// the row of an entity do not matter.
package digest

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/zeebo/xxh3"

	"muster/ecs"
)

// A Form says how values of a type are hashed.
type Form struct {
	runs []run
	flat uintptr // size of a value that is one run of bytes, else 0
	of   *World
}

// A World is what the hashes of one world depend on. One goroutine hashes it.
type World struct {
	// Name returns the name of an entity, the same in every run, also of a despawned one. It is not called for the
	// zero Entity, whose name is 0.
	Name func(ecs.Entity) uint64
	// Blocks are the slabs by name. A field with the tag `block:"Name"` holds the number of a block there, and the
	// contents of the block are hashed in its place.
	Blocks map[string]Block

	gathered []byte // the bytes to hash
}

// A Block is a slab whose blocks belong to components.
type Block struct {
	Of reflect.Type
	At func(uint32) unsafe.Pointer // of numbers from 1
}

// A run is some bytes of a value, or an entity, or the number of a block.
type run struct {
	at, size uintptr
	entity   bool
	block    func(uint32) unsafe.Pointer
	inside   Form // of the block
}

var entity = reflect.TypeFor[ecs.Entity]()

// Form returns the form of a type. It fails for one with pointers, or with the name of an unknown block.
func (w *World) Form(of reflect.Type) (Form, error) {
	f := Form{of: w}
	err := f.add(of, 0, "")
	if len(f.runs) == 1 && f.runs[0].plain() && f.runs[0].at == 0 {
		f.flat = f.runs[0].size
	}
	return f, err
}

func (f *Form) add(of reflect.Type, at uintptr, block string) error {
	switch kind := of.Kind(); {
	case of == entity:
		f.runs = append(f.runs, run{at: at, size: of.Size(), entity: true})
	case block != "":
		b, ok := f.of.Blocks[block]
		if !ok || kind != reflect.Uint32 {
			return fmt.Errorf("digest: a %v is no block of %q", of, block)
		}
		inside, err := f.of.Form(b.Of)
		if err != nil {
			return err
		}
		f.runs = append(f.runs, run{at: at, size: of.Size(), block: b.At, inside: inside})
	case kind == reflect.Struct:
		for field := range of.Fields() {
			if err := f.add(field.Type, at+field.Offset, field.Tag.Get("block")); err != nil {
				return err
			}
		}
	case kind == reflect.Array:
		for i := range of.Len() {
			if err := f.add(of.Elem(), at+uintptr(i)*of.Elem().Size(), ""); err != nil {
				return err
			}
		}
	case kind >= reflect.Bool && kind <= reflect.Float64:
		if n := len(f.runs); n > 0 && f.runs[n-1].plain() && f.runs[n-1].at+f.runs[n-1].size == at {
			f.runs[n-1].size += of.Size()
		} else {
			f.runs = append(f.runs, run{at: at, size: of.Size()})
		}
	default:
		return fmt.Errorf("digest: a %v is not flat", of)
	}
	return nil
}

func (r *run) plain() bool { return !r.entity && r.block == nil }

// Flat returns the size of a value that is a single run of bytes, whose hash is Bytes, and else 0.
func (f *Form) Flat() uintptr { return f.flat }

// Hash hashes a value of the form's type, gathering its runs first if there are several.
func (f *Form) Hash(seed uint64, p unsafe.Pointer) uint64 {
	if f.flat != 0 {
		return Bytes(seed, p, f.flat)
	}
	f.of.gathered = f.gather(f.of.gathered[:0], p)
	return xxh3.HashSeed(f.of.gathered, seed)
}

// gather appends the bytes of a value that are hashed.
func (f *Form) gather(b []byte, p unsafe.Pointer) []byte {
	for i := range f.runs {
		r := &f.runs[i]
		at := unsafe.Add(p, r.at)
		switch {
		case r.plain():
			b = append(b, unsafe.Slice((*byte)(at), r.size)...)
		case r.entity:
			b = binary.LittleEndian.AppendUint64(b, f.of.name(*(*ecs.Entity)(at)))
		default:
			if number := *(*uint32)(at); number != 0 {
				b = r.inside.gather(append(b, 1), r.block(number))
			} else {
				b = append(b, 0)
			}
		}
	}
	return b
}

// Owner returns the name of the first entity in a value, 0 if there is none.
func (f *Form) Owner(p unsafe.Pointer) uint64 {
	for i := range f.runs {
		if f.runs[i].entity {
			return f.of.name(*(*ecs.Entity)(unsafe.Add(p, f.runs[i].at)))
		}
	}
	return 0
}

func (w *World) name(e ecs.Entity) uint64 {
	if e == (ecs.Entity{}) {
		return 0
	}
	return w.Name(e)
}

// Bytes returns the XXH3 of memory, 64 bits, in the byte order of the machine. Hashes with different seeds are
// independent.
func Bytes(seed uint64, p unsafe.Pointer, n uintptr) uint64 {
	return xxh3.HashSeed(unsafe.Slice((*byte)(p), n), seed)
}
