package spell

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// The packets of a channel, its pulses, and its end after four seconds.
//
// Source: Spell::SendChannelStart and Spell::SendChannelUpdate, AzerothCore: MSG_CHANNEL_START 0x139 has the packed GUID, the
// spell and the duration, MSG_CHANNEL_UPDATE 0x13A the packed GUID and what is left.
func TestChannel(t *testing.T) {
	s := newStage(t, with(beam(5), func(sp *defs.Spell) { sp.Cost = 40 }))
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Count: 2})
	s.run()
	same(s, "at first", s.ops(), uint16(0x131), uint16(0x132), uint16(0x139))
	s.wantPacket("start", 0x131, s.mage, pguid(1), pguid(1), []byte{2}, u32(5), u32(0x802), u32(0), u32(2), pguid(3), u32(1000))
	s.wantPacket("channel", 0x139, s.mage, pguid(1), u32(5), u32(4000))
	same(s, "shown", asked[rules.SetChannel](s), rules.SetChannel{Entity: s.mage, GUID: 3, Spell: 5})
	same(s, "paid", asked[rules.PowerChange](s), rules.PowerChange{To: s.mage, Delta: -40, Kind: rules.NoReport, Cost: true})
	same(s, "damage at once", asked[rules.Damage](s))
	want := components.Cast{Target: s.beast, Spell: 5, Channel: 1, StartMs: 100_000, EndMs: 104_000, PulseMs: 101_000, Count: 2, TargetGUID: 3}
	same(s, "channels", []components.Cast{s.casting.Get(s.mage).Cast}, want)
	var pulses []uint32
	for s.tick.NowMs < 104_000 {
		at := s.tick.NowMs
		s.run()
		for _, d := range asked[rules.Damage](s) {
			if d != (rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: 10}) {
				t.Errorf("damage %+v", d)
			}
			pulses = append(pulses, at)
		}
		same(s, "in between", s.ops())
		same(s, "paid", asked[rules.PowerChange](s))
	}
	same(s, "pulses", pulses, 101_000, 102_000, 103_000)
	s.run()
	same(s, "the last pulse", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: 10})
	same(s, "at last", s.ops(), uint16(0x13A))
	s.wantPacket("end", 0x13A, s.mage, pguid(1), u32(0))
	same(s, "shown", asked[rules.SetChannel](s), rules.SetChannel{Entity: s.mage})
	same(s, "auras that end by themselves", asked[rules.RemoveAuras](s))
	if s.casting.Get(s.mage).Cast != (components.Cast{}) {
		t.Error("it still channels")
	}
	s.runFor(2000)
	same(s, "later", s.ops())
}

// A channel that has only an aura, which has its own pulses, has none.
func TestChannelOfAura(t *testing.T) {
	drain := one(5, defs.SpellHarmful|defs.SpellChannelled, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraPeriodicDamage, Target: defs.TargetEnemy,
		Amount: 4, PulseMs: 700})
	drain.DurationMs = 2000
	s := newStage(t, drain)
	s.cast(s.mage, s.beast, 5)
	same(s, "applied", asked[rules.ApplyAura](s), rules.ApplyAura{By: s.mage, To: s.beast, Spell: 5, Effects: 1, Level: 10, Amount: [3]int32{4}})
	if c := s.casting.Get(s.mage).Cast; c.PulseMs != 0 {
		t.Errorf("%+v", c)
	}
	s.wear(s.beast, 5, mageGUID, 1)
	for range 39 {
		s.run()
		same(s, "goes on", s.ops())
		same(s, "applied again", asked[rules.ApplyAura](s))
		same(s, "nothing arrives", asked[rules.Engage](s))
	}
	s.run()
	same(s, "ends", s.ops(), uint16(0x13A))
}

