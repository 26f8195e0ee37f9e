package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// lasting is a spell that applies an aura for ten seconds and does not miss.
func lasting(flags defs.SpellFlag, e ...defs.Effect) defs.Spell {
	sp := defs.Spell{ID: tried, School: defs.SchoolFrost, Flags: flags | defs.SpellAlwaysHits | defs.SpellNeverCrits, DurationMs: 10_000, MaxRange: 40}
	copy(sp.Effects[:], e)
	return sp
}

func effectOf(kind defs.AuraKind, to defs.Target, amount int32) defs.Effect {
	return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind, Target: to, Amount: amount}
}

// worn is the aura of the tried spell on a unit, nil if there is none.
func (s *stage) worn(e ecs.Entity) *components.Aura {
	if block := s.combats.auras.Get(e).Block; block != 0 {
		auras := s.auras.At(block)
		for i := range auras.List[:auras.Count] {
			if auras.List[i].Spell == tried {
				return &auras.List[i]
			}
		}
	}
	return nil
}

// What takes a charge takes one, of auras of any kind, and nothing else does; with the last the aura ends, and what it
// did with it.
func TestChargesAreSpent(t *testing.T) {
	acts := []struct {
		name  string
		takes defs.Spent
		do    func(s *stage)
	}{
		{"a hit that it suffers", defs.SpentStruck | defs.SpentHurt, func(s *stage) { s.hurt(s.foe, s.actor, 0, defs.SchoolPhysical, 1) }},
		{"a spell that it suffers", defs.SpentHurt, func(s *stage) { s.hurt(s.foe, s.actor, flame, defs.SchoolFire, 1) }},
		{"a hit of its own", defs.SpentStrike, func(s *stage) { s.hurt(s.actor, s.foe, 0, defs.SchoolPhysical, 1) }},
		{"a spell of its own", defs.SpentCast, func(s *stage) { ask(s.world, rules.Cast{By: s.actor, Target: s.actor, Spell: balm}) }},
		{"a spell that is triggered", 0, func(s *stage) { ask(s.world, rules.Cast{By: s.actor, Target: s.actor, Spell: balm, Triggered: true}) }},
		{"a fall", defs.SpentHurt, func(s *stage) { s.hurt(ecs.Entity{}, s.actor, 0, 0, 1) }},
	}
	for _, spent := range []defs.Spent{defs.SpentStruck, defs.SpentHurt, defs.SpentStrike, defs.SpentCast} {
		sp := lasting(0, effectOf(defs.AuraMeleeHaste, defs.TargetCaster, 100))
		sp.Charges, sp.Spent = 2, spent
		for _, act := range acts {
			s := newStage(t, sp)
			s.cast(s.actor, s.actor, tried)
			if a := s.worn(s.actor); a == nil || a.Charges != 2 || s.combatStats.Get(s.actor).SwingMs[0] != 1000 {
				t.Fatalf("spent by %d: %+v at first", spent, a)
			}
			for n := 1; n <= 2; n++ {
				act.do(s)
				s.tick()
				left, swing := uint8(0), s.combatStats.Get(s.actor).SwingMs[0]
				if a := s.worn(s.actor); a != nil {
					left = a.Charges
				}
				want, wantSwing := uint8(2), uint32(1000)
				if act.takes&spent != 0 {
					if want -= uint8(n); want == 0 {
						wantSwing = 2000
					}
				}
				if left != want || swing != wantSwing {
					t.Errorf("spent by %d: after %s number %d, %d charges and %d ms, want %d and %d", spent, act.name, n, left, swing, want, wantSwing)
				}
			}
		}
	}
}

