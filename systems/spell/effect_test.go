package spell

import (
	"math"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// How much damage a spell does, from 100 points.
//
// Source: Unit::SpellDamageBonusDone, Unit::CalculateSpellDamageTaken, Unit::SpellCriticalDamageBonus, SpellEffectInfo::CalcValue and
// Spell::EffectWeaponDmg, AzerothCore: coefficient times spell power of the spell's first school, the caster's factor, that of the
// jumps of a chain, half as much again if it is critical (twice of weapons), the target's factor; armour only against physical
// damage, resistance only against magic, and a block only with physical damage.
func TestDamage(t *testing.T) {
	plain := func(*defs.Spell) {}
	none := func(s *stage) {}
	physical := func(sp *defs.Spell) { sp.School, sp.Flags = defs.SchoolPhysical, sp.Flags|defs.SpellMelee }
	crit := func(s *stage) { s.stats.Get(s.mage).Crit = [3]float32{200, 200, 200} }
	for _, c := range []struct {
		name   string
		spell  func(sp *defs.Spell)
		stage  func(s *stage)
		amount uint32
		crit   bool
		other  func(d *rules.Damage)
	}{
		{"as it is", plain, none, 100, false, nil},
		{"of two levels more than the spell's, two points each", func(sp *defs.Spell) { sp.Level, sp.Effects[0].PerLevel = 8, 2 }, none, 104, false, nil},
		{"of a spell that grows up to level 9", func(sp *defs.Spell) { sp.Level, sp.MaxLevel, sp.Effects[0].PerLevel = 8, 9, 2 }, none, 102, false, nil},
		{"spell power of 60, a coefficient of a half", func(sp *defs.Spell) { sp.Effects[0].Coefficient = 0.5 },
			func(s *stage) { s.stats.Get(s.mage).SpellPower[2] = 60 }, 130, false, nil},
		{"spell power of another school", func(sp *defs.Spell) { sp.Effects[0].Coefficient = 0.5 },
			func(s *stage) { s.stats.Get(s.mage).SpellPower = [7]float32{60, 60, 0, 60, 60, 60, 60} }, 100, false, nil},
		{"spell power of the first of two schools", func(sp *defs.Spell) {
			sp.School, sp.Effects[0].Coefficient = defs.SchoolFrost|defs.SchoolArcane, 1
		}, func(s *stage) { s.stats.Get(s.mage).SpellPower = [7]float32{0, 0, 0, 0, 7, 0, 50} }, 107, false, func(d *rules.Damage) { d.School = 0x50 }},
		{"no spell power of a blow", func(sp *defs.Spell) { physical(sp); sp.Effects[0].Coefficient = 1 },
			func(s *stage) { s.stats.Get(s.mage).SpellPower[0] = 60 }, 100, false, func(d *rules.Damage) { d.School = 1 }},
		{"a caster's factor", plain, func(s *stage) { s.stats.Get(s.mage).DamageDone = 1.1 }, 110, false, nil},
		{"a target's factor", plain, func(s *stage) { s.stats.Get(s.beast).DamageTaken = 0.5 }, 50, false, nil},
		{"a target's factor of less than nothing", plain, func(s *stage) { s.stats.Get(s.beast).DamageTaken = -1 }, 0, false, nil},
		{"critical", func(sp *defs.Spell) { sp.Flags &^= defs.SpellNeverCrits }, crit, 150, true, nil},
		{"a critical blow", func(sp *defs.Spell) { physical(sp); sp.Flags &^= defs.SpellNeverCrits }, crit, 200, true, func(d *rules.Damage) { d.School = 1 }},
		{"never critical", plain, crit, 100, false, nil},
		// 4,375 of armour against level 10: 437.5 / (85 + 40) = 3.5 of 4.5, at most three quarters
		{"armour", physical, func(s *stage) { s.stats.Get(s.beast).Armor = 4375 }, 25, false, func(d *rules.Damage) { d.School = 1 }},
		{"armour against fire", plain, func(s *stage) { s.stats.Get(s.beast).Armor = 4375 }, 100, false, nil},
		// an average of 950 / (950 + 50) = 95 %: at least 80 %
		{"resistance of another school", plain, func(s *stage) { s.stats.Get(s.beast).Resistance = [7]float32{950, 950, 0, 950, 950, 950, 950} }, 100, false, nil},
		{"resistance against a blow", physical, func(s *stage) { s.stats.Get(s.beast).Resistance[0] = 950 }, 100, false, func(d *rules.Damage) { d.School = 1 }},
		{"a leech", func(sp *defs.Spell) { sp.Effects[0].Kind = defs.EffectHealthLeech }, none, 100, false, func(d *rules.Damage) { d.Leech = true }},
		{"without threat", func(sp *defs.Spell) { sp.Flags |= defs.SpellNoThreat }, none, 100, false, func(d *rules.Damage) { d.Quiet = true }},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) {
			sp.Effects[0].Amount = 100
			c.spell(sp)
		}))
		s.put(s.beast, 4, 0, 0)
		c.stage(s)
		s.cast(s.mage, s.beast, 5)
		want := rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: c.amount, Critical: c.crit}
		if c.other != nil {
			c.other(&want)
		}
		same(s, c.name, asked[rules.Damage](s), want)
		if got := len(asked[rules.Engage](s)) == 1; got == want.Quiet {
			t.Errorf("%s: they fight %v", c.name, got)
		}
	}
}

