package spell

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// slow returns a cast of three seconds that damage delays, movement ends and others interrupt.
func slow(id uint32) defs.Spell {
	return with(bolt(id), func(sp *defs.Spell) {
		sp.Flags |= defs.SpellStill | defs.SpellPushedBack | defs.SpellInterruptible
		sp.CastMs, sp.GlobalMs = 3000, 1500
	})
}

// beam returns a channel of four seconds that burns its target every second.
func beam(id uint32) defs.Spell {
	sp := one(id, defs.SpellHarmful|defs.SpellChannelled|defs.SpellStill|defs.SpellPushedBack|defs.SpellInterruptible,
		defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 10, PulseMs: 1000})
	sp.DurationMs = 4000
	return sp
}

func hitOf(by, to ecs.Entity, kind rules.DamageKind, dealt uint32) rules.DamageDealt {
	return rules.DamageDealt{Damage: rules.Damage{By: by, To: to, Kind: kind}, DamageResult: rules.DamageResult{Dealt: dealt}}
}

// By how much damage delays a cast: half a second, at most what it has taken so far, and twice.
//
// Source: Spell::Delayed and Unit::DealDamage, AzerothCore. SPELL_DELAYED 0x1E2 has the packed GUID and the milliseconds
// (Spell::Delayed).
func TestPushBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		after  uint32 // when the hits come, ms after it was begun
		hits   int
		change func(sp *defs.Spell)
		kind   rules.DamageKind
		dealt  uint32
		own    bool
		told   []uint32 // ms
		ends   uint32   // ms after it was begun
	}{
		{"no hit", 1000, 0, nil, rules.SpellDamage, 5, false, nil, 3000},
		{"a hit", 1000, 1, nil, rules.SpellDamage, 5, false, []uint32{500}, 3500},
		{"a swing", 1000, 1, nil, rules.WeaponDamage, 1, false, []uint32{500}, 3500},
		{"two hits", 1000, 2, nil, rules.SpellDamage, 5, false, []uint32{500, 500}, 4000},
		{"three hits", 1000, 3, nil, rules.SpellDamage, 5, false, []uint32{500, 500}, 4000},
		{"a hit at its begin", 200, 1, nil, rules.SpellDamage, 5, false, []uint32{200}, 3200},
		{"two hits at its begin", 200, 2, nil, rules.SpellDamage, 5, false, []uint32{200}, 3200},
		{"a pulse", 1000, 1, nil, rules.PeriodicDamage, 5, false, nil, 3000},
		{"a hit that is absorbed", 1000, 1, nil, rules.SpellDamage, 0, false, nil, 3000},
		{"a hit by itself", 1000, 1, nil, rules.SpellDamage, 5, true, nil, 3000},
		{"a hit on a cast that is not delayed", 1000, 1, func(sp *defs.Spell) { sp.Flags &^= defs.SpellPushedBack }, rules.SpellDamage, 5, false, nil, 3000},
	} {
		sp := slow(5)
		if c.change != nil {
			c.change(&sp)
		}
		s := newStage(t, sp)
		s.cast(s.mage, s.beast, 5)
		s.runFor(c.after - 50)
		by := s.beast
		if c.own {
			by = s.mage
		}
		for range c.hits {
			give(s, hitOf(by, s.mage, c.kind, c.dealt))
		}
		s.run()
		if got := len(s.packets); got != len(c.told) {
			t.Errorf("%s: %+v", c.name, s.packets)
		}
		for _, ms := range c.told {
			s.wantPacket(c.name, 0x1E2, s.mage, pguid(1), u32(ms))
		}
		for s.tick.NowMs < 100_000+c.ends {
			s.run()
			same(s, c.name, s.ops())
		}
		s.run()
		same(s, c.name, s.ops(), uint16(0x132))
	}
	s := newStage(t, slow(5))
	give(s, hitOf(s.beast, s.mage, rules.SpellDamage, 5), hitOf(s.mage, s.beast, rules.SpellDamage, 5))
	gone := s.addBeast(9, 0, 0)
	give(s, hitOf(s.mage, gone, rules.SpellDamage, 5))
	s.remove(gone)
	s.run()
	same(s, "units that do not cast", s.ops())
}

