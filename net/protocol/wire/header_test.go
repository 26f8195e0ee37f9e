package wire

import (
	"bytes"
	"testing"

	"muster/internal/corrupt"
)

// Source: protocol.md 2.1 and 2.3 (SMSG_AUTH_CHALLENGE is 00 2A EC 01).
func TestServerHeader(t *testing.T) {
	for _, test := range []struct {
		op      uint16
		payload int
		want    []byte
	}{
		{0x1EC, 40, []byte{0x00, 0x2A, 0xEC, 0x01}},
		{0x4D, 0, []byte{0x00, 0x02, 0x4D, 0x00}},
		{0xA9, MaxPayload, []byte{0x7F, 0xFF, 0xA9, 0x00}},
		{0xA9, MaxPayload + 1, []byte{0x80, 0x80, 0x00, 0xA9, 0x00}},
		{0x1F6, 0x12345 - 2, []byte{0x81, 0x23, 0x45, 0xF6, 0x01}},
	} {
		got := AppendServerHeader([]byte{0xEE}, test.op, test.payload)[1:]
		if !bytes.Equal(got, test.want) {
			t.Errorf("%#x of %d: % x, want % x", test.op, test.payload, got, test.want)
		}
		op, payload, n, ok := ServerHeader(append(got, 0x55))
		if op != test.op || payload != test.payload || n != len(got) || !ok {
			t.Errorf("% x: read %#x, %d, %d, %v", got, op, payload, n, ok)
		}
		for short := range test.want {
			if _, _, _, ok := ServerHeader(test.want[:short]); ok {
				t.Errorf("% x: enough of a header", test.want[:short])
			}
		}
	}
	if _, payload, _, ok := ServerHeader([]byte{0, 1, 0, 0}); payload != -1 || !ok {
		t.Errorf("size 1: payload %d, %v", payload, ok)
	}
}

func TestPutServerHeader(t *testing.T) {
	packet := make([]byte, ServerHeaderLen+MaxPayload+1)
	for _, payload := range []int{0, 1, 300, MaxPayload} {
		if !PutServerHeader(packet[:ServerHeaderLen+payload], 0xDD) {
			t.Errorf("no header for %d", payload)
		}
		if want := AppendServerHeader(nil, 0xDD, payload); !bytes.Equal(packet[:4], want) {
			t.Errorf("%d: % x, want % x", payload, packet[:4], want)
		}
	}
	if PutServerHeader(packet, 0xDD) || PutServerHeader(packet[:3], 0xDD) {
		t.Error("a header that does not fit")
	}
}

// Source: CMSG_CHAR_DELETE, wow_messages.
func TestClientHeader(t *testing.T) {
	want := []byte{0x00, 0x0C, 0x38, 0x00, 0x00, 0x00}
	got := AppendClientHeader(nil, 0x38, 8)
	if !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
	if op, payload, ok := ClientHeader(append(got, 1, 2)); op != 0x38 || payload != 8 || !ok {
		t.Errorf("read %#x, %d, %v", op, payload, ok)
	}
	if _, _, ok := ClientHeader(want[:5]); ok {
		t.Error("five bytes are enough")
	}
	if _, payload, ok := ClientHeader(make([]byte, 6)); payload != -4 || !ok {
		t.Errorf("size 0: payload %d, %v", payload, ok)
	}
}

// The bytes of TestServerHeader in the order in which they lie in a little-endian word.
func TestServerHeaderWord(t *testing.T) {
	for _, c := range []struct {
		word    uint32
		op      uint16
		payload int
		ok      bool
	}{
		{0x01EE_0D00, 0x1EE, 11, true},    // 00 0D EE 01: size 13, opcode 0x1EE
		{0x00A9_FF7F, 0xA9, 0x7FFD, true}, // 7F FF A9 00: the longest of four bytes
		{0x0051_0000, 0x51, -2, true},     // 00 00 51 00: a size without an opcode
		{0xA900_8080, 0, 0, false},        // 80 80 00 A9: five bytes
	} {
		if op, payload, ok := ServerHeaderWord(c.word); ok != c.ok || ok && (op != c.op || payload != c.payload) {
			t.Errorf("%08x: %#x, %d, %v", c.word, op, payload, ok)
		}
	}
}

// Whatever a header says, writing it again gives the same header.
func TestCorruptHeaders(t *testing.T) {
	for b := range corrupt.Bytes(20_000, []byte{0x00, 0x2A, 0xEC, 0x01, 0, 0}, []byte{0x80, 0x80, 0x00, 0xA9, 0x00, 0}, []byte{0, 0, 0, 0, 0, 0}) {
		if op, payload, n, ok := ServerHeader(b); ok && payload >= 0 {
			// A large header may hold a size that would fit into a small one.
			if got := AppendServerHeader(nil, op, payload); len(got) == n && !bytes.Equal(got, b[:n]) {
				t.Errorf("% x became % x", b[:n], got)
			}
			if op2, payload2, _, ok := ServerHeader(AppendServerHeader(nil, op, payload)); op2 != op || payload2 != payload || !ok {
				t.Errorf("% x: %#x of %d became %#x of %d", b[:n], op, payload, op2, payload2)
			}
		}
		if op, payload, ok := ClientHeader(b); ok && payload >= 0 {
			if got := AppendClientHeader(nil, op, payload); !bytes.Equal(got, b[:ClientHeaderLen]) {
				t.Errorf("% x became % x", b[:ClientHeaderLen], got)
			}
		}
	}
}

func TestCorruptGUIDs(t *testing.T) {
	for b := range corrupt.Bytes(20_000, []byte{0}, []byte{0xC1, 1, 0x30, 0xF1}, []byte{0xFF, 1, 2, 3, 4, 5, 6, 7, 8}) {
		guid, n := ReadPackedGUID(b)
		if n == 0 {
			continue
		}
		packed := AppendPackedGUID(nil, guid)
		if len(packed) > n {
			t.Errorf("% x grew to % x", b[:n], packed)
		}
		if again, m := ReadPackedGUID(packed); again != guid || m != len(packed) {
			t.Errorf("%#x became %#x", guid, again)
		}
	}
}
