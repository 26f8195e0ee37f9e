package swarm

import (
	"encoding/binary"
	"maps"
	"testing"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// A pair trades when what both have together has stayed the same for a second. After a trade it has ten seconds to be that again; what comes
// from elsewhere meanwhile is no matter before a trade, and is after one.
func TestPairsAreBalanced(t *testing.T) {
	rich, richer, poor := map[uint32]uint64{0: 5, 25: 2}, map[uint32]uint64{0: 5, 25: 3}, map[uint32]uint64{0: 5, 25: 1}
	at := func(d time.Duration) moment { return moment(time.Minute + d) }
	for _, c := range []struct {
		what               string
		p                  pair
		has                map[uint32]uint64
		due                moment
		rested, unbalanced bool
		had                map[uint32]uint64
	}{
		{"it has something at first", pair{}, rich, at(0), false, false, rich},
		{"it is there no second", pair{had: rich, since: at(0)}, rich, at(time.Second), false, false, rich},
		{"it is there for longer", pair{had: rich, since: at(0)}, rich, at(time.Second + 1), true, false, rich},
		{"an outfit has come", pair{had: rich, since: at(0)}, richer, at(time.Minute), false, false, richer},
		{"a trade is half told of", pair{had: rich, ended: at(0)}, poor, at(10 * time.Second), false, false, rich},
		{"a trade is told of", pair{had: rich, ended: at(0)}, rich, at(10 * time.Second), false, false, rich},
		{"a trade has lost something", pair{had: rich, ended: at(0)}, poor, at(10*time.Second + 1), false, true, poor},
		{"a trade has made something", pair{had: rich, ended: at(0)}, richer, at(10*time.Second + 1), false, true, richer},
	} {
		if rested, unbalanced := c.p.rest(c.has, c.due); rested != c.rested || unbalanced != c.unbalanced || !maps.Equal(c.p.had, c.had) {
			t.Errorf("%s: rested %t, unbalanced %t, %v", c.what, rested, unbalanced, c.p.had)
		}
	}
}

// A client knows its money, its items and where they are from updates and what is destroyed. Of others' it knows nothing.
func TestBelongings(t *testing.T) {
	r := &run{}
	c := &client{guid: 7, trader: trader{items: make(map[uint64]stack)}}
	block := func(kind uint8, guid uint64, pairs ...uint32) []byte {
		b := binary.LittleEndian.AppendUint32(nil, 1)
		b = wire.AppendPackedGUID(append(b, kind), guid)
		if kind == update.Create {
			b = append(b, 1, 0, 0) // an item, without flags
		}
		mask := make([]uint32, pairs[len(pairs)-2]/32+1)
		var values []byte
		for i := 0; i < len(pairs); i += 2 {
			mask[pairs[i]/32] |= 1 << (pairs[i] % 32)
			values = binary.LittleEndian.AppendUint32(values, pairs[i+1])
		}
		b = append(b, uint8(len(mask)))
		for _, word := range mask {
			b = binary.LittleEndian.AppendUint32(b, word)
		}
		return append(b, values...)
	}
	const item = 0x4000000000000009
	create := block(update.Create, item, 0x3, 25, 0xE, 5)
	if err := update.Parse(create, func(*update.Block) error { return nil }); err != nil {
		t.Fatal(err)
	}
	r.traded(c, msg.OpUpdateObject, block(update.Create, item, 0x3, 25, 0xE, 5))
	r.traded(c, msg.OpUpdateObject, block(update.Values, 7, 0x174, 9, 0x175, 0x40000000, 0x492, 12))
	r.traded(c, msg.OpUpdateObject, block(update.Values, 8, 0x492, 99))
	if got := (stack{25, 5}); c.trader.items[item] != got || c.trader.copper != 12 || c.trader.pack[1] != item || c.trader.pack[0] != 0 {
		t.Errorf("%+v", c.trader)
	}
	r.traded(c, msg.OpUpdateObject, block(update.Values, item, 0xE, 3))
	if got := together(&c.trader, &trader{copper: 1, items: map[uint64]stack{4: {25, 1}, 5: {30, 1}}}); !maps.Equal(got, map[uint32]uint64{0: 13, 25: 4, 30: 1}) {
		t.Errorf("together they have %v", got)
	}
	r.traded(c, msg.OpDestroyObject, binary.LittleEndian.AppendUint64(nil, item))
	if len(c.trader.items) != 0 {
		t.Errorf("%+v is destroyed", c.trader.items)
	}
}
