package spell

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// hits lists whom the damage of the last tick was done to, in its order.
func (s *stage) hits() (all []uint64) {
	for _, d := range asked[rules.Damage](s) {
		all = append(all, s.objects.Get(d.To).GUID)
	}
	return all
}

// healed lists whom the healing of the last tick was for, in its order.
func (s *stage) healed() (all []uint64) {
	for _, h := range asked[rules.Heal](s) {
		all = append(all, s.objects.Get(h.To).GUID)
	}
	return all
}

// Whom an area meets: those within its circle, nearest to the caster first and of two as far the lower GUID; the living alone,
// on the caster's layer, and the other side or its own.
//
// Source: Spell::SelectSpellTargets and the searchers that it uses, AzerothCore; the order is our own.
func TestAreas(t *testing.T) {
	const placed = 20 // where the place is, to the east
	for _, c := range []struct {
		name   string
		target defs.Target
		most   uint8
		want   []uint64
	}{
		{"enemies around it", defs.TargetAreaEnemies, 0, []uint64{11, 13, 12, 3}},
		{"enemies around it, two", defs.TargetAreaEnemies, 2, []uint64{11, 13}},
		{"friends around it", defs.TargetAreaFriends, 0, []uint64{1, 2, 10}},
		{"friends around it, one", defs.TargetAreaFriends, 1, []uint64{1}},
		{"enemies around a place", defs.TargetPlaceEnemies, 0, []uint64{3, 14, 15}},
		{"friends around a place", defs.TargetPlaceFriends, 0, []uint64{16}},
		{"enemies in front", defs.TargetConeEnemies, 0, []uint64{11, 13, 3}},
	} {
		kind := defs.EffectSchoolDamage
		flags := defs.SpellHarmful
		if c.target.Friendly() {
			kind, flags = defs.EffectHeal, 0
		}
		s := newStage(t, with(one(5, flags, defs.Effect{Kind: kind, Target: c.target, Radius: 10, Amount: 1}), func(sp *defs.Spell) { sp.MaxTargets = c.most }))
		s.addPlayer(10, 3, 3)
		s.addBeast(13, 4, 4) // at 45 degrees, the edge of the cone
		s.addBeast(11, 4, -4)
		s.addBeast(12, -2, 6) // behind
		s.addBeast(14, placed, 1)
		s.addBeast(15, placed+9.9, 0)
		s.addPlayer(16, placed, 2)
		s.addBeast(17, placed+10.1, 0)
		s.kill(s.addBeast(18, 1, 1))
		s.states.Get(s.addPlayer(19, 1, 1)).Ghost = 1
		elsewhere := s.addBeast(20, 1, 1)
		s.cells.Get(elsewhere).Cell = s.cells.Get(elsewhere).Cell.InLayer(1)
		s.units.Get(s.addBeast(21, 2, 0)).Flags = components.UnitNonAttackable
		give(s, rules.Cast{By: s.mage, Target: s.mage, Spell: 5, Placed: c.target.Placed(), To: components.Vec{X: placed}})
		s.run()
		got := s.hits()
		if c.target.Friendly() {
			got = s.healed()
		}
		same(s, c.name, got, c.want...)
	}
}

// A cone opens where the caster faces: a creature faces what it casts at, or else what it fights.
//
// Source: Spell::SelectImplicitConeTargets, AzerothCore.
func TestCones(t *testing.T) {
	cone := one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetConeEnemies, Radius: 15, Amount: 1})
	s := newStage(t, cone)
	s.put(s.friend, 10, 10, 0)
	s.cast(s.beast, ecs.Entity{}, 5)
	same(s, "of one that looks east", s.hits())
	s.cast(s.beast, s.mage, 5)
	same(s, "at one", s.hits(), mageGUID)
	s.cast(s.beast, s.friend, 5)
	same(s, "at another", s.hits(), friendGUID)
	s.attacks.Get(s.beast).Victim = s.friend
	s.cast(s.beast, ecs.Entity{}, 5)
	same(s, "at what it fights", s.hits(), friendGUID)
}

