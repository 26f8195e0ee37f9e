package goods

import (
	"testing"

	"muster/components"
	"muster/ecs"
)

// A stack is there until it has been asked to use up as many as it is, also before that is executed.
func TestReaderCountsUses(t *testing.T) {
	w := ecs.NewWorld(4)
	var s struct {
		Reader
		uses  ecs.Emit[UseItem]
		taken ecs.Requests[UseItem]
	}
	ecs.Bind(w, &s)
	archetype := ecs.NewArchetype(w, ecs.Of2[components.Inventory, components.Carried]()...)
	e, other := archetype.Spawn(), archetype.Spawn()
	inventories := ecs.NewAccessor[components.Inventory](w)
	place := components.FirstDeep + 3
	inventories.Get(e).Items[place] = components.Item{Counter: 7, Entry: 1, Count: 2}
	if !s.Has(e, 7) || s.Has(e, 8) || s.Has(e, 0) || s.Has(other, 7) {
		t.Error("only the one player has the stack, and no other")
	}
	s.uses.Emit(UseItem{e, 7})
	s.uses.Emit(UseItem{other, 7})
	s.uses.Emit(UseItem{e, 9})
	if !s.Has(e, 7) {
		t.Error("one of two is left")
	}
	s.uses.Emit(UseItem{e, 7})
	if s.Has(e, 7) {
		t.Error("both are used")
	}
	s.taken.Take()
	inventories.Get(e).Items[place].Count = 1
	if !s.Has(e, 7) {
		t.Error("a third was added, and the uses are executed")
	}
}
