package aura

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// breakable are auras that one thing each ends, by the ID: 1 damage, 2 moving, 3 a cast, 4 an attack, 5 standing up, 6 nothing,
// 7 a charge of two by a hit, 8 by damage, 9 by an attack, 10 by a cast; 11 a shield, 12 a damage shield.
func breakable() []defs.Spell {
	dodge := of(effect(defs.AuraDodge))
	shield := effect(defs.AuraAbsorb)
	shield.Misc = int32(defs.SchoolAll)
	return []defs.Spell{
		{ID: 1, Breaks: defs.BreakDamage, Effects: dodge}, {ID: 2, Breaks: defs.BreakMove, Effects: dodge},
		{ID: 3, Breaks: defs.BreakCast, Effects: dodge}, {ID: 4, Breaks: defs.BreakAttack, Effects: dodge},
		{ID: 5, Breaks: defs.BreakStand, Effects: dodge}, {ID: 6, Effects: dodge},
		{ID: 7, Charges: 2, Spent: defs.SpentStruck, Effects: dodge}, {ID: 8, Charges: 2, Spent: defs.SpentHurt, Effects: dodge},
		{ID: 9, Charges: 2, Spent: defs.SpentStrike, Effects: dodge}, {ID: 10, Charges: 2, Spent: defs.SpentCast, Effects: dodge},
		{ID: 11, Effects: of(shield)},
		{ID: 12, School: defs.SchoolNature, Effects: of(effect(defs.AuraDamageShield), effect(defs.AuraDodge), effect(defs.AuraDamageShield))},
	}
}

// What ends which auras of a player, and what takes a charge of one: everything that happens to it or that it does.
//
// Source: Unit::RemoveAurasWithInterruptFlags and its callers, Aura::DropCharge, AzerothCore; MOVEMENTFLAG_MASK_MOVING,
// UnitDefines.h, there.
func TestBreaks(t *testing.T) {
	type pair struct{ e, foe ecs.Entity }
	moved := func(flags uint32) func(s *stage, p pair) {
		return func(s *stage, p pair) {
			s.motions.Get(p.e).Flags = flags
			emit(s, change.Sent[msg.Move]{By: p.e})
		}
	}
	hurt := func(d rules.Damage) func(s *stage, p pair) {
		return func(s *stage, p pair) {
			d.By, d.To = p.foe, p.e
			emit(s, d)
		}
	}
	deal := func(d rules.Damage) func(s *stage, p pair) {
		return func(s *stage, p pair) {
			d.By, d.To = p.e, p.foe
			emit(s, d)
		}
	}
	broken := func(why defs.Break) func(s *stage, p pair) {
		return func(s *stage, p pair) { emit(s, rules.AuraBroken{Entity: p.e, Why: why}) }
	}
	swing := rules.Damage{School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage}
	for _, c := range []struct {
		name         string
		does         func(s *stage, p pair)
		ended, spent []uint32
	}{
		{"nothing", func(*stage, pair) {}, nil, nil},
		{"a step forward", moved(0x1), []uint32{2}, nil},
		{"backward", moved(0x2), []uint32{2}, nil},
		{"to the left", moved(0x4), []uint32{2}, nil},
		{"to the right", moved(0x8), []uint32{2}, nil},
		{"a jump", moved(0x1000), []uint32{2}, nil},
		{"a long fall", moved(0x2000), []uint32{2}, nil},
		{"up", moved(0x400000), []uint32{2}, nil},
		{"down", moved(0x800000), []uint32{2}, nil},
		{"a turn, swimming", moved(0x200030), nil, nil},
		{"a fall between others", moved(0x1010), []uint32{2}, nil},
		{"a cast", broken(defs.BreakCast), []uint32{3}, []uint32{10}},
		{"standing up", broken(defs.BreakStand), []uint32{5}, nil},
		{"two of these", broken(defs.BreakStand | defs.BreakCast), []uint32{3, 5}, []uint32{10}},
		{"a swing at it", hurt(swing), []uint32{1}, []uint32{7, 8}},
		{"a spell", hurt(rules.Damage{School: defs.SchoolFire, Amount: 7, Spell: 99}), []uint32{1}, []uint32{8}},
		{"the spell itself", hurt(rules.Damage{School: defs.SchoolFire, Amount: 7, Spell: 1}), nil, []uint32{8}},
		{"a miss", hurt(rules.Damage{School: defs.SchoolPhysical, Kind: rules.WeaponDamage}), nil, nil},
		{"a fall from high", hurt(rules.Damage{Amount: 7, Kind: rules.FallDamage, Quiet: true}), []uint32{1}, []uint32{8}},
		{"its own swing", deal(swing), []uint32{4}, []uint32{9}},
		{"its own miss", deal(rules.Damage{School: defs.SchoolPhysical, Kind: rules.WeaponDamage}), nil, nil},
		{"its own spell", deal(rules.Damage{School: defs.SchoolFire, Amount: 7, Spell: 99}), nil, nil},
	} {
		s := newStage(breakable()[:10]...)
		p := pair{s.addPlayer(2), s.addBeast(5)}
		for id := range uint32(10) {
			s.applyAura(p.e, p.e, id+1)
		}
		s.run()
		s.unsaved.Get(p.e).Lists = 0
		c.does(s, p)
		got := s.run()
		left := map[uint32]uint8{}
		for _, a := range s.list(p.e) {
			left[a.Spell] = a.Charges
		}
		var ended, spent []uint32
		for id := range uint32(10) {
			if charges, ok := left[id+1]; !ok {
				ended = append(ended, id+1)
			} else if id >= 6 && charges == 1 {
				spent = append(spent, id+1)
			}
		}
		same(t, c.name+" ends", ended, c.ended)
		same(t, c.name+" takes charges of", spent, c.spent)
		if n := len(got.slots(p.e)); n != len(ended)+len(spent) {
			t.Errorf("%s: %d slots change", c.name, n)
		}
		if stats := len(got.stats); stats != len(ended) {
			t.Errorf("%s: stats are computed %d times", c.name, stats)
		}
		if len(ended)+len(spent) > 0 != (s.unsaved.Get(p.e).Lists != 0) {
			t.Errorf("%s: to be saved %b", c.name, s.unsaved.Get(p.e).Lists)
		}
	}
}

