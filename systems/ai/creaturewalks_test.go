package ai

import (
	"slices"
	"testing"
)

// Walks begin in the order of turns, whichever system has ordered them first; those of one turn as they were ordered.
func TestWalkOrdersInTurn(t *testing.T) {
	s := new(CreatureWalks)
	for _, c := range []struct {
		turns []uint32
		want  []int32
	}{
		{[]uint32{2, 0, 2, 1, 0}, []int32{1, 4, 3, 0, 2}}, {nil, nil}, {[]uint32{7}, []int32{0}}, {[]uint32{0, 1, 2}, []int32{0, 1, 2}},
	} {
		var orders []walkOrder
		for _, turn := range c.turns {
			orders = append(orders, walkOrder{turn: turn})
		}
		if got := s.inTurn(orders); !slices.Equal(got, c.want) {
			t.Errorf("turns %v: the orders are carried out as %v, want %v", c.turns, got, c.want)
		}
	}
}