// What ends a channel early: its auras on its target and on its caster end with it.
//
// Source: Spell::cancel, Spell::UpdateChanneledTargetList, AzerothCore.
func TestChannelEndsEarly(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(s *stage)
		within uint32 // ms; 0: it goes on
	}{
		{"nothing", func(*stage) {}, 0},
		{"its client", func(s *stage) { send(s, s.mage, msg.CancelChannelling{Spell: 5}) }, 50},
		{"its client, of another", func(s *stage) { send(s, s.mage, msg.CancelChannelling{Spell: 6}) }, 0},
		{"its client, of a cast", func(s *stage) { send(s, s.mage, msg.CancelCast{Spell: 5}) }, 0},
		{"a step", func(s *stage) {
			s.motions.Get(s.mage).Flags = components.MoveForward
			send(s, s.mage, msg.Move{})
		}, 50},
		{"its caster's death", func(s *stage) { give(s, rules.Death{Entity: s.mage}) }, 50},
		{"its caster's death, of which nothing is said", func(s *stage) { s.kill(s.mage) }, 500},
		{"its target's death", func(s *stage) { s.kill(s.beast) }, 500},
		{"its target's leaving", func(s *stage) { s.remove(s.beast) }, 500},
		{"its target's going away, within 30 + 3 + 6.25 yards", func(s *stage) { s.put(s.beast, 39.2, 0, 0) }, 0},
		{"its target's going farther away", func(s *stage) { s.put(s.beast, 39.3, 0, 0) }, 500},
		{"its target's going behind it", func(s *stage) { s.put(s.beast, -20, 0, 0) }, 0},
		{"an interrupt", func(s *stage) { give(s, rules.InterruptCast{Entity: s.mage}) }, 50},
		{"an interrupt of frost", func(s *stage) { give(s, rules.InterruptCast{Entity: s.mage, Schools: defs.SchoolFrost}) }, 0},
		{"silence, of which nothing is said", func(s *stage) { s.auras.Get(s.mage).States = components.StateSilenced }, 0},
		{"a lack of power", func(s *stage) { s.vitals.Get(s.mage).Power[0] = 0 }, 0},
	} {
		s := newStage(t, with(beam(5), func(sp *defs.Spell) { sp.Cost = 10 }), bolt(6))
		s.cast(s.mage, s.beast, 5)
		s.runFor(1200)
		c.do(s)
		begin, ended := s.tick.NowMs, uint32(0)
		var removed []rules.RemoveAuras
		for s.tick.NowMs < 103_500 && ended == 0 {
			s.run()
			if len(s.bodies(msg.OpChannelUpdate)) > 0 {
				s.wantPacket(c.name, 0x13A, s.mage, pguid(1), u32(0))
				same(s, c.name, asked[rules.SetChannel](s), rules.SetChannel{Entity: s.mage})
				ended, removed = s.tick.NowMs-begin, asked[rules.RemoveAuras](s)
			}
		}
		if c.within == 0 && ended != 0 || c.within != 0 && (ended == 0 || ended > c.within) {
			t.Errorf("%s: it ends after %d ms", c.name, ended)
		}
		if ended == 0 {
			s.wantCount("spell.interrupted", 0)
			continue
		}
		want := []rules.RemoveAuras{{From: s.mage, By: s.mage, Spell: 5}}
		if s.Exists(s.beast) {
			want = append(want, rules.RemoveAuras{From: s.beast, By: s.mage, Spell: 5})
		}
		same(s, c.name, removed, want...)
		if len(s.bodies(msg.OpCastFailed)) > 0 {
			t.Errorf("%s: %+v", c.name, s.packets)
		}
		s.wantCount("spell.interrupted", 1)
		s.runFor(4000)
		same(s, "later", s.ops())
	}
}

