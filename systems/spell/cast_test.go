package spell

import (
	"reflect"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// The packets of a cast that takes two seconds, and when they come.
//
// Source: docs/protocol.md 4.7 for the bytes of SPELL_START and SPELL_GO; Spell::SendSpellStart and Spell::SendSpellGo,
// AzerothCore, for the flags (2 and 0x100, and 0x800 with the power that a player has left).
func TestCastBytes(t *testing.T) {
	s := newStage(t, with(bolt(77), func(sp *defs.Spell) { sp.CastMs, sp.Cost = 2000, 30 }))
	send(s, s.mage, msg.CastSpell{Count: 9, Spell: 77, Targets: msg.Targets{Mask: msg.TargetUnit, Unit: beastGUID}})
	s.run()
	same(s, "at first", s.ops(), uint16(0x131))
	s.wantPacket("start", 0x131, s.mage, pguid(1), pguid(1), []byte{9}, u32(77), u32(0x802), u32(2000), u32(2), pguid(3), u32(1000))
	same(s, "flushed at once", s.flushed, 1)
	same(s, "happened", s.happened)
	for range 39 {
		s.run()
		same(s, "while it is cast", s.ops())
	}
	same(s, "power", asked[rules.PowerChange](s))
	s.run()
	same(s, "at last", s.ops(), uint16(0x132))
	s.wantPacket("go", 0x132, s.mage, pguid(1), pguid(1), []byte{9}, u32(77), u32(0x900), u32(102_000), []byte{1}, u64(3), []byte{0}, u32(2),
		pguid(3), u32(970))
	same(s, "flushed at once", s.flushed, 1)
	same(s, "happened", s.happened, change.Happening{Kind: change.HappenedSpell, Subject: 1, Other: 3, ID: 77})
	same(s, "power", asked[rules.PowerChange](s), rules.PowerChange{To: s.mage, Delta: -30, Kind: rules.NoReport, Cost: true})
	same(s, "damage", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 77, School: defs.SchoolFire, Amount: 10})
	same(s, "engaged", asked[rules.Engage](s), rules.Engage{By: s.mage, To: s.beast})
	if s.casting.Get(s.mage).Cast != (components.Cast{}) {
		t.Error("it still casts")
	}
	s.runFor(3000)
	same(s, "later", s.ops())
}

// A creature's cast at a place: no power, as it is no player's, and the place twice over: in the targets, and a byte after
// the rest of SPELL_GO.
//
// Source: docs/protocol.md 4.7.
func TestCastBytesAtPlace(t *testing.T) {
	s := newStage(t, one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetPlaceEnemies, Radius: 3, Amount: 1}))
	place := components.Vec{X: 0, Y: 1, Z: 0}
	give(s, rules.Cast{By: s.beast, To: place, Placed: true, Spell: 5, Target: s.mage})
	s.run()
	spot := append([]byte{0}, append(append(u32(0), u32(0x3F800000)...), u32(0)...)...) // no transport; 0, 1, 0
	s.wantPacket("start", 0x131, s.beast, pguid(3), pguid(3), []byte{0}, u32(5), u32(2), u32(0), u32(0x40), spot)
	s.wantPacket("go", 0x132, s.beast, pguid(3), pguid(3), []byte{0}, u32(5), u32(0x100), u32(100_000), []byte{2}, u64(1), u64(2), []byte{0}, u32(0x40), spot,
		[]byte{0})
	same(s, "flushed", s.flushed)
}

// A spell without an effect on units has no targets, and no place if none is aimed at.
func TestCastBytesWithoutTarget(t *testing.T) {
	s := newStage(t, with(one(5, 0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 1}), func(sp *defs.Spell) {
		sp.Effects[1].Target, sp.Effects[2].Target = defs.TargetFriend, defs.TargetPlaceFriends // of no kind
	}))
	give(s, rules.Cast{By: s.mage, To: components.Vec{X: 1}, Placed: true, Spell: 5, Target: s.friend, Count: 4})
	s.run()
	s.wantPacket("start", 0x131, s.mage, pguid(1), pguid(1), []byte{4}, u32(5), u32(0x802), u32(0), u32(0), u32(1000))
	s.wantPacket("go", 0x132, s.mage, pguid(1), pguid(1), []byte{4}, u32(5), u32(0x900), u32(100_000), []byte{1}, u64(1), []byte{0}, u32(0), u32(1000))
}

