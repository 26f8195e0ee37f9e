package wire

import (
	"bytes"
	"strings"
)

// CString walks a string that ends with a NUL. Reading more than limit bytes before the NUL is ErrLimit.
// What is written ends at the first NUL of *s, if there is one; its length is not checked.
func CString[T ~string](c *Codec, s *T, limit int) {
	if c.err != nil {
		return
	}
	if !c.reading {
		c.buf = append(append(c.buf, untilNUL(*s)...), 0)
		return
	}
	rest := c.buf[c.off:]
	n := bytes.IndexByte(rest[:min(len(rest), limit+1)], 0)
	switch {
	case n >= 0:
		*s = T(rest[:n])
		c.off += n + 1
	case len(rest) > limit:
		c.err = ErrLimit
	default:
		c.err = ErrShort
	}
}

// SizedCString walks a string after its length in four bytes; the string ends with a NUL, which the length
// includes. Reading a length of more than limit+1 is ErrLimit; a length of 0, or a string that does not end
// with its first NUL, is ErrValue. It writes like CString.
func SizedCString[T ~string](c *Codec, s *T, limit int) {
	if !c.reading {
		n := uint32(len(untilNUL(*s)) + 1)
		U32(c, &n)
		CString(c, s, limit)
		return
	}
	var n uint32
	U32(c, &n)
	switch {
	case c.err != nil:
	case n == 0:
		c.err = ErrValue
	case uint64(n) > uint64(limit)+1:
		c.err = ErrLimit
	default:
		b := c.next(int(n))
		if b == nil {
			return
		}
		if bytes.IndexByte(b, 0) != len(b)-1 {
			c.err = ErrValue
			return
		}
		*s = T(b[:len(b)-1])
	}
}

func untilNUL[T ~string](s T) string {
	text, _, _ := strings.Cut(string(s), "\x00")
	return text
}

// Fixed walks exactly len(b) bytes, in place. Use it with a slice of an array: Fixed(c, m.Digest[:]).
func Fixed(c *Codec, b []byte) {
	if c.reading {
		if src := c.next(len(b)); src != nil {
			copy(b, src)
		}
	} else if c.err == nil {
		c.buf = append(c.buf, b...)
	}
}

// Remainder walks all bytes up to the end of the body. What is read aliases the body, and is nil if
// nothing is left; more than limit bytes are ErrLimit. Writing does not check the length.
func Remainder(c *Codec, b *[]byte, limit int) {
	switch n := c.Rest(); {
	case c.err != nil:
	case !c.reading:
		c.buf = append(c.buf, *b...)
	case n > limit:
		c.err = ErrLimit
	case n == 0:
		*b = nil
	default:
		*b = c.next(n)
	}
}

// Slice walks a count of type N and then that many elements. A count above limit is ErrLimit in both
// directions, so limit must fit into N. Reading allocates only what the bytes left in the body could fill,
// and uses the capacity of *s; no elements leave a nil slice nil. An element takes at least one byte.
func Slice[N ~uint8 | ~uint16 | ~uint32, T any](c *Codec, s *[]T, limit int, element func(*Codec, *T)) {
	var n N
	if !c.reading {
		if len(*s) > limit {
			c.Fail(ErrLimit)
			return
		}
		n = N(len(*s))
	}
	count(c, &n)
	if c.err != nil {
		return
	}
	if c.reading {
		if uint64(n) > uint64(limit) {
			c.err = ErrLimit
			return
		}
		if uint64(n) > uint64(c.Rest()) {
			c.err = ErrShort
			return
		}
		*s = resize(*s, int(n))
	}
	for i := range *s {
		if element(c, &(*s)[i]); c.err != nil {
			return
		}
	}
}

// count walks an unsigned integer of the width of N, which is at most 32 bits.
func count[N ~uint8 | ~uint16 | ~uint32](c *Codec, n *N) {
	switch uint32(^N(0)) {
	case 0xFF:
		v := uint8(*n)
		U8(c, &v)
		*n = N(v)
	case 0xFFFF:
		v := uint16(*n)
		U16(c, &v)
		*n = N(v)
	default:
		v := uint32(*n)
		U32(c, &v)
		*n = N(v)
	}
}

// resize is a slice of n zero elements, in the memory of s if it suffices.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		s = s[:n]
		clear(s)
		return s
	}
	return make([]T, n)
}
