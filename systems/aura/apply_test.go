package aura

import (
	"fmt"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// The bytes of SMSG_AURA_UPDATE about a unit with the GUID 2 and an aura of spell 7 by a caster of level 10 with the GUID 5: the
// unit, slot, spell, flags, level, stacks or charges, caster, duration and what is left of it.
//
// Source: docs/protocol.md 4.7 (0x496); Aura::CanBeSentToClient, AzerothCore, for passive spells.
func TestAppliedOnTheWire(t *testing.T) {
	one, two := of(effect(defs.AuraDodge)), of(effect(defs.AuraDodge), defs.Effect{}, effect(defs.AuraParry))
	for _, c := range []struct {
		name  string
		spell defs.Spell
		own   bool
		want  []string
	}{
		{"a good one of 30 s", defs.Spell{DurationMs: 30_000, Effects: one}, false, []string{"0102" + "00" + "07000000" + "31" + "0a" + "01" + "0105" + "30750000" + "30750000"}},
		{"a harmful one", defs.Spell{DurationMs: 30_000, Effects: one, Flags: defs.SpellHarmful}, false, []string{"0102" + "00" + "07000000" + "a1" + "0a" + "01" + "0105" + "30750000" + "30750000"}},
		{"its own, without an end", defs.Spell{Effects: one}, true, []string{"0102" + "00" + "07000000" + "19" + "0a" + "01"}},
		{"with the first and the third effect", defs.Spell{Effects: two}, false, []string{"0102" + "00" + "07000000" + "15" + "0a" + "01" + "0105"}},
		{"with three charges", defs.Spell{Charges: 3, Spent: defs.SpentHurt, Effects: one}, false, []string{"0102" + "00" + "07000000" + "11" + "0a" + "03" + "0105"}},
		{"of a passive spell", defs.Spell{Flags: defs.SpellPassive, Effects: one}, true, nil},
	} {
		c.spell.ID = 7
		s := newStage(c.spell)
		by, to := s.addBeast(5), s.addPlayer(2)
		if c.own {
			by = to
		}
		s.applyAura(by, to, 7)
		got := s.run()
		same(t, c.name, got.slots(to), c.want)
		if len(s.spells(to)) != 1 || s.count.Value("aura.refused") != 0 {
			t.Errorf("%s: it has %v, and %d effects are refused", c.name, s.spells(to), s.count.Value("aura.refused"))
		}
		same(t, c.name+", stats", got.stats, []rules.StatsDirty{{Entity: to}})
		if s.unsaved.Get(to).Lists != life.Auras {
			t.Errorf("%s: lists %b are to be saved", c.name, s.unsaved.Get(to).Lists)
		}
		if len(got.flags)+len(got.roots)+len(got.interrupts) != 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// An aura whose caster is gone has none, and one for a unit that is gone, or of a spell that there is not, is none.
func TestApplyOfTheGone(t *testing.T) {
	s := newStage(defs.Spell{ID: 7, Effects: of(effect(defs.AuraDodge))}, defs.Spell{ID: 9, Flags: defs.SpellOutlivesDeath, Effects: of(effect(defs.AuraDodge))})
	by, to := s.addBeast(5), s.addBeast(2)
	s.applyAura(by, to, 7)
	s.applyAura(to, by, 7)
	s.applyAura(to, by, 9)
	emit(s, rules.ApplyAura{To: to, Spell: 8, Effects: 1})
	s.Despawn(by)
	s.EndStage()
	got := s.run()
	same(t, "slots", got.slots(to), []string{"0102" + "00" + "07000000" + "11" + "0a" + "01" + "00"})
	if len(got.packets) != 1 || s.slab.InUse() != 1 || s.list(to)[0].CasterGUID != 0 {
		t.Errorf("%+v", got)
	}
}

// Which auras the dead can get; the cooldown of a spell that waits for its aura begins if it gets none.
//
// Source: Unit::_TryStackingOrRefreshingExistingAura, AzerothCore.
func TestOntoTheDead(t *testing.T) {
	for _, c := range []struct {
		flags    defs.SpellFlag
		dead     bool
		on       int
		released []rules.ReleaseCooldown
	}{
		{0, true, 0, nil},
		{defs.SpellOutlivesDeath, true, 1, nil},
		{defs.SpellPassive, true, 1, nil},
		{defs.SpellWaitsForAura, true, 0, []rules.ReleaseCooldown{{Spell: 7}}},
		{defs.SpellWaitsForAura, false, 1, nil},
	} {
		s := newStage(defs.Spell{ID: 7, Flags: c.flags, Effects: of(effect(defs.AuraDodge))})
		by, to := s.addBeast(5), s.addBeast(2)
		for i := range c.released {
			c.released[i].Entity = by
		}
		if c.dead {
			s.vitals.Get(to).Health = 0
		}
		s.applyAura(by, to, 7)
		got := s.run()
		if len(s.list(to)) != c.on {
			t.Errorf("flags %b: it has %v", c.flags, s.spells(to))
		}
		same(t, fmt.Sprintf("flags %b", c.flags), got.releases, c.released)
	}
}

// The cooldown of a spell that waits for its aura waits on if the aura is renewed, and begins if a higher rank keeps it away.
func TestWaitsForRanks(t *testing.T) {
	dodge := of(effect(defs.AuraDodge))
	s := newStage(defs.Spell{ID: 1, Flags: defs.SpellWaitsForAura, Effects: dodge}, defs.Spell{ID: 2, Replaces: 1, Effects: dodge})
	by, to := s.addBeast(5), s.addBeast(2)
	s.applyAura(by, to, 1)
	s.run()
	s.applyAura(by, to, 1)
	same(t, "renewed", s.run().releases, nil)
	want := []rules.ReleaseCooldown{{Entity: by, Spell: 1}}
	s.applyAura(by, to, 2)
	same(t, "replaced", s.run().releases, want)
	s.applyAura(by, to, 1)
	same(t, "outranked", s.run().releases, want)
}

// family has spells with ranks: 1 to 3 a good one, 4 and 5 a harmful one that pulses, 6 one of a channel, 7 a harmful one, 8 one
// that stacks, and 9 the third rank of 4, which does not pulse.
func family() []defs.Spell {
	dodge, hurts := of(effect(defs.AuraDodge)), of(effect(defs.AuraDodge), every(1000, defs.AuraPeriodicDamage))
	return []defs.Spell{
		{ID: 1, Effects: dodge}, {ID: 2, Replaces: 1, Effects: dodge}, {ID: 3, Replaces: 2, Effects: dodge},
		{ID: 4, Flags: defs.SpellHarmful, Effects: hurts}, {ID: 5, Replaces: 4, Flags: defs.SpellHarmful, Effects: hurts},
		{ID: 6, Flags: defs.SpellChannelled, Effects: dodge}, {ID: 7, Flags: defs.SpellHarmful, Effects: dodge},
		{ID: 8, Stacks: 3, Effects: hurts}, {ID: 9, Replaces: 5, Flags: defs.SpellHarmful, Effects: dodge},
	}
}

// Which auras are on a unit after some have been put on it, one after the other.
//
// Source: Aura::CanStackWith, AzerothCore: of one spell, one aura by one caster; of several casters, only those that do periodic
// harm, and those of channels; a rank does not lie beside another of the same caster.
func TestBeside(t *testing.T) {
	type cast struct {
		spell uint32
		by    uint64
	}
	for _, c := range []struct {
		name      string
		put, want []cast
	}{
		{"again", []cast{{1, 5}, {1, 5}}, []cast{{1, 5}}},
		{"another caster's", []cast{{1, 5}, {1, 6}}, []cast{{1, 6}}},
		{"a harmful one of another's", []cast{{7, 5}, {7, 6}}, []cast{{7, 6}}},
		{"two spells", []cast{{1, 5}, {7, 5}, {8, 6}}, []cast{{1, 5}, {7, 5}, {8, 6}}},
		{"a good one that pulses", []cast{{8, 5}, {8, 6}}, []cast{{8, 6}}},
		{"a higher rank", []cast{{1, 5}, {2, 5}}, []cast{{2, 5}}},
		{"of two ranks higher, by another", []cast{{1, 5}, {3, 6}}, []cast{{3, 6}}},
		{"a lower rank", []cast{{2, 5}, {1, 5}}, []cast{{2, 5}}},
		{"of two ranks lower, by another", []cast{{3, 5}, {1, 6}}, []cast{{3, 5}}},
		{"periodic harm of two", []cast{{4, 5}, {4, 6}}, []cast{{4, 5}, {4, 6}}},
		{"its higher rank", []cast{{4, 5}, {5, 5}}, []cast{{5, 5}}},
		{"its higher rank by another", []cast{{4, 5}, {5, 6}}, []cast{{4, 5}, {5, 6}}},
		{"its lower rank", []cast{{5, 5}, {4, 5}}, []cast{{5, 5}}},
		{"its lower rank by another", []cast{{5, 5}, {4, 6}}, []cast{{5, 5}, {4, 6}}},
		{"a channel of two", []cast{{6, 5}, {6, 6}}, []cast{{6, 5}, {6, 6}}},
		{"a rank that replaces several", []cast{{4, 5}, {4, 6}, {9, 6}}, []cast{{9, 6}}},
		{"and leaves others", []cast{{1, 5}, {4, 5}, {4, 6}, {7, 5}, {9, 6}}, []cast{{1, 5}, {9, 6}, {7, 5}}},
	} {
		s := newStage(family()...)
		to := s.addBeast(2)
		by := map[uint64]ecs.Entity{5: s.addBeast(5), 6: s.addBeast(6)}
		for _, p := range c.put {
			s.applyAura(by[p.by], to, p.spell)
			s.run()
		}
		var got []cast
		for _, a := range s.list(to) {
			got = append(got, cast{a.Spell, a.CasterGUID})
			if a.Caster != by[a.CasterGUID] {
				t.Errorf("%s: the caster of %d is %v", c.name, a.Spell, a.Caster)
			}
		}
		same(t, c.name, got, c.want)
	}
}

// Ranks are followed twenty deep, and no further: a rank that replaces itself ends.
func TestRankBound(t *testing.T) {
	var spells []defs.Spell
	for id := uint32(1); id <= 22; id++ {
		spells = append(spells, defs.Spell{ID: id, Replaces: id - 1, Effects: of(effect(defs.AuraDodge))})
	}
	spells = append(spells, defs.Spell{ID: 23, Replaces: 23}, defs.Spell{ID: 24, Replaces: 99, Effects: of(effect(defs.AuraDodge))})
	s := newStage(spells...)
	for _, c := range []struct {
		higher, lower uint32
		want          bool
	}{{21, 1, true}, {22, 2, true}, {22, 1, false}, {23, 1, false}, {24, 1, false}, {24, 99, true}, {1, 2, false}} {
		if got := s.applied.replaces(s.defs.Spell(c.higher), c.lower); got != c.want {
			t.Errorf("%d replaces %d: %v", c.higher, c.lower, got)
		}
	}
	if s.applied.outranked(s.defs.Spell(1), 99) {
		t.Error("a spell that there is not outranks one")
	}
}

// An aura that is put on a unit again has a stack more, as far as its spell stacks, the charges, amounts and level of the last
// time, and its whole duration. Its pulses keep their times; an effect that comes in addition begins to pulse.
//
// Source: Aura::ModStackAmount and Aura::RefreshTimers, AzerothCore; docs/protocol.md 4.7 (0x496).
func TestRefresh(t *testing.T) {
	s := newStage(defs.Spell{
		ID: 7, Stacks: 3, DurationMs: 30_000, Charges: 9, Spent: defs.SpentHurt,
		Effects: of(every(1000, defs.AuraPeriodicTrigger), every(1500, defs.AuraPeriodicTrigger)),
	})
	by, to := s.addBeast(5), s.addPlayer(2)
	emit(s, rules.ApplyAura{By: by, To: to, Spell: 7, Effects: 1, Level: 10, Amount: [3]int32{4}})
	s.run() // at 50 ms
	s.slab.At(s.unitAuras.Get(to).Block).List[0].Charges = 2
	s.runFor(350)
	for i, want := range []uint8{2, 3, 3} {
		s.unsaved.Get(to).Lists = 0
		emit(s, rules.ApplyAura{By: by, To: to, Spell: 7, Effects: 2, Level: 11, Amount: [3]int32{5, 6}})
		got := s.run() // at 450, 500 and 550 ms
		same(t, "slots", got.slots(to), []string{fmt.Sprintf("0102"+"00"+"07000000"+"33"+"0b"+"%02x"+"0105"+"30750000"+"30750000", want)})
		same(t, "stats", got.stats, []rules.StatsDirty{{Entity: to}})
		if s.unsaved.Get(to).Lists != life.Auras {
			t.Error("it is not to be saved")
		}
		a := s.list(to)[0]
		a.Timer = 0
		if want := (components.Aura{
			CasterGUID: 5, Caster: by, Spell: 7, MaxMs: 30_000, EndMs: 30_450 + uint32(i)*50, NextMs: [3]uint32{1050, 1950},
			Amount: [3]int32{5, 6}, Effects: 3, Stacks: want, Charges: 9, Level: 11,
		}); a != want {
			t.Errorf("%+v, want %+v", a, want)
		}
	}
	// pulses: at 1050 and 2050 of the first effect, at 1950 of the second
	at := map[uint32]int{}
	for s.tick.NowMs < 2100 {
		now := s.tick.NowMs
		at[now] += len(s.run().casts)
	}
	if at[1050] != 1 || at[1950] != 1 || at[2050] != 1 {
		t.Errorf("pulses at %v", at)
	}
}

// A spell that does not say how often it stacks does not.
func TestNoStacks(t *testing.T) {
	s := newStage(family()...)
	by, to := s.addBeast(5), s.addBeast(2)
	for range 3 {
		s.applyAura(by, to, 1)
		s.run()
	}
	if a := s.list(to)[0]; a.Stacks != 1 || a.MaxMs != 0 {
		t.Errorf("%+v", a)
	}
}

// An aura has the first slot that is free, passive ones have none, and there is room for 32 of all.
//
// Source: Aura::CanBeSentToClient, AzerothCore, for passive ones; the room is life.MaxAuras.
func TestSlots(t *testing.T) {
	var spells []defs.Spell
	for id := uint32(1); id <= 36; id++ {
		sp := defs.Spell{ID: id, Effects: of(effect(defs.AuraDodge))}
		if id%12 == 0 { // 12, 24, 36
			sp.Flags = defs.SpellPassive
		}
		if id == 35 {
			sp.Flags = defs.SpellWaitsForAura
		}
		spells = append(spells, sp)
	}
	s := newStage(spells...)
	by, to := s.addBeast(5), s.addBeast(2)
	for id := uint32(1); id <= 32; id++ {
		s.applyAura(by, to, id)
	}
	s.run()
	emit(s, rules.RemoveAuras{From: to, Spell: 3}, rules.RemoveAuras{From: to, Spell: 7}, rules.RemoveAuras{From: to, Spell: 8})
	if got := s.run(); len(got.slots(to)) != 3 || got.slots(to)[1] != "0102"+"06"+"00000000" {
		t.Errorf("%v", got.slots(to))
	}
	for _, id := range []uint32{33, 34, 36} {
		s.applyAura(by, to, id)
	}
	s.run()
	slots := map[uint32]uint8{}
	for i, a := range s.list(to) {
		if slots[a.Spell] = a.Slot; i > 0 && a.Slot < s.list(to)[i-1].Slot {
			t.Errorf("slot %d comes after %d", a.Slot, s.list(to)[i-1].Slot)
		}
	}
	for spell, want := range map[uint32]uint8{1: 0, 2: 1, 33: 2, 4: 3, 34: 6, 9: 8, 11: 10, 12: 255, 13: 11, 24: 255, 36: 255, 32: 29} {
		if slots[spell] != want {
			t.Errorf("spell %d is in slot %d, want %d", spell, slots[spell], want)
		}
	}
	if n := s.count.Value("aura.full"); n != 0 || len(slots) != 32 {
		t.Errorf("%d auras, %d without room", len(slots), n)
	}
	s.applyAura(by, to, 35)
	got := s.run()
	if n := s.count.Value("aura.full"); n != 1 || len(s.list(to)) != 32 || len(got.slots(to)) != 0 || len(got.stats) != 0 {
		t.Errorf("%d auras, %d without room", len(s.list(to)), n)
	}
	same(t, "released", got.releases, []rules.ReleaseCooldown{{Entity: by, Spell: 35}})
}

// Effects that no system executes are counted, once for each that the aura has.
func TestRefusedEffects(t *testing.T) {
	for _, c := range []struct {
		name    string
		effect  defs.Effect
		effects uint32
		want    uint64
	}{
		{"one that is executed", effect(defs.AuraDodge), 1, 0},
		{"one that is refused", effect(defs.AuraStealth), 1, 1},
		{"which the aura has not", effect(defs.AuraStealth), 2, 0},
		{"one that is not known", effect(250), 1, 1},
		{"one of pulses without a time", effect(defs.AuraPeriodicHeal), 1, 1},
	} {
		s := newStage(defs.Spell{ID: 7, Effects: of(c.effect, effect(defs.AuraDodge))})
		to := s.addBeast(2)
		emit(s, rules.ApplyAura{To: to, Spell: 7, Effects: c.effects})
		s.run()
		if n := s.count.Value("aura.refused"); n != c.want {
			t.Errorf("%s: %d are refused, want %d", c.name, n, c.want)
		}
	}
	if _, _, known := Support(250); known {
		t.Error("kind 250 is known")
	}
	if name, refused, known := Support(defs.AuraDodge); name != "dodge" || refused != "" || !known {
		t.Error("dodge is not known")
	}
}

// A player that comes in is sent its auras, learns their states, and they go on: what is left of the duration, and the pulses.
// One whose client is another is sent them again. Those of passive spells, and of spells that there are no more, are left out.
//
// Source: docs/protocol.md 4.7 (0x495); Player::SendInitialPacketsAfterAddToMap, AzerothCore.
func TestJoined(t *testing.T) {
	s := newStage(
		defs.Spell{ID: 1, Flags: defs.SpellPassive, Effects: of(effect(defs.AuraDodge))},
		defs.Spell{ID: 2, Flags: defs.SpellHarmful, DurationMs: 9000, Effects: of(effect(defs.AuraStun), every(3000, defs.AuraPeriodicTrigger))},
		defs.Spell{ID: 3, Effects: of(effect(defs.AuraDodge))},
	)
	e, other := s.addPlayer(2), s.addPlayer(3)
	state := s.unitAuras.Get(e)
	state.Block, state.States = s.slab.Alloc(), components.StateStunned
	auras := s.slab.At(state.Block)
	auras.Count = 3
	auras.List[0] = components.Aura{Spell: 2, CasterGUID: 5, MaxMs: 9000, EndMs: 250, NextMs: [3]uint32{0, 150}, Effects: 3, Slot: 0, Stacks: 1, Level: 4}
	auras.List[1] = components.Aura{Spell: 3, CasterGUID: 2, Effects: 1, Slot: 1, Stacks: 1, Level: 10}
	auras.List[2] = components.Aura{Spell: 1, CasterGUID: 2, Effects: 1, Slot: 255, Stacks: 1}
	emit(s, change.Joined{Entity: e}, change.Joined{Entity: other})
	got := s.run() // at 50 ms
	all := func(left string) []packet {
		return []packet{{op: 0x495, body: "0102" + "00" + "02000000" + "a3" + "04" + "01" + "0105" + "28230000" + left + "01" + "03000000" + "19" + "0a" + "01"}}
	}
	same(t, "packets", got.packets, all("c8000000"))
	if len(got.stats) != 1 || len(got.roots) != 1 || !got.roots[0].On || len(got.flags) != 1 || got.flags[0].Set != components.UnitStunned {
		t.Errorf("%+v", got)
	}
	emit(s, change.Resumed{Entity: e}, change.Resumed{Entity: other})
	got = s.run() // at 100 ms
	same(t, "packets of the other client", got.packets, all("96000000"))
	if got = s.run(); len(got.casts) != 1 || got.casts[0].By != e { // at 150 ms
		t.Errorf("pulses %+v", got.casts)
	}
	s.run()
	got = s.run() // at 250 ms
	same(t, "ended", got.slots(e), []string{"0102" + "00" + "00000000"})
	if !slices.Equal(s.spells(e), []uint32{3, 1}) || state.States != 0 {
		t.Errorf("it has %v, states %b", s.spells(e), state.States)
	}
}
