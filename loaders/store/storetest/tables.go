package storetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

// testTables finds items by SQL, under the names that other servers have for them: table item_instance, and
// character_inventory with the GUIDs of bags.
func testTables(t *testing.T, p Place) {
	s := open(t, p)
	defer s.Close()
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	sword, bag := anItem(), anItem()
	bread, other := anItem(), anItem()
	a, b := full(ada, "Mirella"), full(bea, "Brann")
	a.Items = []life.Item{
		{GUID: bread, Entry: 117, Count: 20, Bag: 19, Slot: 35},
		{GUID: sword, Entry: 25, Count: 1, Durability: 4294967295, Bag: life.InBody, Slot: 15},
		{GUID: bag, Entry: 4496, Count: 1, Bag: life.InBody, Slot: 19},
	}
	b.Items = []life.Item{{GUID: other, Entry: 25, Count: 1, Durability: 7, Bag: life.InBody, Slot: 0}}
	a, b = newCharacter(t, s, a), newCharacter(t, s, b)
	expect := func(statement string, want ...string) {
		t.Helper()
		if got := p.SQL(statement); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", statement, got, want)
		}
	}
	asked := documented(t)
	holders := asked[0] + " ORDER BY owner_guid"
	expect(holders, fmt.Sprint(a.GUID), fmt.Sprint(b.GUID))
	expect(asked[1]+" ORDER BY name", "Brann|1", "Mirella|1")
	expect(strings.Replace(asked[2], "7", fmt.Sprint(b.GUID), 1), fmt.Sprintf("0|0|%d", other))
	expect("SELECT guid, itemEntry, count, durability, bag, slot FROM item_instance WHERE owner_guid = "+fmt.Sprint(a.GUID)+" ORDER BY guid",
		fmt.Sprintf("%d|25|1|4294967295|255|15", sword),
		fmt.Sprintf("%d|4496|1|0|255|19", bag),
		fmt.Sprintf("%d|117|20|0|19|35", bread))
	expect("SELECT guid, bag, slot, item FROM character_inventory ORDER BY item",
		fmt.Sprintf("%d|0|15|%d", a.GUID, sword), fmt.Sprintf("%d|0|19|%d", a.GUID, bag),
		fmt.Sprintf("%d|%d|35|%d", a.GUID, bag, bread), fmt.Sprintf("%d|0|0|%d", b.GUID, other))

	// One is handed over, one is changed, one is used up and one is new.
	trade := store.Trade{
		A: store.Side{GUID: a.GUID, Version: 1, Items: []store.Handed{handed(a, 1, life.InBody, 16)}},
		B: store.Side{GUID: b.GUID, Version: 1},
	}
	if err := s.Trade(ctx, trade); err != nil {
		t.Fatal(err)
	}
	expect(holders, fmt.Sprint(b.GUID), fmt.Sprint(b.GUID))
	found := anItem()
	a.Version = 3
	a.Items = []life.Item{
		{GUID: bag, Entry: 4496, Count: 1, Durability: 3, Bag: life.InBody, Slot: 20},
		{GUID: found, Entry: 159, Count: 5, Bag: 20, Slot: 1},
	}
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Fatal(err)
	}
	const all = "SELECT guid, itemEntry, owner_guid, count, durability, bag, slot FROM item_instance ORDER BY guid"
	whole := []string{
		fmt.Sprintf("%d|25|%d|1|4294967295|255|16", sword, b.GUID), fmt.Sprintf("%d|4496|%d|1|3|255|20", bag, a.GUID),
		fmt.Sprintf("%d|25|%d|1|7|255|0", other, b.GUID), fmt.Sprintf("%d|159|%d|5|0|20|1", found, a.GUID),
	}
	expect(all, whole...)

	// An item that is another kind of thing than before, and then a character that is deleted.
	a.Version++
	a.Items[1].Entry = 160
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Fatal(err)
	}
	whole[3] = fmt.Sprintf("%d|160|%d|5|0|20|1", found, a.GUID)
	expect(all, whole...)
	if err := s.DeleteCharacter(ctx, ada, a.GUID); err != nil {
		t.Fatal(err)
	}
	expect(all, whole[0], whole[2])
	if err := s.DeleteAccount(ctx, bea); err != nil {
		t.Fatal(err)
	}
	expect(all)
}