// What a unit resists of magic, and what of binary spells.
//
// Source: Unit::CalcAbsorbResist, AzerothCore: of an average of 95 % nothing less than 80 % is drawn, in tenths.
func TestResisted(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.Effects[0].Amount = 100 }),
		with(bolt(6), func(sp *defs.Spell) { sp.Effects[0].Amount, sp.Flags = 100, sp.Flags|defs.SpellBinary }))
	s.stats.Get(s.beast).Resistance[2] = 950
	drawn := make(map[uint32]bool)
	for range 100 {
		s.cast(s.mage, s.beast, 5)
		for _, d := range asked[rules.Damage](s) {
			if drawn[d.Resisted] = true; d.Resisted < 80 || d.Resisted%10 != 0 || d.Amount+d.Resisted != 100 {
				t.Errorf("%+v", d)
			}
		}
	}
	if len(drawn) < 2 {
		t.Errorf("drawn: %v", drawn)
	}
	s.cast(s.mage, s.beast, 6)
	same(s, "binary, which always hits", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 6, School: defs.SchoolFire, Amount: 100})
}

// What a shield takes off a blow: its value, at most all of it.
//
// Source: Unit::CalculateSpellDamageTaken, AzerothCore.
func TestBlockedSpell(t *testing.T) {
	for _, c := range []struct {
		value           float32
		amount, blocked uint32
	}{{35, 65, 35}, {100, 0, 100}, {400, 0, 100}} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) {
			sp.School, sp.Effects[0].Amount = defs.SchoolPhysical, 100
			sp.Flags = defs.SpellHarmful | defs.SpellMelee | defs.SpellNeverCrits
		}), with(bolt(6), func(sp *defs.Spell) {
			sp.School, sp.Effects[0].Amount = defs.SchoolFire, 100
			sp.Flags = defs.SpellHarmful | defs.SpellMelee | defs.SpellNeverCrits
		}))
		s.put(s.beast, 4, 0, 0)
		s.attacks.Get(s.beast).Victim = s.mage // which it faces
		s.stats.Get(s.mage).Hit = 100          // never misses
		s.stats.Get(s.beast).Block, s.stats.Get(s.beast).BlockValue = 200, c.value
		s.cast(s.mage, s.beast, 5)
		same(s, "blocked", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: 1, Amount: c.amount, Blocked: c.blocked})
		s.cast(s.mage, s.beast, 6)
		same(s, "of fire", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 6, School: defs.SchoolFire, Amount: 100})
	}
}

// Weapon damage, once for all of its effects: what they add to that of the weapon, 20 points, or 40 of the ranged one, and then
// their percents.
//
// Source: Spell::EffectWeaponDmg, AzerothCore.
func TestWeaponDamage(t *testing.T) {
	add := func(kind defs.EffectKind, amount int32) defs.Effect {
		return defs.Effect{Kind: kind, Target: defs.TargetEnemy, Amount: amount}
	}
	for _, c := range []struct {
		name    string
		flags   defs.SpellFlag
		effects []defs.Effect
		want    []uint32
	}{
		{"and 5", defs.SpellMelee, []defs.Effect{add(defs.EffectWeaponDamage, 5)}, []uint32{25}},
		{"of a shot", defs.SpellRanged, []defs.Effect{add(defs.EffectWeaponDamage, 5)}, []uint32{45}},
		{"normalized", defs.SpellMelee, []defs.Effect{add(defs.EffectNormalizedWeapon, 6)}, []uint32{26}},
		{"150 %", defs.SpellMelee, []defs.Effect{add(defs.EffectWeaponPercent, 150)}, []uint32{30}},
		{"and 5, of that 150 % and half of that", defs.SpellMelee, []defs.Effect{add(defs.EffectWeaponPercent, 150), add(defs.EffectWeaponDamage, 4),
			add(defs.EffectWeaponPercent, 50)}, []uint32{18}},
		{"and 5, and fire by itself", defs.SpellMelee, []defs.Effect{add(defs.EffectSchoolDamage, 9), add(defs.EffectWeaponDamage, 5),
			add(defs.EffectWeaponDamage, 5)}, []uint32{9, 30}},
	} {
		s := newStage(t, with(bolt(5), func(sp *defs.Spell) {
			sp.School, sp.Flags, sp.Effects = defs.SchoolPhysical, sp.Flags|c.flags, [3]defs.Effect{}
			copy(sp.Effects[:], c.effects)
		}))
		s.put(s.beast, 4, 0, 0)
		s.cast(s.mage, s.beast, 5)
		var got []uint32
		for _, d := range asked[rules.Damage](s) {
			got = append(got, d.Amount)
		}
		same(s, c.name, got, c.want...)
	}
}

