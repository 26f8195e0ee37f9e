package wire

import (
	"bytes"
	"errors"
	"testing"
)

// All scalars in one body: what is written is little-endian, and reads back to the same.
func TestScalars(t *testing.T) {
	type all struct {
		a    uint8
		b    uint16
		d    uint32
		e    uint64
		f    int8
		g    int32
		h    float32
		i, j bool
		v    Vec3
	}
	walk := func(c *Codec, m *all) {
		U8(c, &m.a)
		U16(c, &m.b)
		U32(c, &m.d)
		U64(c, &m.e)
		I8(c, &m.f)
		I32(c, &m.g)
		F32(c, &m.h)
		Bool(c, &m.i)
		Bool32(c, &m.j)
		XYZ(c, &m.v)
	}
	in := all{1, 0x0203, 0x04050607, 0x08090A0B0C0D0E0F, -2, -3, 1, true, true, Vec3{1, -2, 0}}
	want := []byte{
		1, 3, 2, 7, 6, 5, 4, 0xF, 0xE, 0xD, 0xC, 0xB, 0xA, 9, 8, 0xFE, 0xFD, 0xFF, 0xFF, 0xFF,
		0, 0, 0x80, 0x3F, 1, 1, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0,
	}
	w := NewWriter(V12340, []byte{0xAA})
	walk(&w, &in)
	if got := w.Bytes(); !bytes.Equal(got, append([]byte{0xAA}, want...)) {
		t.Fatalf("wrote % x, want aa % x", got, want)
	}
	if w.Offset() != len(want)+1 {
		t.Errorf("writer is at %d", w.Offset())
	}
	var out all
	r := NewReader(V12340, want)
	walk(&r, &out)
	if r.Err() != nil || out != in || r.Rest() != 0 || r.Offset() != len(want) {
		t.Errorf("read %+v, %v; want %+v", out, r.Err(), in)
	}
	for n := range want {
		r := NewReader(V12340, want[:n])
		if walk(&r, &out); r.Err() != ErrShort {
			t.Errorf("%d bytes: %v, want %v", n, r.Err(), ErrShort)
		}
	}
}

func TestPackedGUID(t *testing.T) {
	for _, test := range []struct {
		guid uint64
		want []byte
	}{
		{0, []byte{0}},
		{6, []byte{1, 6}},
		{0x0100, []byte{2, 1}},
		{0xF130000000000001, []byte{0xC1, 1, 0x30, 0xF1}},
		{0x1122334455667788, []byte{0xFF, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}},
	} {
		got := AppendPackedGUID(nil, test.guid)
		if !bytes.Equal(got, test.want) {
			t.Errorf("%#x: % x, want % x", test.guid, got, test.want)
		}
		if guid, n := ReadPackedGUID(append(got, 0xFF)); guid != test.guid || n != len(got) {
			t.Errorf("%#x: read %#x from %d bytes", test.guid, guid, n)
		}
		for short := range got {
			if _, n := ReadPackedGUID(got[:short]); n != 0 {
				t.Errorf("%#x: read from %d bytes of %d", test.guid, short, len(got))
			}
		}
	}
	if guid, n := ReadPackedGUID([]byte{3, 7, 0}); guid != 7 || n != 3 {
		t.Errorf("an announced zero byte: %#x, %d", guid, n)
	}
}

func TestStrings(t *testing.T) {
	read := func(body string, limit int, walk func(*Codec, *string, int)) (string, int, error) {
		var s string
		c := NewReader(V12340, []byte(body))
		walk(&c, &s, limit)
		return s, c.Rest(), c.Err()
	}
	for _, test := range []struct {
		body string
		want string
		rest int
		err  error
	}{
		{"abc\x00d", "abc", 1, nil},
		{"\x00", "", 0, nil},
		{"abcd\x00", "", 5, ErrLimit},
		{"abc", "", 3, ErrShort},
		{"", "", 0, ErrShort},
	} {
		if s, rest, err := read(test.body, 3, CString[string]); s != test.want || rest != test.rest || err != test.err {
			t.Errorf("CString of %q: %q, %d left, %v", test.body, s, rest, err)
		}
	}
	for _, test := range []struct {
		body string
		want string
		err  error
	}{
		{"\x04\x00\x00\x00abc\x00", "abc", nil},
		{"\x01\x00\x00\x00\x00", "", nil},
		{"\x00\x00\x00\x00", "", ErrValue},
		{"\x03\x00\x00\x00abc", "", ErrValue},
		{"\x04\x00\x00\x00a\x00c\x00", "", ErrValue},
		{"\x05\x00\x00\x00abcd\x00", "", ErrLimit},
		{"\xFF\xFF\xFF\xFFabcd\x00", "", ErrLimit},
		{"\x04\x00\x00\x00abc", "", ErrShort},
		{"\x04\x00", "", ErrShort},
	} {
		if s, _, err := read(test.body, 3, SizedCString[string]); s != test.want || err != test.err {
			t.Errorf("SizedCString of %q: %q, %v", test.body, s, err)
		}
	}
	s := "cut\x00here"
	c := NewWriter(V12340, nil)
	CString(&c, &s, 1)
	SizedCString(&c, &s, 1)
	if got := string(c.Bytes()); got != "cut\x00\x04\x00\x00\x00cut\x00" {
		t.Errorf("wrote %q", got)
	}
}

