package rules

import (
	"slices"
	"testing"

	"muster/components"
	"muster/ecs"
)

// The list of a creature, and the creatures that have a unit on theirs, as the entries are linked: over lists, by the
// number of an entry among those of all.
func TestThreats(t *testing.T) {
	s := newStage(people())
	p, q := s.addPlayer(1), s.addPlayer(2)
	lists := ecs.Shared[ecs.Slab[components.ThreatList]](s.World)
	var beasts []ecs.Entity
	for i := range 3 {
		b := s.addBeast(uint64(10 + i))
		block := lists.Alloc()
		beasts, s.threatStates.Get(b).List = append(beasts, b), block
		list := lists.At(block)
		list.Owner, list.Count = b, 24
		list.List[0], list.List[23] = components.ThreatEntry{Entity: q}, components.ThreatEntry{Entity: p, Amount: float32(i + 1)}
	}
	// p is in the last entry of each list, of which the entries have the numbers 1 to 24, 25 to 48, and so on.
	s.threatStates.Get(p).ThreatenedBy = 72
	lists.At(3).List[23].Next = 24
	lists.At(1).List[23].Next = 48
	type found struct {
		creature ecs.Entity
		amount   float32
	}
	var got []found
	s.Against(p, func(creature ecs.Entity, amount float32) { got = append(got, found{creature, amount}) })
	if want := []found{{beasts[2], 3}, {beasts[0], 1}, {beasts[1], 2}}; !slices.Equal(got, want) {
		t.Errorf("against it are %+v, want %+v", got, want)
	}
	got = nil
	if s.Against(q, func(ecs.Entity, float32) { got = append(got, found{}) }); len(got) != 0 {
		t.Errorf("%d are against a unit on no list", len(got))
	}
	if list := s.List(beasts[1]); len(list) != 24 || list[0].Entity != q || list[23].Amount != 2 {
		t.Errorf("a creature lists %+v", list)
	}
	if list := s.List(s.addBeast(20)); list != nil {
		t.Errorf("one out of combat lists %+v", list)
	}
}