// A channel on its caster alone is not checked for a target, and its auras are taken once.
func TestOwnChannel(t *testing.T) {
	calm := one(5, defs.SpellChannelled|defs.SpellStill, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraPeriodicHeal, Target: defs.TargetCaster, PulseMs: 1000})
	calm.DurationMs = 3000
	s := newStage(t, calm)
	s.cast(s.mage, s.mage, 5)
	s.runFor(1500)
	if s.casting.Get(s.mage).Cast.Spell != 5 {
		t.Fatal("it has ended")
	}
	send(s, s.mage, msg.CancelChannelling{Spell: 5})
	s.run()
	same(s, "taken", asked[rules.RemoveAuras](s), rules.RemoveAuras{From: s.mage, By: s.mage, Spell: 5})
}

// A channel with an aura ends when its target has that no more.
//
// Source: Spell::UpdateChanneledTargetList, AzerothCore.
func TestChannelEndsWithAura(t *testing.T) {
	drain := one(5, defs.SpellHarmful|defs.SpellChannelled, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStun, Target: defs.TargetEnemy})
	drain.DurationMs = 5000
	for _, c := range []struct {
		name string
		by   uint64 // whose aura the target has; 0 it has none
		goes bool
	}{{"with it", mageGUID, true}, {"with another's", friendGUID, false}, {"without", 0, false}} {
		s := newStage(t, drain)
		s.cast(s.mage, s.beast, 5)
		if c.by != 0 {
			s.wear(s.beast, 5, c.by, 1)
		}
		s.runFor(600)
		if goes := s.casting.Get(s.mage).Cast.Spell == 5; goes != c.goes {
			t.Errorf("%s: it goes on %v", c.name, goes)
		}
	}
}

// A hit takes a quarter of its duration from a channel, twice at most; what it does in the last pulse is cut, and its auras end
// with it.
//
// Source: Spell::DelayedChannel, AzerothCore (25 % of the duration).
func TestShortenedChannel(t *testing.T) {
	for _, c := range []struct {
		name  string
		after uint32 // ms
		hits  int
		left  []uint32
		ends  uint32
	}{
		{"a hit", 500, 1, []uint32{2500}, 103_000},
		{"two", 500, 2, []uint32{2500, 1500}, 102_000},
		{"three", 500, 3, []uint32{2500, 1500}, 102_000},
		{"a late one", 3500, 1, []uint32{0}, 103_550},
	} {
		s := newStage(t, beam(5))
		s.cast(s.mage, s.beast, 5)
		s.runFor(c.after - 50)
		for range c.hits {
			give(s, hitOf(s.beast, s.mage, rules.SpellDamage, 5))
		}
		s.run()
		var want [][]byte
		for _, ms := range c.left {
			want = append(want, append(pguid(1), u32(ms)...))
		}
		got := s.bodies(msg.OpChannelUpdate)
		if len(got) != len(want) {
			t.Fatalf("%s: % x, want % x", c.name, got, want)
		}
		for _, ms := range c.left {
			s.wantPacket(c.name, 0x13A, s.mage, pguid(1), u32(ms))
		}
		for s.tick.NowMs < c.ends {
			s.run()
			same(s, c.name, s.ops())
		}
		s.run()
		s.wantPacket(c.name, 0x13A, s.mage, pguid(1), u32(0))
		same(s, c.name, asked[rules.RemoveAuras](s), rules.RemoveAuras{From: s.mage, By: s.mage, Spell: 5},
			rules.RemoveAuras{From: s.beast, By: s.mage, Spell: 5})
	}
}

