package aura

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// An aura ends in the first tick at or after its end, each of several at its own time, and a permanent one never. The slot is
// broadcast as free, stats are computed anew, and a cooldown that waited for it begins.
//
// Source: docs/protocol.md 4.7 (0x496: spell 0 clears a slot).
func TestExpiry(t *testing.T) {
	dodge := of(effect(defs.AuraDodge))
	s := newStage(
		defs.Spell{ID: 1, DurationMs: 200, Effects: dodge}, defs.Spell{ID: 2, DurationMs: 120, Effects: dodge, Flags: defs.SpellWaitsForAura},
		defs.Spell{ID: 3, Effects: dodge}, defs.Spell{ID: 4, DurationMs: 300, Effects: dodge},
	)
	by, to := s.addBeast(5), s.addBeast(2)
	for id := range uint32(4) {
		s.applyAura(by, to, id+1)
	}
	s.run() // at 50 ms
	for _, c := range []struct {
		ms       uint32
		left     []uint32
		slots    []string
		released []rules.ReleaseCooldown
	}{
		{100, []uint32{1, 2, 3, 4}, nil, nil}, {150, []uint32{1, 2, 3, 4}, nil, nil},
		{200, []uint32{1, 3, 4}, []string{"0102" + "01" + "00000000"}, []rules.ReleaseCooldown{{Entity: by, Spell: 2}}}, // 170
		{250, []uint32{3, 4}, []string{"0102" + "00" + "00000000"}, nil},
		{300, []uint32{3, 4}, nil, nil},
		{350, []uint32{3}, []string{"0102" + "03" + "00000000"}, nil},
	} {
		if s.tick.NowMs != c.ms {
			t.Fatalf("it is %d ms", s.tick.NowMs)
		}
		got := s.run()
		at := fmt.Sprintf("at %d ms", c.ms)
		same(t, at, s.spells(to), c.left)
		same(t, at, got.slots(to), c.slots)
		same(t, at, got.releases, c.released)
		if want := min(len(c.slots), 1); len(got.stats) != want {
			t.Errorf("%s, stats %+v", at, got.stats)
		}
	}
	s.runFor(100_000)
	same(t, "the permanent one", s.spells(to), []uint32{3})
	if s.slab.InUse() != 1 {
		t.Errorf("%d blocks are in use", s.slab.InUse())
	}
	emit(s, rules.RemoveAuras{From: to})
	if s.run(); s.slab.InUse() != 0 || s.unitAuras.Get(to).Block != 0 {
		t.Errorf("%d blocks are in use", s.slab.InUse())
	}
}

// A cooldown that waited for an aura begins for a caster that is still there alone.
func TestReleaseOfTheGone(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 100, Effects: of(effect(defs.AuraDodge)), Flags: defs.SpellWaitsForAura})
	by, to := s.addBeast(5), s.addBeast(2)
	s.applyAura(by, to, 1)
	s.run()
	s.Despawn(by)
	s.EndStage()
	for range 4 {
		if got := s.run(); len(got.releases) != 0 {
			t.Errorf("released %+v", got.releases)
		}
	}
	if len(s.list(to)) != 0 {
		t.Errorf("%v are left", s.spells(to))
	}
}

// An aura that is renewed ends by its last duration, and not by the first.
func TestRenewedExpiry(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 200, Effects: of(effect(defs.AuraDodge))})
	to := s.addBeast(2)
	s.applyAura(to, to, 1)
	s.run() // at 50 ms, until 250
	s.run()
	s.applyAura(to, to, 1)
	s.run() // at 150 ms, until 350
	for s.tick.NowMs < 350 {
		if s.run(); len(s.list(to)) != 1 {
			t.Fatalf("it has ended before %d ms", s.tick.NowMs)
		}
	}
	if s.run(); len(s.list(to)) != 0 {
		t.Error("it has not ended at 350 ms")
	}
}

