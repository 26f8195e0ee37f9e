package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"muster/components/life"
	"muster/internal/testseed"
	"muster/loaders/store"
)

// testTheft saves characters with items that others have. An item belongs to the character that was saved with it
// last.
func testTheft(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(bea, "Brann"))
	sword, bag := a.Items[0], a.Items[1]

	b.Version++
	b.Items = []life.Item{sword, b.Items[0], b.Items[1]} // found in b's bag
	b.Items[0].Slot = 1
	if err := s.SaveCharacter(ctx, b); err != nil {
		t.Fatal(err)
	}
	robbed := a.Clone()
	robbed.Items = []life.Item{bag}
	expectList(t, s, ada, robbed)
	expectList(t, s, bea, b)

	// Both are saved with it: the later one has it.
	a.Version++
	b.Version++
	if each, err := s.SaveCharacters(ctx, []store.Character{b, a}); err != nil || each[0] != nil || each[1] != nil {
		t.Fatal(each, err)
	}
	without := b.Clone()
	without.Items = without.Items[1:]
	expectList(t, s, ada, a)
	expectList(t, s, bea, without)

	// One gives and the other takes, in either order.
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		a.Version, b.Version = a.Version+1, b.Version+1
		a.Items, b.Items = without.Items, a.Items
		without.Items = b.Items
		both := []store.Character{a, b}
		each, err := s.SaveCharacters(ctx, []store.Character{both[order[0]], both[order[1]]})
		if err != nil || each[0] != nil || each[1] != nil {
			t.Fatal(each, err)
		}
		expectList(t, s, ada, a)
		expectList(t, s, bea, b)
	}

	// A new character may come with an item of another's; a deleted one leaves nothing.
	c := full(bea, "Corvo")
	c.Items = append(c.Items, life.Item{GUID: bag.GUID, Entry: 1, Count: 1, Bag: life.InBody, Slot: 100})
	c = newCharacter(t, s, c)
	expectOnce(t, s, ada, bea)
	if err := s.DeleteCharacter(ctx, bea, c.GUID); err != nil {
		t.Fatal(err)
	}
	d := full(ada, "Dara")
	d.Items = c.Items
	newCharacter(t, s, d)
	expectOnce(t, s, ada, bea)
}

// expectOnce checks that no item is in two places, and returns how many there are, and how much money.
func expectOnce(t *testing.T, s store.Store, accounts ...uint32) (items map[uint64]uint64, money uint64) {
	t.Helper()
	items = make(map[uint64]uint64)
	for _, account := range accounts {
		list, err := s.Characters(t.Context(), account)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			money += uint64(c.MoneyCopper)
			for _, it := range c.Items {
				if other, twice := items[it.GUID]; twice {
					t.Errorf("%d and %d have item %#x", other, c.GUID, it.GUID)
				}
				items[it.GUID] = c.GUID
			}
		}
	}
	return items, money
}

// testLateSaves has an item go to another character and back, and what the other had meanwhile is saved last: each is saved
// through a gateway of its own. The item is with its last owner, also when the number of changes begins again at 256.
func testLateSaves(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(bea, "Brann"))
	save := func(list ...store.Character) {
		t.Helper()
		each, err := s.SaveCharacters(ctx, list)
		if err = errors.Join(append(each, err)...); err != nil {
			t.Fatal(err)
		}
	}
	for _, moves := range []uint8{0, 254} {
		for _, together := range []bool{false, true} {
			a.Version++
			a.Items[0].Moves = moves
			save(a)
			lent, back, without := b.Clone(), a.Clone(), b.Clone()
			lent.Version, without.Version, back.Version = b.Version+1, b.Version+1, a.Version+2
			back.Items[0].Moves = moves + 2
			it := a.Items[0]
			it.Slot, it.Moves = 1, moves+1
			lent.Items = append(lent.Items, it)
			store.SortItems(lent.Items)
			if together {
				save(back, lent)
			} else {
				save(back)
				save(lent)
			}
			expectList(t, s, ada, back)
			expectList(t, s, bea, without)
			b.Version += 2
			save(b)
			expectList(t, s, ada, back)
			expectList(t, s, bea, b)
			a = back
		}
	}
}

