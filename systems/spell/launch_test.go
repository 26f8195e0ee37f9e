package spell

import (
	"cmp"
	"math"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// missed returns why the last cast has missed a unit, MissNone if it has not.
func (s *stage) missed(guid uint64) msg.MissReason {
	s.t.Helper()
	var m msg.SpellGo
	all := s.bodies(msg.OpSpellGo)
	if len(all) != 1 {
		s.t.Fatalf("packets %+v", s.packets)
	}
	if err := msg.Decode(wire.V12340, all[0], &m); err != nil {
		s.t.Fatal(err)
	}
	for _, miss := range m.Misses {
		if miss.Target == guid {
			return miss.Reason
		}
	}
	return msg.MissNone
}

// harm returns a spell that may miss.
func harm(id uint32, flags defs.SpellFlag) defs.Spell {
	return with(bolt(id), func(sp *defs.Spell) { sp.Flags = defs.SpellHarmful | defs.SpellNeverCrits | flags })
}

// What is certain of how a spell misses: evasion, immunity to all of its schools, and chances of a hundred percent.
//
// Source: Unit::SpellHitResult, Unit::MagicSpellHitResult, Unit::MeleeSpellHitResult and SpellMissInfo (1 miss,
// 2 resist, 3 dodge, 4 parry, 6 evade, 7 immune), AzerothCore.
func TestMisses(t *testing.T) {
	const melee, swing, ranged = defs.SpellMelee, defs.SpellNextSwing, defs.SpellRanged
	immune := func(schools int32) func(s *stage) {
		return func(s *stage) {
			s.defs.Spells[1].Effects[0].Misc = schools
			s.wear(s.beast, 900, beastGUID, 1)
		}
	}
	none := func(*stage) {}
	facing := func(s *stage) { s.attacks.Get(s.beast).Victim = s.mage }
	foe := func(change func(c *components.CombatStats)) func(s *stage) {
		return func(s *stage) {
			facing(s)
			change(s.stats.Get(s.beast))
		}
	}
	for _, c := range []struct {
		name   string
		flags  defs.SpellFlag
		school uint32
		stage  func(s *stage)
		want   msg.MissReason
	}{
		{"nothing", 0, defs.SchoolFire, none, 0},
		{"evasion", 0, defs.SchoolFire, func(s *stage) { s.threats.Get(s.beast).Evading = 1 }, 6},
		{"evasion of what always hits", defs.SpellAlwaysHits, defs.SchoolFire, func(s *stage) { s.threats.Get(s.beast).Evading = 1 }, 6},
		{"evasion, and immunity", 0, defs.SchoolFire, func(s *stage) { immune(127)(s); s.threats.Get(s.beast).Evading = 1 }, 6},
		{"immunity", 0, defs.SchoolFire, immune(int32(defs.SchoolFire)), 7},
		{"immunity to what always hits", defs.SpellAlwaysHits, defs.SchoolFire, immune(int32(defs.SchoolFire)), 7},
		{"immunity to another school", 0, defs.SchoolFire, immune(int32(defs.SchoolFrost)), 0},
		{"immunity to one of two schools", 0, defs.SchoolFire | defs.SchoolFrost, immune(int32(defs.SchoolFrost)), 0},
		{"immunity to both", 0, defs.SchoolFire | defs.SchoolFrost, immune(int32(defs.SchoolFrost | defs.SchoolFire | defs.SchoolHoly)), 7},
		{"resistance to a binary spell", defs.SpellBinary, defs.SchoolFire, func(s *stage) { s.stats.Get(s.beast).Resistance[2] = 1e9 }, 2},
		{"resistance to another school", defs.SpellBinary, defs.SchoolFire, func(s *stage) { s.stats.Get(s.beast).Resistance[4] = 1e9 }, 0},
		{"resistance to one that is not binary", 0, defs.SchoolFire, func(s *stage) { s.stats.Get(s.beast).Resistance[2] = 1e9 }, 0},
		{"a dodge", melee, 1, foe(func(c *components.CombatStats) { c.Dodge = 200 }), 3},
		{"a dodge of a swing", swing, 1, foe(func(c *components.CombatStats) { c.Dodge = 200 }), 3},
		{"a dodge of what always hits", melee | defs.SpellAlwaysHits, 1, foe(func(c *components.CombatStats) { c.Dodge = 200 }), 0},
		{"a dodge of a shot", ranged, 1, foe(func(c *components.CombatStats) { c.Dodge = 200 }), 0},
		{"a dodge of a spell", 0, 1, foe(func(c *components.CombatStats) { c.Dodge = 200 }), 0},
		{"a dodge by one that is stunned", melee, 1, foe(func(c *components.CombatStats) { c.Dodge = 200 }), 0},
		{"a parry", melee, 1, foe(func(c *components.CombatStats) { c.Parry = 200 }), 4},
		{"a parry from behind", melee, 1, func(s *stage) { s.stats.Get(s.beast).Parry = 200 }, 0},
		{"a block", melee, 1, foe(func(c *components.CombatStats) { c.Block = 200 }), 0},
	} {
		s := newStage(t, with(harm(5, c.flags), func(sp *defs.Spell) { sp.School = c.school }),
			one(900, 0, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraSchoolImmunity, Target: defs.TargetCaster}))
		s.put(s.beast, 4, 0, 0)
		s.units.Get(s.mage).Level = 20          // 106 % of spells
		s.stats.Get(s.mage).Hit = 100           // never misses
		s.stats.Get(s.mage).MaxDamage[2] = 1000 // has a bow
		s.stats.Get(s.beast).BlockValue = 3
		c.stage(s)
		if c.name == "a dodge by one that is stunned" {
			s.auras.Get(s.beast).States = components.StateStunned
		}
		give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Triggered: true})
		s.run()
		if got := s.missed(beastGUID); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if hit := len(asked[rules.Damage](s)) == 1; hit != (c.want == 0) {
			t.Errorf("%s: it does damage %v", c.name, hit)
		}
		for _, d := range asked[rules.Damage](s) {
			if (d.Blocked == 3) != (c.name == "a block") {
				t.Errorf("%s: %d are blocked", c.name, d.Blocked)
			}
		}
		if c.want == 0 {
			same(s, c.name, s.ops(), uint16(0x132))
		} else {
			s.wantPacket(c.name, 0x24B, s.beast, u32(5), u64(1), []byte{0}, u32(1), u64(3), []byte{byte(c.want)})
		}
		give(s, rules.Cast{By: s.beast, Target: s.beast, Spell: 5, Triggered: true})
		s.run()
		same(s, "at itself", s.ops())
	}
}

