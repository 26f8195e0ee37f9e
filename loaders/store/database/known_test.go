package database

import (
	"testing"

	"muster/components/life"
)

func oneItem(guid uint64) rowLists { return rowLists{items: []life.Item{{GUID: guid, Count: 1}}} }

func TestKnownRows(t *testing.T) {
	k := newKnownRows()
	list := oneItem(7)
	k.read(1, 10, list)
	list.items[0].GUID = 8 // the caller's
	if l, ok := k.of(1, 10); !ok || l.items[0].GUID != 7 {
		t.Errorf("1 has %v, %v, want 7", l, ok)
	}
	if l, ok := k.of(1, 11); ok {
		t.Errorf("1 has %v as of a revision that is not known", l)
	}
	k.wrote(1, 11, oneItem(9))
	if l, ok := k.of(1, 11); !ok || l.items[0].GUID != 9 {
		t.Errorf("1 has %v, %v, want 9", l, ok)
	}
	l10 := oneItem(10)
	k.read(1, 11, l10) // another program has changed the rows
	if l, ok := k.of(1, 11); !ok || l.items[0].GUID != 10 {
		t.Errorf("1 has %v, %v, want 10", l, ok)
	}
	k.read(1, 11, rowLists{items: l10.items, spells: []uint32{78}})
	if l, ok := k.of(1, 11); !ok || len(l.spells) != 1 {
		t.Errorf("1 has %v, %v, want spell 78", l, ok)
	}
	k.forget([]uint64{1, 2})
	if _, ok := k.of(1, 11); ok {
		t.Error("1 is known that was forgotten")
	}
}

// Some 16,384 characters are known at least, and 32,768 at most. One that is used stays.
func TestKnownRowsAreBounded(t *testing.T) {
	k := newKnownRows()
	const most = 32_768
	for guid := uint64(1); guid <= 4*most; guid++ {
		k.wrote(guid, 1, rowLists{})
		if _, ok := k.of(1, 1); !ok {
			t.Fatalf("1 was used, and is not known after %d", guid)
		}
		if guid%1000 != 0 {
			continue
		}
		if n := len(k.young) + len(k.old); n > most {
			t.Fatalf("%d are known, want %d at most", n, most)
		}
		for _, last := range []uint64{guid, guid - min(guid, 16_200)} {
			if _, ok := k.of(last, 1); !ok && last > 0 {
				t.Fatalf("%d is not known after %d", last, guid)
			}
		}
	}
	if _, ok := k.of(2, 1); ok {
		t.Error("2 was not used for long, and is known")
	}
	k.wrote(1, 2, rowLists{})
	k.forget([]uint64{1})
	if _, ok := k.of(1, 1); ok {
		t.Error("an older revision of 1 is known that was forgotten")
	}
}
