package spell

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/goods"
	"muster/systems/rules"
)

// For how long a cast keeps its caster from the next one. The global cooldown begins with the cast and not with its end.
//
// Source: Spell::TriggerGlobalCooldown and Player::AddSpellAndCategoryCooldowns, AzerothCore.
func TestCooldowns(t *testing.T) {
	const first, second = 5, 6
	plain := func(*defs.Spell) {}
	global := func(sp *defs.Spell) { sp.GlobalMs = 1500 }
	for _, c := range []struct {
		name     string
		a, b     func(sp *defs.Spell)
		next     uint32 // the second spell that is cast
		notUntil uint32 // ms after the first; 0 at once
		cheats   uint16
	}{
		{"none", plain, plain, first, 0, 0},
		{"the global one", global, global, second, 1500, 0},
		{"the global one, and a spell without", global, plain, second, 0, 0},
		{"no global one, and a spell with", plain, global, second, 0, 0},
		{"the global one of a cast that takes time", func(sp *defs.Spell) { sp.GlobalMs, sp.CastMs = 1500, 500 }, global, second, 1500, 0},
		{"with a cheat", func(sp *defs.Spell) { sp.GlobalMs, sp.CooldownMs, sp.Category, sp.CategoryMs = 1500, 5000, 1, 5000 }, global, first, 0,
			components.CheatNoCooldown},
		{"the spell's own", func(sp *defs.Spell) { sp.CooldownMs = 4000 }, plain, first, 4000, 0},
		{"another spell's own", func(sp *defs.Spell) { sp.CooldownMs = 4000 }, plain, second, 0, 0},
		{"its category's", func(sp *defs.Spell) { sp.Category, sp.CategoryMs = 3, 2000 }, func(sp *defs.Spell) { sp.Category = 3 }, second, 2000, 0},
		{"another category's", func(sp *defs.Spell) { sp.Category, sp.CategoryMs = 3, 2000 }, func(sp *defs.Spell) { sp.Category = 4 }, second, 0, 0},
		{"that of no category", func(sp *defs.Spell) { sp.CategoryMs = 2000 }, plain, second, 0, 0},
		{"a category without one", func(sp *defs.Spell) { sp.Category = 3 }, func(sp *defs.Spell) { sp.Category = 3 }, second, 0, 0},
		{"its own and its category's", func(sp *defs.Spell) { sp.CooldownMs, sp.Category, sp.CategoryMs = 3000, 3, 2000 },
			func(sp *defs.Spell) { sp.Category = 3 }, second, 2000, 0},
		{"its category's, and its own after that", func(sp *defs.Spell) { sp.CooldownMs, sp.Category, sp.CategoryMs = 3000, 3, 2000 },
			func(sp *defs.Spell) { sp.Category = 3 }, first, 3000, 0},
	} {
		s := newStage(t, with(bolt(first), c.a), with(bolt(second), c.b))
		s.cheats.Get(s.mage).Set = c.cheats
		if why := s.why(s.mage, s.beast, first); why != castOK {
			t.Fatalf("%s: the first: %d", c.name, why)
		}
		if c.notUntil > 0 {
			s.runFor(c.notUntil - 100)
			if why := s.why(s.mage, s.beast, c.next); why != msg.CastNotReady {
				t.Errorf("%s: %d, 50 ms before it is over", c.name, why)
			}
		}
		if why := s.why(s.mage, s.beast, c.next); why != castOK {
			t.Errorf("%s: %d, after %d ms", c.name, why, c.notUntil)
		}
	}
}