// A unit's own harmful spell does not miss itself, and healing misses none.
func TestNoMiss(t *testing.T) {
	own := with(harm(5, 0), func(sp *defs.Spell) { sp.Effects[0].Target = defs.TargetCaster })
	s := newStage(t, own, mend(6))
	for _, e := range []ecs.Entity{s.mage, s.friend} {
		s.threats.Get(e).Evading = 1
	}
	s.cast(s.mage, s.mage, 5)
	same(s, "its own", s.hits(), mageGUID)
	same(s, "engaged with itself", asked[rules.Engage](s))
	s.cast(s.mage, s.friend, 6)
	same(s, "healing", s.healed(), friendGUID)
}

// How often spells hit and are critical, of 2,000 rolls, each for itself, within four standard deviations.
//
// Source: Unit::MagicSpellHitResult, Unit::MeleeSpellMissChance and Unit::GetUnitCriticalChance, AzerothCore: 96 % at one level, 28 % (94 - 6 × 11) at eight levels more, 1 % and 100 % are the bounds, and auras add to it.
func TestChances(t *testing.T) {
	aura := one(900, 0, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraSpellHit, Target: defs.TargetCaster})
	none := func(*stage) {}
	level := func(n uint32) func(s *stage) { return func(s *stage) { s.units.Get(s.beast).Level = n } }
	for _, c := range []struct {
		name  string
		flags defs.SpellFlag
		stage func(s *stage)
		hits  float64 // percent
		crits float64
	}{
		{"a spell", 0, none, 96, 0},
		{"a spell that crits", 0, func(s *stage) { s.stats.Get(s.mage).Crit = [3]float32{100, 100, 25} }, 96, 25},
		{"against one eight levels higher", 0, level(18), 28, 0},
		{"against one eight levels higher, with 10 % more", 0, func(s *stage) {
			level(18)(s)
			if s.auras.Get(s.mage).Block == 0 {
				s.wear(s.mage, 900, 1, 1)
			}
			s.slab.At(s.auras.Get(s.mage).Block).Sum.SpellHit = 10
		}, 38, 0},
		{"against one thirty levels higher", 0, level(40), 1, 0},
		{"against one nine levels lower", 0, level(1), 100, 0},
		{"a blow", defs.SpellMelee, none, 95, 0},
		{"a blow that crits", defs.SpellMelee, func(s *stage) { s.stats.Get(s.mage).Crit = [3]float32{40, 100, 100} }, 95, 40},
		{"a blow with two weapons", defs.SpellMelee, func(s *stage) { s.stats.Get(s.mage).SwingMs[1] = 2000 }, 95, 0},
		{"a shot that crits", defs.SpellRanged, func(s *stage) { s.stats.Get(s.mage).Crit = [3]float32{100, 40, 100} }, 95, 40},
		{"one that is resisted by half", defs.SpellBinary, func(s *stage) { s.stats.Get(s.beast).Resistance[2] = 50 }, 48, 0},
	} {
		s := newStage(t, with(harm(5, c.flags), func(sp *defs.Spell) {
			sp.Flags &^= defs.SpellNeverCrits
			sp.Effects[0].Target, sp.Effects[0].Radius = defs.TargetAreaEnemies, 20
		}), aura)
		all := []ecs.Entity{s.beast}
		for i := range uint64(49) {
			all = append(all, s.addBeast(100+i, 10, 0))
		}
		for _, s.beast = range all {
			c.stage(s)
		}
		hits, crits, most, least := 0, 0, 0, len(all)
		for range 40 {
			give(s, rules.Cast{By: s.mage, Spell: 5, Triggered: true})
			s.run()
			now := asked[rules.Damage](s)
			hits, most, least = hits+len(now), max(most, len(now)), min(least, len(now))
			for _, d := range now {
				if d.Critical {
					crits++
				}
			}
		}
		near := func(what string, got, of int, percent float64) {
			mean := float64(of) * percent / 100
			if math.Abs(float64(got)-mean) > 4*math.Sqrt(mean*(1-percent/100)) {
				t.Errorf("%s: %s %d of %d, want %v %%", c.name, what, got, of, percent)
			}
		}
		near("hits", hits, 40*len(all), c.hits)
		near("crits", crits, hits, c.crits)
		if c.hits > 10 && c.hits < 90 && (least == 0 || most == len(all)) {
			t.Errorf("%s: all targets have one roll: from %d to %d", c.name, least, most)
		}
	}
}

