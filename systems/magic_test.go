package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// Some spells of the crowd, by ID.
const (
	spark   = 1 + iota // damage at once
	dart               // with a missile, after a while
	rot                // damage by and by
	renew              // healing by and by
	shield             // absorbs
	might              // lies on itself
	daze               // stuns
	ring               // around the caster
	sip                // channelled
	kick               // interrupts
	unweave            // dispels
	thorn              // a damage shield
	hide               // dodges, and breaks
	cower              // runs about in fear, until it is hurt
	hush               // is silent
	grip               // deals damage, and roots its target; breaks
	zeal               // haste for some swings and casts
	bubble             // immune
	flay               // channelled: slows down, while the caster dodges
	vigour             // stats, and health
	rally              // immortal: outlives death
	gale               // throws
	lastMagic
)

// magic is what the players of the crowd can cast.
func magic() []defs.Spell {
	const harm = defs.SpellHarmful
	of := func(id uint32, flags defs.SpellFlag, durationMs uint32, e ...defs.Effect) defs.Spell {
		s := defs.Spell{ID: id, Name: "Magic", School: defs.SchoolFire << (id % 5), Flags: flags, DurationMs: durationMs, MaxRange: 100,
			GlobalMs: 100, Level: 1}
		copy(s.Effects[:], e)
		return s
	}
	aura := func(kind defs.AuraKind, to defs.Target, amount, misc int32, pulseMs uint32) defs.Effect {
		return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind, Target: to, Amount: amount, Misc: misc, PulseMs: pulseMs}
	}
	hit := func(to defs.Target, amount int32) defs.Effect {
		return defs.Effect{Kind: defs.EffectSchoolDamage, Target: to, Amount: amount, Dice: amount, Radius: 20}
	}
	all := []defs.Spell{
		of(spark, harm, 0, hit(defs.TargetEnemy, 5)), of(dart, harm|defs.SpellPushedBack|defs.SpellInterruptible|defs.SpellStill, 0, hit(defs.TargetEnemy, 9)),
		of(rot, harm, 1000, aura(defs.AuraPeriodicDamage, defs.TargetEnemy, 3, 0, 200)), of(renew, 0, 900, aura(defs.AuraPeriodicHeal, defs.TargetFriend, 4, 0, 300)),
		of(shield, 0, 2000, aura(defs.AuraAbsorb, defs.TargetFriend, 10, int32(defs.SchoolAll), 0)), of(might, 0, 700, aura(defs.AuraHealth, defs.TargetFriend, 5, 0, 0)),
		of(daze, harm, 400, aura(defs.AuraStun, defs.TargetEnemy, 0, 0, 0)), of(ring, harm, 0, hit(defs.TargetAreaEnemies, 3)),
		of(sip, harm|defs.SpellChannelled|defs.SpellPushedBack, 1000, aura(defs.AuraPeriodicLeech, defs.TargetEnemy, 3, 0, 250)),
		of(kick, harm, 500, defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy}),
		of(unweave, 0, 0, defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetAny, Amount: 2, Misc: defs.DispelMagic}),
		of(thorn, 0, 5000, aura(defs.AuraDamageShield, defs.TargetCaster, 2, 0, 0)),
		of(hide, 0, 0, aura(defs.AuraDodge, defs.TargetCaster, 50, 0, 0)),
		of(cower, harm, 1500, aura(defs.AuraFear, defs.TargetEnemy, 0, 0, 0)), of(hush, harm, 600, aura(defs.AuraSilence, defs.TargetEnemy, 0, 0, 0)),
		of(grip, harm, 1200, hit(defs.TargetEnemy, 2), aura(defs.AuraRoot, defs.TargetEnemy, 0, 0, 0), aura(defs.AuraPeriodicDamage, defs.TargetEnemy, 1, 0, 300)),
		of(zeal, 0, 4000, aura(defs.AuraMeleeHaste, defs.TargetFriend, 50, 0, 0), aura(defs.AuraCastSpeed, defs.TargetFriend, 50, 0, 0)),
		of(bubble, 0, 500, aura(defs.AuraSchoolImmunity, defs.TargetFriend, 0, int32(defs.SchoolAll), 0)),
		of(flay, harm|defs.SpellChannelled, 900, aura(defs.AuraSlow, defs.TargetEnemy, -40, 0, 0), aura(defs.AuraDodge, defs.TargetCaster, 30, 0, 0)),
		of(vigour, 0, 3000, aura(defs.AuraTotalStatPercent, defs.TargetFriend, 25, -1, 0), aura(defs.AuraHealthPercent, defs.TargetFriend, 10, 0, 0)),
		of(rally, defs.SpellOutlivesDeath, 5000, aura(defs.AuraDamagePercent, defs.TargetFriend, 30, int32(defs.SchoolAll), 0)),
		of(gale, harm, 0, defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetEnemy, Amount: 30, Misc: 60}),
	}
	for i := range all {
		all[i].Dispel = defs.DispelMagic
	}
	all[dart-1].CastMs, all[dart-1].MissileSpeed, all[might-1].Stacks = 300, 40, 3
	all[thorn-1].Charges, all[thorn-1].Spent = 2, defs.SpentStruck
	all[hide-1].Breaks = defs.BreakMove | defs.BreakDamage
	all[cower-1].Breaks, all[grip-1].Breaks = defs.BreakDamage, defs.BreakDamage
	all[zeal-1].Charges, all[zeal-1].Spent = 3, defs.SpentStrike|defs.SpentCast
	return all
}