// What ends a cast, and the reason that is told: 40 interrupted, 51 moving, 23 dead.
//
// Source: Spell::cancel, Spell::update and SpellCastResult, AzerothCore.
func TestInterrupts(t *testing.T) {
	still := func(flags uint32) func(s *stage) {
		return func(s *stage) {
			s.motions.Get(s.mage).Flags = flags
			send(s, s.mage, msg.Move{})
		}
	}
	for _, c := range []struct {
		name string
		do   func(s *stage)
		why  msg.CastResult // castOK: it goes on
	}{
		{"nothing", func(*stage) {}, castOK},
		{"a step", still(components.MoveForward), msg.CastMoving},
		{"a step back", still(components.MoveBackward), msg.CastMoving},
		{"a step to the left", still(components.MoveStrafeLeft), msg.CastMoving},
		{"a step to the right", still(components.MoveStrafeRight), msg.CastMoving},
		{"a jump", still(components.MoveFalling), msg.CastMoving},
		{"a deep fall", still(components.MoveFallingFar), msg.CastMoving},
		{"rising", still(components.MoveAscending), msg.CastMoving},
		{"sinking", still(components.MoveDescending), msg.CastMoving},
		{"turning about", still(components.MoveTurnLeft | components.MoveSwimming | components.MoveWalking), castOK},
		{"a step of another", func(s *stage) {
			s.motions.Get(s.friend).Flags = components.MoveForward
			send(s, s.friend, msg.Move{})
		}, castOK},
		{"a client that cancels it", func(s *stage) { send(s, s.mage, msg.CancelCast{Spell: 5}) }, msg.CastInterrupted},
		{"a client that cancels another", func(s *stage) { send(s, s.mage, msg.CancelCast{Spell: 6}) }, castOK},
		{"a client that ends a channel", func(s *stage) { send(s, s.mage, msg.CancelChannelling{Spell: 5}) }, castOK},
		{"another client that cancels it", func(s *stage) { send(s, s.friend, msg.CancelCast{Spell: 5}) }, castOK},
		{"its death", func(s *stage) { give(s, rules.Death{Entity: s.mage}) }, msg.CastCasterDead},
		{"a death", func(s *stage) { give(s, rules.Death{Entity: s.beast}) }, castOK},
		{"an interrupt", func(s *stage) { give(s, rules.InterruptCast{Entity: s.mage}) }, msg.CastInterrupted},
		{"an interrupt of another", func(s *stage) { give(s, rules.InterruptCast{Entity: s.friend}) }, castOK},
		{"an interrupt of fire", func(s *stage) {
			give(s, rules.InterruptCast{Entity: s.mage, Schools: defs.SchoolFire | defs.SchoolFrost})
		}, msg.CastInterrupted},
		{"an interrupt of frost", func(s *stage) { give(s, rules.InterruptCast{Entity: s.mage, Schools: defs.SchoolFrost}) }, castOK},
		{"an interrupt of the dead", func(s *stage) {
			s.kill(s.mage)
			give(s, rules.InterruptCast{Entity: s.mage, Schools: defs.SchoolFrost})
		}, msg.CastCasterDead},
	} {
		s := newStage(t, slow(5), bolt(6))
		give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Count: 4})
		s.run()
		number := s.casting.Get(s.mage).Number
		s.run()
		c.do(s)
		s.run()
		if c.why == castOK {
			if same(s, c.name, s.ops()); s.casting.Get(s.mage).Cast.Spell != 5 || s.casting.Get(s.mage).Number != number {
				t.Errorf("%s ends it", c.name)
			}
			s.wantCount("spell.interrupted", 0)
			continue
		}
		same(s, c.name, s.ops(), uint16(0x130), uint16(0x133), uint16(0x2A6))
		s.wantPacket(c.name, 0x130, ecs.Entity{}, []byte{4}, u32(5), []byte{byte(c.why)})
		s.wantPacket(c.name, 0x133, s.mage, pguid(1), []byte{4}, u32(5), []byte{byte(c.why)})
		s.wantPacket(c.name, 0x2A6, s.mage, pguid(1), []byte{4}, u32(5), []byte{byte(c.why)})
		if len(s.happened) != 1 || s.happened[0].ID != 5 || s.happened[0].Amount != uint32(c.why) {
			t.Errorf("%s: %+v", c.name, s.happened)
		}
		if got := s.casting.Get(s.mage); got.Cast != (components.Cast{}) || got.Number != number+1 {
			t.Errorf("%s: it casts %+v", c.name, *got)
		}
		if s.limits.Get(s.mage).GlobalUntilMs != 0 {
			t.Errorf("%s: the global cooldown is not given back", c.name)
		}
		s.wantCount("spell.interrupted", 1)
		s.runFor(3000)
		same(s, "when it would have ended", s.ops())
	}
}

