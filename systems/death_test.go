package systems

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/death"
	"muster/systems/experience"
	"muster/systems/loot"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// A player that leaves dead comes back dead, with what it carries, and its reclaim delay runs on.
func TestDeathOutlivesAVisit(t *testing.T) {
	for _, c := range []struct {
		reclaim       death.Reclaim
		state, health uint32
		flags, stand  uint32 // PLAYER_FLAGS, UNIT_FIELD_BYTES_1
	}{
		{death.Anywhere, life.Dead, 0, 0, components.LyingDead},
		{death.Anywhere, life.Ghost, 0, components.PlayerGhost, components.LyingDead},
		{death.AtCorpse, life.Dead, 0, 0, components.LyingDead},
		{death.AtCorpse, life.Ghost, 1, components.PlayerGhost, components.Standing},
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
		port := frame.NewExchange()
		step(w, port, 1)
		public := newCensus(w).take()[1].public
		if public[0x18] != c.health || public[0x96] != c.flags || public[0x4A] != c.stand {
			t.Errorf("%+v: health %d, flags %#x, stands %d", c, public[0x18], public[0x96], public[0x4A])
		}
		if corpse := w.Find(components.CorpseGUID(1)); w.ecs.Exists(corpse) != (c.reclaim == death.AtCorpse && c.state == life.Ghost) {
			t.Errorf("%+v: has a corpse: %v", c, w.ecs.Exists(corpse))
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
	port, in := frame.NewExchange(), w.Inbox()
	body := components.CreatureGUID(7, respawn.FirstCounter)
	in.Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 100})})
	enter(w, 1, 0, 0)
	n := uint64(1)
	step(w, port, n)
	positions := ecs.NewAccessor[components.Position](w.ecs)
	*positions.Get(w.Find(body)) = *positions.Get(w.Find(1))
	w.Damage(rules.Damage{By: w.Find(1), To: w.Find(body), Amount: 1e6})
	var bodies [][]byte
	ops := []uint16{msg.OpLoot, msg.OpAutoStoreLootItem, msg.OpSwapItem, msg.OpSwapItem, msg.OpLootRelease}
	for _, m := range []msg.Message{
		&msg.Loot{GUID: body}, &msg.AutoStoreLootItem{Slot: 200},
		&msg.SwapItem{FromBag: 255, FromSlot: 23, ToBag: 255, ToSlot: 38}, &msg.SwapItem{FromBag: 255, FromSlot: 38, ToBag: 255, ToSlot: 23},
		&msg.LootRelease{GUID: body},
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

// A death has its consequences once, whichever system causes it: earlier systems handle it in the next tick.
func TestLateDeathsCount(t *testing.T) {
	for _, stage := range []sched.Stage{sched.Act, sched.Settle, sched.Think} {
		d := market(rand.New(rand.NewPCG(1, 1)), 1)
		w := build(Config{Defs: d, Map: &d.Maps[0]})
		body := components.CreatureGUID(7, respawn.FirstCounter)
		late := func(w *ecs.World) sched.System {
			damages, all := ecs.QueueOf[rules.Damage](w), ecs.Shared[space.Space](w)
			return sched.System{
				Name: "late", Stage: stage,
				Run: func(t sched.Tick) {
					if t.N == 5 {
						*damages.Next() = rules.Damage{By: all.Find(1), To: all.Find(body), Amount: 1e6}
						*damages.Next() = rules.Damage{To: all.Find(2), Amount: 1e6}
					}
				},
			}
		}
		systems := bindSystems(w.ecs)
		at := slices.IndexFunc(systems, func(s sched.System) bool { return s.Stage > stage })
		w.start(slices.Insert(systems, at, late(w.ecs)))

		port, c := frame.NewExchange(), &court{world: w}
		enter(w, 1, d.Maps[0].Spawns[0].X, d.Maps[0].Spawns[0].Y)
		enter(w, 2, 0, 0)
		for n := uint64(1); n < 10; n++ {
			step(w, port, n)
		}
		learnt, lying := part[components.Progress](c, 1).XP, ecs.Shared[loot.Bodies](w.ecs).Lying
		dead := part[components.Record](c, 2).Death.State
		if learnt != experience.BaseGain(1, part[components.Unit](c, body).Level) || dead != life.Dead || len(lying) != 1 {
			t.Errorf("stage %v: %d bodies lie, their death taught %d; the player's state is %d", stage, len(lying), learnt, dead)
		}
	}
}

// The corpse of a ghost despawns when it is not needed, also in a sleeping cell, and nothing is left of it; a player
// that comes back before has the same corpse.
func TestBodiesOfPlayersGo(t *testing.T) {
	d := market(rand.New(rand.NewPCG(1, 1)), 0)
	d.Hubs = []defs.Hub{{X: 3000}}
	w := New(Config{Defs: d, Map: &d.Maps[0], Reclaim: death.AtCorpse})
	port, n, guid := frame.NewExchange(), uint64(0), components.CorpseGUID(1)
	steps := func(ticks int) {
		for range ticks {
			n++
			step(w, port, n)
		}
	}
	enter(w, 1, 0, 0)
	steps(2)
	for round := range 3 {
		w.Damage(rules.Damage{To: w.Find(1), Amount: 1e6})
		steps(1)
		w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpRepopRequest, Body: []byte{0}})
		steps(10)
		if body := w.Find(guid); !w.ecs.Exists(body) || w.space.Asleep() != boolToInt(round == 0) {
			t.Fatalf("round %d: there is a body: %v; %d sleep", round, w.ecs.Exists(body), w.space.Asleep())
		}
		if round == 2 { // leaves, and is back in the tick after
			w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpLeave})
			w.Inbox().Seal()
			var f frame.Frame
			n++
			w.Tick(n, &f)
			var c frame.Character
			decode(t, f.In(f.Left[0].Character), &c)
			c.Told = life.All
			w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c)})
			steps(5)
			if !w.ecs.Exists(w.Find(guid)) {
				t.Error("back at once it has no body")
			}
		}
		*ecs.QueueOf[rules.Revive](w.ecs).Next() = rules.Revive{Entity: w.Find(1), Health: 1}
		steps(3)
		if body := w.Find(guid); w.ecs.Exists(body) || w.space.Asleep() != 0 {
			t.Errorf("round %d: alive it has a body: %v; %d sleep", round, w.ecs.Exists(body), w.space.Asleep())
		}
	}
}