// When a missile arrives: after the time for its way, five yards at least; and what does not fly.
//
// Source: Spell::AddUnitTarget, AzerothCore.
func TestMissiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     float32
		speed float32
		ms    uint32
	}{
		{"ten yards", 10, 10, 1000}, {"twenty yards", 20, 10, 2000}, {"twice as fast", 20, 20, 1000}, {"three yards", 3, 10, 500},
		{"at once", 20, 0, 0}, {"ten yards and a bit", 10.1, 10, 1050},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.MissileSpeed = c.speed }))
		s.put(s.beast, c.x, 0, 0)
		s.cast(s.mage, s.beast, 5)
		same(s, c.name, s.ops(), uint16(0x131), uint16(0x132))
		for s.tick.NowMs <= 100_000+c.ms {
			same(s, c.name, s.hits())
			s.put(s.beast, 35, 0, 0) // which does not matter
			s.run()
		}
		same(s, c.name, asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: 10})
		same(s, c.name, asked[rules.Engage](s), rules.Engage{By: s.mage, To: s.beast})
		s.run()
		same(s, c.name, s.hits())
		s.wantCount("spell.missile_lost", 0)
	}
	arrow := func(sp *defs.Spell) { sp.MissileSpeed = 10 }
	s := newStage(t, with(bolt(5), arrow), with(mend(6), arrow), with(beam(7), arrow))
	s.cast(s.mage, s.mage, 6)
	same(s, "at itself", s.healed(), mageGUID)
	s.threats.Get(s.beast).Evading = 1
	s.cast(s.mage, s.beast, 5)
	s.wantPacket("a miss", 0x24B, s.beast, u32(5), u64(1), []byte{0}, u32(1), u64(3), []byte{6})
	s.threats.Get(s.beast).Evading = 0
	s.runFor(1000)
	s.cast(s.mage, s.beast, 7)
	s.runFor(1000)
	same(s, "a pulse", s.hits(), beastGUID)
}