// A cooldown begins when a cast is done, is saved, and is the player's alone; a creature has none.
func TestCooldownBegins(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs, sp.CooldownMs, sp.Category, sp.CategoryMs = 1000, 8000, 3, 9000 }))
	s.cast(s.mage, s.beast, 5)
	if c := s.cooldowns.Get(s.mage); c.Waiting != 0 || s.unsaved.Get(s.mage).Lists != 0 {
		t.Errorf("while it is cast: %+v", c.List[:c.Waiting])
	}
	s.runFor(1000)
	want := []components.Cooldown{{Spell: 5, UntilMs: 109_000}, {Category: 3, UntilMs: 110_000}}
	c := s.cooldowns.Get(s.mage)
	same(s, "waits", c.List[:c.Waiting], want...)
	if s.unsaved.Get(s.mage).Lists != life.Cooldowns {
		t.Error("they are not saved")
	}
	if a := s.why(s.beast, s.mage, 5); a != castOK {
		t.Error(a)
	}
	s.runFor(1000)
	if b := s.why(s.beast, s.mage, 5); b != castOK {
		t.Errorf("a creature waits: %d", b)
	}
	s.cast(s.friend, s.beast, 5)
	s.runFor(1000)
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Triggered: true, Ticket: 1})
	s.run()
	same(s, "a triggered spell waits for none", asked[rules.CastResult](s), rules.CastResult{Ticket: 1, Begun: true})
	same(s, "and begins none", c.List[:c.Waiting], want...)
}

// There is room for 64 cooldowns; the one that ends first makes room for another, and is counted.
func TestCooldownsFull(t *testing.T) {
	var all []defs.Spell
	for i := range uint32(life.MaxCooldowns + 1) {
		all = append(all, with(bolt(10+i), func(sp *defs.Spell) { sp.CooldownMs = 1_000_000 + 1000*i }))
	}
	s := newStage(t, all...)
	for i := range all[:life.MaxCooldowns] {
		s.cast(s.mage, s.beast, all[i].ID)
	}
	s.wantCount("spell.cooldowns_full", 0)
	s.cast(s.mage, s.beast, all[life.MaxCooldowns].ID)
	s.wantCount("spell.cooldowns_full", 1)
}

// A cooldown that waits for the spell's aura to end keeps it from being cast, begins when that is asked for, and at once if
// the cast hits no unit.
//
// Source: Spell::handle_immediate and Player::SendCooldownEvent, AzerothCore; docs/protocol.md 4.7 for COOLDOWN_EVENT.
func TestHeldCooldown(t *testing.T) {
	hide := with(mend(5), func(sp *defs.Spell) { sp.Flags, sp.CooldownMs = sp.Flags|defs.SpellWaitsForAura, 2000 })
	s := newStage(t, hide)
	s.cast(s.mage, s.mage, 5)
	same(s, "held", s.cooldowns.Get(s.mage).List[:1], components.Cooldown{Spell: 5, UntilMs: 102_000, Held: 1})
	s.runFor(10_000)
	if why := s.why(s.mage, s.mage, 5); why != msg.CastNotReady {
		t.Errorf("while it has not begun: %d", why)
	}
	s.unsaved.Get(s.mage).Lists = 0
	gone := s.addPlayer(9, 0, 0)
	s.run()
	s.remove(gone)
	give(s, rules.ReleaseCooldown{Entity: s.beast, Spell: 5}, rules.ReleaseCooldown{Entity: gone, Spell: 5}, rules.ReleaseCooldown{Entity: s.friend, Spell: 5},
		rules.ReleaseCooldown{Entity: s.mage, Spell: 5})
	now := s.tick.NowMs
	s.run()
	same(s, "begins", s.cooldowns.Get(s.mage).List[:1], components.Cooldown{Spell: 5, UntilMs: now + 2000})
	same(s, "sent", s.ops(), uint16(0x135))
	s.wantPacket("begins", 0x135, ecs.Entity{}, u32(5), u64(1))
	same(s, "at once", s.flushed, 1)
	if s.unsaved.Get(s.mage).Lists != life.Cooldowns || s.unsaved.Get(s.friend).Lists != 0 {
		t.Error("it is not saved")
	}

	hit := with(bolt(6), func(sp *defs.Spell) { sp.Flags, sp.CooldownMs = sp.Flags|defs.SpellWaitsForAura, 2000 })
	s = newStage(t, hit)
	s.cast(s.mage, s.beast, 6)
	same(s, "of a hit", s.cooldowns.Get(s.mage).List[:1], components.Cooldown{Spell: 6, UntilMs: 102_000, Held: 1})
	s = newStage(t, hit)
	s.threats.Get(s.beast).Evading = 1
	s.cast(s.mage, s.beast, 6)
	same(s, "of a miss", s.cooldowns.Get(s.mage).List[:1], components.Cooldown{Spell: 6, UntilMs: 102_000})
	s.threats.Get(s.mage).Evading = 1
	s.cast(s.beast, s.mage, 6) // without cooldowns
	s.threats.Get(s.beast).Evading = 0
	s = newStage(t, hit)
	s.cast(s.mage, s.beast, 6)
	s.threats.Get(s.beast).Evading = 1
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 6, Triggered: true})
	s.run()
	same(s, "of a miss of a triggered one", s.cooldowns.Get(s.mage).List[:1], components.Cooldown{Spell: 6, UntilMs: 102_000, Held: 1})
}