// grimoire is the spells of the players of the crowd.
func grimoire() (all []uint32) {
	for id := uint32(1); id < lastMagic; id++ {
		all = append(all, id)
	}
	return all
}

// conjure posts something that has to do with spells.
func (c *crowd) conjure(in *frame.Inbox, p *player, n uint64) {
	spell := uint32(c.r.IntN(lastMagic + 2)) // there is none before the first, and none from the last on
	switch c.r.IntN(12) {
	case 0:
		c.post(in, p, n, msg.OpCancelCast, &msg.CancelCast{Spell: spell})
	case 1:
		c.post(in, p, n, msg.OpCancelAura, &msg.CancelAura{Spell: spell})
	case 2:
		c.post(in, p, n, msg.OpCancelChannelling, &msg.CancelChannelling{Spell: spell})
	case 3:
		c.post(in, p, n, msg.OpSetActionButton, &msg.SetActionButton{Button: uint8(c.r.IntN(256)), Action: spell})
	default:
		m := &msg.CastSpell{Count: uint8(n), Spell: spell}
		if c.r.IntN(4) > 0 {
			m.Targets = msg.Targets{Mask: msg.TargetUnit, Unit: c.anyGUID()}
		}
		c.post(in, p, n, msg.OpCastSpell, m)
	}
}

// What lasts lasts as long as it may and no longer, lies in order, and takes no more room than there are bearers.
func TestAurasKeepTheirTime(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 7))
	d := meadow(r, 60, 60)
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	units := ecs.NewFilter2[components.UnitAuras, components.Vitals](w.ecs)
	slab := ecs.Shared[ecs.Slab[components.Auras]](w.ecs)
	crowd, seen := newCrowd(r, 30, 60), 0
	for n := uint64(1); n <= 1500; n++ {
		crowd.act(w.Inbox(), n, func(*player) {})
		w.Inbox().Seal()
		var f frame.Frame
		w.Tick(n, &f)
		for _, left := range f.Left {
			crowd.players[left.Session].here = false
		}
		bearers := 0
		for q := units.Iter(); q.Next(); {
			combatState, v := q.Get()
			if v.Health > v.MaxHealth {
				t.Fatalf("tick %d: health %d of %d", n, v.Health, v.MaxHealth)
			}
			if combatState.Block == 0 {
				continue
			}
			bearers++
			auras := slab.At(combatState.Block)
			if auras.Count == 0 || auras.Count > life.MaxAuras {
				t.Fatalf("tick %d: %d auras", n, auras.Count)
			}
			for i := range auras.List[:auras.Count] {
				a := &auras.List[i]
				seen++
				switch {
				case a.Ended(uint32(n) * 50):
					t.Fatalf("tick %d: spell %d has outlived its %d ms", n, a.Spell, a.MaxMs)
				case a.MaxMs != d.Spell(a.Spell).DurationMs || a.LeftMs(uint32(n)*50) > a.MaxMs:
					t.Fatalf("tick %d: spell %d has %d of %d ms left", n, a.Spell, a.LeftMs(uint32(n)*50), a.MaxMs)
				case i > 0 && a.Slot <= auras.List[i-1].Slot:
					t.Fatalf("tick %d: slot %d after %d", n, a.Slot, auras.List[i-1].Slot)
				}
			}
		}
		if slab.InUse() != bearers {
			t.Fatalf("tick %d: %d have auras, there is room for %d", n, bearers, slab.InUse())
		}
	}
	if seen < 1000 {
		t.Errorf("%d auras in 1500 ticks: too quiet a world", seen)
	}
}