// An aura whose unit is gone by then is left alone.
func TestTurnsOfTheGone(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 200, Effects: of(every(100, defs.AuraPeriodicDamage))})
	one, two := s.addBeast(2), s.addBeast(3)
	s.applyAura(one, one, 1, 7)
	s.applyAura(two, two, 1, 7)
	s.run()
	s.Despawn(one)
	s.EndStage()
	s.run()
	if got := s.run(); len(got.dealt) != 1 || got.dealt[0].To != two {
		t.Errorf("%+v", got.dealt)
	}
}

// Pulses come at their times, each effect by its own, from the first period on, with the last at the very end of the aura, which
// ends in the same tick.
func TestPulseTimes(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 600, Effects: of(every(200, defs.AuraPeriodicTrigger), every(150, defs.AuraPeriodicTrigger), effect(defs.AuraDodge))})
	s.defs.Spells[0].Effects[0].Trigger, s.defs.Spells[0].Effects[1].Trigger = 20, 15
	by, to := s.addBeast(5), s.addBeast(2)
	s.applyAura(by, to, 1)
	got := pulses(s, 900)
	want := map[uint32][]uint32{200: {15}, 250: {20}, 350: {15}, 450: {20}, 500: {15}, 650: {20, 15}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(s.list(to)) != 0 {
		t.Error("it has not ended")
	}
}

// pulses runs ticks for a time, and lists the spells that pulses have cast by the time in milliseconds.
func pulses(s *stage, ms uint32) map[uint32][]uint32 {
	got := map[uint32][]uint32{}
	for until := s.tick.NowMs + ms; s.tick.NowMs < until; {
		now := s.tick.NowMs
		for _, c := range s.run().casts {
			got[now] = append(got[now], c.Spell)
		}
	}
	return got
}

// When an aura is due next: at its end or the first of its pulses, in the next tick if that has passed, and never if it has neither.
func TestDue(t *testing.T) {
	spell := defs.Spell{ID: 1, DurationMs: 30_000, Effects: of(every(1000, defs.AuraPeriodicTrigger), effect(defs.AuraDodge), every(700, defs.AuraPeriodicTrigger))}
	for _, c := range []struct {
		name string
		aura components.Aura
		ms   uint32 // from 1000 ms on, 0 never
	}{
		{"its end", components.Aura{MaxMs: 30_000, EndMs: 31_000}, 30_000},
		{"a pulse", components.Aura{MaxMs: 30_000, EndMs: 31_000, Effects: 7, NextMs: [3]uint32{1900, 0, 2200}}, 900},
		{"the pulse of the last effect", components.Aura{MaxMs: 30_000, EndMs: 31_000, Effects: 7, NextMs: [3]uint32{1900, 0, 1700}}, 700},
		{"its end before a pulse", components.Aura{MaxMs: 30_000, EndMs: 1600, Effects: 7, NextMs: [3]uint32{1900, 0, 1700}}, 600},
		{"a pulse without an end", components.Aura{Effects: 1, NextMs: [3]uint32{1900}}, 900},
		{"the pulse of an effect that it has not", components.Aura{MaxMs: 30_000, EndMs: 3000, Effects: 2, NextMs: [3]uint32{1900}}, 2000},
		{"a pulse that has passed", components.Aura{MaxMs: 30_000, EndMs: 3000, Effects: 1, NextMs: [3]uint32{900}}, 50},
		{"an end that has passed, before a pulse", components.Aura{MaxMs: 30_000, EndMs: 1000, Effects: 1, NextMs: [3]uint32{1900}}, 50},
		{"neither", components.Aura{Effects: 2}, 0},
	} {
		s := newStage(spell)
		s.tick.N, s.tick.NowMs = 20, 1000
		c.aura.Spell = 1
		s.applied.schedule(s.tick, s.addBeast(2), &c.aura)
		var got []uint32
		s.applied.timers.Each(func(at uint64, _ unsafe.Pointer) { got = append(got, uint32(at-20)*50) })
		if want := []uint32{c.ms}; c.ms == 0 && len(got) > 0 || c.ms > 0 && !slices.Equal(got, want) {
			t.Errorf("%s: due after %v ms, want %v", c.name, got, want)
		}
	}
}