// What does not end a cast that need not stand still, or what is not there any more.
func TestNoInterrupts(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs = 1000 }))
	s.cast(s.mage, s.beast, 5)
	s.motions.Get(s.mage).Flags = components.MoveForward
	send(s, s.mage, msg.Move{})
	gone := s.addBeast(9, 0, 0)
	give(s, rules.Death{Entity: gone})
	give(s, rules.InterruptCast{Entity: gone})
	s.remove(gone)
	s.run()
	if s.casting.Get(s.mage).Cast.Spell != 5 {
		t.Error("it ends")
	}
	send(s, s.friend, msg.Move{})
	s.motions.Get(s.friend).Flags = components.MoveForward
	s.run()
}

// A client takes back the spell for its next swing; death does so, too.
func TestCancelledSwing(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *stage)
		left uint32
	}{
		{"its own", func(s *stage) { send(s, s.mage, msg.CancelCast{Spell: 5}) }, 0},
		{"another", func(s *stage) { send(s, s.mage, msg.CancelCast{Spell: 6}) }, 5},
		{"death", func(s *stage) { give(s, rules.Death{Entity: s.mage}) }, 0},
		{"an interrupt", func(s *stage) { give(s, rules.InterruptCast{Entity: s.mage}) }, 5},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.Flags |= defs.SpellNextSwing }), bolt(6))
		s.cast(s.mage, s.beast, 5)
		c.do(s)
		s.run()
		if got := s.casting.Get(s.mage).NextSwing; got != c.left {
			t.Errorf("%s: it waits with %d", c.name, got)
		}
		same(s, c.name, s.ops())
	}
}