// Auras of creatures without observers pulse and end in time, also in a world that is not stepped.
func TestAurasDoNotSleep(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Creatures[0].MaxLevel = 1 // so that it has 40 health
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, Path: -1}}
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
	tick := func(n uint64) {
		w.Inbox().Seal()
		var f frame.Frame
		w.Tick(n, &f)
	}
	enter(w, 1, 0, 0)
	tick(1)
	w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpLeave})
	tick(2)
	tick(3)
	e := w.space.Find(components.CreatureGUID(7, respawn.FirstCounter))
	if !w.ecs.Exists(e) || w.space.Asleep() != 1 {
		t.Fatalf("%d creatures sleep", w.space.Asleep())
	}
	vitals, combats := ecs.NewAccessor[components.Vitals](w.ecs), newUnitStates(w.ecs)
	ask(w, rules.ApplyAura{To: e, Spell: rot, Effects: 1, Amount: [3]int32{10}})
	for _, step := range []struct {
		tick    uint64
		health  uint32
		wearing bool
	}{{4, 40, true}, {7, 40, true}, {8, 30, true}, {12, 20, true}, {400, 0, false}} { // left alone for 388 ticks
		tick(step.tick)
		if health := vitals.Get(e).Health; health != step.health || combats.auras.Get(e).Block != 0 != step.wearing {
			t.Errorf("tick %d: health %d, aura %v; want %d, %v", step.tick, health, combats.auras.Get(e).Block != 0, step.health, step.wearing)
		}
	}
}

// A tick in which a thousand casters with three auras each go on casting allocates nothing.
func TestSteadyMagicAllocatesNothing(t *testing.T) {
	const casters = 1000
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Creatures[0].MinHealth, d.Creatures[0].MaxHealth = 1<<30, 1<<30
	m := &d.Maps[0]
	for i := range casters {
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: float32(i%100*8) + 20, Y: float32(i / 100 * 40), Path: -1})
	}
	live := &Live{World: New(Config{Defs: d, Map: m, Seed: 1}), Exchange: frame.NewExchange()}
	var in frame.Inbox
	for i := range casters {
		in.Add(frame.Item{Session: uint32(i), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
			GUID: uint64(i + 1), Name: "Caster", Race: 1, Class: 1, Level: 1, X: float32(i % 100 * 8), Y: float32(i / 100 * 40),
			Told: life.Spells, Life: life.Life{Spells: grimoire()},
		})})
	}
	live.Exchange.Post(&in)
	n := uint64(0)
	space := live.World.space
	tick := func() {
		n++
		for i := n % 10; i < casters; i += 10 {
			by, at := space.Find(i+1), space.Find(components.CreatureGUID(7, respawn.FirstCounter+uint32(i)))
			ask(live.World, rules.Cast{By: by, Target: at, Spell: [...]uint32{spark, rot, dart}[n/10%3]})
			ask(live.World, rules.Cast{By: by, Target: by, Spell: [...]uint32{might, renew, shield}[n/10%3], Triggered: true})
		}
		live.Step(n)
	}
	for range 700 {
		tick()
	}
	slab := ecs.Shared[ecs.Slab[components.Auras]](live.World.ecs)
	if slab.InUse() < casters {
		t.Errorf("%d bear auras", slab.InUse())
	}
	if n := testing.AllocsPerRun(200, tick); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}