// Cooldowns that are ended, all or one; the client is told of those of spells, and of no other player's.
//
// Source: Player::RemoveSpellCooldown and SendClearCooldown, AzerothCore; docs/protocol.md 4.7 for CLEAR_COOLDOWN.
func TestClearedCooldowns(t *testing.T) {
	list := []components.Cooldown{{Spell: 5, UntilMs: 200_000}, {Category: 3, UntilMs: 200_000}, {Spell: 6, UntilMs: 200_000}}
	for _, c := range []struct {
		spell uint32
		told  []uint32
		left  []components.Cooldown
	}{
		{0, []uint32{5, 6}, nil},
		{6, []uint32{6}, list[:2]},
		{5, []uint32{5}, list[1:]},
		{7, nil, list},
	} {
		s := newStage(t, bolt(5), bolt(6))
		have := s.cooldowns.Get(s.mage)
		have.Waiting = uint32(copy(have.List[:], list))
		other := s.cooldowns.Get(s.friend)
		other.Waiting = uint32(copy(other.List[:], list))
		gone := s.addPlayer(9, 0, 0)
		s.remove(gone)
		give(s, rules.ClearCooldowns{Entity: gone}, rules.ClearCooldowns{Entity: s.beast}, rules.ClearCooldowns{Entity: s.mage, Spell: c.spell})
		s.run()
		same(s, "left", have.List[:have.Waiting], c.left...)
		for _, empty := range have.List[have.Waiting:] {
			if empty != (components.Cooldown{}) {
				t.Errorf("%d: %+v behind the end", c.spell, empty)
			}
		}
		if len(s.packets) != len(c.told) || other.Waiting != 3 {
			t.Errorf("%d: sent %+v; another has %d", c.spell, s.packets, other.Waiting)
		}
		for _, id := range c.told {
			s.wantPacket("cleared", 0x1DE, ecs.Entity{}, u32(id), u64(1))
		}
		if s.unsaved.Get(s.mage).Lists != life.Cooldowns {
			t.Error("it is not saved")
		}
	}
}

