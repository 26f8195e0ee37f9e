package update

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// parseAll is the blocks of a payload that is n blocks.
func parseAll(n uint32, blocks []byte) (all []Block, err error) {
	err = Parse(append(binary.LittleEndian.AppendUint32(nil, n), blocks...), func(b *Block) error {
		kept := *b
		kept.Fields, kept.GUIDs = slices.Clone(b.Fields), slices.Clone(b.GUIDs)
		all = append(all, kept)
		return nil
	})
	return all, err
}

// oneWord is a values block with a word of a number, in so many mask words.
func oneWord(number, masks int) []byte {
	b := make([]byte, 1+4*masks+4)
	b[0], b[len(b)-4] = byte(masks), 7
	b[1+number/8] |= 1 << (number % 8)
	return b
}

// ends are the numbers after the last field of each type id.
//
// Source: docs/protocol.md appendix A, END markers.
var ends = map[uint8]int{
	components.TypeObject: 0x06, components.TypeItem: 0x40, components.TypeContainer: 0x8A, components.TypeUnit: 0x94, components.TypePlayer: 0x52E,
	components.TypeGameObject: 0x12, components.TypeDynamicObject: 0x0C, components.TypeCorpse: 0x24,
}

// The last field of each type is known and the next is not, in a create block by the type id, and in a VALUES block by
// the GUID. The mask has as many words as the type has fields for.
//
// Source: docs/protocol.md 4.1 and appendix A.
func TestFieldsEndWithTheirType(t *testing.T) {
	check := func(name string, start []byte, end int) {
		t.Helper()
		masks := (end + 31) / 32
		got, err := parseAll(1, append(bytes.Clone(start), oneWord(end-1, masks)...))
		if err != nil || len(got) != 1 || !slices.Equal(got[0].Fields, []Field{{uint16(end - 1), 7}}) {
			t.Errorf("%s, field %#x: %+v, %v", name, end-1, got, err)
		}
		want := wire.ErrValue
		if end%32 == 0 {
			want = wire.ErrLimit
		}
		if _, err := parseAll(1, append(bytes.Clone(start), oneWord(end, end/32+1)...)); !errors.Is(err, want) {
			t.Errorf("%s, field %#x: %v, want %v", name, end, err, want)
		}
		if _, err := parseAll(1, append(bytes.Clone(start), oneWord(0, masks+1)...)); !errors.Is(err, wire.ErrLimit) {
			t.Errorf("%s, %d mask words: %v, want %v", name, masks+1, err, wire.ErrLimit)
		}
	}
	for typeID, end := range ends {
		check(fmt.Sprintf("type %d", typeID), []byte{Create2, 1, 1, typeID, 0, 0}, end)
	}
	for high, typeID := range map[uint16]uint8{
		0x0000: components.TypePlayer, 0x4000: components.TypeContainer, 0xF101: components.TypeCorpse, 0xF100: components.TypeDynamicObject,
		0xF110: components.TypeGameObject, 0xF120: components.TypeGameObject, 0x1FC0: components.TypeGameObject,
		0xF130: components.TypeUnit, 0xF140: components.TypeUnit, 0xF150: components.TypeUnit,
		0x1F50: components.TypePlayer, // a group, which has no fields
	} {
		check(fmt.Sprintf("guid %#x", high), beginBlock(nil, Values, uint64(high)<<48|5), ends[typeID])
	}
}

// Each update flag calls for so many bytes, and for no more.
//
// Source: docs/protocol.md 4.2, movement block.
func TestMovementBlockParts(t *testing.T) {
	const info, speeds = 30, 9 * 4 // a MovementInfo without flags has u32, u16, u32, four f32, u32
	for _, c := range []struct {
		flags uint16
		bytes int
	}{
		{0, 0},
		{0x01, 0},             // self
		{0x400, 0},            // no birth animation
		{0x20, info + speeds}, // living
		{0x100, 1 + 12 + 12 + 4 + 4},
		{0x40, 12 + 4},
		{0x08, 4},
		{0x10, 4},
		{0x04, 1}, // a GUID of zero
		{0x02, 4},
		{0x80, 4 + 4},
		{0x200, 8},
		{0x60, info + speeds}, // the first of living, position and stationary position
		{0x160, info + speeds},
		{0x140, 33},
		{0x350, 33 + 4 + 8}, // a game object
		{0x252, 16 + 4 + 4 + 8},
		{0x1E + 0x80 + 0x200, 4 + 4 + 1 + 4 + 8 + 8},
	} {
		start := []byte{Create, 1, 1, components.TypeGameObject, byte(c.flags), byte(c.flags >> 8)}
		got, err := parseAll(1, append(append(start, make([]byte, c.bytes)...), oneWord(3, 1)...))
		if err != nil || len(got) != 1 || got[0].UpdateFlags != c.flags || !slices.Equal(got[0].Fields, []Field{{3, 7}}) ||
			got[0].HasMovement != (c.flags&0x20 != 0) {
			t.Errorf("flags %#x with %d bytes: %+v, %v", c.flags, c.bytes, got, err)
		}
	}
}