// A spell whose aura breaks with damage does not break it by its own damage, neither direct nor periodic. That of
// others breaks it.
func TestOwnDamageBreaksNothing(t *testing.T) {
	hurts := effectOf(defs.AuraPeriodicDamage, defs.TargetEnemy, 1)
	hurts.PulseMs = 100
	sp := lasting(defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 5},
		effectOf(defs.AuraRoot, defs.TargetEnemy, 0), hurts)
	sp.Breaks = defs.BreakDamage
	s := newStage(t, sp)
	s.hurt(s.actor, s.foe, 0, defs.SchoolPhysical, 3) // before it, in the same tick
	s.cast(s.actor, s.foe, tried)
	s.ticks(4)
	if health, states := s.vitals.Get(s.foe).Health, s.combats.auras.Get(s.foe).States; health != 100-3-5-2 || states != components.StateRooted {
		t.Errorf("health %d, states %#x; want 90, rooted", health, states)
	}
	s.hurt(s.actor, s.foe, jab, defs.SchoolPhysical, 1)
	s.tick()
	if s.worn(s.foe) != nil || s.combats.auras.Get(s.foe).States != 0 {
		t.Error("the root outlives a hit")
	}
}

// An effect that comes to an aura later has its first pulse a whole time later, and not all that it has missed.
func TestLatePulseBeginsLate(t *testing.T) {
	hurts := effectOf(defs.AuraPeriodicDamage, defs.TargetEnemy, 1)
	hurts.PulseMs = 200
	s := newStage(t, lasting(defs.SpellHarmful, effectOf(defs.AuraDodge, defs.TargetEnemy, 1), hurts))
	for _, step := range []struct {
		effects uint32
		ticks   int
		health  uint32
	}{{1, 10, 100}, {3, 4, 100}, {0, 1, 99}, {0, 8, 97}} {
		if step.effects != 0 {
			ask(s.world, rules.ApplyAura{By: s.actor, To: s.foe, Spell: tried, Effects: step.effects, Amount: [3]int32{1, 1}})
		}
		if s.ticks(step.ticks); s.vitals.Get(s.foe).Health != step.health {
			t.Errorf("health %d, want %d", s.vitals.Get(s.foe).Health, step.health)
		}
	}
}

// A dispel removes as many stacks as the spell says.
func TestDispelTakesStacks(t *testing.T) {
	sp := lasting(0, effectOf(defs.AuraHealth, defs.TargetFriend, 10))
	sp.Stacks, sp.Dispel = 3, defs.DispelMagic
	s := newStage(t, sp)
	for range 4 {
		s.cast(s.friend, s.friend, tried)
	}
	for _, step := range []struct {
		most   uint8
		stacks uint8
		health uint32
	}{{0, 3, 250}, {2, 1, 230}, {2, 0, 220}} {
		if step.most > 0 {
			ask(s.world, rules.RemoveAuras{From: s.friend, Dispel: defs.DispelMagic, Most: step.most})
			s.tick()
		}
		stacks := uint8(0)
		if a := s.worn(s.friend); a != nil {
			stacks = a.Stacks
		}
		if health := s.vitals.Get(s.friend).MaxHealth; stacks != step.stacks || health != step.health {
			t.Errorf("after %d are taken, %d lie there, and %d health; want %d and %d", step.most, stacks, health, step.stacks, step.health)
		}
	}
}

// What came first absorbs first, whatever its slot; then what came next; and what is used up is gone in that tick.
func TestEldestAbsorbsFirst(t *testing.T) {
	ward := func(id uint32, ms uint32) defs.Spell {
		sp := lasting(0, effectOf(defs.AuraAbsorb, defs.TargetFriend, 10))
		sp.ID, sp.DurationMs, sp.Effects[0].Misc = id, ms, int32(defs.SchoolAll)
		return sp
	}
	s := newStage(t, ward(tried, 10_000), ward(tried+1, 200), ward(tried+2, 9_000))
	for _, spell := range []uint32{tried + 1, tried, tried + 2} { // the first is gone when the third takes its slot
		s.cast(s.actor, s.actor, spell)
		s.tick()
	}
	left := func() string {
		p := s.portray(s.actor)
		return p.values["Aura[400]"] + "; " + p.values["Aura[402]"]
	}
	if slot := s.worn(s.actor).Slot; slot != 1 {
		t.Fatalf("the elder is in slot %d", slot)
	}
	for _, want := range []string{
		"stacks 1 charges 0 amounts [6 0 0]; stacks 1 charges 0 amounts [10 0 0]",
		"stacks 1 charges 0 amounts [2 0 0]; stacks 1 charges 0 amounts [10 0 0]",
		"; stacks 1 charges 0 amounts [8 0 0]",
	} {
		s.hurt(s.foe, s.actor, flame, defs.SchoolFire, 4)
		if s.tick(); left() != want || s.vitals.Get(s.actor).Health != 220 {
			t.Errorf("left is %q, with %d health; want %q", left(), s.vitals.Get(s.actor).Health, want)
		}
	}
}

