package frame

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"testing"

	"muster/components/life"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A packer writes values side by side, little-endian, as a reader of the comments of Character and life.Life would.
type packer struct{ bytes.Buffer }

func (p *packer) put(values ...any) *packer {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			p.WriteString(v + "\x00")
		case []byte:
			p.Write(v)
		default:
			if err := binary.Write(p, binary.LittleEndian, v); err != nil {
				panic(fmt.Sprintf("%T: %v", v, err))
			}
		}
	}
	return p
}

// filled is a life of which no field is zero, and its bytes without the lists and of each list.
func filled() (l life.Life, flat []byte, lists map[life.Set][]byte) {
	place := func(n uint32) life.Place {
		return life.Place{Map: n, Zone: n + 1, X: float32(n + 2), Y: float32(n + 3), Z: float32(n + 4), O: float32(n + 5)}
	}
	l = life.Life{
		Begun: true, XP: 2, MoneyCopper: 3, Health: 4, Power: [7]uint32{5, 6, 7, 8, 9, 10, 11},
		Death: life.Death{State: life.Ghost, Body: place(12), ReclaimLeftMs: 18}, Bind: place(19), PlayedSec: 25, LevelPlayedSec: 26,
		Spells: []uint32{27, 28}, Cooldowns: []life.Cooldown{{Spell: 29, Category: 30, LeftMs: 31}},
		Auras: []life.Aura{{
			Spell: 32, Caster: 1<<40 | 33, CasterLevel: 34, Slot: 35, Stacks: 36, Charges: 37, MaxMs: 38, LeftMs: 39, Amount: [3]int32{-40, 41, math.MinInt32},
		}},
		Actions: []life.Action{{Button: 42, Packed: 43}, {Button: 44, Packed: 45}},
		Items:   []life.Item{{GUID: 1<<62 | 46, Entry: 47, Count: 48, Durability: 49, Bag: 50, Slot: 51, Moves: 52}},
	}
	flat = new(packer).put(uint8(1), uint32(2), uint32(3), uint32(4), l.Power, life.Ghost, place(12), uint32(18), place(19), uint32(25), uint32(26)).Bytes()
	lists = map[life.Set][]byte{
		life.Spells:    new(packer).put(uint16(2), uint32(27), uint32(28)).Bytes(),
		life.Cooldowns: new(packer).put(uint16(1), uint32(29), uint32(30), uint32(31)).Bytes(),
		life.Auras: new(packer).put(uint16(1), uint32(32), uint64(1<<40|33), uint8(34), uint8(35), uint8(36), uint8(37), uint32(38), uint32(39),
			int32(-40), int32(41), int32(math.MinInt32)).Bytes(),
		life.Actions: new(packer).put(uint16(2), uint8(42), uint32(43), uint8(44), uint32(45)).Bytes(),
		life.Items:   new(packer).put(uint16(1), uint64(1<<62|46), uint32(47), uint32(48), uint32(49), uint8(50), uint8(51), uint8(52)).Bytes(),
	}
	return l, flat, lists
}

// present is a life with the lists that are in a set; the others are nil.
func present(l life.Life, set life.Set) life.Life {
	v := reflect.ValueOf(&l).Elem()
	for i := range 5 { // in the order of the bits
		if set>>i&1 == 0 {
			v.Field(v.NumField() - 5 + i).SetZero()
		}
	}
	return l
}