// Damage that is absorbed breaks nothing, but takes charges; a step of a unit without auras, or of one whose auras do not break,
// does nothing.
func TestAbsorbedDoesNotBreak(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	for _, id := range []uint32{1, 7, 8, 11} {
		s.applyAura(e, e, id, 100)
	}
	s.run()
	emit(s, rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 60, Kind: rules.WeaponDamage})
	got := s.run()
	same(t, "auras", s.spells(e), []uint32{1, 7, 8, 11})
	if list := s.list(e); list[1].Charges != 1 || list[2].Charges != 1 || list[3].Amount[0] != 40 || len(got.stats) != 0 {
		t.Errorf("%+v", list)
	}
	s.unsaved.Get(e).Lists = 0
	emit(s, rules.Damage{By: foe, To: e, School: defs.SchoolFire, Spell: 99, Amount: 10})
	if s.run(); s.unsaved.Get(e).Lists == 0 { // what is left of the shield
		t.Error("it is not to be saved")
	}
	emit(s, rules.Damage{By: foe, To: e, School: defs.SchoolFire, Spell: 99, Amount: 40})
	s.run() // 30 are left: 10 reach it, and the last charge is taken
	same(t, "auras", s.spells(e), []uint32{7})
}

// What a shield absorbs is saved, as its own end is; other damage of a unit whose auras it does not concern changes nothing.
func TestSavedOfShields(t *testing.T) {
	for _, c := range []struct {
		spell uint32
		saved life.Set
	}{{11, life.Auras}, {6, 0}, {12, 0}} {
		s := newStage(breakable()...)
		e := s.addPlayer(2)
		s.applyAura(e, e, c.spell, 100)
		s.run()
		s.unsaved.Get(e).Lists = 0
		emit(s, rules.Damage{To: e, School: defs.SchoolFire, Spell: 99, Amount: 10})
		if got := s.run(); s.unsaved.Get(e).Lists != c.saved || len(got.stats) != 0 {
			t.Errorf("spell %d: to be saved %b, stats %+v", c.spell, s.unsaved.Get(e).Lists, got.stats)
		}
	}
}