// Silence interrupts a cast in progress, even one that cannot be interrupted otherwise; a physical one goes on.
func TestSilenceEndsSpells(t *testing.T) {
	for school, ends := range map[uint32]bool{defs.SchoolFire: true, defs.SchoolPhysical: false} {
		slow := lasting(0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 1})
		slow.CastMs, slow.School = 3000, school
		hush := lasting(defs.SpellHarmful, effectOf(defs.AuraSilence, defs.TargetEnemy, 0))
		hush.ID = tried + 1
		s := newStage(t, slow, hush)
		s.cast(s.actor, s.actor, tried)
		s.cast(s.foe, s.actor, hush.ID)
		s.tick()
		if still := s.castings.Get(s.actor).Cast.Spell == tried; still == ends {
			t.Errorf("silent, it casts on: %v, of school %#x", still, school)
		}
	}
}

// A channel that ends early removes its auras from its target and from its caster.
func TestBrokenChannelsLeaveNothing(t *testing.T) {
	s := newStage(t, lasting(defs.SpellHarmful|defs.SpellChannelled, effectOf(defs.AuraSlow, defs.TargetEnemy, -30), effectOf(defs.AuraDodge, defs.TargetCaster, 9)))
	before, beforeFoe := s.portray(s.actor), s.portray(s.foe)
	s.cast(s.actor, s.foe, tried)
	s.ticks(2)
	if dodge, speed := s.combatStats.Get(s.actor).Dodge, s.combatStats.Get(s.foe).Speed; dodge != 15 || speed != 0.7 {
		t.Fatalf("dodge %v, speed %v", dodge, speed)
	}
	ask(s.world, rules.InterruptCast{Entity: s.actor})
	s.ticks(2)
	after, afterFoe := s.portray(s.actor), s.portray(s.foe)
	if is := after.since(&before) + afterFoe.since(&beforeFoe); is != "" {
		t.Errorf("left behind is %s", is)
	}
}

// An aura goes on in another map where it was in the first, whatever the time is there, and no longer: with its charges,
// its stacks and what is left of it.
func TestAurasCrossMaps(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Maps = append(d.Maps, defs.Map{ID: 1, Half: d.Maps[0].Half})
	ward := lasting(0, effectOf(defs.AuraHealth, defs.TargetCaster, 10), effectOf(defs.AuraAbsorb, defs.TargetCaster, 30))
	ward.Charges, ward.Spent, ward.Stacks, ward.DurationMs, ward.Effects[1].Misc = 5, defs.SpentHurt, 3, 1000, int32(defs.SchoolAll)
	d.Spells = []defs.Spell{ward}
	first, second := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1}), New(Config{Defs: d, Map: &d.Maps[1], Seed: 1})
	var f frame.Frame
	tick := func(w *World, n uint64) {
		w.Inbox().Seal()
		w.Tick(n, &f)
	}
	enter(first, 1, 0, 0)
	tick(first, 1)
	for range 2 {
		ask(first, rules.Cast{By: first.Find(1), Spell: tried})
	}
	tick(first, 2)
	first.Damage(rules.Damage{To: first.Find(1), School: defs.SchoolFire, Amount: 7})
	ask(first, move.Teleport{Entity: first.Find(1), To: life.Place{Map: 1, X: 50}})
	n := uint64(2)
	for f.Left = nil; len(f.Left) == 0; {
		if n++; n > 20 {
			t.Fatal("no player leaves")
		}
		tick(first, n)
	}
	left := 1000 - 50*uint32(n-2)
	var c frame.Character
	decode(t, f.In(f.Left[0].Character), &c)
	want := life.Aura{Spell: tried, Caster: 1, CasterLevel: 1, Stacks: 2, Charges: 4, MaxMs: 1000, LeftMs: left, Amount: [3]int32{10, 23}}
	if !f.Left[0].Away || len(c.Auras) != 1 || c.Auras[0] != want {
		t.Fatalf("goes %v with %+v, want %+v", f.Left[0].Away, c.Auras, want)
	}
	c.Told = life.All
	second.Inbox().Add(frame.Item{Session: 1, Op: frame.OpArrive, Body: msg.Append(nil, wire.V12340, &c)})
	combats, vitals := newUnitStates(second.ecs), ecs.NewAccessor[components.Vitals](second.ecs)
	const later = 7000
	for n = later; n <= later+uint64(left)/50; n++ {
		tick(second, n)
		e := second.Find(1)
		on, more := n < later+uint64(left)/50, uint32(60) // as its class has it
		if on {
			more += 2 * 10
		}
		if combats.auras.Get(e).Block != 0 != on || vitals.Get(e).MaxHealth != more {
			t.Errorf("tick %d there: aura %v, %d health; want %v, %d", n-later, combats.auras.Get(e).Block != 0, vitals.Get(e).MaxHealth, on, more)
		}
	}
}