// A cast keeps what it was begun with: target, place, item and the client's number. Its caster has another number with
// each cast, by which timers are told apart.
func TestHeldCast(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs = 1000 }))
	s.bags.Get(s.mage).Items[30] = components.Item{Counter: 8, Entry: 1, Count: 1}
	give(s, rules.Cast{By: s.mage, Target: s.beast, To: components.Vec{X: 1, Y: 2, Z: 3}, Placed: true, Spell: 5, Item: 8, Count: 6})
	s.run()
	want := components.Cast{Target: s.beast, To: components.Vec{X: 1, Y: 2, Z: 3}, Placed: 1, Spell: 5, StartMs: 100_000, EndMs: 101_000, Count: 6,
		Item: 8, TargetGUID: beastGUID}
	if got := s.casting.Get(s.mage); got.Cast != want || got.Number != 1 {
		t.Errorf("it casts %+v, want %+v", *got, want)
	}
	s.runFor(1000)
	if got := s.bodies(msg.OpSpellGo); len(got) != 1 || got[0][4] != 6 {
		t.Errorf("SPELL_GO is % x", got)
	}
	s.cast(s.mage, ecs.Entity{}, 5)
	if got := s.casting.Get(s.mage); got.Cast.Spell != 0 {
		t.Errorf("it casts %+v at nothing", *got)
	}
}

// A caster or target that leaves the world while it casts.
func TestCastOfGone(t *testing.T) {
	for _, c := range []struct {
		name   string
		gone   func(s *stage) ecs.Entity
		failed bool
	}{
		{"its caster", func(s *stage) ecs.Entity { return s.mage }, false},
		{"its target", func(s *stage) ecs.Entity { return s.beast }, true},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs = 1000 }))
		s.cast(s.mage, s.beast, 5)
		s.Despawn(c.gone(s))
		for range 21 {
			s.run()
			if c.failed && len(s.packets) > 0 {
				s.wantPacket(c.name, 0x130, ecs.Entity{}, []byte{0}, u32(5), []byte{12})
				c.failed = false
			} else {
				same(s, c.name, s.ops())
			}
		}
		if c.failed {
			t.Errorf("%s is gone, and its client is not told", c.name)
		}
	}
}

// A spell for the next swing waits for it, and replaces it once.
//
// Source: Unit::AttackerStateUpdate with CURRENT_MELEE_SPELL, AzerothCore.
func TestNextSwing(t *testing.T) {
	swing := with(bolt(5), func(sp *defs.Spell) {
		sp.Flags |= defs.SpellNextSwing
		sp.School, sp.MaxRange, sp.Cost, sp.CastMs, sp.GlobalMs = defs.SchoolPhysical, 0, 15, 700, 1500
	})
	s := newStage(t, swing)
	s.put(s.beast, 4, 0, 0)
	give(s, rules.SwingReplaced{Entity: s.mage, Victim: s.beast})
	s.run()
	same(s, "a swing without a spell", s.ops())
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Count: 3})
	s.run()
	s.wantPacket("start", 0x131, s.mage, pguid(1), pguid(1), []byte{3}, u32(5), u32(0x802), u32(0), u32(2), pguid(3), u32(1000))
	same(s, "sent", s.ops(), uint16(0x131))
	same(s, "paid before the swing", asked[rules.PowerChange](s))
	if c := s.casting.Get(s.mage); c.NextSwing != 5 || c.NextSwingCount != 3 || c.Cast.Spell != 0 || s.limits.Get(s.mage).GlobalUntilMs != 0 {
		t.Errorf("it waits with %+v and %+v", *c, *s.limits.Get(s.mage))
	}
	s.runFor(1000)
	same(s, "nothing by itself", s.ops())
	give(s, rules.SwingReplaced{Entity: s.mage, Victim: s.beast})
	s.run()
	s.wantPacket("go", 0x132, s.mage, pguid(1), pguid(1), []byte{3}, u32(5), u32(0x900), u32(s.tick.NowMs-50), []byte{1}, u64(3), []byte{0}, u32(2),
		pguid(3), u32(985))
	same(s, "sent", s.ops(), uint16(0x132))
	same(s, "damage", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: 1, Amount: 10})
	if c := s.casting.Get(s.mage); c.NextSwing != 0 {
		t.Error("it replaces another swing")
	}
	s.cast(s.mage, s.beast, 5)
	s.vitals.Get(s.mage).Power[0] = 14
	give(s, rules.SwingReplaced{Entity: s.mage, Victim: s.beast})
	s.run()
	s.wantPacket("too dear by then", 0x130, ecs.Entity{}, []byte{0}, u32(5), []byte{85})
	s.wantPacket("too dear by then", 0x133, s.mage, pguid(1), []byte{0}, u32(5), []byte{85})
	gone := s.addBeast(9, 1, 0)
	give(s, rules.SwingReplaced{Entity: gone, Victim: s.mage})
	s.remove(gone)
	s.run()
}