// What has changed while a missile flies: its target evades, is immune, is dead or has left, or its caster has.
//
// Source: Spell::DoAllEffectOnTarget and Unit::SendSpellMiss, AzerothCore.
func TestMissileLands(t *testing.T) {
	immune := func(schools int32) func(s *stage) {
		return func(s *stage) {
			s.defs.Spells[1].Effects[0].Misc = schools
			s.wear(s.beast, 900, beastGUID, 1)
		}
	}
	for _, c := range []struct {
		name   string
		do     func(s *stage)
		reason byte
		hits   bool
		lost   uint64
	}{
		{"nothing", func(*stage) {}, 0, true, 0},
		{"it evades", func(s *stage) { s.threats.Get(s.beast).Evading = 1 }, 6, false, 0},
		{"it is immune to fire", immune(int32(defs.SchoolFire)), 7, false, 0},
		{"it is immune to frost", immune(int32(defs.SchoolFrost)), 0, true, 0},
		{"it is dead", func(s *stage) { s.kill(s.beast) }, 0, false, 0},
		{"it has left", func(s *stage) { s.remove(s.beast) }, 0, false, 1},
		{"its caster has left", func(s *stage) { s.remove(s.mage) }, 0, false, 1},
		{"its caster is dead", func(s *stage) { s.kill(s.mage) }, 0, true, 0},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.MissileSpeed = 10 }),
			one(900, 0, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraSchoolImmunity, Target: defs.TargetCaster}))
		s.cast(s.mage, s.beast, 5)
		s.runFor(500)
		c.do(s)
		s.runFor(500)
		if got := len(asked[rules.Damage](s)) == 1; got != c.hits {
			t.Errorf("%s: it hits %v", c.name, got)
		}
		if c.reason == 0 {
			same(s, c.name, s.ops())
		} else {
			s.wantPacket(c.name, 0x24B, s.beast, u32(5), u64(1), []byte{0}, u32(1), u64(3), []byte{c.reason})
		}
		s.wantCount("spell.missile_lost", c.lost)
	}
	s := newStage(t, with(mend(5), func(sp *defs.Spell) { sp.MissileSpeed = 10 }), one(900, 0, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraSchoolImmunity,
		Target: defs.TargetCaster, Misc: 127}))
	s.cast(s.mage, s.friend, 5)
	s.threats.Get(s.friend).Evading = 1
	s.wear(s.friend, 900, friendGUID, 1)
	s.runFor(500)
	same(s, "healing is not kept off", s.healed(), friendGUID)
}

// shot returns a spell that is repeated with the ranged weapon.
func shot(id uint32) defs.Spell {
	return with(bolt(id), func(sp *defs.Spell) {
		sp.School, sp.Flags, sp.MaxRange = defs.SchoolPhysical, sp.Flags|defs.SpellAutoRepeat|defs.SpellRanged, 30
		sp.Effects[0] = defs.Effect{Kind: defs.EffectWeaponDamage, Target: defs.TargetEnemy}
	})
}