// A unit with resistance resists most of its periodic damage, too, and none of damage as a percentage.
func TestPulsesAreResisted(t *testing.T) {
	for flags, want := range map[defs.SpellFlag][2]uint32{0: {1, 15}, defs.SpellBinary: {50, 50}} {
		hurts := effectOf(defs.AuraPeriodicDamage, defs.TargetEnemy, 10)
		hurts.PulseMs = 100
		rot := lasting(defs.SpellHarmful|flags, hurts)
		rot.DurationMs = 500
		proof := lasting(0, effectOf(defs.AuraResistance, defs.TargetCaster, 20)) // 80 percent, at level 1
		proof.ID, proof.Effects[0].Misc = tried+1, int32(defs.SchoolFrost)
		s := newStage(t, rot, proof)
		s.cast(s.actor, s.actor, proof.ID)
		s.tick()
		ask(s.world, rules.ApplyAura{By: s.foe, To: s.actor, Spell: tried, Effects: 1, Amount: [3]int32{10}, Level: 1})
		s.ticks(12)
		if lost := 220 - s.vitals.Get(s.actor).Health; lost < want[0] || lost > want[1] {
			t.Errorf("flags %#x: five pulses of ten take %d, want from %d to %d", flags, lost, want[0], want[1])
		}
	}
}

// Pulses that are due in one tick are each resisted as it comes, not all alike.
func TestPulsesAreResistedOneByOne(t *testing.T) {
	hurts := effectOf(defs.AuraPeriodicDamage, defs.TargetEnemy, 10)
	hurts.PulseMs = 100
	proof := lasting(0, effectOf(defs.AuraResistance, defs.TargetCaster, 10)) // 40 percent, at level 1
	proof.ID, proof.Effects[0].Misc = tried+1, int32(defs.SchoolFrost)
	s := newStage(t, lasting(defs.SpellHarmful, hurts, hurts, hurts), proof)
	s.cast(s.actor, s.actor, proof.ID)
	s.tick()
	ask(s.world, rules.ApplyAura{By: s.foe, To: s.actor, Spell: tried, Effects: 7, Amount: [3]int32{10, 10, 10}, Level: 1})
	alike := true
	for range 12 {
		before := s.vitals.Get(s.actor).Health
		s.tick()
		alike = alike && (before-s.vitals.Get(s.actor).Health)%3 == 0
	}
	if lost := 220 - s.vitals.Get(s.actor).Health; alike || lost == 0 {
		t.Errorf("three pulses of ten at a time take %d, each time as much as the others: %v", lost, alike)
	}
}

// A creature that evades when a missile arrives is not damaged by it.
func TestMissilesMissWhoEvades(t *testing.T) {
	for evading, slowed := range map[uint16]bool{0: true, 1: false} {
		chill := lasting(defs.SpellHarmful, effectOf(defs.AuraSlow, defs.TargetEnemy, -40))
		chill.MissileSpeed = 20
		s := newStage(t, chill)
		s.cast(s.actor, s.foe, tried)
		s.tick()
		s.combats.threats.Get(s.foe).Evading = evading
		s.ticks(8)
		if is := s.worn(s.foe) != nil; is != slowed {
			t.Errorf("evading %d, it is slowed: %v", evading, is)
		}
	}
}