// Each point of the dice is drawn, and each target, spell, effect and tick draws for itself.
//
// Source: SpellEffectInfo::CalcValue, AzerothCore (from the base points and 1 to those and the sides).
func TestRandomAmounts(t *testing.T) {
	die := func(id uint32) defs.Spell {
		return with(bolt(id), func(sp *defs.Spell) { sp.Effects[0].Dice = 2 })
	}
	s := newStage(t, die(5))
	drawn := make(map[uint32]int)
	for range 300 {
		s.cast(s.mage, s.beast, 5)
		drawn[asked[rules.Damage](s)[0].Amount]++
	}
	for _, n := range []uint32{10, 11, 12} {
		if drawn[n] < 70 || len(drawn) != 3 {
			t.Errorf("drawn: %v", drawn)
		}
	}

	// of 1,000 points each, so that two are rarely alike
	wide := func(id uint32) defs.Spell {
		e := defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetAreaFriends, Radius: 20, Amount: 1, Dice: 100_000}
		return with(one(id, 0, e), func(sp *defs.Spell) { sp.Effects[1] = e })
	}
	s = newStage(t, wide(5), wide(6))
	for guid := range uint64(4) {
		s.addPlayer(50+guid, 1, 1)
	}
	var all []uint32
	for range 2 {
		give(s, rules.Cast{By: s.mage, Spell: 5, Target: s.mage}, rules.Cast{By: s.mage, Spell: 6, Target: s.mage}, rules.Cast{By: s.friend, Spell: 6, Target: s.mage})
		s.run()
		for _, h := range asked[rules.Heal](s) {
			all = append(all, h.Amount)
		}
	}
	n := len(all)
	slices.Sort(all)
	if all = slices.Compact(all); n != 2*3*2*6 || len(all) < n-1 {
		t.Errorf("%d of %d amounts are different", len(all), n)
	}
}

// Healing and power that spells give.
//
// Source: Spell::EffectHeal, EffectHealMaxHealth, EffectHealPct, EffectEnergize and EffectEnergizePct, Unit::SpellHealingBonusDone and
// Unit::SpellHealingBonusTaken, AzerothCore.
func TestHealing(t *testing.T) {
	plain, none := func(*defs.Spell) {}, func(s *stage) {}
	for _, c := range []struct {
		name   string
		spell  func(sp *defs.Spell)
		stage  func(s *stage)
		amount uint32
		crit   bool
		quiet  bool
	}{
		{"as it is", plain, none, 100, false, false},
		{"60 of healing, a coefficient of a half", func(sp *defs.Spell) { sp.Effects[0].Coefficient = 0.5 }, func(s *stage) { s.stats.Get(s.mage).Healing = 60 }, 130, false, false},
		{"a caster's factor", plain, func(s *stage) { s.stats.Get(s.mage).HealingDone = 1.2 }, 120, false, false},
		{"a target's factor", plain, func(s *stage) { s.stats.Get(s.friend).Healed = 0.5 }, 50, false, false},
		{"a target's factor of less than nothing", plain, func(s *stage) { s.stats.Get(s.friend).Healed = -1 }, 0, false, false},
		{"critical", func(sp *defs.Spell) { sp.Flags &^= defs.SpellNeverCrits }, func(s *stage) { s.stats.Get(s.mage).Crit[2] = 100 }, 150, true, false},
		{"critical by a chance of another kind", func(sp *defs.Spell) { sp.Flags &^= defs.SpellNeverCrits },
			func(s *stage) { s.stats.Get(s.mage).Crit = [3]float32{100, 100, 0} }, 100, false, false},
		{"the caster's health", func(sp *defs.Spell) { sp.Effects[0].Kind = defs.EffectHealMax }, func(s *stage) { s.vitals.Get(s.mage).MaxHealth = 700 }, 700, false, false},
		{"15 % of the target's", func(sp *defs.Spell) { sp.Effects[0].Kind, sp.Effects[0].Amount = defs.EffectHealPercent, 15 },
			func(s *stage) { s.vitals.Get(s.friend).MaxHealth = 600 }, 90, false, false},
		{"without threat", func(sp *defs.Spell) { sp.Flags |= defs.SpellNoThreat }, none, 100, false, true},
	} {
		s := newStage(t, with(mend(5), func(sp *defs.Spell) {
			sp.Effects[0].Amount = 100
			c.spell(sp)
		}))
		c.stage(s)
		s.cast(s.mage, s.friend, 5)
		same(s, c.name, asked[rules.Heal](s), rules.Heal{By: s.mage, To: s.friend, Caster: 1, Spell: 5, Amount: c.amount, Critical: c.crit, Quiet: c.quiet})
		same(s, c.name, asked[rules.Engage](s))
	}
	for _, c := range []struct {
		kind  defs.EffectKind
		misc  int32
		delta int32
	}{{defs.EffectEnergize, 0, 20}, {defs.EffectEnergize, 3, 20}, {defs.EffectEnergizePercent, 0, 80}, {defs.EffectEnergizePercent, 3, 22}} {
		s := newStage(t, one(5, 0, defs.Effect{Kind: c.kind, Target: defs.TargetFriend, Amount: 20, Misc: c.misc}))
		v := s.vitals.Get(s.friend)
		v.MaxPower[0], v.MaxPower[3] = 400, 110
		s.cast(s.mage, s.friend, 5)
		same(s, "power", asked[rules.PowerChange](s), rules.PowerChange{To: s.friend, Caster: 1, Spell: 5, Power: uint8(c.misc), Delta: c.delta})
	}
}