func TestSlice(t *testing.T) {
	read := func(limit int, body ...byte) ([]uint16, error) {
		var s []uint16
		c := NewReader(V12340, body)
		Slice[uint8](&c, &s, limit, U16)
		return s, c.Err()
	}
	if s, err := read(2, 2, 1, 0, 2, 0); err != nil || len(s) != 2 || s[0] != 1 || s[1] != 2 {
		t.Errorf("read %v, %v", s, err)
	}
	if s, err := read(2, 0); err != nil || s != nil {
		t.Errorf("read %v, %v from nothing", s, err)
	}
	if _, err := read(2, 3, 1, 0, 2, 0, 3, 0); err != ErrLimit {
		t.Errorf("three of two: %v", err)
	}
	if _, err := read(255, 200, 1, 0); err != ErrShort {
		t.Errorf("200 in two bytes: %v", err)
	}
	if _, err := read(2, 2, 1, 0, 2); err != ErrShort {
		t.Errorf("half an element: %v", err)
	}

	// A reader keeps the capacity it is given, and not what was in it.
	s := make([]uint16, 3, 8)
	s[1] = 99
	c := NewReader(V12340, []byte{1, 0, 0, 0, 5, 0})
	Slice[uint32](&c, &s, 8, U16)
	if c.Err() != nil || len(s) != 1 || cap(s) != 8 || s[0] != 5 || s[:2][1] != 99 {
		t.Errorf("read %v of %d, %v", s[:3], cap(s), c.Err())
	}

	three := []uint16{1, 2, 3}
	w := NewWriter(V12340, nil)
	Slice[uint16](&w, &three, 3, U16)
	if got, want := w.Bytes(), []byte{3, 0, 1, 0, 2, 0, 3, 0}; !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
	if Slice[uint16](&w, &three, 2, U16); w.Err() != ErrLimit || len(w.Bytes()) != 8 {
		t.Errorf("wrote three of two: % x, %v", w.Bytes(), w.Err())
	}
}

func TestBytes(t *testing.T) {
	body := []byte{1, 2, 3, 4, 5}
	var two [2]byte
	var rest []byte
	c := NewReader(V12340, body)
	Fixed(&c, two[:])
	Remainder(&c, &rest, 3)
	if c.Err() != nil || two != [2]byte{1, 2} || !bytes.Equal(rest, body[2:]) || &rest[0] != &body[2] {
		t.Errorf("read %v, %v, %v", two, rest, c.Err())
	}
	if Remainder(&c, &rest, 3); rest != nil || c.Err() != nil {
		t.Errorf("nothing left: %v, %v", rest, c.Err())
	}
	c = NewReader(V12340, body)
	if Remainder(&c, &rest, 4); c.Err() != ErrLimit {
		t.Errorf("five of four: %v", c.Err())
	}
	c = NewReader(V12340, body)
	var six [6]byte
	if Fixed(&c, six[:]); c.Err() != ErrShort || six != [6]byte{} {
		t.Errorf("six of five: %v, %v", six, c.Err())
	}
}

// The first error stays, and nothing is read or written after it.
func TestSticky(t *testing.T) {
	mine := errors.New("mine")
	v := uint8(7)
	s := "s"
	b := []byte{9}
	n := []uint8{1}
	for _, c := range []Codec{NewReader(V12340, []byte{1, 1, 1, 0}), NewWriter(V12340, nil)} {
		before := len(c.Bytes())
		c.Fail(mine)
		c.Fail(ErrValue)
		U8(&c, &v)
		CString(&c, &s, 9)
		SizedCString(&c, &s, 9)
		Fixed(&c, b)
		Remainder(&c, &b, 9)
		Slice[uint8](&c, &n, 9, U8)
		guid := uint64(5)
		PackedGUID(&c, &guid)
		if c.Err() != mine || v != 7 || s != "s" || b[0] != 9 || n[0] != 1 || guid != 5 || len(c.Bytes()) != before {
			t.Errorf("reading %v: %v %v %v %v %v %v", c.Reading(), c.Err(), v, s, b, n, guid)
		}
	}
}