// What a spell costs, 85 being that the caster has too little.
//
// Source: SpellInfo::CalcPowerCost, AzerothCore (percents are of a player's base mana, and of the maximum of other powers).
func TestCosts(t *testing.T) {
	for _, c := range []struct {
		name    string
		cost    uint32
		percent uint32
		power   uint8
		has     uint32
		beast   bool
		cheats  uint16
		item    uint32
		paid    int32
		why     msg.CastResult
	}{
		{"nothing", 0, 0, 0, 0, false, 0, 0, 0, castOK},
		{"as much as there is", 30, 0, 0, 30, false, 0, 0, 30, castOK},
		{"a point more", 30, 0, 0, 29, false, 0, 0, 0, msg.CastNoPower},
		{"5 % of 200 base mana, and 7", 7, 5, 0, 100, false, 0, 0, 17, castOK},
		{"5 % of 200 base mana, and 7, of 16", 7, 5, 0, 16, false, 0, 0, 0, msg.CastNoPower},
		{"5 % of 1,000 of a creature, and 7", 7, 5, 0, 100, true, 0, 0, 57, castOK},
		{"5 % of a maximum of 120 energy", 0, 5, 3, 10, false, 0, 0, 6, castOK},
		{"a creature's without this power", 40, 0, 2, 0, true, 0, 0, 0, castOK},
		{"a player's without this power", 40, 0, 2, 0, false, 0, 0, 0, msg.CastNoPower},
		{"a power from beyond the seven", 40, 0, 7, 40, false, 0, 0, 40, castOK},
		{"with a cheat", 40, 0, 0, 0, false, components.CheatNoCost, 0, 0, castOK},
		{"with an item", 40, 0, 0, 0, false, 0, 8, 0, castOK},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.Cost, sp.CostPercent, sp.Power = c.cost, c.percent, c.power }))
		by, at := s.mage, s.beast
		if c.beast {
			by, at = at, by
		} else {
			s.cheats.Get(by).Set = c.cheats
			s.bags.Get(by).Items[30] = components.Item{Counter: 8, Entry: 1, Count: 1}
		}
		s.vitals.Get(by).MaxPower[3], s.vitals.Get(by).Power[c.power%7] = 120, c.has
		give(s, rules.Cast{By: by, Target: at, Spell: 5, Item: c.item, Ticket: 1})
		s.run()
		want := rules.CastResult{Ticket: 1, Begun: c.why == castOK}
		if !want.Begun {
			want.Why = c.why
		}
		same(s, c.name, asked[rules.CastResult](s), want)
		var paid []rules.PowerChange
		if c.paid > 0 {
			paid = append(paid, rules.PowerChange{To: by, Power: c.power % 7, Delta: -c.paid, Kind: rules.NoReport, Cost: true})
		}
		same(s, c.name, asked[rules.PowerChange](s), paid...)
	}
}

// What is cast after another spell in a tick does without the power that this one costs, although that is taken at the end of
// the stage. Other powers are other powers, and the next tick begins anew.
func TestReservedPower(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.Cost = 400 }), with(bolt(6), func(sp *defs.Spell) { sp.Cost, sp.Power = 70, 3 }))
	v := s.vitals.Get(s.mage)
	v.Power[3], v.MaxPower[3] = 100, 100
	all := func(ids ...uint32) (why []msg.CastResult) {
		for i, id := range ids {
			give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: id, Ticket: uint32(i) + 1})
		}
		s.run()
		for _, r := range asked[rules.CastResult](s) {
			why = append(why, r.Why)
		}
		return why
	}
	same(s, "three of 400 of 1,000", all(5, 5, 5), 0, 0, msg.CastNoPower)
	var left []uint32
	for _, body := range s.bodies(msg.OpSpellGo) {
		var m msg.SpellGo
		if err := msg.Decode(12340, body, &m); err != nil {
			t.Fatal(err)
		}
		left = append(left, m.Power)
	}
	same(s, "what clients are told is left", left, 600, 200)
	same(s, "in the next tick, nothing having been taken", all(5, 5, 5), 0, 0, msg.CastNoPower)
	same(s, "of two powers", all(5, 6, 5), 0, 0, 0)
	same(s, "of another power", all(6, 6), 0, msg.CastNoPower)
	same(s, "of another power, and then of the first", all(6, 5, 5, 5), 0, 0, 0, msg.CastNoPower)
}