// testLateSavesOfWhatIsGone has an item go to another character, which destroys it or is deleted, alone or with its account, and what the first one had is saved last. It
// does not come back, but to one that has had it no earlier than the last owner.
func testLateSavesOfWhatIsGone(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(bea, "Brann"))
	save := func(list ...store.Character) {
		t.Helper()
		each, err := s.SaveCharacters(ctx, list)
		if err = errors.Join(append(each, err)...); err != nil {
			t.Fatal(err)
		}
	}
	next := func(c store.Character, items ...life.Item) store.Character {
		n := c.Clone()
		n.Version, n.Items = c.Version+1, items
		store.SortItems(n.Items)
		return n
	}
	sword, bag := a.Items[0], a.Items[1]
	with := slices.Clone(b.Items)
	for _, moves := range []uint8{0, 127, 254} {
		for _, together := range []bool{false, true} {
			sword.GUID, sword.Moves = anItem(), moves
			a = next(a, sword, bag)
			save(a)
			theirs := sword
			theirs.Slot, theirs.Moves = 1, moves+1
			b = next(b, append(slices.Clone(with), theirs)...)
			save(b)
			expectList(t, s, ada, func() store.Character { c := a.Clone(); c.Items = []life.Item{bag}; return c }())
			destroyed, late := next(b, with...), next(a, sword, bag)
			if together {
				save(destroyed, late)
			} else {
				save(destroyed)
				save(late)
			}
			b = destroyed
			a = late.Clone()
			a.Items = []life.Item{bag}
			expectList(t, s, ada, a)
			expectList(t, s, bea, b)
			late = next(late, sword, bag) // and once more, changed otherwise
			late.MoneyCopper++
			save(late)
			a = late.Clone()
			a.Items = []life.Item{bag}
			expectList(t, s, ada, a)

			b = next(b, append(slices.Clone(with), theirs)...)
			save(b)
			expectList(t, s, bea, b)
			back := sword
			back.Moves = moves + 2
			a, b = next(a, back, bag), next(b, with...)
			save(b, a)
			expectList(t, s, ada, a)
			expectList(t, s, bea, b)
		}
	}

	// A character is deleted with what another had before, and then an account with one that has.
	cyd := newAccount(t, s, "CYD")
	for _, c := range []struct {
		account uint32
		remove  func(c store.Character) error
	}{
		{bea, func(c store.Character) error { return s.DeleteCharacter(ctx, bea, c.GUID) }},
		{cyd, func(store.Character) error { return s.DeleteAccount(ctx, cyd) }},
	} {
		sword.GUID, sword.Moves = anItem(), 3
		owner := full(c.account, "Corvo")
		owner.Items = []life.Item{sword}
		if err := c.remove(newCharacter(t, s, owner)); err != nil {
			t.Fatal(err)
		}
		older := sword
		older.Moves = 2
		a = next(a, older, bag)
		save(a)
		a.Items = []life.Item{bag}
		expectList(t, s, ada, a)
		a = next(a, sword, bag)
		save(a)
		expectList(t, s, ada, a)
	}
}

// handed is an item of a character's, on its way to a slot of another.
func handed(c store.Character, i int, bag, slot uint8) store.Handed {
	return store.Handed{GUID: c.Items[i].GUID, Bag: bag, Slot: slot}
}

func testTrade(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	a, b := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(bea, "Brann"))
	trade := store.Trade{
		A: store.Side{GUID: a.GUID, Version: 1, MoneyCopper: 14, Items: []store.Handed{handed(a, 0, 19, 58), handed(a, 1, 19, 0)}},
		B: store.Side{GUID: b.GUID, Version: 1, MoneyCopper: 4, Items: []store.Handed{handed(b, 0, life.InBody, 3)}},
	}
	if err := s.Trade(ctx, trade); err != nil {
		t.Fatal(err)
	}
	a0, a1, b0 := a.Items[0], a.Items[1], b.Items[0]
	a0.Slot, a1.Bag, a1.Slot, b0.Bag, b0.Slot = 58, 19, 0, life.InBody, 3
	a0.Moves, a1.Moves, b0.Moves = 1, 1, 1
	a.Version, a.MoneyCopper, a.Items = 2, 4, []life.Item{b0}
	b.Version, b.MoneyCopper, b.Items = 2, 24, []life.Item{a1, a0, b.Items[1]}
	expectList(t, s, ada, a)
	expectList(t, s, bea, b)
	if err := s.Trade(ctx, trade); !errors.Is(err, store.ErrStale) {
		t.Errorf("the same trade again: %v, want %v", err, store.ErrStale)
	}
	a.Version++
	if err := s.SaveCharacter(ctx, a); err != nil {
		t.Errorf("save after a trade: %v", err)
	}
	gift := store.Trade{A: store.Side{GUID: a.GUID, Version: 3}, B: store.Side{GUID: b.GUID, Version: 2, MoneyCopper: 1}}
	if err := s.Trade(ctx, gift); err != nil {
		t.Errorf("a gift: %v", err)
	}
	expectOnce(t, s, ada, bea)
}

