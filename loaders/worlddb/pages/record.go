package pages

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Record is a row as SQLite writes it. Make it anew with Reset, and add a value for each column.
type Record struct {
	types, body, whole []byte
}

// Reset empties the record.
func (r *Record) Reset() { r.types, r.body = r.types[:0], r.body[:0] }

// Types of values.
const (
	typeNull = 0
	typeReal = 7
	typeZero = 8
	typeOne  = 9
	typeBlob = 12 // and twice the length
	typeText = 13 // likewise
)

// Null adds NULL.
func (r *Record) Null() { r.types = append(r.types, typeNull) }

// Int adds an integer.
func (r *Record) Int(v int64) {
	switch u := uint64(v ^ v>>63); { // as many bits as it has without those that are like the sign
	case v == 0 || v == 1:
		r.types = append(r.types, typeZero+byte(v))
	case u < 1<<7:
		r.types = append(r.types, 1)
		r.body = append(r.body, byte(v))
	case u < 1<<15:
		r.types = append(r.types, 2)
		r.body = binary.BigEndian.AppendUint16(r.body, uint16(v))
	case u < 1<<23:
		r.types = append(r.types, 3)
		r.body = append(r.body, byte(v>>16), byte(v>>8), byte(v))
	case u < 1<<31:
		r.types = append(r.types, 4)
		r.body = binary.BigEndian.AppendUint32(r.body, uint32(v))
	case u < 1<<47:
		r.types = append(r.types, 5)
		r.body = binary.BigEndian.AppendUint32(append(r.body, byte(v>>40), byte(v>>32)), uint32(v))
	default:
		r.types = append(r.types, 6)
		r.body = binary.BigEndian.AppendUint64(r.body, uint64(v))
	}
}

// Real adds a number of a column of type REAL. Whole ones that are not large are kept as integers, as SQLite does.
func (r *Record) Real(v float64) {
	if whole := int64(v); math.Abs(v) < 1<<47 && float64(whole) == v {
		r.Int(whole)
		return
	}
	r.types = append(r.types, typeReal)
	r.body = binary.BigEndian.AppendUint64(r.body, math.Float64bits(v))
}

// Text adds UTF-8.
func (r *Record) Text(v []byte) {
	r.types = appendVarint(r.types, uint64(2*len(v)+typeText))
	r.body = append(r.body, v...)
}

// Blob adds bytes.
func (r *Record) Blob(v []byte) {
	r.types = appendVarint(r.types, uint64(2*len(v)+typeBlob))
	r.body = append(r.body, v...)
}

// Bytes is the record, until it is made anew.
func (r *Record) Bytes() []byte {
	size := len(r.types) + 1 // of the header, which says how long it is
	if size > 0x7F {
		size++
	}
	if size > 0x3FFF {
		size++
	}
	r.whole = appendVarint(r.whole[:0], uint64(size))
	r.whole = append(r.whole, r.types...)
	r.whole = append(r.whole, r.body...)
	return r.whole
}

// appendVarint appends a number: seven bits in a byte, the highest first, and eight in the ninth.
func appendVarint(to []byte, v uint64) []byte {
	switch {
	case v < 1<<7:
		return append(to, byte(v))
	case v < 1<<14:
		return append(to, byte(v>>7)|0x80, byte(v)&0x7F)
	case v < 1<<21:
		return append(to, byte(v>>14)|0x80, byte(v>>7)|0x80, byte(v)&0x7F)
	}
	var b [9]byte
	i := len(b) - 1
	if v >= 1<<56 {
		b[i] = byte(v)
		v >>= 8
		for i--; i >= 0; i-- {
			b[i] = byte(v) | 0x80
			v >>= 7
		}
		return append(to, b[:]...)
	}
	b[i] = byte(v) & 0x7F
	for v >>= 7; v > 0; v >>= 7 {
		i--
		b[i] = byte(v) | 0x80
	}
	return append(to, b[i:]...)
}

// errRecord is a record that is none.
var errRecord = errors.New("pages: no record")

// A Value is one of a record: nil, an int64, a float64, a string or bytes by its Kind.
type Value struct {
	Kind  Kind
	Int   int64
	Real  float64
	Bytes []byte // of Text and Blob; those of the record
}

// A Kind says which field of a Value counts.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Int
	Real
	Text
	Blob
)

// Decode appends the values of a record.
func Decode(to []Value, record []byte) ([]Value, error) {
	r, err := split(record)
	for err == nil && len(r.types) > 0 {
		var kind uint64
		var part []byte
		if kind, part, err = r.next(); err == nil {
			to = append(to, valueOf(kind, part))
		}
	}
	return to, err
}

// Pick appends the values of a record at some places, which ascend. The others are passed over, which costs less than to decode them.
func Pick(to []Value, record []byte, places []int) ([]Value, error) {
	r, err := split(record)
	if err != nil {
		return to, err
	}
	for place, wanted := 0, 0; wanted < len(places); place++ {
		kind, part, err := r.next()
		if err != nil {
			return to, err
		}
		if place == places[wanted] {
			to = append(to, valueOf(kind, part))
			wanted++
		}
	}
	return to, nil
}

// A cut is what is left of a record while it is read.
type cut struct{ types, body []byte }

// split reads how long the header is.
func split(record []byte) (cut, error) {
	size, n := varint(record)
	if n == 0 || size < uint64(n) || size > uint64(len(record)) {
		return cut{}, errRecord
	}
	return cut{record[n:size], record[size:]}, nil
}

// lengths are how many bytes values have, by type.
var lengths = [typeOne + 1]uint8{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}

// next cuts a value off.
func (r *cut) next() (kind uint64, part []byte, err error) {
	if len(r.types) > 0 && r.types[0] < 0x80 { // most
		kind = uint64(r.types[0])
		r.types = r.types[1:]
	} else {
		n := 0
		if kind, n = varint(r.types); n == 0 {
			return 0, nil, errRecord
		}
		r.types = r.types[n:]
	}
	length := uint64(0)
	switch {
	case kind >= typeBlob:
		length = (kind - typeBlob) / 2
	case kind > typeOne:
		return 0, nil, errRecord
	default:
		length = uint64(lengths[kind])
	}
	if length > uint64(len(r.body)) {
		return 0, nil, errRecord
	}
	part, r.body = r.body[:length], r.body[length:]
	return kind, part, nil
}

// valueOf is a value of a type that has these bytes.
func valueOf(kind uint64, part []byte) (v Value) {
	switch {
	case kind >= typeBlob:
		v.Kind, v.Bytes = Blob-Kind(kind&1), part
	case kind == typeReal:
		v.Kind, v.Real = Real, math.Float64frombits(binary.BigEndian.Uint64(part))
	case kind == typeZero || kind == typeOne:
		v.Kind, v.Int = Int, int64(kind-typeZero)
	case kind != typeNull:
		v.Kind, v.Int = Int, int64(int8(part[0]))
		for _, b := range part[1:] {
			v.Int = v.Int<<8 | int64(b)
		}
	}
	return v
}

// varint reads a number, and returns how many bytes it has; 0 if there is none.
func varint(from []byte) (v uint64, n int) {
	for i, b := range from {
		if i == 8 {
			return v<<8 | uint64(b), 9
		}
		v = v<<7 | uint64(b&0x7F)
		if b < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