// A unit without auras moves, hits and is hit; one whose last aura is broken by a swing has none for what follows from it.
func TestWithoutAuras(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	swing := rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage}
	s.motions.Get(e).Flags = components.MoveForward
	emit(s, change.Sent[msg.Move]{By: e})
	emit(s, swing)
	s.run()
	s.applyAura(e, e, 1)
	s.run()
	emit(s, swing)
	if s.run(); len(s.list(e)) != 0 || s.vitals.Get(e).Health != 986 {
		t.Errorf("it has %v and %d health", s.spells(e), s.vitals.Get(e).Health)
	}
}

// A unit may have as many auras as there is room for: charges are taken, shields answer and auras end as ever. What is not in use
// of the list is zero, since hashes of worlds cover it.
func TestFullList(t *testing.T) {
	var spells []defs.Spell
	for id := uint32(1); id <= life.MaxAuras; id++ {
		sp := defs.Spell{ID: id, Effects: of(effect(defs.AuraDodge))}
		switch id {
		case 1:
			sp.Effects = of(effect(defs.AuraDamageShield))
		case life.MaxAuras:
			sp.Charges, sp.Spent = 2, defs.SpentStruck
		}
		spells = append(spells, sp)
	}
	s := newStage(spells...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	for i := range spells {
		s.applyAura(e, e, spells[i].ID, 9)
	}
	s.run()
	swing := rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage}
	emit(s, swing)
	if s.run(); s.list(e)[life.MaxAuras-1].Charges != 1 || s.vitals.Get(foe).Health != 991 {
		t.Errorf("%+v; the attacker has %d health", s.list(e)[life.MaxAuras-1], s.vitals.Get(foe).Health)
	}
	emit(s, swing)
	emit(s, rules.RemoveAuras{From: e, Spell: 3})
	s.run()
	auras := s.slab.At(s.unitAuras.Get(e).Block)
	if auras.Count != life.MaxAuras-2 || auras.List[life.MaxAuras-2] != (components.Aura{}) || auras.List[life.MaxAuras-1] != (components.Aura{}) {
		t.Errorf("%d auras; %+v", auras.Count, auras.List[life.MaxAuras-2:])
	}
}

// A swing of an attacker that has died in the same tick takes the last of a shield, and deals nothing: the shield ends.
func TestShieldOfTheKiller(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.applyAura(e, e, 11, 10)
	s.run()
	s.vitals.Get(foe).Health = 5
	emit(s, rules.Damage{By: e, To: foe, School: defs.SchoolPhysical, Amount: 100},
		rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 40, Kind: rules.WeaponDamage})
	if s.run(); len(s.list(e)) != 0 || s.vitals.Get(e).Health != 1000 {
		t.Errorf("it has %v and %d health", s.spells(e), s.vitals.Get(e).Health)
	}
}

// The last charge ends an aura; a permanent one without charges has none to lose, and one that has lost them all does not count.
func TestLastCharge(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.applyAura(e, e, 7)
	s.applyAura(e, e, 8)
	s.run()
	hit := rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage}
	emit(s, hit)
	got := s.run()
	same(t, "slots", got.slots(e), []string{"0102" + "01" + "08000000" + "19" + "0a" + "01", "0102" + "00" + "07000000" + "19" + "0a" + "01"})
	s.slab.At(s.unitAuras.Get(e).Block).List[1].Charges = 0 // never had any
	emit(s, hit)
	got = s.run()
	same(t, "auras", s.spells(e), []uint32{8})
	same(t, "slots", got.slots(e), []string{"0102" + "00" + "00000000"})
	if len(got.stats) != 1 {
		t.Errorf("stats %+v", got.stats)
	}
}