func testBadTrade(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	a, b := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(ada, "Brann"))
	rich := full(ada, "Corvo")
	rich.MoneyCopper = store.MaxMoney
	rich = newCharacter(t, s, rich)
	mine := []store.Handed{handed(a, 0, life.InBody, 100)}
	for what, c := range map[string]struct {
		trade store.Trade
		want  error
	}{
		"older version":  {store.Trade{A: store.Side{GUID: a.GUID}, B: store.Side{GUID: b.GUID, Version: 1}}, store.ErrStale},
		"newer version":  {store.Trade{A: store.Side{GUID: a.GUID, Version: 1}, B: store.Side{GUID: b.GUID, Version: 2}}, store.ErrStale},
		"no one":         {store.Trade{A: store.Side{GUID: a.GUID, Version: 1}, B: store.Side{GUID: 1 << 63, Version: 1}}, store.ErrNotFound},
		"oneself":        {store.Trade{A: store.Side{GUID: a.GUID, Version: 1}, B: store.Side{GUID: a.GUID, Version: 1}}, store.ErrNotFound},
		"money":          {store.Trade{A: store.Side{GUID: a.GUID, Version: 1, MoneyCopper: 15}, B: store.Side{GUID: b.GUID, Version: 1}}, store.ErrTooLittle},
		"too much money": {store.Trade{A: store.Side{GUID: a.GUID, Version: 1, MoneyCopper: 1}, B: store.Side{GUID: rich.GUID, Version: 1}}, store.ErrLife},
		"another's item": {store.Trade{A: store.Side{GUID: b.GUID, Version: 1, Items: mine}, B: store.Side{GUID: a.GUID, Version: 1}}, store.ErrNotFound},
		"an item twice":  {store.Trade{A: store.Side{GUID: a.GUID, Version: 1, Items: append(mine, mine...)}, B: store.Side{GUID: b.GUID, Version: 1}}, store.ErrNotFound},
		"a taken slot": {store.Trade{
			A: store.Side{GUID: a.GUID, Version: 1, Items: []store.Handed{handed(a, 0, b.Items[1].Bag, b.Items[1].Slot)}},
			B: store.Side{GUID: b.GUID, Version: 1},
		}, store.ErrLife},
	} {
		if err := s.Trade(ctx, c.trade); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	expectList(t, s, ada, a, b, rich)
}

// testToAndFro passes items and money on at random, by trades, by batches and by single saves of whole
// characters, with stale saves in between. Nothing is lost or doubled, at any time.
func testToAndFro(t *testing.T, s store.Store) {
	random := rand.New(rand.NewPCG(testseed.Of(t), 0))
	ctx := t.Context()
	account := newAccount(t, s, "ADA")
	var all []store.Character
	for i := range 5 {
		c := full(account, name(i))
		c.MoneyCopper = 1000
		c.Items = nil
		for slot := range uint8(6) {
			c.Items = append(c.Items, life.Item{GUID: anItem(), Entry: 1, Count: 1, Bag: life.InBody, Slot: slot})
		}
		all = append(all, newCharacter(t, s, c))
	}
	rounds := 150
	if os.Getenv("LONG_TESTS") != "" {
		rounds = 10_000
	}
	for round := range rounds {
		i := random.IntN(len(all))
		j := (i + 1 + random.IntN(len(all)-1)) % len(all)
		a, b := &all[i], &all[j]
		trade := store.Trade{A: someOf(random, a, b), B: someOf(random, b, a)}
		old := []store.Character{a.Clone(), b.Clone()}
		if err := trade.Apply(a, b); err != nil {
			t.Fatal(round, err)
		}
		var each []error
		var err error
		switch random.IntN(3) {
		case 0:
			err = s.Trade(ctx, trade)
		case 1:
			each, err = s.SaveCharacters(ctx, []store.Character{*a, old[1], *b, old[0]})
		case 2:
			each, err = s.SaveCharacters(ctx, []store.Character{*b, *a})
		}
		for n, e := range each {
			if stale := len(each) == 4 && n%2 == 1; stale != errors.Is(e, store.ErrStale) {
				t.Errorf("round %d, save %d: %v", round, n, e)
			}
		}
		if err != nil {
			t.Fatal(round, err)
		}
		if items, money := expectOnce(t, s, account); len(items) != 30 || money != 5000 {
			t.Fatalf("round %d: %d items and %d copper, want 30 and 5000", round, len(items), money)
		}
	}
	expectList(t, s, account, all...)
}

// someOf returns a side that gives some of what a has to b, into free slots there.
func someOf(random *rand.Rand, a, b *store.Character) store.Side {
	side := store.Side{GUID: a.GUID, Version: a.Version, MoneyCopper: uint32(random.IntN(int(a.MoneyCopper) + 1))}
	taken := make(map[uint8]bool)
	for _, it := range b.Items {
		taken[it.Slot] = true
	}
	for _, it := range a.Items {
		if slot := uint8(random.IntN(200)); random.IntN(3) == 0 && !taken[slot] {
			taken[slot] = true
			side.Items = append(side.Items, store.Handed{GUID: it.GUID, Bag: life.InBody, Slot: slot})
		}
	}
	return side
}