// documented are the statements that operators are shown.
func documented(t *testing.T) (list []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllSubmatch(text, -1) {
		for statement := range strings.SplitSeq(string(block[1]), ";") {
			if statement = strings.TrimSpace(statement); statement != "" {
				list = append(list, statement)
			}
		}
	}
	if len(list) != 6 {
		t.Fatalf("the documentation has the statements %q, want 6", list)
	}
	return list
}

// testLists finds spells, actions, auras and cooldowns by SQL, under the names that other servers have for them.
func testLists(t *testing.T, p Place) {
	s := open(t, p)
	defer s.Close()
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := full(ada, "Mirella"), full(bea, "Brann")
	a.SavedUnix = 1_700_000_000
	a.Spells = []uint32{5, 78, 4294967295}
	a.Actions = []life.Action{{Button: 0, Packed: 78}, {Button: 143, Packed: 0x80FFFFFF}}
	a.Cooldowns = []life.Cooldown{{Spell: 78, Category: 2, LeftMs: 1500}, {Spell: 79, LeftMs: 4294967295}}
	a.Auras = []life.Aura{
		{Spell: 9, Caster: 0xF130_0000_2B00_0001, CasterLevel: 80, Slot: 1, Stacks: 2, Charges: 3, MaxMs: 60_000, LeftMs: 5, Amount: [3]int32{-2147483648, 2147483647, -1}},
		{Spell: 10, Caster: 7, Slot: 2},
	}
	b.Spells, b.Actions, b.Cooldowns, b.Auras = []uint32{78}, nil, nil, nil
	a, b = newCharacter(t, s, a), newCharacter(t, s, b)
	expect := func(statement string, want ...string) {
		t.Helper()
		if got := p.SQL(statement); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", statement, got, want)
		}
	}
	asked := documented(t)[3:]
	expect(asked[0]+" ORDER BY guid", fmt.Sprint(a.GUID), fmt.Sprint(b.GUID))
	of := func(statement string) string { return strings.Replace(statement, "= 7", fmt.Sprint("= ", a.GUID), 1) }
	expect(of(asked[1])+" ORDER BY spell", "9|2|5", "10|0|-1")
	expect(of(asked[2])+" ORDER BY spell", "78|1700000002", "79|1704294968")

	const spells, actions = "SELECT guid, spell FROM character_spell ORDER BY guid, spell", "SELECT guid, button, action, type FROM character_action ORDER BY guid, button"
	expect(spells, fmt.Sprint(a.GUID, "|5"), fmt.Sprint(a.GUID, "|78"), fmt.Sprint(a.GUID, "|4294967295"), fmt.Sprint(b.GUID, "|78"))
	expect(actions, fmt.Sprint(a.GUID, "|0|78|0"), fmt.Sprint(a.GUID, "|143|16777215|128"))
	const auras = `SELECT guid, casterGuid, spell, stackCount, amount0, amount1, amount2, maxDuration, remainTime, remainCharges, slot, casterLevel
		FROM character_aura ORDER BY spell`
	expect(auras, fmt.Sprint(a.GUID, "|-1067353110965387263|9|2|-2147483648|2147483647|-1|60000|5|3|1|80"), fmt.Sprint(a.GUID, "|7|10|0|0|0|0|-1|-1|0|2|0"))
	expect("SELECT guid, spell, category, time FROM character_spell_cooldown ORDER BY spell",
		fmt.Sprint(a.GUID, "|78|2|1700000002"), fmt.Sprint(a.GUID, "|79|0|1704294968"))

	// Of each list something is new, something is gone and something has changed.
	a.Version++
	a.Spells = []uint32{6, 78}
	a.Actions = []life.Action{{Button: 1, Packed: 78}, {Button: 143, Packed: 0x40000007}}
	a.Cooldowns, a.Auras = a.Cooldowns[1:], a.Auras[1:]
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Fatal(err)
	}
	expectList(t, s, ada, a)
	expect(spells, fmt.Sprint(a.GUID, "|6"), fmt.Sprint(a.GUID, "|78"), fmt.Sprint(b.GUID, "|78"))
	expect(actions, fmt.Sprint(a.GUID, "|1|78|0"), fmt.Sprint(a.GUID, "|143|7|64"))
	expect("SELECT spell FROM character_spell_cooldown", "79")
	expect("SELECT spell FROM character_aura", "10")

	// Another program teaches and unteaches spells of characters that are in no world, and moves an action.
	p.SQL(fmt.Sprintf("INSERT INTO character_spell (guid, spell) VALUES (%d, 133)", a.GUID))
	p.SQL(fmt.Sprintf("DELETE FROM character_spell WHERE guid = %d AND spell = 6", a.GUID))
	p.SQL(fmt.Sprintf("UPDATE character_action SET action = 133 WHERE guid = %d AND button = 1", a.GUID))
	a.Spells, a.Actions[0].Packed = []uint32{78, 133}, 133
	expectList(t, s, ada, a)
	a.Version++
	a.Spells = []uint32{78, 133, 134}
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Fatal(err)
	}
	expectList(t, s, ada, a)

	// It does so to a character in a world, whose saves take precedence.
	p.SQL(fmt.Sprintf("INSERT INTO character_spell (guid, spell) VALUES (%d, 135)", a.GUID))
	p.SQL(fmt.Sprintf("DELETE FROM character_spell WHERE guid = %d AND spell = 133", a.GUID))
	p.SQL(fmt.Sprintf("DELETE FROM character_action WHERE guid = %d", a.GUID))
	a.Version++
	a.Spells = []uint32{78, 135}
	a.Actions = []life.Action{{Button: 1, Packed: 5}}
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Fatal(err)
	}
	expectList(t, s, ada, a)

	if err := s.DeleteCharacter(ctx, ada, a.GUID); err != nil {
		t.Fatal(err)
	}
	expect(spells, fmt.Sprint(b.GUID, "|78"))
	expect(actions)
	if err := s.DeleteAccount(ctx, bea); err != nil {
		t.Fatal(err)
	}
	expect(spells)
}