// Threat that spells cause: an amount, or 130 % of the most that a creature has, and a point, in all.
//
// Source: Spell::EffectThreat and Spell::EffectTaunt, AzerothCore; with 130 % of the most a creature turns to a unit
// from wherever it stands, our own choice.
func TestThreatEffects(t *testing.T) {
	threat := one(5, defs.SpellHarmful, defs.Effect{Kind: defs.EffectThreat, Target: defs.TargetEnemy, Amount: 40})
	taunt := one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectAttackMe, Target: defs.TargetEnemy})
	s := newStage(t, threat, taunt)
	s.cast(s.mage, s.beast, 5)
	same(s, "an amount", asked[rules.ThreatChange](s), rules.ThreatChange{Entity: s.beast, By: s.mage, Amount: 40})
	for _, c := range []struct {
		name         string
		mine, theirs float32
		more         float32
	}{{"without a list", 0, 0, 1}, {"of one with 200", 0, 200, 261}, {"by one that has 50", 50, 200, 211}, {"by one that has most", 300, 200, 91},
		{"by one that has very much", 3, 1, 1.9}} {
		s := newStage(t, threat, taunt)
		if c.theirs > 0 {
			block := s.lists.Alloc()
			s.threats.Get(s.beast).List = block
			list := s.lists.At(block)
			list.List[0] = components.ThreatEntry{Entity: s.friend, Amount: c.theirs}
			list.List[1] = components.ThreatEntry{Entity: s.mage, Amount: c.mine}
			list.Count = 2
		}
		s.cast(s.mage, s.beast, 6)
		got := asked[rules.ThreatChange](s)
		if len(got) != 1 || math.Abs(float64(got[0].Amount-c.more)) > 1e-4 {
			t.Fatalf("%s: %+v, want %v", c.name, got, c.more)
		}
		got[0].Amount = 0
		same(s, c.name, got, rules.ThreatChange{Entity: s.beast, By: s.mage, Raw: true})
	}
}

// What a dispel takes, and from whom: what is bad from friends, and what is good from enemies, so many as it says.
//
// Source: Spell::EffectDispel, AzerothCore.
func TestDispel(t *testing.T) {
	for _, c := range []struct {
		name   string
		amount int32
		on     func(s *stage) ecs.Entity
		bad    bool
		most   uint8
	}{
		{"a friend", 2, func(s *stage) ecs.Entity { return s.friend }, true, 2},
		{"an enemy", 2, func(s *stage) ecs.Entity { return s.beast }, false, 2},
		{"itself", 1, func(s *stage) ecs.Entity { return s.mage }, true, 1},
		{"of none", 0, func(s *stage) ecs.Entity { return s.mage }, true, 1},
		{"of many", 1000, func(s *stage) ecs.Entity { return s.mage }, true, 255},
	} {
		s := newStage(t, one(5, 0, defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetAny, Misc: defs.DispelMagic, Amount: c.amount}),
			with(bolt(6), func(sp *defs.Spell) { sp.Dispel = defs.DispelMagic }), with(mend(7), func(sp *defs.Spell) { sp.Dispel = defs.DispelMagic }))
		to := c.on(s)
		s.wear(to, 6, beastGUID, 1)
		s.wear(to, 7, beastGUID, 1)
		s.cast(s.mage, to, 5)
		same(s, c.name, asked[rules.RemoveAuras](s), rules.RemoveAuras{From: to, Dispel: 1, Bad: c.bad, Most: c.most})
	}
}