// A position is read from each form of a movement block.
//
// Source: docs/protocol.md 4.2, movement block.
func TestMovementBlockPosition(t *testing.T) {
	const at, turned = "0000803F 00000040 00004040", "00008040"
	for form, hex := range map[string]string{
		"living":     "2000 00000000 0000 05000000 " + at + turned + "06000000" + "0000A040 0000C040 0000E040 00000041 00001041 00002041 00003041 00004041 00005041",
		"position":   "0001 0107 " + at + "0000A040 0000A040 0000A040" + turned + "0000A040",
		"stationary": "4000 " + at + turned,
	} {
		got, err := parseAll(1, unhex(t, "02 0101 05"+hex+"00"))
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d blocks, %v", form, len(got), err)
			continue
		}
		want := msg.Movement{X: 1, Y: 2, Z: 3, O: 4}
		var speeds [9]float32
		if form == "living" {
			want.Time, want.FallTime, speeds = 5, 6, [9]float32{5, 6, 7, 8, 9, 10, 11, 12, 13}
		}
		if got[0].Movement != want || got[0].Speeds != speeds {
			t.Errorf("%s: %+v with speeds %v", form, got[0].Movement, got[0].Speeds)
		}
	}
}

// A path in a create block is skipped, whatever its end and however many points it has.
//
// Source: docs/protocol.md 4.4, in a CREATE block.
func TestSplinesAreSkipped(t *testing.T) {
	words := func(n int) []byte { return make([]byte, 4*n) }
	for _, c := range []struct {
		flags uint32
		end   int // words
	}{{0, 0}, {0x20000, 1}, {0x10000, 2}, {0x8000, 3}, {0x47FFF, 0}} {
		for _, points := range []int{0, 1, 4} {
			b := []byte{Create, 1, 1, components.TypeUnit, 0x20, 0}
			b = append(append(b, 0, 0, 0, 0x08), words(6)...) // MovementInfo with the flag of a spline,
			b = append(append(b, 0, 0), words(9)...)          // and speeds
			b = binary.LittleEndian.AppendUint32(b, c.flags)
			b = append(b, words(c.end+7)...)
			b = binary.LittleEndian.AppendUint32(b, uint32(points))
			counted := 4 + len(b)
			b = append(b, words(3*points)...)
			b = append(append(b, 1), words(3)...)
			got, err := parseAll(1, append(bytes.Clone(b), oneWord(3, 1)...))
			if err != nil || len(got) != 1 || !slices.Equal(got[0].Fields, []Field{{3, 7}}) {
				t.Errorf("flags %#x, %d points: %+v, %v", c.flags, points, got, err)
			}
			var at *ParseError
			// With the count of points two higher, these are more than there is room for.
			binary.LittleEndian.PutUint32(b[counted-8:], uint32(points+2))
			if _, err := parseAll(1, b); !errors.As(err, &at) || at.Err != wire.ErrShort || at.Offset != counted {
				t.Errorf("flags %#x, %d points: %v, want %v at byte %d", c.flags, points+2, err, wire.ErrShort, counted)
			}
		}
	}
}

// What a block does not have is zero, also after one that has it.
func TestBlocksAreReadAnew(t *testing.T) {
	create := unhex(t, goldenCreate)[4:]
	got, err := parseAll(4, slices.Concat(create, unhex(t, "05 02000000 0107 0208"), unhex(t, "01 0105 4000 0000803F 00000040 00004040 00008040"), unhex(t, "00 0109 00")))
	if err != nil || len(got) != 4 {
		t.Fatalf("%d blocks, %v", len(got), err)
	}
	for i, want := range []Block{
		{Type: NearObjects, GUIDs: []uint64{7, 0x800}},
		{Type: Movement, GUID: 5, UpdateFlags: FlagStationary, Movement: msg.Movement{X: 1, Y: 2, Z: 3, O: 4}},
		{Type: Values, GUID: 9},
	} {
		b := got[i+1]
		if !slices.Equal(b.GUIDs, want.GUIDs) || len(b.Fields) != 0 {
			t.Errorf("block %d has fields %v and guids %v", i+1, b.Fields, b.GUIDs)
		}
		if b.Type != want.Type || b.GUID != want.GUID || b.TypeID != 0 || b.UpdateFlags != want.UpdateFlags || b.HasMovement ||
			b.Movement != want.Movement || b.Speeds != want.Speeds {
			t.Errorf("block %d is %+v, want %+v", i+1, b, want)
		}
	}
	if word, ok := got[0].Value(0x37); word != 1 || !ok { // the faction of goldenBody
		t.Errorf("field 0x37 is %#x, %v", word, ok)
	}
	if word, ok := got[0].Value(0x36); word != 0 || ok {
		t.Errorf("field 0x36 is %#x, %v, and is not there", word, ok)
	}
}

// An error names the block and the byte.
func TestParseErrors(t *testing.T) {
	_, err := parseAll(2, unhex(t, "00 0109 00 06"))
	if want := "update: block 1 at byte 9: " + wire.ErrValue.Error(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	// What is left over follows the last block.
	_, err = parseAll(1, unhex(t, "00 0109 00 06"))
	if want := "update: block 1 at byte 8: " + msg.ErrLong.Error(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
