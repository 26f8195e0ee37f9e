package update

import (
	"bytes"
	"testing"

	"muster/components"
)

// carried is an inventory with a stack in the backpack, a bag, and a stack in the bag.
func carried() *components.Inventory {
	v := new(components.Inventory)
	v.Items[components.FirstPack] = components.Item{Counter: 0x11, Entry: 0x77, Count: 5}
	v.Items[components.FirstBag] = components.Item{Counter: 0x12, Entry: 0x88, Count: 1, Slots: 6}
	v.Items[components.Inside(components.FirstBag)+2] = components.Item{
		Counter: 0x13, Entry: 0x99, Count: 1, Durability: 9, MaxDurability: 20,
	}
	return v
}

// The blocks are those that Item::Create and Bag::Create lead to: type CREATE_OBJECT, LOWGUID alone.
//
// Source: protocol.md 4.2 and appendix A.
func TestItemGolden(t *testing.T) {
	x, v := NewItems(), carried()
	deep := components.Inside(components.FirstBag) + 2
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"stack", x.AppendCreate(nil, 8, v, components.FirstPack),
			`02 8111 40 01 1000 11000000 01 5f410000
			11000000 00000040 03000000 77000000 0000803f 08000000 08000000 05000000`},
		{"bag", x.AppendCreate(nil, 8, v, components.FirstBag),
			`02 8112 40 02 1000 12000000 03 5f410000 00000000 c1000000
			12000000 00000040 07000000 88000000 0000803f 08000000 08000000 01000000 06000000 13000000 00000040`},
		{"in the bag", x.AppendCreate(nil, 8, v, deep),
			`02 8113 40 01 1000 13000000 02 5f430000 00000030
			13000000 00000040 03000000 99000000 0000803f 08000000 12000000 00000040 01000000 09000000 14000000`},
		{"a change of it", x.AppendValues(nil, 8, v, deep),
			`00 8113 40 02 c0430000 00000030
			08000000 00000000 12000000 00000040 01000000 09000000 14000000`},
		{"a word", AppendWord(nil, 8, 0x4F, 1), `00 01 08 03 00000000 00000000 00800000 01000000`},
		{"the first word", AppendWord(nil, 8, 0, 2), `00 01 08 01 01000000 02000000`},
		{"the last of a mask", AppendWord(nil, 8, 0x1F, 3), `00 01 08 01 00000080 03000000`},
		{"words", AppendWords(nil, 8, []Field{{0x1F, 3}, {0x20, 4}, {0x22, 5}, {0x47, 6}}), `00 01 08 03 00000080 05000000 80000000 03000000 04000000 05000000 06000000`},
		{"the first of the next", AppendWord(nil, 8, 0x20, 4), `00 01 08 02 00000000 01000000 04000000`},
	} {
		if want := unhex(t, c.want); !bytes.Equal(c.got, want) {
			t.Errorf("%s:\n% x, want\n% x", c.name, c.got, want)
		}
	}
}

// Of a bag's slots its owner sees as many as the bag has, and BagRoom at most; of a bag that is not worn, none.
//
// Source: protocol.md appendix A: CONTAINER_FIELD_NUM_SLOTS 0x40, CONTAINER_FIELD_SLOT_1 0x42.
func TestBagSlots(t *testing.T) {
	const last = components.FirstBag + 3
	x, v := NewItems(), new(components.Inventory)
	for place := range v.Items {
		v.Items[place] = components.Item{Counter: uint32(0x100 + place), Entry: 1, Count: 1}
	}
	for _, c := range []struct {
		place, slots int
		shown        int // GUIDs
	}{
		{components.FirstBag, 6, 6}, {last, 1, 1}, {last, components.BagRoom, components.BagRoom}, {components.FirstBag, 36, components.BagRoom},
		{components.FirstPack, 6, 0}, {components.FirstBag - 1, 6, 0},
	} {
		v.Items[c.place].Slots = uint8(c.slots)
		got, err := parseAll(1, x.AppendCreate(nil, 8, v, c.place))
		if err != nil || len(got) != 1 || got[0].TypeID != components.TypeContainer {
			t.Fatalf("%d slots at %d: %+v, %v", c.slots, c.place, got, err)
		}
		if slots, _ := got[0].Value(0x40); int(slots) != c.slots {
			t.Errorf("%d slots at %d: %d are said", c.slots, c.place, slots)
		}
		for i := range 36 {
			low, _ := got[0].Value(uint16(0x42 + 2*i))
			high, _ := got[0].Value(uint16(0x43 + 2*i))
			var want [2]uint32
			if i < c.shown {
				want = [2]uint32{uint32(0x100 + components.Inside(c.place) + i), 0x40000000}
			}
			if low != want[0] || high != want[1] {
				t.Errorf("%d slots at %d: slot %d has %#x %#x, want %#x", c.slots, c.place, i, high, low, want)
			}
		}
		v.Items[c.place].Slots = 0
	}
}

// A client reads the create block of an item as it was meant, and so it does that of a corpse.
func TestStillParse(t *testing.T) {
	x, v := NewItems(), carried()
	corpse := NewLayout(12340, Corpse, components.ItemParts()[0])
	object := components.Object{GUID: uint64(components.HighCorpse)<<48 | 5, Type: components.MaskOfCorpse, Scale: 1}
	var words Words
	words[0] = components.Words(&object)
	payload := []byte{2, 0, 0, 0}
	payload = x.AppendCreate(payload, 8, v, components.FirstBag)
	payload = corpse.Create(payload, &Subject{GUID: object.GUID, Words: &words, Position: &components.Position{X: 1, Y: 2, Z: 3, O: 4}})
	var got []Block
	if err := Parse(payload, func(b *Block) error { got = append(got, *b); return nil }); err != nil || len(got) != 2 {
		t.Fatalf("%d blocks, %v", len(got), err)
	}
	if b := got[0]; b.Type != Create || b.TypeID != components.TypeContainer || b.UpdateFlags != FlagLowGUID || b.GUID != 0x4000000000000012 {
		t.Errorf("the bag is %+v", b)
	}
	if b := got[1]; b.Type != Create2 || b.TypeID != components.TypeCorpse || b.UpdateFlags != 0x150 ||
		b.Movement.X != 1 || b.Movement.Y != 2 || b.Movement.Z != 3 || b.Movement.O != 4 {
		t.Errorf("the corpse is %+v", b)
	}
}

func TestItemsDoNotAllocate(t *testing.T) {
	x, v, buf := NewItems(), carried(), make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		buf = x.AppendCreate(buf[:0], 8, v, components.FirstBag)
		buf = x.AppendValues(buf[:0], 8, v, components.FirstPack)
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