// An aura that gets an effect in addition pulses by it, also if it was never due before.
func TestPulsesBegin(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, Effects: of(effect(defs.AuraDodge), every(200, defs.AuraPeriodicTrigger))})
	s.defs.Spells[0].Effects[1].Trigger = 20
	to := s.addBeast(2)
	emit(s, rules.ApplyAura{By: to, To: to, Spell: 1, Effects: 1})
	s.run()
	emit(s, rules.ApplyAura{By: to, To: to, Spell: 1, Effects: 2})
	if got, want := pulses(s, 450), map[uint32][]uint32{300: {20}, 500: {20}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// An effect that was not applied does not pulse.
func TestPulsesOfAppliedEffects(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, Effects: of(every(200, defs.AuraPeriodicTrigger), every(150, defs.AuraPeriodicTrigger))})
	s.defs.Spells[0].Effects[0].Trigger, s.defs.Spells[0].Effects[1].Trigger = 20, 15
	to := s.addBeast(2)
	emit(s, rules.ApplyAura{To: to, Spell: 1, Effects: 1})
	if got, want := pulses(s, 500), map[uint32][]uint32{250: {20}, 450: {20}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A unit whose world stood still catches up with its pulses in the order of their times, but for those after the end of the aura.
func TestCatchUp(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 3400, Effects: of(every(1000, defs.AuraPeriodicTrigger), every(1500, defs.AuraPeriodicTrigger))})
	s.defs.Spells[0].Effects[0].Trigger, s.defs.Spells[0].Effects[1].Trigger = 20, 15
	by, to := s.addBeast(5), s.addBeast(2)
	s.applyAura(by, to, 1)
	s.run() // at 50 ms
	s.tick.N += 100
	s.tick.NowMs += 5000
	got := s.run()
	var order []uint32
	for _, c := range got.casts {
		order = append(order, c.Spell)
	}
	same(t, "pulses", order, []uint32{20, 15, 20, 20, 15}) // at 1050, 1550, 2050, 3050 and 3050 ms; 4050 is after the end at 3450
	if len(s.list(to)) != 0 || s.count.Value("aura.skipped_pulse") != 0 {
		t.Error("it has not ended")
	}
}

// The pulses of an hour are caught up with at once; those of a permanent aura that was left alone for longer are left out, and
// its next one is a period from now.
func TestCatchUpBound(t *testing.T) {
	for _, c := range []struct {
		pulses  uint32 // that are due
		done    int
		skipped uint64
	}{{3600, 3600, 0}, {3601, 3600, 1}, {5000, 3600, 1}} {
		s := newStage(defs.Spell{ID: 1, Effects: of(every(1000, defs.AuraPeriodicTrigger))})
		to := s.addBeast(2)
		s.applyAura(to, to, 1)
		s.run() // at 50 ms
		s.tick.N += uint64(c.pulses) * 20
		s.tick.NowMs = 50 + c.pulses*1000
		now := s.tick.NowMs
		got := s.run()
		if len(got.casts) != c.done || s.count.Value("aura.skipped_pulse") != c.skipped {
			t.Errorf("of %d pulses %d are done, %d are left out", c.pulses, len(got.casts), s.count.Value("aura.skipped_pulse"))
		}
		if next := s.list(to)[0].NextMs[0]; next != now+1000 {
			t.Errorf("of %d pulses, the next is in %d ms", c.pulses, next-now)
		}
	}
}

// The world's clock wraps after 49 days: auras end and pulse across it as ever.
func TestClockWraps(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 400, Effects: of(every(150, defs.AuraPeriodicTrigger), every(200, defs.AuraPeriodicTrigger))})
	s.tick.NowMs = 1<<32 - 200
	to := s.addBeast(2)
	s.applyAura(to, to, 1)
	done := 0
	for n := range 9 { // up to 400 ms later
		done += len(s.run().casts)
		if n < 8 && len(s.list(to)) != 1 {
			t.Fatalf("it has ended after %d ms", n*50)
		}
	}
	if len(s.list(to)) != 0 || done != 4 { // after 150, 200, 300 and 400 ms
		t.Errorf("%d pulses; it has %v", done, s.spells(to))
	}
}