// There is room for 64 targets; others are counted.
func TestTooManyTargets(t *testing.T) {
	s := newStage(t, one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetAreaEnemies, Radius: 10, Amount: 1}),
		with(one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 1}), func(sp *defs.Spell) {
			sp.Effects[1] = defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetAreaEnemies, Radius: 10, Amount: 1}
		}))
	for i := range uint64(63) {
		s.addBeast(100+i, 5, 0)
	}
	s.cast(s.mage, s.mage, 5)
	if n := len(s.hits()); n != 64 {
		t.Errorf("%d of 64", n)
	}
	s.cast(s.mage, s.mage, 6)
	if n := len(s.hits()); n != 63 {
		t.Errorf("%d of 64, besides itself", n)
	}
	s.wantCount("spell.too_many_targets", 1)
	s.addBeast(300, 5, 0)
	s.cast(s.mage, s.mage, 5)
	if n := len(s.hits()); n != 64 {
		t.Errorf("%d of 65", n)
	}
}

// Where a chain jumps: from each to the nearest enemy within 12.5 yards that it has not met, its damage less each time; among
// friends to the one that lacks the largest part of its health, and to none that lacks nothing.
//
// Source: Spell::SearchChainTargets, AzerothCore.
func TestChains(t *testing.T) {
	lightning := func(chain uint8) defs.Spell {
		return one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 80, Chain: chain, ChainFactor: 0.5})
	}
	scene := func(spells ...defs.Spell) *stage {
		s := newStage(t, spells...) // the beast is at 10, 0
		s.addBeast(10, 12, 0)
		s.addBeast(11, 18, 0)
		s.addBeast(12, 30, 0)
		s.addBeast(13, 42.6, 0)
		s.addPlayer(14, 11, 0)
		s.kill(s.addBeast(15, 11, 0))
		return s
	}
	for _, c := range []struct {
		chain uint8
		want  []uint64
	}{{0, []uint64{3}}, {1, []uint64{3}}, {2, []uint64{3, 10}}, {3, []uint64{3, 10, 11}}, {9, []uint64{3, 10, 11, 12}}} {
		s := scene(lightning(c.chain))
		s.cast(s.mage, s.beast, 5)
		same(s, "jumps", s.hits(), c.want...)
		for i, d := range asked[rules.Damage](s) {
			if d.Amount != 80>>i {
				t.Errorf("jump %d: %d", i, d.Amount)
			}
		}
	}
	s := scene(with(lightning(3), func(sp *defs.Spell) { sp.Effects[0].ChainFactor = 0 }))
	s.cast(s.mage, s.beast, 5)
	if all := asked[rules.Damage](s); len(all) != 3 || all[2].Amount != 80 {
		t.Errorf("without a factor: %+v", all)
	}
	s = scene(with(lightning(2), func(sp *defs.Spell) {
		sp.Effects[1] = defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 1, Chain: 4}
	}))
	s.cast(s.mage, s.beast, 5)
	same(s, "of each effect", s.hits(), 3, 3, 10, 10, 11, 12)

	for _, target := range []defs.Target{defs.TargetChainFriends, defs.TargetFriend} {
		s := newStage(t, one(5, 0, defs.Effect{Kind: defs.EffectHeal, Target: target, Amount: 80, Chain: 3, ChainFactor: 0.5}))
		hurt := func(guid uint64, x float32, health, most uint32) {
			v := s.vitals.Get(s.addPlayer(guid, x, 0))
			v.Health, v.MaxHealth = health, most
		}
		hurt(10, 1, 999, 1000)
		hurt(11, 3, 90, 100)   // a tenth
		hurt(12, 5, 500, 1000) // half
		hurt(13, 4, 1000, 1000)
		hurt(16, 6, 950, 1000)
		hurt(17, 7, 500, 1000)  // as much as the nearer one
		hurt(14, 17.6, 1, 1000) // more than 12.5 yards from the half
		s.vitals.Get(s.beast).Health = 1
		s.cast(s.mage, s.friend, 5)
		same(s, "heals", s.healed(), 2, 12, 17)
		for i, h := range asked[rules.Heal](s) {
			if h.Amount != 80>>i {
				t.Errorf("jump %d: %d", i, h.Amount)
			}
		}
		s.cast(s.mage, ecs.Entity{}, 5)
		same(s, "from itself", s.healed(), 1, 12, 17)
		s.vitals.Get(s.mage).Health = 10
		s.cast(s.mage, s.friend, 5)
		same(s, "itself, which is hurt most", s.healed(), 2, 1, 12)
		s.vitals.Get(s.mage).Health = 1000
		s.kill(s.space.Find(17))
		s.cast(s.mage, s.friend, 5)
		same(s, "not the nearest, which is at 6 yards", s.healed(), 2, 12, 11)
		s.vitals.Get(s.space.Find(17)).Health = 500
		s.defs.Spells[0].Effects[0].Chain = 12
		s.cast(s.mage, s.friend, 5)
		same(s, "all that lack any", s.healed(), 2, 12, 17, 14, 16, 11, 10) // from 7 yards the one at 17.6 is near, and from there that at 6
	}
	s = newStage(t, lightning(4)) // from 20 yards back to the caster, and not to those hurt most
	s.put(s.beast, 20, 0, 0)
	s.addBeast(10, 12, 0)
	s.addBeast(11, 17, 0)
	s.vitals.Get(s.addBeast(12, 9, 0)).Health = 1
	s.vitals.Get(s.addBeast(13, 28, 0)).Health = 1
	s.cast(s.mage, s.beast, 5)
	same(s, "backwards", s.hits(), 3, 11, 10, 12)
	s = newStage(t, lightning(2))
	s.addBeast(10, 12, 0)
	s.addBeast(11, 8, 0)
	s.cast(s.mage, s.beast, 5)
	same(s, "of two as far, the one nearer to the caster", s.hits(), 3, 11)
	s = newStage(t, lightning(3))
	give(s, rules.Cast{By: s.mage, Spell: 5, Triggered: true})
	s.run()
	same(s, "at nothing", s.hits())
}

