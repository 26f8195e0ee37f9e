package inventory

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// keeper is a player and the systems that give it what it has.
type keeper struct {
	*Inventory
	*Money
	world *ecs.World
	e     ecs.Entity
}

func newKeeper() *keeper {
	w := ecs.NewWorld(8)
	ecs.Share(w, &defs.World{Items: []defs.Item{{Entry: 3, Stack: 20}}})
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, change.NewLog(w))
	goods.Share(w)
	k := &keeper{new(Inventory), new(Money), w, ecs.Entity{}}
	ecs.Bind(w, k.Inventory)
	ecs.Bind(w, k.Money)
	k.e = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), ecs.Of4[components.Session, components.Unsaved, components.Record, components.Dirty](),
		ecs.Of3[components.HomeCell, components.Inventory, components.Position]())...).Spawn()
	return k
}

// What is to go to a free place needs a GUID there, also if it had room in stacks elsewhere.
func TestPlaceNeedsAGUID(t *testing.T) {
	k := newKeeper()
	items := &k.Inventory.inventories.Get(k.e).Items
	at := components.FirstPack + 4
	items[components.FirstPack] = components.Item{Counter: 5, Entry: 3, Count: 2}
	g := goods.GiveItem{To: k.e, Entry: 3, Count: 7, At: uint8(at) + 1}
	if why := k.Inventory.give(&g); why != msg.InventoryFull || items[at] != (components.Item{}) || items[components.FirstPack].Count != 2 {
		t.Errorf("without a GUID: reason %d, %+v there and %+v elsewhere", why, items[at], items[components.FirstPack])
	}
	k.Inventory.mint.Get().Lease(9, 1)
	if why := k.Inventory.give(&g); why != msg.InventoryOK || items[at] != (components.Item{Counter: 9, Entry: 3, Count: 7}) || items[components.FirstPack].Count != 2 {
		t.Errorf("with a GUID: reason %d, %+v there and %+v elsewhere", why, items[at], items[components.FirstPack])
	}
	g.At = uint8(components.FirstPack) + 1 // where there is a stack, none is needed
	if why := k.Inventory.give(&g); why != msg.InventoryOK || items[components.FirstPack].Count != 9 {
		t.Errorf("onto a stack: reason %d, %+v", why, items[components.FirstPack])
	}
}

// Money that comes back is given as far as there is room for it, any other is given whole or not at all.
func TestMoneyInPart(t *testing.T) {
	k := newKeeper()
	has := k.Money.progress.Get(k.e)
	for _, c := range []struct {
		has  uint32
		give goods.GiveMoney
		want uint32
		made uint64
	}{
		{10, goods.GiveMoney{Copper: 5, Partly: true}, 15, 5},
		{goods.MaxMoney - 2, goods.GiveMoney{Copper: 5}, goods.MaxMoney - 2, 0},
		{goods.MaxMoney - 2, goods.GiveMoney{Copper: 5, Partly: true}, goods.MaxMoney, 2},
	} {
		has.Coinage, *k.Money.tally.Get() = c.has, goods.MoneyTally{}
		c.give.To = k.e
		*ecs.QueueOf[goods.GiveMoney](k.world).Next() = c.give
		k.Money.React(sched.Tick{N: 2})
		if made := k.Money.tally.Get().Made; has.Coinage != c.want || made != c.made {
			t.Errorf("%d and %+v: %d copper, %d made; want %d, %d", c.has, c.give, has.Coinage, made, c.want, c.made)
		}
	}
}