// What a pulse does to a unit with 1000 health and mana, two stacks of 20 points that lie on it, and factors on damage and healing
// that it takes.
//
// Source: docs/protocol.md 4.7; AuraEffect::PeriodicTick, AzerothCore.
func TestPulses(t *testing.T) {
	type figures struct {
		health, casters uint32
		power           [7]uint32
	}
	for _, c := range []struct {
		name   string
		effect defs.Effect
		amount int32
		stacks uint8
		flags  defs.SpellFlag
		want   figures
		tick   msg.PeriodicTick
		quiet  bool
	}{
		{"damage", every(100, defs.AuraPeriodicDamage), 20, 2, 0, figures{440, 500, [7]uint32{}}, msg.PeriodicTick{Type: 3, Amount: 60, School: 4}, false},
		{"one stack", every(100, defs.AuraPeriodicDamage), 20, 1, 0, figures{470, 500, [7]uint32{}}, msg.PeriodicTick{Type: 3, Amount: 30, School: 4}, false},
		{"no stack, as of an old character", every(100, defs.AuraPeriodicDamage), 20, 0, 0, figures{470, 500, [7]uint32{}}, msg.PeriodicTick{Type: 3, Amount: 30, School: 4}, false},
		{"damage without threat", every(100, defs.AuraPeriodicDamage), 20, 2, defs.SpellNoThreat, figures{440, 500, [7]uint32{}}, msg.PeriodicTick{Type: 3, Amount: 60, School: 4}, true},
		{"a leech", every(100, defs.AuraPeriodicLeech), 20, 2, 0, figures{440, 560, [7]uint32{}}, msg.PeriodicTick{Type: 3, Amount: 60, School: 4}, false},
		{"a hundredth", every(100, defs.AuraPeriodicDamagePercent), 1, 2, 0, figures{480, 500, [7]uint32{}}, msg.PeriodicTick{Type: 89, Amount: 20, School: 4}, false},
		{"healing", every(100, defs.AuraPeriodicHeal), 20, 2, 0, figures{520, 500, [7]uint32{}}, msg.PeriodicTick{Type: 8, Amount: 20}, false},
		{"healing without threat", every(100, defs.AuraPeriodicHeal), 20, 2, defs.SpellNoThreat, figures{520, 500, [7]uint32{}}, msg.PeriodicTick{Type: 8, Amount: 20}, true},
		{"energy", defs.Effect{Kind: 6, Aura: defs.AuraPeriodicEnergize, Misc: 3, PulseMs: 100}, 20, 2, 0, figures{500, 500, [7]uint32{3: 40}}, msg.PeriodicTick{Type: 24, Power: 3, Amount: 40}, false},
	} {
		c.effect.Trigger = 9
		s := newStage(defs.Spell{ID: 1, School: defs.SchoolFire, Flags: c.flags, Effects: of(c.effect)})
		by, to := s.addBeast(5), s.addPlayer(2)
		s.vitals.Get(by).Health, s.vitals.Get(to).Health = 500, 500
		s.stats.Get(to).DamageTaken, s.stats.Get(to).Healed = 1.5, 0.5
		s.applyAura(by, to, 1, c.amount)
		s.run()
		s.slab.At(s.unitAuras.Get(to).Block).List[0].Stacks = c.stacks
		s.run()
		got := s.run()
		if now := (figures{s.vitals.Get(to).Health, s.vitals.Get(by).Health, s.vitals.Get(to).Power}); now != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, now, c.want)
		}
		var m msg.PeriodicAuraLog
		got.decode(t, to, 0x24E, &m)
		if m.Target != 2 || m.Caster != 5 || m.Spell != 1 || !slices.Equal(m.Ticks, []msg.PeriodicTick{c.tick}) {
			t.Errorf("%s: %+v, want %+v", c.name, m, c.tick)
		}
		quiet := false
		for _, d := range got.dealt {
			quiet = d.Quiet
			if d.By != by || d.Caster != 5 || d.Kind != rules.PeriodicDamage {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
		for _, h := range got.healed {
			if h.To == to {
				quiet = h.Quiet
			}
		}
		if quiet != c.quiet {
			t.Errorf("%s: without threat %v", c.name, quiet)
		}
	}
}

