package database

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components/life"
	"muster/internal/corrupt"
)

func some() life.Life {
	return life.Life{
		Power:     [7]uint32{1, 128, 0, 0, 0, 0, math.MaxUint32},
		Death:     life.Death{State: life.Ghost, Body: life.Place{Map: 571, Zone: 1, X: 1, Y: -2}, ReclaimLeftMs: 3},
		Bind:      life.Place{Map: 1, Zone: 14, O: 0.5},
		Spells:    []uint32{5, 78, 74_000, 6},
		Cooldowns: []life.Cooldown{{Spell: 78, Category: 2, LeftMs: 300}},
		Auras: []life.Aura{{
			Spell: 9, Caster: math.MaxUint64, CasterLevel: 80, Slot: 1, Stacks: 2, Charges: 3, MaxMs: 4, LeftMs: 5,
			Amount: [3]int32{math.MinInt32, math.MaxInt32, -1},
		}},
		Actions: []life.Action{{Button: 143, Packed: 0x8000_0019}},
		Items: []life.Item{
			{GUID: 0x4000_0000_0000_0007, Entry: 25, Count: 1, Durability: 20, Bag: 19, Slot: 2},
			{GUID: 0x4000_0000_0000_0003, Entry: 25, Count: 200, Bag: life.InBody, Slot: 15},
		},
	}
}

// appendItems writes what readItems reads, as version 2 of the schema did.
func appendItems(b []byte, items []life.Item) []byte {
	w := pack{b: append(b, itemsVersion)}
	w.u32(uint32(len(items)))
	last := uint64(0)
	for _, it := range items {
		w.b = binary.AppendVarint(w.b, int64(it.GUID-last)) // the high part is there once
		last = it.GUID
		w.u32(it.Entry)
		w.u32(it.Count)
		w.u32(it.Durability)
		w.b = append(w.b, it.Bag, it.Slot)
	}
	return w.b
}

// withoutLists is some as version 2 writes it, but for its version.
const withoutLists = "01" + "8001" + "00" + "00" + "00" + "00" + "ffffffff0f" + // powers
	"02" + "bb0401" + "0000803f" + "000000c0" + "00000000" + "00000000" + "03" + // death
	"010e" + "00000000" + "00000000" + "00000000" + "0000003f" // bind

// withLists is what version 1 wrote of some.
const withLists = "01" + withoutLists +
	"04" + "05" + "49" + "c2c104" + "f6bdfbff0f" + // spells, each less the one before
	"01" + "4e" + "02" + "ac02" + // cooldowns
	"01" + "09" + "ffffffffffffffffff01" + "50010203" + "04" + "05" + "ffffffff0f" + "feffffff0f" + "01" + // auras
	"01" + "8f" + "9980808008" // actions

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStoredLife reads bytes that older versions have written: stored lives are older than the program.
func TestStoredLife(t *testing.T) {
	l := some()
	for what, c := range map[string]struct {
		got  []byte
		want string
	}{
		"a life": {appendLife(nil, &l), "02" + withoutLists},
		"items": {appendItems(nil, l.Items), "01" + "02" +
			"8e808080808080808001" + "19" + "01" + "14" + "1302" +
			"07" + "19" + "c801" + "00" + "ff0f"},
		"no life":  {appendLife(nil, &life.Life{}), "02" + "00000000000000" + "00" + "0000" + "00000000000000000000000000000000" + "00" + "0000" + "00000000000000000000000000000000"},
		"no items": {appendItems(nil, nil), "0100"},
	} {
		if got := hex.EncodeToString(c.got); got != c.want {
			t.Errorf("%s is\n%s, want\n%s", what, got, c.want)
		}
	}
	var got, bare life.Life
	if err := readLists(unhex(t, withLists), &got); err != nil {
		t.Fatal(err)
	}
	want := life.Life{Power: l.Power, Death: l.Death, Bind: l.Bind}
	if err := readLife(unhex(t, "02"+withoutLists), &bare); err != nil || !reflect.DeepEqual(bare, want) {
		t.Errorf("read %+v, %v, want %+v", bare, err, want)
	}
	items, err := readItems(appendItems(nil, l.Items))
	if got.Items = items; err != nil || !reflect.DeepEqual(got, l) {
		t.Errorf("read %+v, %v, want %+v", got, err, l)
	}
}