// The bytes of a character are its fields in their order, and of its lists those that are present.
func TestCharacterBytes(t *testing.T) {
	l, flat, lists := filled()
	for set := life.Set(0); set <= life.All; set++ {
		now := uint32(set % 2) // of some there is none
		for _, caches := range [][8]uint32{{}, {1, 2, 3, 4, 5, 6, 7, 8}, {7: 1}} {
			c := Character{
				GUID: 1 << 33, Account: 2, SecurityLevel: 3, Name: "Aldous", Race: 4, Class: 5, Gender: 6, Skin: 7, Face: 8, HairStyle: 9, HairColor: 10,
				Facial: 11, Level: 12, Map: 13, Zone: 14, X: 15, Y: 16, Z: 17, O: 18, Version: 1 << 35, Told: set, AwaySec: 20, Flags: 21, States: 22,
				Caches: caches, NowUnix: now, Life: present(l, set),
			}
			want := new(packer).put(uint64(1<<33), uint32(2), uint8(3), "Aldous", []byte{4, 5, 6, 7, 8, 9, 10, 11, 12}, uint32(13), uint32(14),
				float32(15), float32(16), float32(17), float32(18), uint64(1<<35))
			if caches == [8]uint32{} {
				want.put(uint32(set)|now<<30, uint32(20), uint32(21), uint32(22))
			} else {
				want.put(uint32(set)|now<<30|1<<31, uint32(20), uint32(21), uint32(22), caches)
			}
			if now != 0 {
				want.put(now)
			}
			want.put(flat)
			for i := range 5 {
				if bit := life.Set(1 << i); set&bit != 0 {
					want.put(lists[bit])
				}
			}
			got := msg.Append(nil, wire.V12340, &c)
			if !bytes.Equal(got, want.Bytes()) {
				t.Fatalf("lists %#x: wrote\n% x, want\n% x", set, got, want.Bytes())
			}
			back := Character{Caches: [8]uint32{9}, NowUnix: 9} // of a character that was read before
			if err := msg.Decode(wire.V12340, got, &back); err != nil || !reflect.DeepEqual(back, c) {
				t.Fatalf("lists %#x: read\n%+v, want\n%+v, %v", set, back, c, err)
			}
		}
		only := Lists{Told: set, Life: present(l, set)}
		var want packer
		for i := range 5 {
			if bit := life.Set(1 << i); set&bit != 0 {
				want.put(lists[bit])
			}
		}
		got := msg.Append(nil, wire.V12340, &only)
		back := Lists{Told: set}
		if err := msg.Decode(wire.V12340, got, &back); err != nil || !bytes.Equal(got, want.Bytes()) || len(back.Life.Items) != len(only.Life.Items) ||
			!bytes.Equal(msg.Append(nil, wire.V12340, &back), got) {
			t.Fatalf("lists %#x: wrote\n% x, want\n% x, %v", set, got, want.Bytes(), err)
		}
	}
	long := Character{Name: "Sixteen letters!"}
	if err := msg.Decode(wire.V12340, msg.Append(nil, wire.V12340, &long), new(Character)); err == nil {
		t.Error("a name of 16 bytes is read")
	}
}

// Lists are bounded where they are read.
func TestListsAreBounded(t *testing.T) {
	for set, most := range map[life.Set]int{
		life.Spells: life.MaxSpells, life.Cooldowns: life.MaxCooldowns, life.Auras: life.MaxAuras, life.Actions: life.MaxActions, life.Items: life.MaxItems,
	} {
		each := map[life.Set]int{life.Spells: 4, life.Cooldowns: 12, life.Auras: 36, life.Actions: 5, life.Items: 23}[set]
		for n, ok := range map[int]bool{most: true, most + 1: false} {
			b := append(binary.LittleEndian.AppendUint16(nil, uint16(n)), make([]byte, n*each)...)
			if err := msg.Decode(wire.V12340, b, &Lists{Told: set}); (err == nil) != ok {
				t.Errorf("list %#x of %d: %v", set, n, err)
			}
		}
	}
}

func TestOperationBytes(t *testing.T) {
	for _, c := range []struct {
		m    msg.Message
		want []byte
	}{
		{&Lease{First: 0x01020304, Count: 5}, []byte{4, 3, 2, 1, 5, 0, 0, 0}},
		{&Command{ID: 7, Level: 4, Text: "save"}, append([]byte{7, 0, 0, 0, 0, 0, 0, 0, 4}, "save\x00"...)},
	} {
		if got := msg.Append(nil, wire.V12340, c.m); !bytes.Equal(got, c.want) {
			t.Errorf("%+v: wrote % x, want % x", c.m, got, c.want)
		}
	}
}
