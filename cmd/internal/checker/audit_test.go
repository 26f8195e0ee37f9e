package checker

import (
	"slices"
	"strings"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

// was is a store before something goes wrong.
func was() []store.Character {
	sword, shield := life.Item{GUID: 7, Entry: 25, Count: 1, Slot: 3}, life.Item{GUID: 8, Entry: 26, Count: 1, Slot: 4}
	return []store.Character{
		{GUID: 1, Account: 1, Name: "Keeper", Level: 2, Version: 5, Life: life.Life{XP: 100, MoneyCopper: 10, Items: []life.Item{sword, shield}}},
		{GUID: 2, Account: 2, Name: "Spender", Level: 3, Version: 6, Life: life.Life{XP: 50, MoneyCopper: 10, Items: []life.Item{{GUID: 9, Entry: 27, Count: 1}}}},
		{GUID: 4, Account: 4, Name: "Gainer", Level: 3, Version: 6, Life: life.Life{XP: 50, MoneyCopper: 10, Items: []life.Item{{GUID: 10, Entry: 28, Count: 4}}}},
	}
}

func TestAudit(t *testing.T) {
	for what, c := range map[string]struct {
		change func([]store.Character) []store.Character
		want   string
	}{
		"nothing": {func(all []store.Character) []store.Character { return all }, ""},
		"progress": {func(all []store.Character) []store.Character {
			all[0].Level, all[0].XP, all[0].MoneyCopper, all[0].Version = 3, 0, 11, 6
			return append(all, store.Character{GUID: 3, Account: 3})
		}, ""},
		"money that is spent": {func(all []store.Character) []store.Character { all[1].MoneyCopper = 0; return all }, ""},
		"items in another order": {func(all []store.Character) []store.Character {
			slices.Reverse(all[0].Items)
			return all
		}, ""},
		"an item that is not kept":    {func(all []store.Character) []store.Character { all[1].Items = nil; return all }, ""},
		"money that is lost":          {func(all []store.Character) []store.Character { all[0].MoneyCopper = 9; return all }, "set back to 9 copper, from 10"},
		"experience that is lost":     {func(all []store.Character) []store.Character { all[0].XP = 99; return all }, "level 2 with 99 experience, from level 2 with 100"},
		"a level that is lost":        {func(all []store.Character) []store.Character { all[1].Level, all[1].XP = 2, 999; return all }, "level 2 with 999 experience, from level 3 with 50"},
		"an older version":            {func(all []store.Character) []store.Character { all[0].Version = 4; return all }, "set back to version 4, from 5"},
		"a character that is lost":    {func(all []store.Character) []store.Character { return all[1:] }, "character 1 is lost"},
		"a character that is doubled": {func(all []store.Character) []store.Character { return append(all, all[0]) }, "character 1 is there twice"},
		"a character under two GUIDs": {func(all []store.Character) []store.Character {
			return append(all, store.Character{GUID: 3, Account: 1})
		}, "account 1 has characters 1 and 3"},
		"an item that is lost":          {func(all []store.Character) []store.Character { all[0].Items = all[0].Items[:1]; return all }, "character 1 had the items"},
		"an item that is not as it was": {func(all []store.Character) []store.Character { all[0].Items[0].Count = 2; return all }, "character 1 had the items"},
		"an item that is with two": {func(all []store.Character) []store.Character {
			all[1].Items = append(all[1].Items, all[0].Items[0])
			return all
		}, "item 7 is with characters 1 and 2"},
		"an item that one has twice": {func(all []store.Character) []store.Character {
			all[1].Items = append(all[1].Items, all[1].Items[0])
			return all
		}, "item 9 is with characters 2 and 2"},
		"an item that is gained": {func(all []store.Character) []store.Character {
			all[2].Items = append(all[2].Items, life.Item{GUID: 11, Entry: 29, Count: 1})
			all[2].Items[0].Count = 5
			return all
		}, ""},
		"an item of many that is lost":   {func(all []store.Character) []store.Character { all[2].Items = all[2].Items[1:]; return all }, "character 4 had the item {"},
		"an item of which less is there": {func(all []store.Character) []store.Character { all[2].Items[0].Count = 3; return all }, "character 4 had the item {"},
		"an item that is another one":    {func(all []store.Character) []store.Character { all[2].Items[0].GUID = 12; return all }, "character 4 had the item {"},
	} {
		a := Audit{
			Spends: func(c *store.Character) bool { return c.Name == "Spender" },
			Keeps:  func(c *store.Character) bool { return c.Name == "Keeper" },
			Gains:  func(c *store.Character) bool { return c.Name == "Gainer" },
		}
		if wrong := a.Check(was()); len(wrong) != 0 {
			t.Errorf("%s: %q before it", what, wrong)
		}
		wrong := a.Check(c.change(was()))
		if c.want == "" && len(wrong) != 0 || c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], c.want)) {
			t.Errorf("%s: %q, want %q", what, wrong, c.want)
		}
	}
}

// An item may have gone from one character to another while they were read, if one of them was saved meanwhile.
func TestAuditWhileSaving(t *testing.T) {
	for _, c := range []struct {
		of    int
		saved []uint64
		want  int
	}{{0, nil, 1}, {0, []uint64{3}, 1}, {0, []uint64{1}, 0}, {0, []uint64{2, 3}, 0}, {1, []uint64{2}, 1}} {
		var a Audit
		all := was()
		all[1].Items = append(all[1].Items, all[c.of].Items[0])
		if wrong := a.Check(all, c.saved...); len(wrong) != c.want {
			t.Errorf("an item of %d and 2, with %v saved: %q", c.of+1, c.saved, wrong)
		}
	}
}

// Without rules no character has less money, and items are nothing that is kept.
func TestAuditWithoutRules(t *testing.T) {
	var a Audit
	a.Check(was())
	now := was()
	now[1].MoneyCopper, now[0].Items = 9, nil
	if wrong := a.Check(now); len(wrong) != 1 || !strings.Contains(wrong[0], "character 2 was set back to 9 copper") {
		t.Errorf("%q", wrong)
	}
	if wrong := a.Check(now); len(wrong) != 0 { // it is compared with what it was last
		t.Errorf("%q", wrong)
	}
}
