package database

import (
	"testing"

	"muster/components/life"
)

func oneItem(guid uint64) []life.Item { return []life.Item{{GUID: guid, Count: 1}} }

func TestKnownItems(t *testing.T) {
	k := newKnownItems()
	list := oneItem(7)
	k.read(1, 10, list)
	list[0].GUID = 8 // the caller's
	if items, ok := k.of(1, 10); !ok || items[0].GUID != 7 {
		t.Errorf("1 has %v, %v, want 7", items, ok)
	}
	if items, ok := k.of(1, 11); ok {
		t.Errorf("1 has %v as of a revision that is not known", items)
	}
	k.wrote(1, 11, oneItem(9))
	if items, ok := k.of(1, 11); !ok || items[0].GUID != 9 {
		t.Errorf("1 has %v, %v, want 9", items, ok)
	}
	k.read(1, 11, oneItem(10)) // another program has changed the rows
	if items, ok := k.of(1, 11); !ok || items[0].GUID != 10 {
		t.Errorf("1 has %v, %v, want 10", items, ok)
	}
	k.forget([]uint64{1, 2})
	if _, ok := k.of(1, 11); ok {
		t.Error("1 is known that was forgotten")
	}
}

// Some 16,384 characters are known at least, and 32,768 at most. One that is used stays.
func TestKnownItemsAreBounded(t *testing.T) {
	k := newKnownItems()
	const most = 32_768
	for guid := uint64(1); guid <= 4*most; guid++ {
		k.wrote(guid, 1, nil)
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
	k.wrote(1, 2, nil)
	k.forget([]uint64{1})
	if _, ok := k.of(1, 1); ok {
		t.Error("an older revision of 1 is known that was forgotten")
	}
}