// A silenced creature keeps attacking, and casts later.
func TestSilentCreaturesUseTheirHands(t *testing.T) {
	for silent, want := range map[bool]uint32{false: 10, true: 8} { // a flame, or a jab on its armour
		hush := lasting(defs.SpellHarmful, effectOf(defs.AuraSilence, defs.TargetEnemy, 0))
		s := newStage(t, hush)
		c := &s.world.config.Defs.Creatures[0]
		c.ReactState, c.MinDamage, c.MaxDamage, c.DamagePerLevel = defs.Neutral, 0, 0, 0
		c.Spells = []defs.CreatureSpell{{Spell: flame, CooldownMs: 60_000, MaxYards: 40}, {Spell: jab, CooldownMs: 60_000, MaxYards: 40}}
		if silent {
			s.cast(s.actor, s.foe, tried)
		}
		s.hurt(s.actor, s.foe, jab, defs.SchoolPhysical, 1)
		for range 40 {
			if s.tick(); s.vitals.Get(s.actor).Health < 220 {
				break
			}
		}
		if lost := 220 - s.vitals.Get(s.actor).Health; lost != want {
			t.Errorf("silent %v, the creature takes %d at first, want %d", silent, lost, want)
		}
	}
}

// Haste shortens the time left until the next swing when it comes, and its end lengthens it.
func TestHasteReachesTheNextBlow(t *testing.T) {
	zeal := lasting(0, effectOf(defs.AuraMeleeHaste, defs.TargetCaster, 100))
	zeal.DurationMs = 200
	s := newStage(t, zeal)
	s.combats.swings.Get(s.actor).NextMs[components.MainHand] = uint32(s.n)*50 + 1650
	for tick, want := range []uint32{800, 750, 700, 650, 1200, 1150} { // 1600 / 2, and 600 * 2 when it ends
		if tick == 0 {
			s.cast(s.actor, s.actor, tried)
		} else {
			s.tick()
		}
		if left := s.combats.swings.Get(s.actor).NextMs[components.MainHand] - uint32(s.n)*50; left != want {
			t.Errorf("tick %d: the next swing comes in %d ms, want %d", tick, left, want)
		}
	}
}

// A channel ends when its aura is removed from its target.
func TestChannelsEndWithTheirAuras(t *testing.T) {
	slows := lasting(defs.SpellHarmful|defs.SpellChannelled, effectOf(defs.AuraSlow, defs.TargetEnemy, -30), effectOf(defs.AuraDodge, defs.TargetCaster, 9))
	s := newStage(t, slows)
	before := s.portray(s.actor)
	s.cast(s.actor, s.foe, tried)
	s.ticks(20)
	if casts := s.castings.Get(s.actor).Cast.Spell; casts != tried {
		t.Fatalf("after a second it channels %d", casts)
	}
	ask(s.world, rules.RemoveAuras{From: s.foe, Spell: tried})
	s.ticks(12)
	if after := s.portray(s.actor); after.since(&before) != "" {
		t.Errorf("without its aura, it still has %s", after.since(&before))
	}
}

// What cannot be interrupted is not, whether a lock of its school comes with that or not.
func TestInterruptsSpareWhatTheyCannotEnd(t *testing.T) {
	const prayer = tried + 1
	for _, lockMs := range []uint32{0, 600} {
		for _, can := range []bool{false, true} {
			kick := lasting(defs.SpellHarmful, defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy})
			kick.DurationMs = lockMs
			pray := lasting(0, effectOf(defs.AuraDodge, defs.TargetCaster, 9))
			pray.ID, pray.CastMs = prayer, 3000
			if can {
				pray.Flags |= defs.SpellInterruptible
			}
			s := newStage(t, kick, pray)
			s.cast(s.foe, s.foe, prayer)
			s.cast(s.actor, s.foe, tried)
			locked := uint32(0)
			if can && lockMs > 0 {
				locked = pray.School
			}
			if c, l := s.castings.Get(s.foe), s.limits.Get(s.foe); c.Cast.Spell == prayer == can || l.LockSchools != locked {
				t.Errorf("lock of %d ms, can be interrupted %v: it casts %d, with %#x locked", lockMs, can, c.Cast.Spell, l.LockSchools)
			}
		}
	}
}