// A damage shield deals its damage to who swings at the unit, once for each spell, in that spell's school, and not below 0. A
// spell does not set it off, and neither does a swing of or at the dead.
//
// Source: Unit::DealMeleeDamage, AzerothCore; docs/protocol.md 4.7 (0x250).
func TestDamageShields(t *testing.T) {
	swing := rules.Damage{School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage}
	for _, c := range []struct {
		name    string
		damage  rules.Damage
		effects uint32
		amounts [3]int32
		health  uint32 // of the unit before
		dealt   []uint32
	}{
		{"a swing", swing, 7, [3]int32{9, 0, 30}, 1000, []uint32{9}},
		{"with its third effect alone", swing, 6, [3]int32{9, 0, 30}, 1000, []uint32{30}},
		{"with another effect alone", swing, 2, [3]int32{9, 0, 30}, 1000, nil},
		{"less than none", swing, 7, [3]int32{-9, 0, 30}, 1000, []uint32{0}},
		{"a spell", rules.Damage{School: defs.SchoolFire, Spell: 99, Amount: 7}, 7, [3]int32{9}, 1000, nil},
		{"a deadly swing", swing, 7, [3]int32{9}, 7, nil},
	} {
		s := newStage(breakable()...)
		e, foe := s.addPlayer(2), s.addBeast(5)
		s.applyAura(e, e, 6)
		emit(s, rules.ApplyAura{By: e, To: e, Spell: 12, Effects: c.effects, Amount: c.amounts})
		s.run()
		s.vitals.Get(e).Health = c.health
		c.damage.By, c.damage.To = foe, e
		emit(s, c.damage)
		got := s.run()
		var dealt []uint32
		for _, d := range got.dealt {
			if d.To == foe {
				dealt = append(dealt, d.Dealt)
				d.Damage.Amount = 0
				if want := (rules.Damage{By: e, To: foe, Caster: 2, Spell: 12, School: defs.SchoolNature, Kind: rules.ShieldDamage}); d.Damage != want {
					t.Errorf("%s: %+v, want %+v", c.name, d.Damage, want)
				}
			}
		}
		same(t, c.name, dealt, c.dealt)
	}
}

// A damage shield whose unit is killed by another hit of the same tick is silent, and so is one against a dead attacker.
func TestShieldsOfTheDead(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.applyAura(e, e, 12, 9)
	s.run()
	emit(s, rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage},
		rules.Damage{By: e, To: foe, School: defs.SchoolFire, Spell: 99, Amount: 1e6})
	if got := s.run(); len(got.dealt) != 2 {
		t.Errorf("%+v", got.dealt)
	}
}