// testOtherHands has another program change items of characters that are in no world.
func testOtherHands(t *testing.T, p Place) {
	s := open(t, p)
	defer s.Close()
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := full(ada, "Mirella"), full(bea, "Brann")
	a.Items, b.Items = nil, nil
	for slot := range uint8(4) {
		a.Items = append(a.Items, life.Item{GUID: anItem(), Entry: 25, Count: 1, Bag: life.InBody, Slot: slot})
	}
	a, b = newCharacter(t, s, a), newCharacter(t, s, b)
	if _, err := s.LeaseItems(ctx, 1); err != nil { // all below count as given out
		t.Fatal(err)
	}
	given, changed, taken, kept := a.Items[0], a.Items[1], a.Items[2], a.Items[3]
	for _, statement := range []string{
		fmt.Sprintf("UPDATE item_instance SET owner_guid = %d WHERE guid = %d", b.GUID, given.GUID),
		fmt.Sprintf("UPDATE item_instance SET count = 5 WHERE guid = %d", changed.GUID),
		fmt.Sprintf("DELETE FROM item_instance WHERE guid = %d", taken.GUID),
	} {
		p.SQL(statement)
	}
	five := changed
	five.Count = 5
	a.Items, b.Items = []life.Item{five, kept}, []life.Item{given}
	expectList(t, s, ada, a)
	expectList(t, s, bea, b)

	// They play on, and are saved in either order.
	a.Version++
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Fatal(err)
	}
	b.Version++
	b.Items[0].Slot = 9
	if err := s.SaveCharacter(ctx, b); err != nil {
		t.Fatal(err)
	}
	expectList(t, s, ada, a)
	expectList(t, s, bea, b)
	save := func(items ...life.Item) {
		t.Helper()
		a.Version++
		a.Items = items
		if err := s.SaveCharacter(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	save(changed, kept) // with a count of 1 again
	expectList(t, s, ada, a)

	// The other program changes items of a character that is in a world. Saves take precedence.
	give := fmt.Sprintf("UPDATE item_instance SET owner_guid = %d WHERE guid = %d", b.GUID, kept.GUID)
	p.SQL(give)
	kept.Slot = 7
	save(changed, kept)
	expectList(t, s, ada, a)
	expectList(t, s, bea, b)
	p.SQL(give)
	save(changed) // it is not Mirella's to lose
	b.Items = []life.Item{kept, given}
	b.Items[1].Slot = 9
	expectList(t, s, ada, a)
	expectList(t, s, bea, b)
	p.SQL(fmt.Sprintf("DELETE FROM item_instance WHERE guid = %d", changed.GUID))
	changed.Count = 3
	save(changed)
	expectList(t, s, ada, a)
	if err := s.Check(ctx, func(p store.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
}

// testStrayItem has another program give an item of a character in a world to an owner that does not exist. Its saves, and those
// of the characters that are saved with it, go on.
func testStrayItem(t *testing.T, p Place) {
	s := open(t, p)
	defer s.Close()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(bea, "Brann"))
	if _, err := s.Characters(t.Context(), ada); err != nil { // what it has is known from here on
		t.Fatal(err)
	}
	p.SQL(fmt.Sprintf("UPDATE item_instance SET owner_guid = 4000000000 WHERE guid = %d", a.Items[0].GUID))
	for range 3 {
		a.Items = slices.Clone(a.Items)
		a.Items[0].Durability++
		a.Version++
		b.Version++
		b.XP++
		each, err := s.SaveCharacters(t.Context(), []store.Character{a, b})
		if err != nil || each[1] != nil {
			t.Fatalf("a save beside that of a stray item: %v, %v", err, each)
		}
	}
	expectList(t, s, bea, b)
}

// testItemsOfTwoStores has a store change items that another has saved.
func testItemsOfTwoStores(t *testing.T, p Place) {
	first, second := open(t, p), open(t, p)
	defer first.Close()
	defer second.Close()
	ada, bea := newAccount(t, first, "ADA"), newAccount(t, first, "BEA")
	a, b := newCharacter(t, first, full(ada, "Mirella")), newCharacter(t, first, full(bea, "Brann"))
	save := func(s store.Store, c *store.Character, items ...life.Item) {
		t.Helper()
		c.Version++
		c.Items = items
		if err := s.SaveCharacter(t.Context(), *c); err != nil {
			t.Fatal(err)
		}
	}
	sword, bag := a.Items[0], a.Items[1]
	worn := sword
	worn.Durability = 1
	save(second, &a, worn, life.Item{GUID: anItem(), Entry: 7, Count: 1, Bag: life.InBody})
	expectList(t, second, ada, a)
	save(first, &a, sword, bag) // as it has saved them before
	expectList(t, second, ada, a)

	// The second takes an item from a character that it does not save.
	taken := bag
	taken.Slot = 3
	save(second, &b, taken)
	without := a.Clone()
	without.Items = []life.Item{sword}
	expectList(t, second, ada, without)
	save(first, &a, sword, bag)
	expectList(t, second, ada, a)
	b.Items = nil
	expectList(t, second, bea, b)
}