// What is told of several reasons at once.
//
// Source: Spell::CheckCast, AzerothCore: the dead first, then an item that is gone, what is not ready, a cast in progress, the
// caster's and the target's state, and power at last.
func TestOrderOfReasons(t *testing.T) {
	const (
		noItem = 1 << iota
		cool
		busy
		stunned
		noPower
		dead
	)
	for _, c := range []struct {
		name  string
		has   int
		why   msg.CastResult
		limit bool
	}{
		{"nothing", 0, castOK, false},
		{"all but death", noItem | cool | busy | stunned | noPower, msg.CastItemGone, false},
		{"all", noItem | cool | busy | stunned | noPower | dead, msg.CastCasterDead, false},
		{"from the cooldown on", cool | busy | stunned | noPower, msg.CastNotReady, false},
		{"from the cast in progress on", busy | stunned | noPower, msg.CastInProgress, false},
		{"from the stun on", stunned | noPower, msg.CastStunned, false},
		{"power", noPower, msg.CastNoPower, false},
		{"a cast in progress", busy, msg.CastInProgress, false},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.Cost = 10 }), with(bolt(6), func(sp *defs.Spell) { sp.CastMs = 5000 }))
		if c.has&busy != 0 {
			s.cast(s.mage, s.beast, 6)
		}
		ask := rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Ticket: 1}
		if c.has&noItem != 0 {
			ask.Item = 8
		}
		if c.has&cool != 0 {
			s.cooldowns.Get(s.mage).Wait(components.Cooldown{Spell: 5, UntilMs: 300_000}, s.tick.NowMs)
		}
		if c.has&stunned != 0 {
			s.auras.Get(s.mage).States = components.StateStunned
		}
		if c.has&noPower != 0 {
			s.vitals.Get(s.mage).Power[0] = 9
		}
		if c.has&dead != 0 {
			s.kill(s.mage)
		}
		give(s, ask)
		s.run()
		want := rules.CastResult{Ticket: 1, Why: c.why}
		if c.why == castOK {
			want = rules.CastResult{Ticket: 1, Begun: true}
		}
		same(s, c.name, asked[rules.CastResult](s), want)
	}
}

// A unit begins one cast or channel at a time, also within a tick: 105 is that another is in progress.
func TestOneAtATime(t *testing.T) {
	s := newStage(t, bolt(5), with(bolt(6), func(sp *defs.Spell) { sp.CastMs = 1000 }),
		with(bolt(7), func(sp *defs.Spell) { sp.Flags, sp.DurationMs = sp.Flags|defs.SpellChannelled, 1000 }))
	for _, c := range []struct {
		name   string
		ids    [2]uint32
		second msg.CastResult
	}{
		{"two at once", [2]uint32{5, 5}, 0},
		{"one that takes time after one at once", [2]uint32{5, 6}, 0},
		{"one at once after one that takes time", [2]uint32{6, 5}, msg.CastInProgress},
		{"one at once after a channel", [2]uint32{7, 5}, msg.CastInProgress},
	} {
		for i, id := range c.ids {
			give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: id, Ticket: uint32(i) + 1})
		}
		s.run()
		if got := asked[rules.CastResult](s); len(got) != 2 || got[0].Why != 0 || got[1].Why != c.second {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.second == 0 && c.ids[1] == 5 {
			continue
		}
		if why := s.why(s.mage, s.beast, 5); why != msg.CastInProgress {
			t.Errorf("%s, and then: %d", c.name, why)
		}
		s.runFor(1000)
		if why := s.why(s.mage, s.beast, 5); why != castOK {
			t.Errorf("%s, and after it: %d", c.name, why)
		}
	}
}

// A cast that fails at its end costs nothing, begins no cooldown, and gives the global one back.
//
// Source: Spell::cancel, AzerothCore.
func TestFailedCastCostsNothing(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs, sp.GlobalMs, sp.CooldownMs, sp.Cost = 500, 1500, 9000, 20 }))
	s.cast(s.mage, s.beast, 5)
	if until := s.limits.Get(s.mage).GlobalUntilMs; until != 101_500 {
		t.Errorf("global cooldown until %d", until)
	}
	s.kill(s.beast)
	s.runFor(500)
	s.wantPacket("the target is dead", 0x130, ecs.Entity{}, []byte{0}, u32(5), []byte{109})
	s.wantPacket("the target is dead", 0x133, s.mage, pguid(1), []byte{0}, u32(5), []byte{109})
	s.wantPacket("the target is dead", 0x2A6, s.mage, pguid(1), []byte{0}, u32(5), []byte{109})
	same(s, "paid", asked[rules.PowerChange](s))
	if l, c := s.limits.Get(s.mage), s.cooldowns.Get(s.mage); l.GlobalUntilMs != 0 || c.Waiting != 0 {
		t.Errorf("global cooldown until %d, %+v", l.GlobalUntilMs, c.List[:c.Waiting])
	}
	s.wantCount("spell.interrupted", 1)
	s.wantCount("spell.refused", 0)
}