// Two damage shields of a unit each deal their damage.
func TestTwoDamageShields(t *testing.T) {
	spells := breakable()
	spells = append(spells, spells[11])
	spells[12].ID, spells[12].School = 13, defs.SchoolFire
	s := newStage(spells...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.applyAura(e, e, 12, 9)
	s.applyAura(e, e, 13, 4)
	s.run()
	emit(s, rules.Damage{By: foe, To: e, School: defs.SchoolPhysical, Amount: 7, Kind: rules.WeaponDamage})
	s.run()
	if health := s.vitals.Get(foe).Health; health != 987 {
		t.Errorf("the attacker has %d health, want 987", health)
	}
}

// A client gives up a good aura of its own by a click, of any caster's.
//
// Source: WorldSession::HandleCancelAuraOpcode, AzerothCore.
func TestCancelled(t *testing.T) {
	s := newStage(breakable()...)
	e, other := s.addPlayer(2), s.addPlayer(3)
	s.applyAura(e, e, 6)
	s.applyAura(e, e, 1)
	s.applyAura(other, other, 6)
	s.run()
	emit(s, change.Sent[msg.CancelAura]{By: e, Msg: msg.CancelAura{Spell: 6}})
	got := s.run()
	same(t, "slots", got.slots(e), []string{"0102" + "00" + "00000000"})
	same(t, "auras", s.spells(e), []uint32{1})
	same(t, "auras of the other", s.spells(other), []uint32{6})
	emit(s, change.Sent[msg.CancelAura]{By: e, Msg: msg.CancelAura{Spell: 6}})
	if got = s.run(); len(got.packets) != 0 {
		t.Errorf("%+v", got.packets)
	}
}

// Death ends the auras of a creature, and of a player all but those that outlive it, and interrupts a cast. A unit that lives
// again by then keeps them.
//
// Source: Unit::RemoveAllAurasOnDeath, AzerothCore.
func TestDeath(t *testing.T) {
	dodge := of(effect(defs.AuraDodge))
	for _, c := range []struct {
		name           string
		player, alive  bool
		left           []uint32
		slots, stopped int
	}{
		{"a creature", false, false, nil, 2, 1},
		{"a player", true, false, []uint32{2, 3}, 1, 1},
		{"one that lives again", true, true, []uint32{1, 2, 3}, 0, 0},
	} {
		s := newStage(defs.Spell{ID: 1, Effects: dodge}, defs.Spell{ID: 2, Flags: defs.SpellOutlivesDeath, Effects: dodge},
			defs.Spell{ID: 3, Flags: defs.SpellPassive, Effects: dodge})
		e := s.addBeast(2)
		if c.player {
			e = s.addPlayer(3)
		}
		for id := range uint32(3) {
			s.applyAura(e, e, id+1)
		}
		s.run()
		if c.alive {
			emit(s, rules.Death{Entity: e})
		} else {
			emit(s, rules.Kill{Entity: e})
		}
		got := s.run()
		same(t, c.name, s.spells(e), c.left)
		if len(got.slots(e)) != c.slots || len(got.interrupts) != c.stopped {
			t.Errorf("%s: %d slots, %+v", c.name, len(got.slots(e)), got.interrupts)
		}
		for _, i := range got.interrupts {
			if i != (rules.InterruptCast{Entity: e}) {
				t.Errorf("%s: %+v", c.name, i)
			}
		}
	}
}

// The auras of a creature that leaves the world go without a word; those of a player are saved with its character first.
func TestGone(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, DurationMs: 500, Effects: of(effect(defs.AuraStun))})
	beast, player := s.addBeast(2), s.addPlayer(3)
	s.applyAura(beast, beast, 1)
	s.applyAura(player, player, 1)
	s.run()
	emit(s, rules.Gone{Entity: beast}, rules.Gone{Entity: player})
	if got := s.run(); len(got.packets)+len(got.stats)+len(got.roots) != 0 || s.unitAuras.Get(beast).Block != 0 || s.slab.InUse() != 1 {
		t.Errorf("%+v; %d blocks are in use", got, s.slab.InUse())
	}
	if s.unitAuras.Get(player).Block == 0 {
		t.Error("the player has lost its auras")
	}
	s.runFor(600)
	if s.slab.InUse() != 0 {
		t.Errorf("%d blocks are in use", s.slab.InUse())
	}
}

// A cooldown that waits for an aura begins when the unit that has it leaves the world, or has left it before it could get it: else
// its caster could never cast that spell again. That of a player's own aura is saved with it, and waits on.
func TestReleasedByLeaving(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, Flags: defs.SpellWaitsForAura, Effects: of(effect(defs.AuraDodge))})
	by, beast, player := s.addPlayer(5), s.addBeast(2), s.addPlayer(3)
	leave := func(e ecs.Entity) []rules.ReleaseCooldown {
		emit(s, rules.Gone{Entity: e})
		return s.run().releases
	}
	want := []rules.ReleaseCooldown{{Entity: by, Spell: 1}}
	s.applyAura(by, beast, 1)
	s.run()
	same(t, "a creature leaves", leave(beast), want)
	s.applyAura(by, player, 1)
	s.run()
	same(t, "a player leaves", leave(player), want)
	same(t, "auras of the player", s.spells(player), []uint32{1})
	s.applyAura(by, by, 1)
	s.run()
	same(t, "the caster leaves", leave(by), nil)
	s.applyAura(by, beast, 1)
	s.Despawn(beast)
	s.EndStage()
	same(t, "a creature has left", s.run().releases, want)
}