// What moves a unit: home, to a target, and away from a caster.
//
// Source: Spell::EffectTeleportUnits, EffectCharge and EffectKnockBack, and SPEED_CHARGE (42), AzerothCore.
func TestMoveEffects(t *testing.T) {
	s := newStage(t, one(5, 0, defs.Effect{Kind: defs.EffectTeleport, Target: defs.TargetHome}),
		one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectCharge, Target: defs.TargetEnemy}),
		one(7, defs.SpellHarmful, defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetEnemy, Misc: 150, Amount: 80}))
	s.records.Get(s.mage).Bind = life.Place{Map: 1, X: 2, Y: 3, Z: 4}
	s.cast(s.mage, s.mage, 5)
	same(s, "home", asked[move.Teleport](s), move.Teleport{Entity: s.mage, To: life.Place{Map: 1, X: 2, Y: 3, Z: 4}})
	s.cast(s.beast, s.beast, 5)
	same(s, "of a creature", asked[move.Teleport](s))

	// 20 yards, of which both reaches, 1.5 each, are left: 17 of 20 parts of (12, 16)
	s.put(s.beast, 12, 16, 0)
	s.positions.Get(s.mage).O = 1
	s.place.Ground = slope{}
	s.cast(s.mage, s.beast, 6)
	same(s, "a charge", rounded(asked[move.Run](s)), move.Run{Entity: s.mage, To: components.Vec{X: 10.2, Y: 13.6, Z: 11.9}, Speed: 42})
	s.put(s.mage, 2, 6, 0)
	s.put(s.beast, 14, 22, 0)
	s.cast(s.mage, s.beast, 6)
	same(s, "from another place", rounded(asked[move.Run](s)), move.Run{Entity: s.mage, To: components.Vec{X: 12.2, Y: 19.6, Z: 15.9}, Speed: 42})
	s.put(s.beast, 5, 6, 0)
	s.cast(s.mage, s.beast, 6)
	same(s, "at hand", asked[move.Run](s))

	s.put(s.mage, 0, 0, 0)
	s.put(s.beast, 0, 8, 0)
	s.cast(s.mage, s.beast, 7)
	same(s, "away", asked[move.KnockBack](s), move.KnockBack{Entity: s.beast, Angle: float32(math.Pi / 2), Speed: 15, Up: 8})
	s.put(s.mage, 5, 3, 0)
	s.put(s.beast, 5, -5, 0)
	s.positions.Get(s.mage).O = 4.5
	s.cast(s.mage, s.beast, 7)
	same(s, "to the other side", asked[move.KnockBack](s), move.KnockBack{Entity: s.beast, Angle: float32(3 * math.Pi / 2), Speed: 15, Up: 8})
	s.put(s.mage, 10, 3, 0)
	s.put(s.beast, 5, 3, 0)
	s.positions.Get(s.mage).O = 3
	s.cast(s.mage, s.beast, 7)
	same(s, "backwards", asked[move.KnockBack](s), move.KnockBack{Entity: s.beast, Angle: math.Pi, Speed: 15, Up: 8})
	for _, state := range []uint16{components.StateRooted, components.StateStunned, components.StateSilenced} {
		s.auras.Get(s.beast).States = state
		s.cast(s.mage, s.beast, 7)
		if thrown := len(asked[move.KnockBack](s)) == 1; thrown != (state == components.StateSilenced) {
			t.Errorf("in state %d it is thrown %v", state, thrown)
		}
	}
}

// A unit that is knocked back casts no more.
func TestKnockBackInterrupts(t *testing.T) {
	s := newStage(t, with(bolt(5), func(sp *defs.Spell) { sp.CastMs = 2000 }),
		one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetEnemy, Misc: 150, Amount: 80}))
	s.cast(s.beast, s.mage, 5)
	s.auras.Get(s.beast).States = components.StateRooted
	s.cast(s.mage, s.beast, 6)
	if s.casting.Get(s.beast).Cast.Spell != 0 {
		t.Error("it goes on casting")
	}
}