// While a unit waits for its next swing it casts other spells.
func TestNextSwingIsNoCast(t *testing.T) {
	s := newStage(t, bolt(6), with(bolt(5), func(sp *defs.Spell) { sp.Flags |= defs.SpellNextSwing }),
		with(bolt(7), func(sp *defs.Spell) { sp.CastMs = 1000 }))
	if a, b := s.why(s.mage, s.beast, 5), s.why(s.mage, s.beast, 6); a != castOK || b != castOK {
		t.Errorf("%d, and another cast: %d", a, b)
	}
	if a, b := s.why(s.mage, s.beast, 7), s.why(s.mage, s.beast, 5); a != castOK || b != castOK {
		t.Errorf("%d, and while it is cast, the next swing: %d", a, b)
	}
}

// A cast at a place is executed there once its time is over, and one at a unit is not.
func TestPlacedCast(t *testing.T) {
	rain := with(one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetPlaceEnemies, Radius: 2, Amount: 3}),
		func(sp *defs.Spell) { sp.CastMs = 500 })
	s := newStage(t, rain, with(bolt(6), func(sp *defs.Spell) { sp.CastMs = 500 }))
	give(s, rules.Cast{By: s.mage, Spell: 5, Placed: true, To: components.Vec{X: 10, Y: 1}})
	s.run()
	s.runFor(500)
	same(s, "damage", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: 3})
	s.cast(s.mage, s.beast, 6)
	if c := s.casting.Get(s.mage).Cast; c.Placed != 0 {
		t.Errorf("%+v", c)
	}
}

// What ends a cast in the tick in which its time is over comes first.
func TestCancelledAtEnd(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs = 1000 }))
	s.cast(s.mage, s.beast, 5)
	s.runFor(950)
	send(s, s.mage, msg.CancelCast{Spell: 5})
	s.run()
	same(s, "sent", s.ops(), uint16(0x130), uint16(0x133), uint16(0x2A6))
}

// A step of a cast that is left over from the stage before, because too many spells have followed from each other, is dropped if a
// unit that it is about has left the world.
func TestStepsOfGone(t *testing.T) {
	chain := with(bolt(5), func(sp *defs.Spell) { sp.Effects[0].Chain = 3 })
	for _, leaves := range []string{"caster", "target"} {
		s := newStage(t, chain, slow(6))
		s.run()
		c := castEvent{by: s.mage, target: s.beast, id: 5, level: 10}
		to := castTarget{entity: s.beast, effects: 1}
		h := hitEvent{event: c, target: to, byGUID: mageGUID, toGUID: beastGUID}
		if leaves == "caster" {
			s.remove(s.mage)
			a := newAttempt(atEnd, c)
			a.castMs = 1000
			give(s, a)
			give(s, casterChecked(a))
			give(s, targetChecked(a))
			give(s, tried{attempt: a})
			give(s, castWait{cast: c, ms: 1000})
			give(s, castEnd{entity: s.mage})
			give(s, shotTried{cast: c})
			give(s, outcome{by: s.mage, spell: 5})
			give(s, limitChange{entity: s.mage, lockMs: 5, failed: true})
			give(s, spellLock{entity: s.mage, schools: 1, ms: 5})
		} else {
			s.remove(s.beast)
			// the target of one that is executed is looked for again, and there is none
		}
		give(s, executed{cast: c})
		give(s, selected{executed: executed{cast: c}, target: to})
		give(s, launched{cast: c, target: to})
		missed := to
		missed.miss = msg.MissMiss
		give(s, launched{cast: c, target: missed})
		give(s, landed{cast: c, target: to})
		give(s, damageHit(h))
		give(s, healHit(h))
		give(s, threatHit(h))
		give(s, dispelHit(h))
		give(s, moveHit(h))
		give(s, callHit(h))
		give(s, auraHit{h, 1})
		s.run()
		for kind, all := range s.asked {
			if n := reflect.ValueOf(all).Len(); n > 0 {
				t.Errorf("the %s has left: %d of %v", leaves, n, kind)
			}
		}
	}
}