// What concerns units that are gone is ignored.
func TestEventsOfTheGone(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addBeast(2), s.addBeast(5)
	s.applyAura(e, e, 1)
	s.applyAura(foe, foe, 4)
	s.applyAura(foe, foe, 7)
	s.run()
	s.Despawn(e)
	s.EndStage()
	emit(s, rules.Death{Entity: e})
	emit(s, rules.Gone{Entity: e})
	emit(s, rules.AuraBroken{Entity: e, Why: defs.BreakStand})
	emit(s, rules.DamageAbsorbed{Entity: e})
	emit(s, rules.RemoveAuras{From: e})
	emit(s, rules.DamageDealt{Damage: rules.Damage{By: e, To: foe, Kind: rules.SilentDamage}, DamageResult: rules.DamageResult{Dealt: 1}})
	emit(s, rules.DamageDealt{Damage: rules.Damage{By: foe, To: e, Kind: rules.SilentDamage}, DamageResult: rules.DamageResult{Dealt: 1}})
	got := s.run()
	if len(got.interrupts)+len(got.flags) != 0 {
		t.Errorf("%+v", got)
	}
	if list := s.list(foe); len(list) != 1 || list[0].Spell != 7 || list[0].Charges != 1 {
		t.Errorf("%+v", list)
	}
}

// Which auras a request removes: of a spell, of a caster, of a dispel type, at most so many; a dispel takes stacks, highest slots
// first.
//
// Source: Unit::RemoveAurasDueToSpellByDispel, AzerothCore.
func TestRemoved(t *testing.T) {
	dodge := of(effect(defs.AuraDodge))
	type has struct {
		spell  uint32
		by     uint64
		stacks uint8
	}
	all := []has{{1, 5, 1}, {2, 5, 3}, {3, 6, 1}, {4, 6, 1}, {5, 5, 2}}
	for _, c := range []struct {
		name    string
		request rules.RemoveAuras
		by      uint64
		want    []has
	}{
		{"all", rules.RemoveAuras{}, 0, nil},
		{"a spell", rules.RemoveAuras{Spell: 3}, 0, []has{{1, 5, 1}, {2, 5, 3}, {4, 6, 1}, {5, 5, 2}}},
		{"a spell that it has not", rules.RemoveAuras{Spell: 9}, 0, all},
		{"a caster's", rules.RemoveAuras{}, 6, []has{{1, 5, 1}, {2, 5, 3}, {5, 5, 2}}},
		{"a spell of another caster", rules.RemoveAuras{Spell: 3}, 5, all},
		{"a spell of its caster", rules.RemoveAuras{Spell: 3}, 6, []has{{1, 5, 1}, {2, 5, 3}, {4, 6, 1}, {5, 5, 2}}},
		{"two", rules.RemoveAuras{Most: 2}, 0, []has{{1, 5, 1}, {2, 5, 3}, {3, 6, 1}}},
		{"magic", rules.RemoveAuras{Dispel: defs.DispelMagic}, 0, []has{{3, 6, 1}, {4, 6, 1}, {5, 5, 2}}},
		{"harmful magic", rules.RemoveAuras{Dispel: defs.DispelMagic, Bad: true}, 0, []has{{1, 5, 1}, {2, 5, 3}, {3, 6, 1}, {5, 5, 2}}},
		{"one of magic", rules.RemoveAuras{Dispel: defs.DispelMagic, Most: 1}, 0, []has{{1, 5, 1}, {2, 5, 2}, {3, 6, 1}, {4, 6, 1}, {5, 5, 2}}},
		{"two of magic", rules.RemoveAuras{Dispel: defs.DispelMagic, Most: 2}, 0, []has{{1, 5, 1}, {2, 5, 1}, {3, 6, 1}, {4, 6, 1}, {5, 5, 2}}},
		{"three of magic", rules.RemoveAuras{Dispel: defs.DispelMagic, Most: 3}, 0, []has{{1, 5, 1}, {3, 6, 1}, {4, 6, 1}, {5, 5, 2}}},
		{"four of magic", rules.RemoveAuras{Dispel: defs.DispelMagic, Most: 4}, 0, []has{{3, 6, 1}, {4, 6, 1}, {5, 5, 2}}},
		{"a disease", rules.RemoveAuras{Dispel: defs.DispelDisease}, 0, []has{{1, 5, 1}, {2, 5, 3}, {3, 6, 1}, {4, 6, 1}}},
	} {
		s := newStage(
			defs.Spell{ID: 1, Dispel: defs.DispelMagic, Effects: dodge}, defs.Spell{ID: 2, Dispel: defs.DispelMagic, Stacks: 3, Effects: dodge},
			defs.Spell{ID: 3, Dispel: defs.DispelCurse, Effects: dodge}, defs.Spell{ID: 4, Dispel: defs.DispelMagic, Flags: defs.SpellHarmful, Effects: dodge},
			defs.Spell{ID: 5, Dispel: defs.DispelDisease, Stacks: 2, Effects: dodge},
		)
		e := s.addPlayer(2)
		by := map[uint64]ecs.Entity{0: {}, 5: s.addBeast(5), 6: s.addBeast(6)}
		for _, a := range all {
			for range a.stacks {
				s.applyAura(by[a.by], e, a.spell)
			}
		}
		s.run()
		s.unsaved.Get(e).Lists = 0
		c.request.From, c.request.By = e, by[c.by]
		emit(s, c.request)
		result := s.run()
		var got []has
		stacks := 0
		for _, a := range s.list(e) {
			got = append(got, has{a.Spell, a.CasterGUID, a.Stacks})
			stacks += int(a.Stacks)
		}
		same(t, c.name, got, c.want)
		changed := stacks != 8
		if len(result.slots(e)) > 0 != changed || len(result.stats) > 0 != changed || (s.unsaved.Get(e).Lists != 0) != changed {
			t.Errorf("%s: slots %v, stats %+v", c.name, result.slots(e), result.stats)
		}
		if c.name == "one of magic" {
			same(t, "one of magic", result.slots(e), []string{"0102" + "01" + "02000000" + "11" + "0a" + "02" + "0105"})
		}
	}
}