// testRaceForItem saves many characters with one item at once, and with one that was nowhere before.
func testRaceForItem(t *testing.T, s store.Store) {
	const racers = 6
	var accounts []uint32
	var made []store.Character
	for i := range racers {
		accounts = append(accounts, newAccount(t, s, fmt.Sprint("RACER", i)))
		c := full(accounts[i], name(i))
		c.Items = nil
		made = append(made, newCharacter(t, s, c))
	}
	prizes := []life.Item{
		{GUID: anItem(), Entry: 1, Count: 1, Bag: life.InBody, Slot: 1},
		{GUID: anItem(), Entry: 1, Count: 1, Bag: life.InBody, Slot: 2},
		{GUID: anItem(), Entry: 1, Count: 1, Bag: life.InBody, Slot: 3},
	}
	together(racers, func(i int) {
		c := made[i].Clone()
		for round := range 10 {
			c.Version++
			c.Items = prizes[round%2:]
			if err := s.SaveCharacter(t.Context(), c); err != nil {
				t.Errorf("%s in round %d: %v", c.Name, round, err)
			}
		}
	})
	if items, _ := expectOnce(t, s, accounts...); len(items) > len(prizes) || items[prizes[2].GUID] == 0 {
		t.Errorf("the items are with %v", items)
	}
}

// testRaceOfTrades has money go around in circles, in both directions at once, while all are saved in batches.
func testRaceOfTrades(t *testing.T, s store.Store) {
	const crowd, rounds = 4, 12
	account := newAccount(t, s, "ADA")
	var made []store.Character
	for i := range crowd {
		made = append(made, newCharacter(t, s, full(account, name(i))))
	}
	var mu sync.Mutex
	done := 0
	together(crowd, func(i int) {
		for done := 0; done < rounds; {
			a, errA := s.Character(t.Context(), made[i].GUID)
			b, errB := s.Character(t.Context(), made[(i+1)%crowd].GUID)
			if err := errors.Join(errA, errB); err != nil {
				t.Error(err)
				return
			}
			if a.MoneyCopper == 0 {
				a, b = b, a
			}
			trade := store.Trade{
				A: store.Side{GUID: a.GUID, Version: a.Version, MoneyCopper: min(a.MoneyCopper, 3)},
				B: store.Side{GUID: b.GUID, Version: b.Version},
			}
			switch err := s.Trade(t.Context(), trade); {
			case err == nil:
				done++
			case !errors.Is(err, store.ErrStale):
				t.Errorf("trade: %v", err)
				return
			}
		}
		mu.Lock()
		done += rounds
		mu.Unlock()
	})
	if items, money := expectOnce(t, s, account); len(items) != 2*crowd || money != 14*crowd {
		t.Errorf("%d items and %d copper, want %d and %d", len(items), money, 2*crowd, 14*crowd)
	}
	versions := 0
	list, err := s.Characters(t.Context(), account)
	for _, c := range list {
		versions += int(c.Version) - 1
	}
	if err != nil || versions != 2*done || done != crowd*rounds {
		t.Errorf("%d trades raised versions %d times, %v", done, versions, err)
	}
}

func testLeaseItems(t *testing.T, s store.Store) {
	ctx := t.Context()
	var mu sync.Mutex
	taken := make(map[uint64]bool)
	together(8, func(i int) {
		for n := 1; n <= 10; n++ {
			first, err := s.LeaseItems(ctx, n)
			if err != nil || first < store.FirstItem {
				t.Errorf("lease %d: %d, %v", n, first, err)
			}
			mu.Lock()
			for k := range uint64(n) {
				if taken[first+k] {
					t.Errorf("item %d is leased twice", first+k)
				}
				taken[first+k] = true
			}
			mu.Unlock()
		}
	})
	for _, n := range []int{0, -1, store.MaxLease + 1} {
		if _, err := s.LeaseItems(ctx, n); !errors.Is(err, store.ErrFull) {
			t.Errorf("lease %d: %v, want %v", n, err, store.ErrFull)
		}
	}
	err := s.Import(ctx, list(store.Record{Counters: &store.Counters{Item: store.MaxItem - 10}}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.LeaseItems(ctx, 11); !errors.Is(err, store.ErrFull) {
		t.Errorf("lease more than is left: %v, want %v", err, store.ErrFull)
	}
	if first, err := s.LeaseItems(ctx, 10); first != store.MaxItem-9 || err != nil {
		t.Errorf("lease what is left: %d, %v", first, err)
	}
	if _, err := s.LeaseItems(ctx, 1); !errors.Is(err, store.ErrFull) {
		t.Errorf("lease when nothing is left: %v, want %v", err, store.ErrFull)
	}
}