// A channel that misses its target ends at once, without a word; what is not aimed at a unit goes on.
//
// Source: Spell::handle_immediate, AzerothCore.
func TestMissedChannel(t *testing.T) {
	s := newStage(t, beam(5))
	s.threats.Get(s.beast).Evading = 1
	s.cast(s.mage, s.beast, 5)
	same(s, "missed", s.ops(), uint16(0x131), uint16(0x132), uint16(0x24B))
	same(s, "shown", asked[rules.SetChannel](s))
	if c := s.casting.Get(s.mage); c.Cast != (components.Cast{}) {
		t.Errorf("it channels %+v", *c)
	}
	s.runFor(2000)
	same(s, "later", s.ops())
	s.threats.Get(s.beast).Evading = 0
	s.cast(s.mage, s.beast, 5)
	s.runFor(950)
	same(s, "no pulse of the first", asked[rules.Damage](s))
	s.run()
	if len(asked[rules.Damage](s)) != 1 {
		t.Error("the second does not pulse")
	}

	rain := one(5, defs.SpellHarmful|defs.SpellChannelled, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetPlaceEnemies, Radius: 3, Amount: 6, PulseMs: 500})
	rain.DurationMs = 1000
	s = newStage(t, rain)
	give(s, rules.Cast{By: s.mage, Spell: 5, Placed: true, To: components.Vec{X: 20}})
	s.run()
	same(s, "on nobody", s.ops(), uint16(0x131), uint16(0x132), uint16(0x139))
	same(s, "shown", asked[rules.SetChannel](s), rules.SetChannel{Entity: s.mage, Spell: 5})
	s.put(s.beast, 20, 1, 0)
	s.runFor(500)
	same(s, "a pulse where it is aimed at", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: 6})
	s.runFor(500)
	same(s, "ends", s.ops(), uint16(0x13A))
}

// What ends a channel in the tick in which it has begun does so in the next, as its auras are still to be applied. One that its
// client ends is that which it knew, and not the one of this tick.
func TestChannelEndedAtBegin(t *testing.T) {
	kick := one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy})
	s := newStage(t, beam(5), kick)
	give(s, rules.Cast{By: s.beast, Target: s.mage, Spell: 5}, rules.Cast{By: s.mage, Target: s.beast, Spell: 6})
	s.run()
	if s.casting.Get(s.beast).Cast.Spell != 5 {
		t.Error("it has ended")
	}
	s.run()
	if s.casting.Get(s.beast).Cast.Spell != 0 {
		t.Error("it has not ended")
	}
	s.wantPacket("end", 0x13A, s.beast, pguid(3), u32(0))
	s.limits.Get(s.beast).LockSchools = 0
	s.cast(s.beast, s.mage, 5)
	s.run()
	s.run()
	if s.casting.Get(s.beast).Cast.Spell != 5 {
		t.Error("it ends the next, too")
	}

	s = newStage(t, beam(5))
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5})
	give(s, castEnd{entity: s.mage, how: delayIt})
	s.run()
	send(s, s.mage, msg.CancelChannelling{Spell: 5})
	s.run()
	if s.casting.Get(s.mage).Cast.Spell != 0 {
		t.Error("its client does not end it")
	}

	s = newStage(t, beam(5), kick)
	give(s, rules.Cast{By: s.beast, Target: s.mage, Spell: 5}, rules.Cast{By: s.mage, Target: s.beast, Spell: 6})
	s.run()
	s.remove(s.beast)
	s.run()
	same(s, "of one that has left", s.ops())
}

// A channel that has a cast time begins with its end.
func TestChannelAfterCast(t *testing.T) {
	s := newStage(t, with(beam(5), func(sp *defs.Spell) { sp.CastMs = 1000 }))
	s.cast(s.mage, s.beast, 5)
	s.wantPacket("start", 0x131, s.mage, pguid(1), pguid(1), []byte{0}, u32(5), u32(0x802), u32(1000), u32(2), pguid(3), u32(1000))
	s.runFor(1000)
	same(s, "then", s.ops(), uint16(0x132), uint16(0x139))
	if c := s.casting.Get(s.mage).Cast; c.Channel != 1 || c.StartMs != 101_000 || c.EndMs != 105_000 {
		t.Errorf("%+v", c)
	}
	s.cast(s.mage, ecs.Entity{}, 5)
	give(s, rules.Cast{By: s.friend, Target: s.beast, Spell: 5, Triggered: true})
	s.run()
	if c := s.casting.Get(s.friend).Cast; c.Spell != 0 {
		t.Errorf("a triggered one is a channel: %+v", c)
	}
}