// An aura without a stack counts as one to a dispel.
func TestDispelOfNoStack(t *testing.T) {
	s := newStage(defs.Spell{ID: 1, Dispel: defs.DispelMagic, Effects: of(effect(defs.AuraDodge))},
		defs.Spell{ID: 2, Dispel: defs.DispelMagic, Effects: of(effect(defs.AuraDodge))})
	e := s.addPlayer(2)
	s.applyAura(e, e, 1)
	s.applyAura(e, e, 2)
	s.run()
	auras := s.slab.At(s.unitAuras.Get(e).Block)
	auras.List[0].Stacks, auras.List[1].Stacks = 0, 0
	emit(s, rules.RemoveAuras{From: e, Dispel: defs.DispelMagic, Most: 1})
	s.run()
	same(t, "auras", s.spells(e), []uint32{1})
}

// The auras that a unit gets in a tick in which others of it end are not ended by what ended those.
func TestAppliedAfterEnds(t *testing.T) {
	s := newStage(breakable()...)
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.applyAura(foe, e, 1)
	emit(s, rules.Damage{By: foe, To: e, School: defs.SchoolFire, Spell: 1, Amount: 7})
	emit(s, rules.RemoveAuras{From: e, Spell: 1})
	s.run()
	same(t, "auras", s.spells(e), []uint32{1})
	if a := s.list(e)[0]; a != (components.Aura{CasterGUID: 5, Caster: foe, Spell: 1, Timer: a.Timer, EndMs: a.EndMs, Effects: 1, Stacks: 1, Level: 10}) {
		t.Errorf("%+v", a)
	}
}
