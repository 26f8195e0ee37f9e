package store

import (
	"errors"
	"fmt"
	"slices"

	"muster/components/life"
)

// ErrTooLittle is the error of a character without enough money.
var ErrTooLittle = errors.New("store: not so much money")

// A Trade moves items and money between two characters, or from one to the other.
type Trade struct{ A, B Side }

// A Side is one of the two of a Trade, and what it gives.
type Side struct {
	GUID        uint64 // of the character
	Version     uint64 // the stored one
	MoneyCopper uint32
	Items       []Handed
}

// Handed is an item that a Side gives, and the slot where the other gets it.
type Handed struct {
	GUID      uint64
	Bag, Slot uint8 // as in life.Item
}

// Apply does a trade to the two stored characters, and raises their versions by one. It returns ErrNotFound if they
// are not those of the trade or do not have what they give, ErrStale if they are of other versions, ErrTooLittle, and
// ErrLife if one cannot take what it is given: for want of room, or above MaxMoney. Then both are unchanged.
func (t *Trade) Apply(a, b *Character) error {
	switch {
	case a.GUID != t.A.GUID, b.GUID != t.B.GUID, a.GUID == b.GUID:
		return ErrNotFound
	case a.Version != t.A.Version, b.Version != t.B.Version:
		return ErrStale
	case a.MoneyCopper < t.A.MoneyCopper, b.MoneyCopper < t.B.MoneyCopper:
		return ErrTooLittle
	}
	newA, newB := a.Clone(), b.Clone()
	fromA, err := t.A.take(&newA)
	if err != nil {
		return err
	}
	fromB, err := t.B.take(&newB)
	if err != nil {
		return err
	}
	if err := newA.give(t.B.MoneyCopper, fromB); err != nil {
		return err
	}
	if err := newB.give(t.A.MoneyCopper, fromA); err != nil {
		return err
	}
	newA.Version++
	newB.Version++
	for _, c := range []*Character{&newA, &newB} {
		if err := CheckLife(c); err != nil {
			return err
		}
	}
	*a, *b = newA, newB
	return nil
}

// take removes what a character gives.
func (s *Side) take(c *Character) ([]life.Item, error) {
	c.MoneyCopper -= s.MoneyCopper
	given := make([]life.Item, 0, min(len(s.Items), life.MaxItems))
	for _, h := range s.Items {
		i := slices.IndexFunc(c.Items, func(it life.Item) bool { return it.GUID == h.GUID })
		if i < 0 {
			return nil, ErrNotFound
		}
		it := c.Items[i]
		it.Bag, it.Slot = h.Bag, h.Slot
		it.Moves++
		given = append(given, it)
		c.Items = slices.Delete(c.Items, i, i+1)
	}
	return given, nil
}

func (c *Character) give(money uint32, items []life.Item) error {
	if uint64(c.MoneyCopper)+uint64(money) > MaxMoney {
		return fmt.Errorf("%w: %d and %d copper", ErrLife, c.MoneyCopper, money)
	}
	c.MoneyCopper += money
	if len(items) > 0 {
		c.Items = append(c.Items, items...)
		SortItems(c.Items)
	}
	return nil
}
