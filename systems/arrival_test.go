package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// A hand-over counts once, also after its player has left again, and after the world has been restored; a character that is in the world
// does not come in again.
func TestArrivalCountsOnce(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	counters := new(metric.Table)
	config := Config{Defs: d, Map: &d.Maps[0], Seed: 1, Metric: counters}
	w, tick := New(config), uint64(0)
	run := func(session uint32, op uint16, c *frame.Character) (f *frame.Frame) {
		f = new(frame.Frame)
		it := frame.Item{Session: session, Op: op}
		if c != nil {
			it.Body = msg.Append(nil, wire.V12340, c)
		}
		w.Inbox().Add(it)
		w.Inbox().Seal()
		tick++
		w.Tick(tick, f)
		return f
	}
	c := frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 1, Level: 1, Told: life.All, Transfer: 4711, Life: life.Life{Begun: true, Health: 30}}
	run(3, frame.OpArrive, &c)
	if n := w.Players(); n != 1 {
		t.Fatalf("%d players", n)
	}
	again := c
	again.Transfer++
	if f := run(4, frame.OpArrive, &again); w.Players() != 1 || len(f.Left) != 1 || f.Left[0].Session != 4 {
		t.Errorf("%d players, and %d left: the character was there already", w.Players(), len(f.Left))
	}
	if f := run(3, frame.OpLeave, nil); w.Players() != 0 || len(f.Left) != 1 {
		t.Errorf("%d players, and %d left", w.Players(), len(f.Left))
	}
	snapshot, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	w = New(config)
	if err := w.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if f := run(3, frame.OpArrive, &c); w.Players() != 0 || len(f.Left) != 0 {
		t.Errorf("%d players, and %d left, after a hand-over came twice", w.Players(), len(f.Left))
	}
	if n, m := counters.Value("intake.arrived_twice"), counters.Value("intake.guid_taken"); n != 1 || m != 1 {
		t.Errorf("counted %d and %d", n, m)
	}
	c.Transfer += 2
	if run(3, frame.OpArrive, &c); w.Players() != 1 {
		t.Errorf("%d players after another hand-over", w.Players())
	}
}

// A hand-over carries what is left of times, and no time of a clock: in a world whose clock is 49 days ahead of that of the one before, and goes round
// meanwhile, a cooldown and a harmful aura go on where they were, less the time on the way, and movements have the times of that world.
func TestHandoverBetweenClocks(t *testing.T) {
	const (
		ahead   = 1<<32/50 - 1 // ticks: 100 ms before the clock goes round
		awaySec = 2
	)
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Maps = append(d.Maps, defs.Map{ID: 1, Half: d.Maps[0].Half})
	curse := lasting(defs.SpellHarmful, effectOf(defs.AuraDodge, defs.TargetEnemy, 1))
	wait := defs.Spell{ID: tried + 1, CooldownMs: 30_000, Effects: [defs.MaxEffects]defs.Effect{{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 1}}}
	d.Spells = []defs.Spell{curse, wait}
	worlds, ports := [2]*World{}, [2]*frame.Exchange{frame.NewExchange(), frame.NewExchange()}
	for i := range worlds {
		worlds[i] = New(Config{Defs: d, Map: &d.Maps[i], Seed: 1})
	}
	first, second := worlds[0], worlds[1]
	enter(first, 1, 0, 0)
	step(first, ports[0], 1)
	e := first.Find(1)
	ask(first, rules.Cast{By: e, Target: e, Spell: wait.ID})
	ask(first, rules.ApplyAura{By: e, To: e, Spell: tried, Effects: 1, Level: 1, Amount: [3]int32{1}})
	step(first, ports[0], 2)
	ask(first, move.Teleport{Entity: e, To: life.Place{Map: 1}})
	var c frame.Character
	n := uint64(2)
	for left := []frame.Departed(nil); len(left) == 0; {
		n++
		step(first, ports[0], n)
		if left = ports[0].Departed(); len(left) > 0 {
			decode(t, left[0].Character, &c)
		}
	}
	passed := 50 * uint32(n-2)
	if len(c.Cooldowns) != 1 || c.Cooldowns[0] != (life.Cooldown{Spell: wait.ID, LeftMs: 30_000 - passed}) {
		t.Errorf("on the way it waits for %+v, want %d ms", c.Cooldowns, 30_000-passed)
	}

	c.Told, c.AwaySec, c.Transfer = life.All, awaySec, 1
	second.Inbox().Add(frame.Item{Session: 2, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{GUID: 2, Name: "Watcher", Race: 1, Class: 1, Level: 1, Map: 1})})
	second.Inbox().Add(frame.Item{Session: 1, AtMs: 7, Op: frame.OpArrive, Body: msg.Append(nil, wire.V12340, &c)})
	eye, sight := frame.Cursor{Session: 2, GUID: 2, Tick: ports[1].Newest()}, frame.Cursor{Session: 1, GUID: 1, Tick: ports[1].Newest()}
	step(second, ports[1], ahead)
	asked := uint32(ahead * 50 % (1 << 32))
	var (
		question msg.TimeSyncReq
		spells   msg.InitialSpells
		auras    msg.AuraUpdate
	)
	for _, p := range packets(t, ports[1], &sight) {
		switch p.op {
		case msg.OpTimeSyncReq:
			decode(t, p.body, &question)
		case msg.OpInitialSpells:
			decode(t, p.body, &spells)
		case msg.OpAuraUpdateAll:
			decode(t, p.body, &auras)
		}
	}
	passed += 1000 * awaySec
	if len(spells.Cooldowns) != 1 || spells.Cooldowns[0].Spell != wait.ID || spells.Cooldowns[0].Ms != 30_000-passed {
		t.Errorf("there it waits for %+v, want %d ms", spells.Cooldowns, 30_000-passed)
	}
	if len(auras.Records) != 1 || auras.Records[0].Spell != tried || auras.Records[0].LeftMs != 10_000-passed {
		t.Errorf("there it has %+v, want %d ms of one", auras.Records, 10_000-passed)
	}
	packets(t, ports[1], &eye)
	said := func(op uint16, atMs uint32, m msg.Message) {
		second.Inbox().Add(frame.Item{Session: 1, AtMs: atMs, Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	moved := func(op uint16, clientMs, atMs, want uint32) {
		t.Helper()
		said(op, atMs, &msg.Move{Mover: 1, Movement: msg.Movement{Time: clientMs, Z: c.Z}})
		n++
		step(second, ports[1], n)
		seen := false
		for _, p := range packets(t, ports[1], &eye) {
			if p.op == op {
				var m msg.Move
				decode(t, p.body, &m)
				if seen = true; m.Time != want {
					t.Errorf("a movement is at %d ms, want %d", m.Time, want)
				}
			}
		}
		if !seen {
			t.Errorf("no movement %#x is seen", op)
		}
	}
	n = ahead
	moved(msg.OpMoveStartForward, 4010, asked+20, asked+20) // the client's clock is not known here yet
	said(msg.OpTimeSyncResp, asked+60, &msg.TimeSyncResp{Counter: question.Counter, TimeMs: 4000})
	moved(msg.OpMoveStop, 4090, asked+130, asked+120) // 4000 ms of the client are asked+30
	combats := newUnitStates(second.ecs)
	for cursed := true; cursed; n++ { // until the aura ends by the clock of this world
		step(second, ports[1], n+1)
		if cursed = combats.auras.Get(second.Find(1)).Block != 0; cursed != (50*uint32(n+1-ahead) < 10_000-passed) {
			t.Fatalf("%d ms after it came, it has the aura: %v", 50*uint32(n+1-ahead), cursed)
		}
	}
}
