package defs

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"
)

// Hash writes all of a world to h, so that worlds whose templates differ in anything have different hashes, in whatever process they were
// loaded. Types are a part of it by their kinds alone.
func (w *World) Hash(h hash.Hash) {
	x := hasher{b: make([]byte, 0, 64<<10), h: h}
	most := *w
	most.Scripts = nil
	x.value(reflect.ValueOf(&most).Elem())
	sum := uint64(0) // they are in any order
	for i := range w.Scripts {
		one := fnv.New64a()
		each := hasher{b: make([]byte, 0, 1<<10), h: one}
		each.value(reflect.ValueOf(&w.Scripts[i]).Elem())
		each.flush()
		sum += one.Sum64()
	}
	x.number(sum)
	x.flush()
}

type hasher struct {
	b []byte
	h hash.Hash
}

func (x *hasher) flush() {
	x.h.Write(x.b)
	x.b = x.b[:0]
}

func (x *hasher) number(n uint64) {
	if len(x.b)+8 > cap(x.b) {
		x.flush()
	}
	x.b = binary.LittleEndian.AppendUint64(x.b, n)
}

// value writes a value, each length before what has it.
func (x *hasher) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			x.number(1)
		} else {
			x.number(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		x.number(math.Float64bits(v.Float()))
	case reflect.String:
		x.number(uint64(v.Len()))
		x.flush()
		x.h.Write([]byte(v.String()))
	case reflect.Slice, reflect.Array:
		x.number(uint64(v.Len()))
		for i := range v.Len() {
			x.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			x.value(v.Field(i))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			x.number(0)
			return
		}
		x.number(1)
		x.value(v.Elem())
	default:
		panic(fmt.Sprintf("defs: a template has a %v", v.Type()))
	}
}
