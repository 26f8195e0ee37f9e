package database

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"muster/components/life"
	"muster/loaders/store"
)

// The items of characters are rows of item_instance. Each character has a revision of its rows, which every transaction
// replaces that changes one of them: what a store has read or written last is what the rows are as long as the
// revision is the same, whichever process has written it. So a save reads no rows, and writes those that differ.

// rowsOfItems is a column of characters: its items as text, in no order. It is part of the statement that reads the
// character, so that both are of one moment.
const rowsOfItems = `(SELECT ` + itemsAsText + ` FROM item_instance i WHERE i.owner_guid = characters.guid)`

const (
	itemsAsText = `string_agg(i.guid || ',' || i.itemEntry || ',' || i.count || ',' || i.durability || ',' ||
		i.bag || ',' || i.slot, ';')`
	readRows  = `SELECT owner_guid, ` + itemsAsText + ` FROM item_instance i WHERE owner_guid`
	byOwner   = ` GROUP BY owner_guid`
	findItems = `SELECT guid, owner_guid FROM item_instance WHERE guid`
)

const itemColumns = "guid, owner_guid, itemEntry, count, durability, bag, slot"

var (
	makeItem   = insert("item_instance", itemColumns, "ON CONFLICT (guid) DO NOTHING")
	moveItem   = update("item_instance", 1, itemColumns)
	changeItem = update("item_instance", 2, itemColumns) // if it has that owner; it touches no index
	dropItem   = remove("item_instance", "guid, owner_guid")
)

// itemValues are the itemColumns of an item.
func itemValues(it *life.Item, owner uint64) []any {
	return []any{it.GUID, owner, it.Entry, it.Count, it.Durability, it.Bag, it.Slot}
}

// newRevision returns a revision that no rows have had before. It is a random number, so that it differs also from
// those that were rolled back, or lost with a database that was restored.
func newRevision() int64 { return rand.Int64() }

// damaged is the revision of rows that are not all there: an older muster has left items that could not be read.
const damaged = -1

// revisionValue scans a revision. If it is damaged, it stores an error in torn, as lifeValue does.
type revisionValue struct {
	revision *int64
	torn     *error
}

// Scan implements sql.Scanner.
func (v revisionValue) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("database: a revision is %T", value)
	}
	if *v.revision = n; n == damaged {
		return tolerate(fmt.Errorf("%w: its items are those of an older muster", errLife), v.torn)
	}
	return nil
}

// rowsValue scans rowsOfItems. It stores an error in torn, as lifeValue does.
type rowsValue struct {
	items *[]life.Item
	torn  *error
}

// Scan implements sql.Scanner.
func (v rowsValue) Scan(value any) (err error) {
	var text []byte
	switch value := value.(type) {
	case string:
		text = []byte(value)
	case []byte:
		text = value
	}
	*v.items, err = parseItems(text)
	return tolerate(err, v.torn)
}

func parseItems(text []byte) ([]life.Item, error) {
	if len(text) == 0 {
		return nil, nil
	}
	n := bytes.Count(text, []byte{';'}) + 1
	if n > life.MaxItems {
		return nil, fmt.Errorf("%w: %d items", errLife, n)
	}
	items := make([]life.Item, 0, n)
	for row := range bytes.SplitSeq(text, []byte{';'}) {
		var n [6]uint64
		fields := 0
		for field := range bytes.SplitSeq(row, []byte{','}) {
			v, err := strconv.ParseUint(string(field), 10, 63)
			if err != nil || fields == len(n) || fields > 0 && v > 1<<32-1 || fields > 3 && v > 255 {
				return nil, fmt.Errorf("%w: item %q", errLife, row)
			}
			n[fields] = v
			fields++
		}
		if fields != len(n) {
			return nil, fmt.Errorf("%w: item %q", errLife, row)
		}
		items = append(items, life.Item{
			GUID: n[0], Entry: uint32(n[1]), Count: uint32(n[2]), Durability: uint32(n[3]), Bag: uint8(n[4]), Slot: uint8(n[5]),
		})
	}
	store.SortItems(items)
	return items, nil
}

// itemIn returns an item of a list. It is most often at index i.
func itemIn(list []life.Item, i int, guid uint64) (life.Item, bool) {
	if i < len(list) && list[i].GUID == guid {
		return list[i], true
	}
	i = slices.IndexFunc(list, func(it life.Item) bool { return it.GUID == guid })
	if i < 0 {
		return life.Item{}, false
	}
	return list[i], true
}