// Amounts below 0 do nothing: neither damage heals, nor does healing hurt.
func TestNegativePulses(t *testing.T) {
	for _, kind := range []defs.AuraKind{defs.AuraPeriodicDamage, defs.AuraPeriodicDamagePercent, defs.AuraPeriodicHeal, defs.AuraPeriodicLeech} {
		s := newStage(defs.Spell{ID: 1, School: defs.SchoolFire, Effects: of(every(100, kind))})
		by, to := s.addBeast(5), s.addBeast(2)
		s.vitals.Get(by).Health, s.vitals.Get(to).Health = 500, 500
		s.applyAura(by, to, 1, -20)
		s.runFor(150)
		if s.vitals.Get(to).Health != 500 || s.vitals.Get(by).Health != 500 {
			t.Errorf("kind %d: %d and %d health", kind, s.vitals.Get(to).Health, s.vitals.Get(by).Health)
		}
	}
}

// The dead do not pulse.
func TestPulsesOnTheDead(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, Flags: defs.SpellOutlivesDeath, Effects: of(every(100, defs.AuraPeriodicTrigger))})
	to := s.addBeast(2)
	s.vitals.Get(to).Health = 0
	s.applyAura(to, to, 1)
	if got := s.runFor(150); len(got.casts) != 0 || len(s.list(to)) != 1 {
		t.Errorf("%+v", got.casts)
	}
}

// The spell of a pulse is cast by the aura's caster, or by the unit itself if that is gone; its damage then has no attacker, but
// the caster's GUID.
//
// Source: AuraEffect::PeriodicTick and AuraEffect::HandlePeriodicDamageAurasTick, AzerothCore.
func TestPulsesOfTheGone(t *testing.T) {
	hurts := every(100, defs.AuraPeriodicTrigger)
	hurts.Trigger = 9
	for _, gone := range []bool{false, true} {
		s := newStage(defs.Spell{ID: 1, Effects: of(hurts, every(100, defs.AuraPeriodicDamage))})
		by, to := s.addBeast(5), s.addBeast(2)
		s.applyAura(by, to, 1, 0, 7)
		s.run()
		caster, attacker := by, by
		if gone {
			s.Despawn(by)
			s.EndStage()
			caster, attacker = to, ecs.Entity{}
		}
		s.run()
		got := s.run()
		same(t, "casts", got.casts, []rules.Cast{{By: caster, Target: to, Spell: 9, Triggered: true}})
		if len(got.dealt) != 1 || got.dealt[0].By != attacker || got.dealt[0].Caster != 5 || got.dealt[0].Dealt != 7 {
			t.Errorf("%+v", got.dealt)
		}
	}
}

// Energize of a power that there is not is of one that there is.
func TestPowerInRange(t *testing.T) {
	e := every(100, defs.AuraPeriodicEnergize)
	e.Misc = 9
	s := newStage(defs.Spell{ID: 1, Effects: of(e)})
	to := s.addBeast(2)
	s.applyAura(to, to, 1, 30)
	s.runFor(150)
	if got := s.vitals.Get(to).Power; got != [7]uint32{2: 30} {
		t.Errorf("%v", got)
	}
}