// When shots are fired: at once, and then in the time of the ranged weapon.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore.
func TestShots(t *testing.T) {
	times := func(s *stage, until uint32) (all []uint32) {
		for s.tick.NowMs <= until {
			now := s.tick.NowMs
			s.run()
			for _, d := range asked[rules.Damage](s) {
				if d != (rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: 1, Amount: 40}) {
					t.Errorf("%+v", d)
				}
				same(s, "the weapon", asked[rules.SwingChanged](s), rules.SwingChanged{Entity: s.mage, NextShotMs: now + max(cmp.Or(s.stats.Get(s.mage).SwingMs[2], s.units.Get(s.mage).RangedAttackTimeMs), 500)})
				all = append(all, now-100_000)
			}
			for _, sw := range asked[rules.SwingChanged](s) {
				s.swings.Get(sw.Entity).NextMs[components.RangedHand] = sw.NextShotMs // as system swings does
			}
		}
		return all
	}
	s := newStage(t, shot(5))
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Count: 4})
	same(s, "shots", times(s, 105_500), 0, 1800, 3600, 5400)

	for _, c := range []struct {
		name string
		do   func(s *stage) // after the first shot
		want []uint32
	}{
		{"without a time of its own", func(s *stage) {
			s.stats.Get(s.mage).SwingMs[2], s.units.Get(s.mage).RangedAttackTimeMs = 0, 1000
		}, []uint32{0, 1800, 2800, 3800}},
		{"of a weapon that is too fast", func(s *stage) { s.stats.Get(s.mage).SwingMs[2] = 100 }, []uint32{0, 1800, 2300, 2800, 3300, 3800}},
		{"after its client stops", func(s *stage) { give(s, change.Sent[msg.Empty]{By: s.mage, Op: msg.OpCancelAutoRepeat}) }, []uint32{0}},
		{"after its client sends something else", func(s *stage) { give(s, change.Sent[msg.Empty]{By: s.mage, Op: msg.OpAttackStop}) }, []uint32{0, 1800, 3600}},
		{"after its death", func(s *stage) { give(s, rules.Death{Entity: s.mage}) }, []uint32{0}},
		{"after another's death", func(s *stage) { give(s, rules.Death{Entity: s.friend}) }, []uint32{0, 1800, 3600}},
		{"after the target's death", func(s *stage) { s.kill(s.beast) }, []uint32{0}},
		{"after the target has left", func(s *stage) { s.remove(s.beast) }, []uint32{0}},
		{"while it moves", func(s *stage) { s.motions.Get(s.mage).Flags = components.MoveForward }, []uint32{0}},
		{"while it runs in fear", func(s *stage) { s.walks.Get(s.mage).Count = 1 }, []uint32{0}},
		{"out of range", func(s *stage) { s.put(s.beast, 90, 0, 0) }, []uint32{0}},
		{"with the weapon ready later", func(s *stage) { s.swings.Get(s.mage).NextMs[2] = 103_000 }, []uint32{0, 3000}},
		{"with another spell's number", func(s *stage) { s.repeats.Get(s.mage).Number++ }, []uint32{0}},
		{"after a death in the tick in which it is due", func(s *stage) {
			for s.tick.NowMs < 101_800 {
				s.run()
			}
			give(s, rules.Death{Entity: s.mage})
		}, []uint32{0}},
		{"and once more", func(s *stage) { give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5}) }, []uint32{0, 1800, 3600}},
	} {
		s := newStage(t, shot(5))
		give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5})
		got := times(s, 100_100)
		c.do(s)
		same(s, c.name, append(got, times(s, 104_000)...), c.want...)
	}
}

// A shot that is not possible is tried again half a second later: for reasons that pass.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore.
func TestShotRetried(t *testing.T) {
	for _, c := range []struct {
		name     string
		do, undo func(s *stage)
		again    bool
	}{
		{"out of range", func(s *stage) { s.put(s.beast, 90, 0, 0) }, func(s *stage) { s.put(s.beast, 10, 0, 0) }, true},
		{"too close", func(s *stage) { s.defs.Spells[0].MinRange = 12 }, func(s *stage) { s.defs.Spells[0].MinRange = 0 }, true},
		{"behind", func(s *stage) { s.put(s.beast, -9, 0, 0) }, func(s *stage) { s.put(s.beast, 10, 0, 0) }, true},
		{"stunned", func(s *stage) { s.auras.Get(s.mage).States = components.StateStunned }, func(s *stage) { s.auras.Get(s.mage).States = 0 }, true},
		{"of a school that is locked", func(s *stage) { s.limits.Get(s.mage).LockSchools, s.limits.Get(s.mage).LockUntilMs = 1, 900_000 },
			func(s *stage) { s.limits.Get(s.mage).LockSchools = 0 }, true},
		{"in motion", func(s *stage) { s.motions.Get(s.mage).Flags = components.MoveForward }, func(s *stage) { s.motions.Get(s.mage).Flags = 0 }, true},
		{"in a cast", func(s *stage) { s.casting.Get(s.mage).Cast.Spell = 5 }, func(s *stage) { s.casting.Get(s.mage).Cast.Spell = 0 }, true},
		{"sitting", func(s *stage) { s.stances.Get(s.mage).Bytes1[0] = 1 }, func(s *stage) { s.stances.Get(s.mage).Bytes1[0] = 0 }, false},
		{"without power", func(s *stage) { s.defs.Spells[0].Cost = 2000 }, func(s *stage) { s.defs.Spells[0].Cost = 0 }, false},
		{"at a friend", func(s *stage) { s.units.Get(s.beast).Faction = defs.FactionFriendly }, func(s *stage) { s.units.Get(s.beast).Faction = defs.FactionHostile }, false},
	} {
		s := newStage(t, shot(5))
		s.cast(s.mage, s.beast, 5)
		c.do(s)
		s.runFor(1800) // when the next is due
		told := len(s.packets)
		c.undo(s)
		shots := 0
		for range 10 {
			s.run()
			shots += len(asked[rules.Damage](s))
		}
		if (shots == 1) != c.again || told != 0 {
			t.Errorf("%s: %d shots half a second later, told %d", c.name, shots, told)
		}
		if repeats := s.repeats.Get(s.mage).Spell != 0; repeats != c.again {
			t.Errorf("%s: it repeats %v", c.name, repeats)
		}
	}
}