// A cast without any target is executed, too, and one whose target has left since it was executed meets the others.
func TestNoTargets(t *testing.T) {
	s := newStage(t, one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetAreaEnemies, Radius: 3, Amount: 1}))
	s.cast(s.mage, s.mage, 5)
	s.wantPacket("go", 0x132, s.mage, pguid(1), pguid(1), []byte{0}, u32(5), u32(0x900), u32(100_000), []byte{0}, []byte{0}, u32(0), u32(1000))
	if len(s.happened) != 1 || s.happened[0].Other != 0 {
		t.Errorf("happened %+v", s.happened)
	}
	s.cast(s.beast, s.beast, 5)
	s.put(s.beast, 2, 0, 0)
	s.cast(s.mage, s.mage, 5)
	s.wantPacket("one after the other", 0x132, s.mage, pguid(1), pguid(1), []byte{0}, u32(5), u32(0x900), u32(100_100), []byte{1}, u64(3), []byte{0}, u32(0),
		u32(1000))
	s.put(s.beast, 20, 0, 0)
	s.cast(s.mage, s.mage, 5)
	s.wantPacket("and then none", 0x132, s.mage, pguid(1), pguid(1), []byte{0}, u32(5), u32(0x900), u32(100_150), []byte{0}, []byte{0}, u32(0), u32(1000))

	s = newStage(t, with(mend(5), func(sp *defs.Spell) { sp.Effects[1] = defs.Effect{Kind: defs.EffectHeal, Target: 99, Amount: 1} }))
	s.cast(s.mage, s.mage, 5)
	same(s, "an effect without a target, and another", s.healed(), mageGUID)
	s.wantCount("spell.refused_effect", 1)
}