// slope is land that rises by half a yard for each yard to the east and north.
type slope struct{}

func (slope) Height(x, y float32) float32 { return (x + y) / 2 }

// rounded rounds places to a thousandth of a yard.
func rounded(runs []move.Run) []move.Run {
	round := func(v *float32) { *v = float32(math.Round(float64(*v)*1000) / 1000) }
	for i := range runs {
		round(&runs[i].To.X)
		round(&runs[i].To.Y)
		round(&runs[i].To.Z)
	}
	return runs
}

// Creatures are summoned where the caster stands, or at the place, one or so many as it says, eight at most.
//
// Source: Spell::EffectSummonType, AzerothCore.
func TestSummonEffect(t *testing.T) {
	for _, c := range []struct {
		amount int32
		n      int
		placed bool
	}{{0, 1, false}, {1, 1, true}, {3, 3, false}, {20, 8, true}} {
		target := defs.TargetCaster
		s := newStage(t, with(one(5, 0, defs.Effect{Kind: defs.EffectSummon, Target: target, Misc: 33, Amount: c.amount}), func(sp *defs.Spell) { sp.DurationMs = 9000 }))
		s.put(s.mage, 1, 2, 3)
		s.positions.Get(s.mage).O = 0.5
		give(s, rules.Cast{By: s.mage, Target: s.mage, Spell: 5, Placed: c.placed, To: components.Vec{X: 7, Y: 8, Z: 9}})
		s.run()
		want := rules.Summon{By: s.mage, Entry: 33, At: components.Position{X: 1, Y: 2, Z: 3, O: 0.5}, ForMs: 9000}
		if c.placed {
			want.At = components.Position{X: 7, Y: 8, Z: 9, O: 0.5}
		}
		same(s, "summoned", asked[rules.Summon](s), slices.Repeat([]rules.Summon{want}, c.n)...)
	}
}

// A dead player is offered to be raised, with percents of its health and mana or with amounts; spells are taught; and neither
// happens to creatures.
//
// Source: Spell::EffectResurrect, EffectResurrectNew and EffectLearnSpell, AzerothCore.
func TestOffersAndLessons(t *testing.T) {
	raise := one(5, defs.SpellOnDead, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend, Amount: 35})
	raiseNew := one(6, defs.SpellOnDead, defs.Effect{Kind: defs.EffectResurrectNew, Target: defs.TargetFriend, Amount: 90, Misc: 40})
	lesson := one(7, 0, defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetFriend, Trigger: 5})
	area := one(8, 0, defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetAreaFriends, Radius: 30, Trigger: 5})
	s := newStage(t, raise, raiseNew, lesson, area, with(raise, func(sp *defs.Spell) { sp.ID, sp.Effects[0].Amount = 9, 0 }),
		with(raiseNew, func(sp *defs.Spell) { sp.ID, sp.Effects[0].Amount, sp.Effects[0].Misc = 10, 0, -3 }))
	at := components.Position{X: 1, Y: 2, Z: 3, O: 0.5}
	*s.positions.Get(s.mage) = at
	v := s.vitals.Get(s.friend)
	v.MaxHealth, v.MaxPower[0] = 400, 200
	s.kill(s.friend)
	for _, c := range []struct{ id, health, mana uint32 }{{5, 140, 70}, {6, 90, 40}, {9, 1, 0}, {10, 1, 0}} {
		s.cast(s.mage, s.friend, c.id)
		same(s, "offered", asked[rules.Resurrect](s), rules.Resurrect{Entity: s.friend, By: s.mage, Health: c.health, Mana: c.mana, At: at})
	}
	v.Health = 1
	s.cast(s.mage, s.friend, 7)
	same(s, "taught", asked[rules.LearnSpell](s), rules.LearnSpell{Entity: s.friend, Spell: 5})
	s.run()
	s.cast(s.beast, s.beast, 8)
	same(s, "a creature is not taught", asked[rules.LearnSpell](s))
	s.wantCount("spell.refused_effect", 1)
}

