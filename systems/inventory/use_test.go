package inventory

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// An item whose spell has been cast is removed before its owner can put it onto another stack.
func TestUseComesBeforeMoves(t *testing.T) {
	w := ecs.NewWorld(8)
	ecs.Share(w, &defs.World{Items: []defs.Item{{Entry: 3, Stack: 20}}})
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, change.NewLog(w))
	goods.Share(w)
	s := new(Inventory)
	ecs.Bind(w, s)
	e := ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), ecs.Of4[components.Session, components.Unsaved, components.Record, components.Dirty](),
		ecs.Of3[components.HomeCell, components.Inventory, components.Position]())...).Spawn()
	items := &s.inventories.Get(e).Items
	from, to := components.FirstPack, components.FirstPack+1
	items[from] = components.Item{Counter: 5, Entry: 3, Count: 2}
	items[to] = components.Item{Counter: 6, Entry: 3, Count: 7}
	bag, slot := components.Slot(from)
	_, toSlot := components.Slot(to)
	*ecs.QueueOf[Request](w).Next() = Request{By: e, Verb: Swap, Bag: bag, Slot: slot, ToBag: bag, ToSlot: toSlot}
	*ecs.QueueOf[goods.UseItem](w).Next() = goods.UseItem{Entity: e, Counter: 5}
	s.React(sched.Tick{N: 2})
	if items[from] != (components.Item{}) || items[to].Count != 8 || items[to].Counter != 6 {
		t.Errorf("one of two that are used up and put onto seven: %+v and %+v", items[from], items[to])
	}
	if made := s.tally.Get().Unmade; made != 1 {
		t.Errorf("%d pieces are gone, want 1", made)
	}
}
