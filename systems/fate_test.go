package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/fate"
	"muster/systems/loot"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// Who leaves dead comes back dead, with what it carries, and the time until it can have its body back runs on.
func TestDeathOutlivesAVisit(t *testing.T) {
	for _, c := range []struct {
		reclaim       fate.Reclaim
		state, health uint32
		flags, stand  uint32 // PLAYER_FLAGS, UNIT_FIELD_BYTES_1
	}{
		{fate.Anywhere, life.Dead, 0, 0, components.LyingDead},
		{fate.Anywhere, life.Ghost, 0, components.PlayerGhost, components.LyingDead},
		{fate.AtCorpse, life.Dead, 0, 0, components.LyingDead},
		{fate.AtCorpse, life.Ghost, 1, components.PlayerGhost, components.Standing},
	} {
		d := market(rand.New(rand.NewPCG(1, 1)), 0)
		w := New(Config{Defs: d, Map: &d.Maps[0], Reclaim: c.reclaim})
		was := frame.Character{
			GUID: 1, Name: "Walker", Race: 1, Class: 1, Level: 1, X: 100, Told: life.All,
			Life: life.Life{
				Begun: true, Health: c.health, MoneyCopper: 77,
				Death: life.Death{State: c.state, Body: life.Place{X: 5, Y: 6}, ReclaimLeftMs: 20_000},
				Items: []life.Item{ // by bag and slot
					{GUID: 0x4000000000000009, Entry: 1, Count: 7, Bag: 20, Slot: 3},
					{GUID: 0x4000000000000007, Entry: 3, Count: 1, Bag: life.InBody, Slot: 20},
					{GUID: 0x4000000000000008, Entry: 999, Count: 2, Durability: 3, Bag: life.InBody, Slot: 30},
				},
			},
		}
		in := w.Inbox()
		in.Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &was)})
		port := frame.NewPort()
		step(w, port, 1)
		public := newCensus(w).take()[1].public
		if public[0x18] != c.health || public[0x96] != c.flags || public[0x4A] != c.stand {
			t.Errorf("%+v: health %d, flags %#x, stands %d", c, public[0x18], public[0x96], public[0x4A])
		}
		if corpse := w.Find(components.CorpseGUID(1)); w.ecs.Alive(corpse) != (c.reclaim == fate.AtCorpse && c.state == life.Ghost) {
			t.Errorf("%+v: has a corpse: %v", c, w.ecs.Alive(corpse))
		}
		for n := uint64(2); n < 100; n++ {
			step(w, port, n)
		}
		in.Add(frame.Item{Session: 1, Op: frame.OpLeave})
		in.Seal()
		f := port.Write()
		w.Tick(101, f)
		var is frame.Character
		decode(t, f.In(f.Left[0].Character), &is)
		want := was.Death
		want.ReclaimLeftMs = 15_000
		if is.Death != want || is.Health != c.health || is.MoneyCopper != 77 || !slices.Equal(is.Items, was.Items) {
			t.Errorf("%+v: came as %+v, left as %+v", c, was.Life, is.Life)
		}
	}
}

// Handling what one has, and what lies about, allocates nothing once warm.
func TestHandlingGoodsAllocatesNothing(t *testing.T) {
	d := market(rand.New(rand.NewPCG(1, 1)), 1)
	w := New(Config{Defs: d, Map: &d.Maps[0], Ephemeral: true})
	port, in := frame.NewPort(), w.Inbox()
	body := components.CreatureGUID(7, respawn.FirstCounter)
	in.Add(frame.Item{Session: frame.Nobody, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 100})})
	enter(w, 1, 0, 0)
	n := uint64(1)
	step(w, port, n)
	positions := ecs.NewColumn[components.Position](w.ecs)
	*positions.Get(w.Find(body)) = *positions.Get(w.Find(1))
	w.Harm(n+1, rules.Harm{By: w.Find(1), To: w.Find(body), Amount: 1e6})
	var bodies [][]byte
	ops := []uint16{msg.OpLoot, msg.OpAutoStoreLootItem, msg.OpSwapItem, msg.OpSwapItem, msg.OpItemQuerySingle, msg.OpLootRelease}
	for _, m := range []msg.Message{
		&msg.Loot{GUID: body}, &msg.AutoStoreLootItem{Slot: 200},
		&msg.SwapItem{FromBag: 255, FromSlot: 23, ToBag: 255, ToSlot: 38}, &msg.SwapItem{FromBag: 255, FromSlot: 38, ToBag: 255, ToSlot: 23},
		&msg.ItemQuerySingle{Entry: 2}, &msg.LootRelease{GUID: body},
	} {
		bodies = append(bodies, msg.Append(nil, wire.V12340, m))
	}
	tick := func() {
		n++
		for i, op := range ops {
			in.Add(frame.Item{Session: 1, Op: op, Body: bodies[i]})
		}
		step(w, port, n)
	}
	for range 200 {
		tick()
	}
	if w.config.Metric.Value("loot.gone") == 0 {
		t.Error("nothing was open")
	}
	if allocs := testing.AllocsPerRun(100, tick); allocs != 0 {
		t.Errorf("%v allocations in a tick", allocs)
	}
}

// A death has its consequences once, whichever system brings it about: those that come before it hear of it in the next
// tick.
func TestLateDeathsCount(t *testing.T) {
	for _, stage := range []sched.Stage{sched.Act, sched.Settle, sched.Think} {
		d := market(rand.New(rand.NewPCG(1, 1)), 1)
		w := build(Config{Defs: d, Map: &d.Maps[0]})
		body := components.CreatureGUID(7, respawn.FirstCounter)
		late := func(w *ecs.World) sched.System {
			book, all := rules.New(w), ecs.Shared[space.Space](w)
			return sched.System{
				Name: "late", Stage: stage, Reads: append(rules.Reads(), ecs.Of[space.Space]()...), Writes: rules.Writes(),
				Run: func(t sched.Tick) {
					if t.N == 5 {
						book.Deal(t, &rules.Harm{By: all.Find(1), To: all.Find(body), Amount: 1e6})
						book.Deal(t, &rules.Harm{To: all.Find(2), Amount: 1e6})
					}
				},
			}
		}
		systems := list(w.ecs)
		at := slices.IndexFunc(systems, func(s sched.System) bool { return s.Stage > stage })
		w.start(slices.Insert(systems, at, late(w.ecs)))

		port, c := frame.NewPort(), &court{world: w}
		enter(w, 1, d.Maps[0].Spawns[0].X, d.Maps[0].Spawns[0].Y)
		enter(w, 2, 0, 0)
		for n := uint64(1); n < 10; n++ {
			step(w, port, n)
		}
		learnt, lying := part[components.Progress](c, 1).XP, ecs.Shared[loot.Bodies](w.ecs).Lying
		dead := part[components.Record](c, 2).Death.State
		if learnt != fate.BaseGain(1, part[components.Unit](c, body).Level) || dead != life.Dead || len(lying) != 1 {
			t.Errorf("stage %v: %d bodies lie, their death taught %d; the player's state is %d", stage, len(lying), learnt, dead)
		}
	}
}
