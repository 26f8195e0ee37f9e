package database

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"muster/components/life"
	"muster/loaders/store"
)

// Where items are, or that they are gone: then the owner is 0. What is between them is DB.Among.
const (
	findItems = `SELECT guid, owner_guid, moves FROM item_instance WHERE guid`
	findGone  = ` UNION ALL SELECT guid, 0, moves FROM item_gone WHERE guid`

	forgetGone = `DELETE FROM item_gone WHERE unix < $1`
	goneOf     = `INSERT INTO item_gone (guid, moves, unix) SELECT guid, moves, $2 FROM item_instance WHERE moves > 0 AND owner_guid`
	renewGone  = ` ON CONFLICT (guid) DO UPDATE SET moves = excluded.moves, unix = excluded.unix`
	goneWith   = goneOf + ` = $1` + renewGone
	goneOwned  = goneOf + ofOwned + renewGone
)

const itemColumns = filledColumns + ", moves"

var (
	makeItem   = insert("item_instance", itemColumns, "ON CONFLICT (guid) DO NOTHING")
	moveItem   = update("item_instance", 1, itemColumns)
	changeItem = update("item_instance", 2, itemColumns) // if it has that owner; it touches no index
	dropItem   = remove("item_instance", "guid, owner_guid")
	itemGone   = insert("item_gone", "guid, moves, unix", "ON CONFLICT (guid) DO UPDATE SET moves = excluded.moves, unix = excluded.unix")
)

// itemValues are the itemColumns of an item.
func itemValues(it *life.Item, owner uint64) []any {
	return []any{it.GUID, owner, it.Entry, it.Count, it.Durability, it.Bag, it.Slot, it.Moves}
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

var itemLimits = []uint64{most63, most32, most32, most32, most8, most8, most8}

func (l *rowLists) parseItems(text []byte) (err error) {
	l.items, err = parseRows(text, life.MaxItems, itemLimits, func(n []uint64) life.Item {
		return life.Item{
			GUID: n[0], Entry: uint32(n[1]), Count: uint32(n[2]), Durability: uint32(n[3]), Bag: uint8(n[4]), Slot: uint8(n[5]), Moves: uint8(n[6]),
		}
	})
	store.SortItems(l.items)
	return err
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