// A unit with as much resistance as five times its enemy's level resists half of a spell on average, four to six tenths of each. What it
// resists is taken from the damage, and reported; nothing of physical and of binary spells.
//
// Source: Unit::GetEffectiveResistChance and CalcAbsorbResist, AzerothCore; docs/protocol.md 4.7.
func TestResistedPulses(t *testing.T) {
	for _, c := range []struct {
		name    string
		school  uint32
		flags   defs.SpellFlag
		resists bool
	}{
		{"fire", defs.SchoolFire, 0, true}, {"frost, which it does not resist", defs.SchoolFrost, 0, false},
		{"physical", defs.SchoolPhysical, 0, false}, {"a binary one", defs.SchoolFire, defs.SpellBinary, false},
	} {
		s := newStage(defs.Spell{ID: 1, School: c.school, Flags: c.flags, Effects: of(every(50, defs.AuraPeriodicDamage))})
		by, to := s.addBeast(5), s.addBeast(2)
		s.vitals.Get(to).Health = 1e6
		s.stats.Get(to).Resistance[2] = 50
		s.stats.Get(to).Resistance[0] = 50
		s.applyAura(by, to, 1, 100)
		s.run()
		total, kinds := uint32(0), map[uint32]bool{}
		for range 200 {
			got := s.run()
			if len(got.dealt) != 1 || got.dealt[0].Resisted+got.dealt[0].Dealt != 100 {
				t.Fatalf("%s: %+v", c.name, got.dealt)
			}
			total += got.dealt[0].Resisted
			kinds[got.dealt[0].Resisted] = true
			var m msg.PeriodicAuraLog
			if got.decode(t, to, 0x24E, &m); m.Ticks[0].Resisted != got.dealt[0].Resisted {
				t.Errorf("%s: it is said to resist %d", c.name, m.Ticks[0].Resisted)
			}
		}
		if !c.resists && total != 0 || c.resists && (total < 9000 || total > 11000 || len(kinds) != 3) {
			t.Errorf("%s: it resists %d of 20,000, in %d ways", c.name, total, len(kinds))
		}
	}
}

// Pulses of one tick have dice of their own: by unit, caster, spell, effect and time.
func TestPulseDice(t *testing.T) {
	burn := every(16, defs.AuraPeriodicDamage)
	s := newStage(
		defs.Spell{ID: 1, School: defs.SchoolFire, Flags: defs.SpellHarmful, Effects: of(burn, burn, burn)},
		defs.Spell{ID: 2, School: defs.SchoolFire, Flags: defs.SpellHarmful, Effects: of(burn)},
	)
	to := []ecs.Entity{s.addBeast(2), s.addBeast(3)}
	by := []ecs.Entity{s.addBeast(5), s.addBeast(6)}
	for _, e := range to {
		s.vitals.Get(e).Health = 1e6
		s.stats.Get(e).Resistance[2] = 50
		for _, b := range by {
			s.applyAura(b, e, 1, 100, 100, 100)
			s.applyAura(b, e, 2, 100)
		}
	}
	s.tick.NowMs = 44 // pulses at 60, 76, 92, 108
	s.run()
	s.tick.NowMs = 108
	type stream struct {
		to, by ecs.Entity
		spell  uint32
		effect int
	}
	resisted, times := map[stream][]uint32{}, map[stream]int{}
	for range 8 {
		got := s.run()
		s.tick.NowMs += 14 // 64 in all: four pulses
		clear(times)
		for _, d := range got.dealt {
			k := stream{d.To, d.By, d.Spell, 0}
			n := times[k]
			if times[k]++; d.Spell == 1 {
				k.effect = n % 3
			}
			resisted[k] = append(resisted[k], d.Resisted)
		}
	}
	if len(resisted) != 16 {
		t.Fatalf("%d streams", len(resisted))
	}
	seen := map[string]stream{}
	for k, all := range resisted {
		if other, ok := seen[fmt.Sprint(all)]; ok {
			t.Errorf("%+v and %+v resist the same: %v", k, other, all)
		}
		seen[fmt.Sprint(all)] = k
		differ := false
		for tick := range slices.Chunk(all, 4) {
			differ = differ || len(slices.Compact(slices.Clone(tick))) > 1
		}
		if len(all) != 32 || !differ {
			t.Errorf("%+v resists the same in each pulse of a tick: %v", k, all)
		}
	}
}