// Why a cast is impossible at its target.
//
// Source: SpellInfo::CheckExplicitTarget, SpellInfo::CheckTarget and Spell::CheckCast, AzerothCore.
func TestTargetReasons(t *testing.T) {
	aim := func(target defs.Target, flags defs.SpellFlag) defs.Spell {
		return one(5, flags, defs.Effect{Kind: defs.EffectThreat, Target: target})
	}
	heal := func(target defs.Target, flags defs.SpellFlag) defs.Spell {
		return one(5, flags, defs.Effect{Kind: defs.EffectHeal, Target: target})
	}
	dead := func(s *stage, e ecs.Entity) ecs.Entity { s.kill(e); return e }
	for _, c := range []struct {
		name  string
		spell defs.Spell
		at    func(s *stage) ecs.Entity
		why   msg.CastResult
	}{
		{"an enemy", aim(defs.TargetEnemy, defs.SpellHarmful), func(s *stage) ecs.Entity { return s.beast }, castOK},
		{"a friend as an enemy", bolt(5), func(s *stage) ecs.Entity { return s.friend }, msg.CastBadTargets},
		{"itself as an enemy", bolt(5), func(s *stage) ecs.Entity { return s.mage }, msg.CastBadTargets},
		{"none as an enemy", bolt(5), func(s *stage) ecs.Entity { return ecs.Entity{} }, msg.CastBadTargets},
		{"one that has left", bolt(5), func(s *stage) ecs.Entity { s.remove(s.beast); return s.beast }, msg.CastBadTargets},
		{"one that cannot be attacked", bolt(5), func(s *stage) ecs.Entity {
			s.units.Get(s.beast).Flags = components.UnitNonAttackable
			return s.beast
		}, msg.CastBadTargets},
		{"a dead enemy", bolt(5), func(s *stage) ecs.Entity { return dead(s, s.beast) }, msg.CastTargetsDead},
		{"a dead friend", mend(5), func(s *stage) ecs.Entity { return dead(s, s.friend) }, msg.CastTargetsDead},
		{"a friend", mend(5), func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"an enemy as a friend", mend(5), func(s *stage) ecs.Entity { return s.beast }, msg.CastBadTargets},
		{"an enemy as the first of friends", heal(defs.TargetChainFriends, 0), func(s *stage) ecs.Entity { return s.beast }, msg.CastBadTargets},
		{"a friend as the first of them", heal(defs.TargetChainFriends, 0), func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"an enemy as anyone", heal(defs.TargetAny, 0), func(s *stage) ecs.Entity { return s.beast }, castOK},
		{"a friend as anyone", heal(defs.TargetAny, 0), func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"an enemy as anyone, with harm", heal(defs.TargetAny, defs.SpellHarmful), func(s *stage) ecs.Entity { return s.beast }, castOK},
		{"a friend as anyone, with harm", heal(defs.TargetAny, defs.SpellHarmful), func(s *stage) ecs.Entity { return s.friend }, msg.CastBadTargets},
		{"a dead friend, for the dead", one(5, defs.SpellOnDead, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend}),
			func(s *stage) ecs.Entity { return dead(s, s.friend) }, castOK},
		{"a living friend, for the dead", one(5, defs.SpellOnDead, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend}),
			func(s *stage) ecs.Entity { return s.friend }, msg.CastTargetNotDead},
		{"a dead enemy, for dead friends", one(5, defs.SpellOnDead, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend}),
			func(s *stage) ecs.Entity { return dead(s, s.beast) }, msg.CastBadTargets},
		{"a dead enemy, for any dead", one(5, defs.SpellOnDead, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetAny}),
			func(s *stage) ecs.Entity { return dead(s, s.beast) }, msg.CastTargetNotPlayer},
		{"a dead enemy, for what heals any dead", heal(defs.TargetAny, defs.SpellOnDead), func(s *stage) ecs.Entity { return dead(s, s.beast) }, castOK},
		{"a friend, with harm", heal(defs.TargetFriend, defs.SpellHarmful), func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"no place", heal(defs.TargetPlaceFriends, 0), func(s *stage) ecs.Entity { return s.mage }, msg.CastBadTargets},
		{"nothing at all", defs.Spell{ID: 5}, func(s *stage) ecs.Entity { return ecs.Entity{} }, castOK},
		{"an unknown target", heal(99, 0), func(s *stage) ecs.Entity { return s.mage }, msg.CastUnavailable},

		// what would do nothing
		{"a lesson for a creature", one(5, 0, defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetAny, Trigger: 5}),
			func(s *stage) ecs.Entity { return s.beast }, msg.CastTargetNotPlayer},
		{"a lesson for a player", one(5, 0, defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetAny, Trigger: 5}),
			func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"threat of a player", aim(defs.TargetAny, 0), func(s *stage) ecs.Entity { return s.friend }, msg.CastBadTargets},
		{"a charge at itself", one(5, 0, defs.Effect{Kind: defs.EffectCharge, Target: defs.TargetAny}), func(s *stage) ecs.Entity { return s.mage }, msg.CastBadTargets},
		{"a charge at another", one(5, 0, defs.Effect{Kind: defs.EffectCharge, Target: defs.TargetAny}), func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"a knock-back of itself", one(5, 0, defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetAny}), func(s *stage) ecs.Entity { return s.mage }, msg.CastBadTargets},
		{"nothing to dispel", one(5, 0, defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetAny, Misc: 1}), func(s *stage) ecs.Entity { return s.mage },
			msg.CastNothingToDispel},
		{"energy for one without", one(5, 0, defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetAny, Misc: 3}), func(s *stage) ecs.Entity { return s.friend },
			msg.CastBadTargets},
		{"a part of its energy for one without", one(5, 0, defs.Effect{Kind: defs.EffectEnergizePercent, Target: defs.TargetAny, Misc: 3}),
			func(s *stage) ecs.Entity { return s.friend }, msg.CastBadTargets},
		{"an effect that is refused", one(5, 0, defs.Effect{Kind: defs.EffectPull, Target: defs.TargetEnemy}), func(s *stage) ecs.Entity { return s.beast }, msg.CastUnavailable},
		{"an effect that there is not", one(5, 0, defs.Effect{Kind: 200, Target: defs.TargetCaster}), func(s *stage) ecs.Entity { return s.mage }, msg.CastUnavailable},
		{"no dispel type", one(5, 0, defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetCaster}), func(s *stage) ecs.Entity { return s.mage }, msg.CastUnavailable},
		{"a useless effect and another", with(mend(5), func(sp *defs.Spell) {
			sp.Effects[1] = sp.Effects[0]
			sp.Effects[0] = defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend, Misc: 1}
		}), func(s *stage) ecs.Entity { return s.friend }, castOK},
		{"two useless effects", with(mend(5), func(sp *defs.Spell) {
			sp.Effects[0] = defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend, Misc: 1}
			sp.Effects[1] = defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetFriend, Misc: 3}
		}), func(s *stage) ecs.Entity { return s.friend }, msg.CastNothingToDispel},
		{"a useless effect and one on others", with(mend(5), func(sp *defs.Spell) {
			sp.Effects[0] = defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend, Misc: 1}
			sp.Effects[2] = defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetCaster, Misc: 3}
		}), func(s *stage) ecs.Entity { return s.friend }, castOK},
	} {
		s := newStage(t, c.spell)
		if why := s.why(s.mage, c.at(s), 5); why != c.why {
			t.Errorf("%s: %d, want %d", c.name, why, c.why)
		}
	}
}