// A player that dies again before its next check as a ghost is checked as often as any other ghost.
func TestWhoDiesOftenIsOneGhost(t *testing.T) {
	d := market(rand.New(rand.NewPCG(1, 1)), 0)
	w := New(Config{Defs: d, Map: &d.Maps[0], Reclaim: death.AtCorpse})
	port, n := frame.NewExchange(), uint64(0)
	steps := func(ticks int) {
		for range ticks {
			n++
			step(w, port, n)
		}
	}
	enter(w, 1, 0, 0)
	steps(2)
	for round := range 4 {
		if round > 0 {
			*ecs.QueueOf[rules.Revive](w.ecs).Next() = rules.Revive{Entity: w.Find(1), Health: 1}
			steps(1)
		}
		w.Damage(rules.Damage{To: w.Find(1), Amount: 1e6})
		steps(1)
		w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpRepopRequest, Body: []byte{0}})
		steps(2)
	}
	for range 3 {
		steps(10) // half a second: each that is due comes up once
		looks := 0
		w.plan.Timers(func(system string, timers sched.Timers) {
			if system == "ghosts" && timers.Item().Name() == "viewCheck" {
				timers.Each(func(uint64, unsafe.Pointer) { looks++ })
			}
		})
		if looks != 1 {
			t.Errorf("the ghost will be looked at %d times", looks)
		}
	}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A spirit healer takes a quarter of what everything can bear, and leaves the sickness of the player's level.