// Interrupting a cast locks its school, of which the client is told which of its spells these are.
//
// Source: AuraEffect::HandleAuraModSilence, Spell::EffectInterruptCast and Player::ProhibitSpellSchool, AzerothCore;
// docs/protocol.md 4.7 for SPELL_COOLDOWN.
func TestLock(t *testing.T) {
	frost := func(sp *defs.Spell) { sp.School = defs.SchoolFrost }
	spells := []defs.Spell{slow(5), bolt(6), with(bolt(7), frost), with(bolt(8), func(sp *defs.Spell) { sp.Flags |= defs.SpellPassive }),
		with(bolt(9), func(sp *defs.Spell) { sp.School = defs.SchoolFire | defs.SchoolFrost })}
	s := newStage(t, spells...)
	s.books.Get(s.mage).Learn(99) // which does not exist
	s.cast(s.mage, s.beast, 5)
	give(s, rules.InterruptCast{Entity: s.mage, Schools: defs.SchoolFire, LockMs: 4000})
	s.run()
	s.wantPacket("locked", 0x134, ecs.Entity{}, u64(1), []byte{0}, u32(5), u32(4000), u32(6), u32(4000), u32(9), u32(4000))
	same(s, "told at once", s.flushed, 1)
	for _, c := range []struct {
		id  uint32
		why msg.CastResult
	}{{6, msg.CastNotReady}, {9, msg.CastNotReady}, {7, castOK}} {
		if why := s.why(s.mage, s.beast, c.id); why != c.why {
			t.Errorf("spell %d: %d", c.id, why)
		}
	}
	s.runFor(4000 - 250) // it was locked 200 ms ago
	if why := s.why(s.mage, s.beast, 6); why != msg.CastNotReady {
		t.Errorf("50 ms before its end: %d", why)
	}
	if why := s.why(s.mage, s.beast, 6); why != castOK {
		t.Errorf("at its end: %d", why)
	}

	s = newStage(t, spells...)
	s.cast(s.mage, s.beast, 5)
	give(s, rules.InterruptCast{Entity: s.mage, Schools: defs.SchoolFrost, LockMs: 4000})
	s.run()
	same(s, "another school", s.ops())
	s.books.Get(s.friend).Learn(7)
	give(s, rules.Cast{By: s.friend, Target: s.beast, Spell: 5})
	s.run()
	give(s, rules.InterruptCast{Entity: s.friend, LockMs: 4000})
	s.cast(s.beast, s.mage, 5)
	if got := s.bodies(msg.OpSpellCooldown); len(got) != 0 || s.limits.Get(s.friend).LockUntilMs == 0 {
		t.Errorf("a player without spells of the school is told % x", got)
	}
	give(s, rules.InterruptCast{Entity: s.beast, LockMs: 4000})
	s.run()
	if got := s.bodies(msg.OpSpellCooldown); len(got) != 0 {
		t.Errorf("a creature, or a player without spells of the school, is told % x", got)
	}
	if why := s.why(s.beast, s.mage, 6); why != msg.CastNotReady {
		t.Errorf("a creature's: %d", why)
	}
}

// A cast of a school that is locked while it goes on fails at its end, since another interrupt has locked it.
func TestLockedAtEnd(t *testing.T) {
	s := newStage(t, slow(5))
	s.cast(s.mage, s.beast, 5)
	l := s.limits.Get(s.mage)
	l.LockSchools, l.LockUntilMs = defs.SchoolFire, 200_000
	s.runFor(3000)
	s.wantPacket("not ready", 0x130, ecs.Entity{}, []byte{0}, u32(5), []byte{67})
}

// An effect that interrupts ends a cast that can be interrupted, and locks its school for the spell's duration.
//
// Source: Spell::EffectInterruptCast, AzerothCore.
func TestInterruptEffect(t *testing.T) {
	kick := one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy})
	kick.DurationMs = 5000
	for _, c := range []struct {
		name  string
		spell defs.Spell
		ends  bool
	}{
		{"a cast", slow(5), true},
		{"a cast that cannot be interrupted", with(slow(5), func(sp *defs.Spell) { sp.Flags &^= defs.SpellInterruptible }), false},
		{"a channel", beam(5), true},
		{"nothing", bolt(5), false},
	} {
		s := newStage(t, c.spell, kick)
		s.cast(s.beast, s.mage, 5)
		s.cast(s.mage, s.beast, 6)
		if c.name != "nothing" && (s.casting.Get(s.beast).Cast.Spell == 0) != c.ends {
			t.Errorf("%s: it ends %v", c.name, !c.ends)
		}
		l, want := *s.limits.Get(s.beast), uint32(0)
		if c.ends {
			want = s.tick.NowMs - 50 + 5000
		}
		if l.LockUntilMs != want || c.ends && l.LockSchools != defs.SchoolFire {
			t.Errorf("%s: locked %+v", c.name, l)
		}
	}
}

// A cast that is interrupted in the tick in which it has begun ends in it.
func TestInterruptedAtBegin(t *testing.T) {
	s := newStage(t, slow(5), one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy}))
	give(s, rules.Cast{By: s.beast, Target: s.mage, Spell: 5}, rules.Cast{By: s.mage, Target: s.beast, Spell: 6})
	s.run()
	if s.casting.Get(s.beast).Cast.Spell != 0 {
		t.Error("it casts")
	}
}