// How far away a target may be, and that it must be in front.
//
// Source: Spell::CheckRange, CMaNGOS and AzerothCore: the range and both reaches (1.5 yards each here) with 1.25 yards more when a
// cast begins, and 6.25 when it ends; hand to hand 5 yards or the reaches and 4/3, and when it ends 6.25 more.
func TestRange(t *testing.T) {
	plain := func(*defs.Spell) {}
	melee := func(sp *defs.Spell) { sp.MaxRange = 0 }
	large := func(s *stage) { s.units.Get(s.beast).CombatReach = 4 }
	none := func(*stage) {}
	for _, c := range []struct {
		name  string
		spell func(sp *defs.Spell)
		stage func(s *stage)
		x     float32
		why   msg.CastResult
		end   msg.CastResult // when a cast ends with the target there
	}{
		{"30 + 3 + 1.25 yards", plain, none, 34.2, castOK, castOK},
		{"just that", plain, none, 34.25, castOK, castOK},
		{"more", plain, none, 34.3, msg.CastOutOfRange, castOK},
		{"30 + 3 + 6.25 yards", plain, none, 39.2, msg.CastOutOfRange, castOK},
		{"more than that", plain, none, 39.3, msg.CastOutOfRange, msg.CastOutOfRange},
		{"a large target", plain, large, 36.7, castOK, castOK},
		{"hand to hand", melee, none, 4.9, castOK, castOK},
		{"beyond", melee, none, 5.1, msg.CastOutOfRange, castOK},
		{"hand to hand, at its end", melee, none, 11.2, msg.CastOutOfRange, castOK},
		{"beyond, at its end", melee, none, 11.3, msg.CastOutOfRange, msg.CastOutOfRange},
		{"hand to hand, a large target: 5.5 + 4/3", melee, large, 6.8, castOK, castOK},
		{"beyond a large target", melee, large, 6.9, msg.CastOutOfRange, castOK},
		{"too close", func(sp *defs.Spell) { sp.MinRange = 8 }, none, 7.9, msg.CastTooClose, msg.CastTooClose},
		{"close", func(sp *defs.Spell) { sp.MinRange = 8 }, none, 8, castOK, castOK},
		{"behind", plain, none, -5, msg.CastUnitNotInFront, msg.CastUnitNotInFront},
		{"behind, with a spell for that", func(sp *defs.Spell) { sp.Flags |= defs.SpellBackTurned }, none, -5, castOK, castOK},
	} {
		s := newStage(t, with(bolt(5), c.spell), with(bolt(6), func(sp *defs.Spell) {
			c.spell(sp)
			sp.CastMs = 100
		}))
		c.stage(s)
		s.put(s.beast, c.x, 0, 0)
		if why := s.why(s.mage, s.beast, 5); why != c.why {
			t.Errorf("%s: %d, want %d", c.name, why, c.why)
		}
		near := max(s.defs.Spells[1].MinRange, 4)
		s.put(s.beast, near, 0, 0)
		if why := s.why(s.mage, s.beast, 6); why != castOK {
			t.Errorf("%s: it does not begin: %d", c.name, why)
		}
		s.put(s.beast, c.x, 0, 0)
		s.runFor(100)
		var m msg.CastFailed
		why := castOK
		for _, body := range s.bodies(msg.OpCastFailed) {
			if err := msg.Decode(12340, body, &m); err != nil {
				t.Fatal(err)
			}
			why = m.Result
		}
		if why != c.end {
			t.Errorf("%s, at its end: %d, want %d", c.name, why, c.end)
		}
	}
	s := newStage(t, mend(5), bolt(6), with(one(7, 0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster}), func(sp *defs.Spell) { sp.MinRange = 3 }),
		one(8, 0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetPlaceFriends, Radius: 1}), with(mend(9), func(sp *defs.Spell) { sp.MinRange = 3 }))
	if why := s.why(s.mage, s.mage, 9); why != castOK {
		t.Errorf("it is too close to itself: %d", why)
	}
	s.put(s.mage, 0, 40, 50)
	s.put(s.friend, 0, 45, 50)
	if why := s.why(s.mage, s.friend, 5); why != castOK {
		t.Errorf("a friend to the north, both far from the middle: %d", why)
	}
	s.put(s.mage, 0, 0, 0)
	s.put(s.friend, -5, 0, 0)
	if why := s.why(s.mage, s.friend, 5); why != castOK {
		t.Errorf("a friend behind: %d", why)
	}
	s.positions.Get(s.beast).O = 0 // away from the player
	if why := s.why(s.beast, s.mage, 6); why != castOK {
		t.Errorf("a creature turns: %d", why)
	}
	if why := s.why(s.mage, s.mage, 7); why != castOK {
		t.Errorf("its own place is too close: %d", why)
	}
	give(s, rules.Cast{By: s.mage, Spell: 6, Target: s.beast, Triggered: true, Ticket: 1})
	s.put(s.beast, 90, 0, 0)
	s.run()
	same(s, "triggered, far away", asked[rules.CastResult](s), rules.CastResult{Ticket: 1, Begun: true})
	if why := s.why(s.mage, s.beast, 7); why != castOK {
		t.Errorf("a spell on itself, with a target far away: %d", why)
	}
	for _, c := range []struct {
		to  components.Vec
		why msg.CastResult
	}{
		{components.Vec{X: 31.25}, castOK}, {components.Vec{X: 31.3}, msg.CastOutOfRange}, {components.Vec{X: 20, Y: 20, Z: 13}, castOK},
		{components.Vec{X: 20, Y: 20, Z: -14}, msg.CastOutOfRange},
	} {
		give(s, rules.Cast{By: s.mage, Spell: 8, Placed: true, To: c.to, Ticket: 1})
		s.run()
		want := rules.CastResult{Ticket: 1, Begun: c.why == castOK, Why: c.why}
		if want.Begun {
			want.Why = 0
		}
		same(s, "a place", asked[rules.CastResult](s), want)
	}
	give(s, rules.Cast{By: s.mage, Spell: 5, Target: s.friend, Placed: true, To: components.Vec{X: 500}, Ticket: 1})
	s.run()
	same(s, "a place that matters not", asked[rules.CastResult](s), rules.CastResult{Ticket: 1, Begun: true})
}