// The item whose spell it is is used up once the cast is done, and one item casts once; 43 is that it is gone.
func TestItemIsUsed(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs = 500 }), bolt(6))
	s.bags.Get(s.mage).Items[30] = components.Item{Counter: 8, Entry: 1, Count: 1}
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Item: 8})
	s.run()
	same(s, "at first", asked[goods.UseItem](s))
	s.runFor(500)
	same(s, "at last", asked[goods.UseItem](s), goods.UseItem{Entity: s.mage, Counter: 8})
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 6, Item: 8, Ticket: 1}, rules.Cast{By: s.mage, Target: s.beast, Spell: 6, Item: 8, Ticket: 2},
		rules.Cast{By: s.mage, Target: s.beast, Spell: 6, Ticket: 3})
	s.run()
	same(s, "twice in a tick", asked[rules.CastResult](s), rules.CastResult{Ticket: 1, Begun: true}, rules.CastResult{Ticket: 2, Why: msg.CastItemGone},
		rules.CastResult{Ticket: 3, Begun: true})
	same(s, "used", asked[goods.UseItem](s), goods.UseItem{Entity: s.mage, Counter: 8})
	s.wantPacket("the second", 0x130, ecs.Entity{}, []byte{0}, u32(6), []byte{43})
	s.bags.Get(s.mage).Items[30] = components.Item{}
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 6, Item: 8, Triggered: true, Ticket: 1})
	s.run()
	same(s, "triggered, without it", asked[rules.CastResult](s), rules.CastResult{Ticket: 1, Why: msg.CastItemGone})
}

// A spell without a cooldown begins none, and leaves the global one as it is.
func TestNoCooldown(t *testing.T) {
	s := newStage(t, bolt(5), with(bolt(6), func(sp *defs.Spell) { sp.Category = 3 }), with(bolt(7), func(sp *defs.Spell) { sp.CategoryMs = 2000 }),
		with(bolt(8), func(sp *defs.Spell) { sp.GlobalMs = 1500 }))
	s.cast(s.mage, s.beast, 8)
	for _, id := range []uint32{5, 6, 7} {
		if why := s.why(s.mage, s.beast, id); why != castOK {
			t.Errorf("%d: %d", id, why)
		}
	}
	if c := s.cooldowns.Get(s.mage); c.Waiting != 0 || s.unsaved.Get(s.mage).Lists != 0 || s.limits.Get(s.mage).GlobalUntilMs != 101_500 {
		t.Errorf("%+v, global until %d", c.List[:c.Waiting], s.limits.Get(s.mage).GlobalUntilMs)
	}
}

// The global cooldown of a caster that is slowed down by three tenths: from 1,000 to 1,500 ms it is longer, up to 1,500.
//
// Source: Spell::TriggerGlobalCooldown, AzerothCore.
func TestSlowGlobalCooldown(t *testing.T) {
	for _, c := range []struct{ ms, want uint32 }{{500, 500}, {999, 999}, {1000, 1300}, {1500, 1500}, {1501, 1501}} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.GlobalMs = c.ms }))
		s.stats.Get(s.mage).CastSpeed = 1.3
		s.cast(s.mage, s.beast, 5)
		if got := s.limits.Get(s.mage).GlobalUntilMs - 100_000; got != c.want {
			t.Errorf("%d ms are %d, want %d", c.ms, got, c.want)
		}
	}
}

// What waits for the next swing or shot keeps its caster from nothing, even if it has a cast time.
func TestWaitingIsNotBusy(t *testing.T) {
	for _, flag := range []defs.SpellFlag{defs.SpellNextSwing, defs.SpellAutoRepeat} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.Flags, sp.CastMs = sp.Flags|flag, 700 }), bolt(6))
		give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Ticket: 1}, rules.Cast{By: s.mage, Target: s.beast, Spell: 6, Ticket: 2})
		s.run()
		same(s, "results", asked[rules.CastResult](s), rules.CastResult{Ticket: 1, Begun: true}, rules.CastResult{Ticket: 2, Begun: true})
	}
}