// The auras of a cast are one request, with the amount of each of its effects: that of periodic damage has the caster's spell
// power and factor, that of periodic healing its bonus and factor for healing, those of shields its spell power.
//
// Source: AuraEffect::CalculateAmount, AzerothCore.
func TestAuraAmounts(t *testing.T) {
	for _, c := range []struct {
		kind defs.AuraKind
		want int32
	}{
		{defs.AuraPeriodicDamage, 260}, {defs.AuraPeriodicLeech, 260}, // (100 + 0.5 × 60) × 2
		{defs.AuraPeriodicHeal, 420}, // (100 + 0.5 × 80) × 3
		{defs.AuraAbsorb, 130}, {defs.AuraDamageShield, 130}, {defs.AuraStat, 100},
	} {
		aura := defs.Effect{Kind: defs.EffectApplyAura, Aura: c.kind, Target: defs.TargetFriend, Amount: 100, Coefficient: 0.5}
		s := newStage(t, with(one(5, 0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetFriend, Amount: 1}), func(sp *defs.Spell) {
			sp.Effects[1], sp.Effects[2] = aura, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Target: defs.TargetFriend, Amount: -7}
		}))
		st := s.stats.Get(s.mage)
		st.SpellPower[2], st.DamageDone, st.Healing, st.HealingDone = 60, 2, 80, 3
		s.cast(s.mage, s.friend, 5)
		same(s, "applied", asked[rules.ApplyAura](s), rules.ApplyAura{By: s.mage, To: s.friend, Spell: 5, Effects: 6, Level: 10, Amount: [3]int32{0, c.want, -7}})
	}
	s := newStage(t, one(5, 0, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Target: defs.TargetFriend}))
	s.units.Get(s.mage).Level = 300
	s.cast(s.mage, s.friend, 5)
	if got := asked[rules.ApplyAura](s); len(got) != 1 || got[0].Level != 255 {
		t.Errorf("of a level beyond a byte: %+v", got)
	}
}

// A spell triggers another, which triggers others: four in a row at most. They need and cost nothing.
//
// Source: Spell::EffectTriggerSpell, AzerothCore; the bound is our own.
func TestTriggeredSpells(t *testing.T) {
	chain := func(id, next uint32) defs.Spell {
		return with(bolt(id), func(sp *defs.Spell) {
			sp.Cost, sp.CooldownMs, sp.GlobalMs, sp.CastMs = 600, 60_000, 1500, 0
			sp.Effects[1] = defs.Effect{Kind: defs.EffectTriggerSpell, Target: defs.TargetEnemy, Trigger: next}
		})
	}
	s := newStage(t, chain(5, 6), chain(6, 7), chain(7, 8), chain(8, 9), chain(9, 10), chain(10, 99))
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Count: 3})
	s.run()
	var ids []uint32
	for _, d := range asked[rules.Damage](s) {
		ids = append(ids, d.Spell)
	}
	same(s, "spells", ids, 5, 6, 7, 8, 9)
	s.wantCount("spell.too_deep", 1)
	same(s, "sent", s.ops(), uint16(0x131), uint16(0x132), uint16(0x132), uint16(0x132), uint16(0x132), uint16(0x132))
	s.wantPacket("triggered", 0x132, s.mage, pguid(1), pguid(1), []byte{0}, u32(6), u32(0x901), u32(100_000), []byte{1}, u64(3), []byte{0}, u32(2),
		pguid(3), u32(400))
	same(s, "paid", asked[rules.PowerChange](s), rules.PowerChange{To: s.mage, Delta: -600, Kind: rules.NoReport, Cost: true})
	if c := s.cooldowns.Get(s.mage); c.Waiting != 1 {
		t.Errorf("waits: %+v", c.List[:c.Waiting])
	}
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 10, Triggered: true})
	s.run()
	s.wantCount("spell.unknown", 1)
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 8, Depth: 3, Triggered: true})
	s.run()
	s.wantCount("spell.too_deep", 2)
	same(s, "depths of other systems count", s.ops(), uint16(0x132), uint16(0x132))
	s.stances.Get(s.mage).Bytes1[components.ByteStand] = components.Sitting
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 9, Triggered: true})
	s.run()
	same(s, "sitting", s.ops(), uint16(0x132), uint16(0x132))
}

// A triggered spell is cast at the place of the one that triggers it.
func TestTriggeredAtPlace(t *testing.T) {
	s := newStage(t, one(5, 0, defs.Effect{Kind: defs.EffectTriggerSpell, Target: defs.TargetCaster, Trigger: 6}),
		one(6, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetPlaceEnemies, Radius: 2, Amount: 3}))
	give(s, rules.Cast{By: s.mage, Target: s.mage, Spell: 5, Placed: true, To: components.Vec{X: 10, Y: 1}})
	s.run()
	same(s, "damage", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 6, School: defs.SchoolFire, Amount: 3})
}