// Two casters that channel the same spell at one target do not affect each other.
func TestChannelsLieBeside(t *testing.T) {
	slows := lasting(defs.SpellHarmful|defs.SpellChannelled, effectOf(defs.AuraSlow, defs.TargetEnemy, -30))
	s := newStage(t, slows)
	s.cast(s.actor, s.foe, tried)
	s.cast(s.friend, s.foe, tried)
	s.ticks(20)
	for _, e := range []ecs.Entity{s.actor, s.friend} {
		if casts := s.castings.Get(e).Cast.Spell; casts != tried {
			t.Errorf("after a second, one of them channels %d", casts)
		}
	}
}

// A channel does not wait for an aura that is never laid.
func TestChannelsWithoutTheirAuras(t *testing.T) {
	chain := effectOf(defs.AuraSlow, defs.TargetEnemy, -30)
	chain.Chain = 3
	hurts := defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 1}
	s := newStage(t, lasting(defs.SpellHarmful|defs.SpellChannelled, chain, hurts))
	s.cast(s.actor, s.foe, tried)
	s.ticks(20)
	if casts := s.castings.Get(s.actor).Cast.Spell; casts != tried {
		t.Errorf("after a second it channels %d", casts)
	}
}

// A shield that the swing of an attacker that dies before it has used up ends, and one that has some left does not.
func TestShieldsEndWithoutDamage(t *testing.T) {
	for amount, left := range map[uint32]bool{4: true, 5: false, 6: false} {
		shield := effectOf(defs.AuraAbsorb, defs.TargetCaster, 5)
		shield.Misc = int32(defs.SchoolAll)
		s := newStage(t, lasting(0, shield))
		s.cast(s.actor, s.actor, tried)
		health := s.vitals.Get(s.actor).Health
		s.hurt(s.actor, s.foe, 0, defs.SchoolPhysical, 1e6)
		s.world.Damage(rules.Damage{By: s.foe, To: s.actor, School: defs.SchoolPhysical, Amount: amount, Kind: rules.WeaponDamage})
		s.tick()
		if is := s.worn(s.actor) != nil; is != left || s.vitals.Get(s.actor).Health != health || s.vitals.Get(s.foe).Health != 0 {
			t.Errorf("a swing for %d: it has its shield: %v; it lost %d health, the attacker has %d", amount, is,
				health-s.vitals.Get(s.actor).Health, s.vitals.Get(s.foe).Health)
		}
	}
}

// The amount of an aura has its caster's bonuses when it is applied: of periodic damage and healing, and of shields.
//
// Source: AuraEffect::CalculateAmount, AzerothCore.
func TestAmountsHaveBonuses(t *testing.T) {
	for kind, want := range map[defs.AuraKind]int32{
		defs.AuraPeriodicDamage: 30, // 10 and half of 20 spell power, times 1.5
		defs.AuraPeriodicLeech:  30,
		defs.AuraPeriodicHeal:   45, // 10 and half of 40 healing, times 1.5
		defs.AuraAbsorb:         20, // 10 and half of 20
		defs.AuraDamageShield:   20,
		defs.AuraHealth:         10,
	} {
		e := effectOf(kind, defs.TargetAny, 10)
		e.Coefficient, e.PulseMs, e.Misc = 0.5, 5000, int32(defs.SchoolAll)
		s := newStage(t, lasting(0, e))
		mine := s.combatStats.Get(s.actor)
		mine.SpellPower[4], mine.Healing, mine.DamageDone, mine.HealingDone = 20, 40, 1.5, 1.5 // 4: frost
		s.cast(s.actor, s.friend, tried)
		if a := s.worn(s.friend); a == nil || a.Amount[0] != want {
			t.Errorf("kind %d: %+v, want %d", kind, a, want)
		}
	}
}