// TestTornLife cuts a life everywhere, and adds to it.
func TestTornLife(t *testing.T) {
	l := some()
	whole, lists, items := appendLife(nil, &l), unhex(t, withLists), appendItems(nil, l.Items)
	for i := 1; i < len(whole); i++ {
		if err := readLife(whole[:i], new(life.Life)); err == nil {
			t.Errorf("%d bytes of %d are a life", i, len(whole))
		}
	}
	for i := 1; i < len(lists); i++ {
		if err := readLists(lists[:i], new(life.Life)); err == nil {
			t.Errorf("%d bytes of %d are a life with lists", i, len(lists))
		}
	}
	for _, b := range [][]byte{append(slices.Clone(lists), 0), whole} {
		if err := readLists(b, new(life.Life)); err == nil {
			t.Errorf("% x is a life with lists", b)
		}
	}
	for i := 1; i < len(items); i++ {
		if _, err := readItems(items[:i]); err == nil {
			t.Errorf("%d bytes of %d are items", i, len(items))
		}
	}
	for _, b := range [][]byte{append(whole, 0), append([]byte{3}, whole[1:]...), lists} {
		if err := readLife(b, new(life.Life)); err == nil {
			t.Errorf("% x is a life", b)
		}
	}
}

func TestCorruptLives(t *testing.T) {
	l := some()
	read := 0
	for b := range corrupt.Bytes(20_000, appendLife(nil, &l)) {
		var l, again life.Life
		if err := readLife(b, &l); err != nil || len(b) == 0 {
			continue
		}
		read++
		if err := readLife(appendLife(nil, &l), &again); err != nil || !bytes.Equal(appendLife(nil, &l), appendLife(nil, &again)) {
			t.Errorf("% x is %+v, and that is %+v, %v", b, l, again, err)
		}
	}
	if read < 100 {
		t.Errorf("%d corrupt lives could be read", read)
	}
}

// A life with lists that was damaged is an error, or has lists that can be stored.
func TestCorruptLists(t *testing.T) {
	read := 0
	for b := range corrupt.Bytes(20_000, unhex(t, withLists)) {
		var l life.Life
		if err := readLists(b, &l); err != nil || len(b) == 0 {
			continue
		}
		read++
		var page pageOfLives
		page.add(1, &l)
		var again rowLists
		var auras []life.Aura
		var cooldowns []life.Cooldown
		for _, err := range []error{
			again.parseSpells(rowsText(page.spells)), again.parseActions(rowsText(page.actions)),
			aurasInto(&auras, nil).Scan(page.remaining[0][2]), cooldownsInto(&cooldowns, nil).Scan(page.remaining[0][3]),
		} {
			if err != nil {
				t.Fatalf("% x: %v", b, err)
			}
		}
		if !slices.Equal(auras, l.Auras) || !slices.Equal(cooldowns, l.Cooldowns) || len(again.spells) > len(l.Spells) || len(again.actions) > len(l.Actions) {
			t.Errorf("% x is %+v, and that is %+v, %+v, %+v", b, l, again, auras, cooldowns)
		}
	}
	if read < 100 {
		t.Errorf("%d corrupt lives could be read", read)
	}
}

// rowsText is what string_agg makes of rows, without their first value.
func rowsText(rows [][]any) []byte {
	var list []string
	for _, row := range rows {
		var values []string
		for _, v := range row[1:] {
			values = append(values, fmt.Sprint(v))
		}
		list = append(list, strings.Join(values, ","))
	}
	return []byte(strings.Join(list, ";"))
}

func TestCorruptItems(t *testing.T) {
	l := some()
	for b := range corrupt.Bytes(20_000, appendItems(nil, l.Items), []byte{1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}) {
		list, err := readItems(b)
		if err != nil {
			continue
		}
		if twice, err := readItems(appendItems(nil, list)); err != nil || !reflect.DeepEqual(list, twice) {
			t.Errorf("% x is %+v, and that is %+v, %v", b, list, twice, err)
		}
	}
}