func TestSpiritHealersTakeTheirDue(t *testing.T) {
	for _, c := range []struct {
		level uint8
		sick  uint32 // spell
	}{{10, 0}, {11, 901}, {12, 902}, {60, 902}} {
		d := market(rand.New(rand.NewPCG(1, 1)), 1)
		for i := range d.Items {
			d.Items[i].Durability = 0
		}
		d.Items[1].Durability = 30
		weak := [3]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraTotalStatPercent, Target: defs.TargetCaster, Amount: -75, Misc: -1}}
		for i, level := range []uint8{11, 12} {
			id := 901 + uint32(i)
			d.Spells = append(d.Spells, defs.Spell{ID: id, Level: level, DurationMs: 60_000, Flags: defs.SpellHarmful, Effects: weak})
			d.Players.Sickness = append(d.Players.Sickness, id)
		}
		d.Players.MaxLevel = 60
		d.Maps[0].Spawns[0] = defs.Spawn{Entry: 7, Path: -1}
		d.Creature(7).NPCFlags = components.NPCSpiritHealer
		w := New(Config{Defs: d, Map: &d.Maps[0]})
		was := frame.Character{
			GUID: 1, Name: "Walker", Race: 1, Class: 1, Level: c.level, Told: life.All,
			Life: life.Life{
				Begun: true, Death: life.Death{State: life.Ghost},
				Items: []life.Item{ // worn, in the pack, worn out
					{GUID: 0x4000000000000007, Entry: 2, Count: 1, Durability: 30, Bag: life.InBody, Slot: 15},
					{GUID: 0x4000000000000008, Entry: 2, Count: 1, Durability: 3, Bag: life.InBody, Slot: 30},
					{GUID: 0x4000000000000009, Entry: 1, Count: 1, Bag: life.InBody, Slot: 31},
				},
			},
		}
		in, port, court := w.Inbox(), frame.NewExchange(), &court{world: w}
		in.Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &was)})
		step(w, port, 1)
		step(w, port, 2) // a spirit is there once a ghost could see it
		healer := components.CreatureGUID(7, respawn.FirstCounter)
		in.Add(frame.Item{Session: 1, Op: msg.OpSpiritHealerActivate, Body: msg.Append(nil, wire.V12340, &msg.SpiritHealerActivate{GUID: healer})})
		for n := uint64(3); n < 7; n++ {
			step(w, port, n)
		}
		items := &part[components.Inventory](court, 1).Items
		if part[components.Vitals](court, 1).Health == 0 || items[15].Durability != 23 || items[30].Durability != 0 || items[31].Count != 1 {
			t.Errorf("level %d: %+v, %+v, %+v", c.level, items[15], items[30], items[31])
		}
		sick := uint32(0)
		if block := part[components.UnitAuras](court, 1).Block; block != 0 {
			if auras := ecs.Shared[ecs.Slab[components.Auras]](w.ecs).At(block); auras.Count > 0 {
				sick = auras.List[0].Spell
			}
		}
		if sick != c.sick {
			t.Errorf("level %d has %d, want %d", c.level, sick, c.sick)
		}
	}
}

// A player that is revived in the tick in which it is released lives: whether its client releases it, or its time is up, after
// six minutes. The world does that before it executes the revival.
func TestRevivedAndReleased(t *testing.T) {
	d := market(rand.New(rand.NewPCG(1, 1)), 0)
	w := New(Config{Defs: d, Map: &d.Maps[0], Reclaim: death.AtCorpse})
	port, n, c := frame.NewExchange(), uint64(0), &court{world: w}
	steps := func(ticks int) {
		for range ticks {
			n++
			step(w, port, n)
		}
	}
	enter(w, 1, 0, 0)
	steps(2)
	for _, asked := range []bool{true, false} {
		w.Damage(rules.Damage{To: w.Find(1), Amount: 1e6})
		steps(1)
		if asked {
			w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpRepopRequest, Body: []byte{0}})
		} else {
			steps(7200 - 1)
		}
		ghost := &part[components.VitalsState](c, 1).Ghost
		if *ghost != 0 {
			t.Fatalf("asked for %v: it is a ghost before", asked)
		}
		*ecs.QueueOf[rules.Revive](w.ecs).Next() = rules.Revive{Entity: w.Find(1), Health: 7}
		steps(3)
		health, flags, is := part[components.Vitals](c, 1).Health, part[components.PlayerAppearance](c, 1).Flags, part[components.Record](c, 1).Death.State
		if health < 7 || *ghost != 0 || flags&components.PlayerGhost != 0 || is != life.Alive {
			t.Errorf("asked for %v: it has %d health; a ghost: %d, flags %#x, state %d", asked, health, *ghost, flags, is)
		}
	}
}