// A spell that is repeated begins with SPELL_START and waits for its shot: it has no cast time of its own then.
func TestShotBegins(t *testing.T) {
	s := newStage(t, with(shot(5), func(sp *defs.Spell) { sp.CastMs, sp.GlobalMs = 700, 1500 }), with(bolt(6), func(sp *defs.Spell) { sp.CastMs = 1000 }))
	s.swings.Get(s.mage).NextMs[components.RangedHand] = 100_200
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Count: 4})
	s.run()
	same(s, "sent", s.ops(), uint16(0x131))
	s.wantPacket("start", 0x131, s.mage, pguid(1), pguid(1), []byte{4}, u32(5), u32(0x802), u32(0), u32(2), pguid(3), u32(1000))
	if r := s.repeats.Get(s.mage); r.Spell != 5 || r.Target != s.beast {
		t.Errorf("%+v", *r)
	}
	if until := s.limits.Get(s.mage).GlobalUntilMs; until != 0 {
		t.Errorf("global cooldown until %d", until)
	}
	for range 3 {
		s.run()
		same(s, "not ready", s.ops())
	}
	s.run()
	same(s, "ready", s.ops(), uint16(0x132))
	if why := s.why(s.mage, s.beast, 6); why != castOK {
		t.Errorf("a cast in between: %d", why)
	}
	gone := s.addBeast(9, 0, 0)
	s.stats.Get(gone).MaxDamage[2] = 9
	s.run()
	s.cast(gone, s.mage, 5)
	give(s, rules.Death{Entity: gone})
	s.remove(gone)
	s.runFor(3000)
	s.cast(s.beast, s.mage, 5)
	s.remove(s.beast)
	s.runFor(3000)
}

// Two spells on the same targets in one tick have rolls of their own.
func TestRollsOfSpells(t *testing.T) {
	storm := func(id uint32) defs.Spell {
		return one(id, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetAreaEnemies, Radius: 20, Amount: 1})
	}
	crits := func(sp *defs.Spell) { sp.Flags &^= defs.SpellNeverCrits }
	s := newStage(t, with(storm(5), crits), with(storm(6), crits))
	for i := range uint64(30) {
		s.addBeast(100+i, 5, 0)
	}
	s.stats.Get(s.mage).Crit[2] = 50
	give(s, rules.Cast{By: s.mage, Spell: 5, Triggered: true}, rules.Cast{By: s.mage, Spell: 6, Triggered: true})
	s.run()
	all, alike := asked[rules.Damage](s), 0
	for i := range 31 {
		if all[i].Critical == all[31+i].Critical {
			alike++
		}
	}
	if len(all) != 62 || alike == 31 {
		t.Errorf("%d of 31 rolls are alike", alike)
	}
}

// Two wishes to shoot in one tick are one shot.
func TestShotTwice(t *testing.T) {
	s := newStage(t, shot(5))
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5}, rules.Cast{By: s.mage, Target: s.beast, Spell: 5})
	s.run()
	same(s, "shots", s.hits(), beastGUID)
	s.run()
	same(s, "in the next tick", s.hits())
}

// A unit that begins anew to shoot has one timer: the earlier one is stale.
func TestStaleShot(t *testing.T) {
	s := newStage(t, shot(5))
	s.cast(s.mage, s.beast, 5) // at 100,000; the next is due at 101,800
	s.motions.Get(s.mage).Flags = components.MoveForward
	s.runFor(1950)
	s.cast(s.mage, s.beast, 5) // at 102,000: again at 102,500
	s.motions.Get(s.mage).Flags = 0
	for s.tick.NowMs < 102_500 {
		s.run()
		same(s, "shots", s.hits())
	}
	s.run()
	same(s, "shots", s.hits(), beastGUID)
}