// A spell whose caster has auras ends those that end with a cast, but not if it is triggered.
func TestCastBreaksAuras(t *testing.T) {
	s := newStage(t, mend(5), with(mend(6), func(sp *defs.Spell) { sp.CastMs = 100 }))
	s.cast(s.mage, s.mage, 5)
	same(s, "without auras", asked[rules.AuraBroken](s))
	s.wear(s.mage, 5, mageGUID, 1)
	s.cast(s.mage, s.mage, 5)
	same(s, "with auras", asked[rules.AuraBroken](s), rules.AuraBroken{Entity: s.mage, Why: defs.BreakCast})
	give(s, rules.Cast{By: s.mage, Target: s.mage, Spell: 5, Triggered: true})
	s.run()
	same(s, "triggered", asked[rules.AuraBroken](s))
	s.cast(s.mage, s.mage, 6)
	same(s, "at its begin", asked[rules.AuraBroken](s))
	s.runFor(100)
	same(s, "at its end", asked[rules.AuraBroken](s), rules.AuraBroken{Entity: s.mage, Why: defs.BreakCast})
}

// Scripts are told of hits in worlds that have any; effects that are refused, and those of the dead, do nothing.
func TestHits(t *testing.T) {
	two := with(bolt(5), func(sp *defs.Spell) { sp.Effects[1] = defs.Effect{Kind: defs.EffectPull, Target: defs.TargetEnemy} })
	s := newStage(t, two)
	s.cast(s.mage, s.beast, 5)
	same(s, "without scripts", asked[rules.SpellHit](s))
	s.wantCount("spell.refused_effect", 1)
	s.defs.Scripts = make([]defs.Script, 1)
	s.cast(s.mage, s.beast, 5)
	same(s, "with scripts", asked[rules.SpellHit](s), rules.SpellHit{By: s.mage, To: s.beast, Spell: 5})
	s.kill(s.beast)
	give(s, rules.Cast{By: s.mage, Target: s.beast, Spell: 5, Triggered: true})
	s.run()
	same(s, "of the dead", asked[rules.SpellHit](s))

	mixed := with(bolt(5), func(sp *defs.Spell) {
		sp.Effects[1] = defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 4}
		sp.Effects[2] = defs.Effect{Kind: defs.EffectTeleport, Target: defs.TargetCaster}
	})
	s = newStage(t, mixed)
	s.cast(s.mage, s.beast, 5)
	same(s, "damage", asked[rules.Damage](s), rules.Damage{By: s.mage, To: s.beast, Spell: 5, School: defs.SchoolFire, Amount: 10})
	same(s, "healing", asked[rules.Heal](s), rules.Heal{By: s.mage, To: s.mage, Caster: 1, Spell: 5, Amount: 4})
	same(s, "engaged, but not with itself", asked[rules.Engage](s), rules.Engage{By: s.mage, To: s.beast})
	s.wantCount("spell.refused_effect", 1)
	same(s, "it goes nowhere", asked[move.Teleport](s))

	s.threats.Get(s.beast).Evading = 1
	s.defs.Scripts = make([]defs.Script, 1)
	s.cast(s.mage, s.beast, 5)
	same(s, "a miss does no damage", asked[rules.Damage](s))
	same(s, "and is no hit", asked[rules.SpellHit](s), rules.SpellHit{By: s.mage, To: s.mage, Spell: 5})
	same(s, "but is seen", asked[rules.Engage](s), rules.Engage{By: s.mage, To: s.beast})
	s.wantPacket("logged", 0x24B, s.beast, u32(5), u64(1), []byte{0}, u32(1), u64(3), []byte{6})
	if got := s.bodies(msg.OpSpellGo); len(got) != 1 {
		t.Fatal(s.packets)
	}
	s.wantPacket("go", 0x132, s.mage, pguid(1), pguid(1), []byte{0}, u32(5), u32(0x900), u32(s.tick.NowMs-50), []byte{1}, u64(1), []byte{1}, u64(3),
		[]byte{6}, u32(2), pguid(3), u32(1000))
}

// Support names what is executed and what is not.
func TestSupport(t *testing.T) {
	for _, c := range []struct {
		kind          defs.EffectKind
		name, refused string
		known         bool
	}{
		{defs.EffectHeal, "heal", "", true},
		{defs.EffectPull, "pull", "creatures cannot be dragged", true},
		{200, "", "", false},
	} {
		if name, refused, known := Support(c.kind); name != c.name || refused != c.refused || known != c.known {
			t.Errorf("%d: %q, %q, %v", c.kind, name, refused, known)
		}
	}
}

// A unit is not thrown away from itself.
func TestOwnKnockBack(t *testing.T) {
	s := newStage(t, one(5, 0, defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetAreaFriends, Radius: 5, Misc: 10, Amount: 20}))
	s.put(s.friend, 2, 0, 0)
	s.cast(s.mage, s.mage, 5)
	same(s, "thrown", asked[move.KnockBack](s), move.KnockBack{Entity: s.friend, Speed: 1, Up: 2})
}