// Pulses come when they are due, also between two checks.
func TestFastPulses(t *testing.T) {
	s := newStage(t, with(beam(5), func(sp *defs.Spell) { sp.Effects[0].PulseMs, sp.DurationMs = 300, 1000 }))
	s.cast(s.mage, s.beast, 5)
	var pulses []uint32
	for s.tick.NowMs <= 101_000 {
		now := s.tick.NowMs
		s.run()
		if len(asked[rules.Damage](s)) > 0 {
			pulses = append(pulses, now)
		}
	}
	same(s, "pulses", pulses, 100_300, 100_600, 100_900)
}

// A channel at a unit that it hits goes on, whatever else it meets after that.
func TestChannelMeetsOthers(t *testing.T) {
	s := newStage(t, with(beam(5), func(sp *defs.Spell) {
		sp.Effects[1] = defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetAreaEnemies, Radius: 20, Amount: 1, PulseMs: 1000}
	}))
	s.addBeast(9, 5, 0)
	s.cast(s.mage, s.beast, 5)
	same(s, "sent", s.ops(), uint16(0x131), uint16(0x132), uint16(0x139))
}

// A spell for the next swing whose cooldown waits is no channel that begins in the same tick.
func TestSwingBesideChannel(t *testing.T) {
	swing := with(bolt(6), func(sp *defs.Spell) { sp.Flags |= defs.SpellNextSwing | defs.SpellWaitsForAura })
	s := newStage(t, beam(5), swing)
	s.cast(s.mage, s.beast, 6)
	give(s, rules.SwingReplaced{Entity: s.mage, Victim: s.beast})
	s.cast(s.mage, s.beast, 5)
	same(s, "sent", s.ops(), uint16(0x131), uint16(0x132), uint16(0x132), uint16(0x139))
	same(s, "shown", asked[rules.SetChannel](s), rules.SetChannel{Entity: s.mage, GUID: 3, Spell: 5})
}

// What an old channel comes to with its last pulse does not end one of the same spell that begins in the same tick.
func TestChannelAfterChannel(t *testing.T) {
	s := newStage(t, beam(5))
	other := s.addBeast(9, 5, 0)
	s.cast(s.mage, s.beast, 5)
	s.runFor(3950)
	s.kill(s.beast)
	s.cast(s.mage, other, 5)
	same(s, "sent", s.ops(), uint16(0x13A), uint16(0x131), uint16(0x132), uint16(0x139))
	s.run()
	if c := s.casting.Get(s.mage).Cast; c.Spell != 5 || c.Target != other {
		t.Errorf("it channels %+v", c)
	}
}

// Damage that comes with the end of a channel delays nothing.
func TestDamageAfterChannel(t *testing.T) {
	kick := one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy})
	s := newStage(t, beam(5), kick)
	give(s, rules.Cast{By: s.beast, Target: s.mage, Spell: 5}, rules.Cast{By: s.mage, Target: s.beast, Spell: 6})
	s.run()
	give(s, hitOf(s.mage, s.beast, rules.SpellDamage, 5))
	s.run()
	same(s, "sent", s.ops(), uint16(0x13A))
}

// A channel with an aura on its caster, and one that is refused, does not end for the lack of either on its target.
func TestChannelWithOtherAuras(t *testing.T) {
	s := newStage(t, with(beam(5), func(sp *defs.Spell) {
		sp.Effects[1] = defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Target: defs.TargetCaster}
		sp.Effects[2] = defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Target: defs.TargetEnemy, Chain: 2}
	}))
	s.cast(s.mage, s.beast, 5)
	s.runFor(1500)
	if s.casting.Get(s.mage).Cast.Spell != 5 {
		t.Error("it has ended")
	}
}
