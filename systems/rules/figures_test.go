package rules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
)

// wardrobe is a world with items for every slot, and a spell for each kind of aura that changes a figure.
func wardrobe() *defs.World {
	d := people()
	for i := range uint32(40) {
		it := defs.Item{Entry: i + 1, Armor: i, Stats: [4]defs.ItemStat{{Type: i % 8, Value: int32(i)}, {Type: 7, Value: 3}}}
		if i%4 == 0 {
			it.Class, it.MinDamage, it.MaxDamage, it.DelayMs = defs.ItemWeapon, float32(i), float32(2*i), 1500+100*i
		}
		if i%5 == 0 {
			it.Block = 5
		}
		d.Items = append(d.Items, it)
	}
	for kind := range defs.AuraKind(141) {
		d.Spells = append(d.Spells, defs.Spell{ID: uint32(kind) + 1, Effects: [3]defs.Effect{
			{Kind: defs.EffectApplyAura, Aura: kind, Misc: int32(kind%3) - 1},
			{Kind: defs.EffectApplyAura, Aura: (kind + 70) % 141, Misc: 0x7F},
		}})
	}
	return d
}

// put applies an aura to a unit, and take removes one, as system aura would.
func (s *stage) put(e ecs.Entity, spell uint32, amount int32) {
	combat := s.book.combats.Get(e)
	if combat.Auras == 0 {
		combat.Auras = s.auras.Take()
	}
	list := s.auras.At(combat.Auras)
	if int(list.Count) == len(list.List) {
		return
	}
	list.List[list.Count] = components.Aura{Spell: spell, Effects: 3, Stacks: 1, Amount: [3]int32{amount, -amount / 2}}
	list.Count++
}

func (s *stage) take(e ecs.Entity, i int) {
	list := s.auras.At(s.book.combats.Get(e).Auras)
	copy(list.List[i:], list.List[i+1:list.Count])
	list.Count--
}

// A unit's stats depend on its equipment and auras, and not on the order in which they came.
func TestFiguresAreNeverAdded(t *testing.T) {
	s := newStage(wardrobe())
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		old := s.addPlayer(uint64(round + 1))
		items := &s.inventories.Get(old).Items
		for range 120 {
			switch r.IntN(5) {
			case 0, 1:
				items[r.IntN(components.VisibleSlots)] = components.Item{Counter: 1, Entry: 1 + uint32(r.IntN(40)), Count: 1}
			case 2:
				items[r.IntN(components.VisibleSlots)] = components.Item{}
			case 3:
				s.put(old, 1+uint32(r.IntN(141)), int32(r.IntN(60)-20))
			case 4:
				if b := s.book.combats.Get(old).Auras; b != 0 && s.auras.At(b).Count > 0 {
					s.take(old, r.IntN(int(s.auras.At(b).Count)))
				}
			}
			s.book.units.Get(old).Level = 1 + uint32(r.IntN(3))
			s.book.RecomputeStats(old)
			if v := s.book.vitals.Get(old); v.Health > v.MaxHealth || v.Health == 0 || v.Power[1] > v.MaxPower[1] {
				t.Fatalf("round %d: %+v", round, *v)
			}
		}
		fresh := s.addPlayer(uint64(1000 + round))
		s.book.units.Get(fresh).Level = s.book.units.Get(old).Level
		*s.inventories.Get(fresh) = *s.inventories.Get(old)
		if b := s.book.combats.Get(old).Auras; b != 0 {
			list := *s.auras.At(b)
			slices.Reverse(list.List[:list.Count])
			s.book.combats.Get(fresh).Auras = s.auras.Take()
			*s.auras.At(s.book.combats.Get(fresh).Auras) = list
		}
		s.book.RecomputeStats(fresh)
		if a, b := *s.book.combatStats.Get(old), *s.book.combatStats.Get(fresh); a != b {
			t.Fatalf("round %d: grown into\n%+v\nbut fresh it is\n%+v", round, a, b)
		}
		if a, b := *s.book.stats.Get(old), *s.book.stats.Get(fresh); a != b {
			t.Fatalf("round %d: grown into\n%+v\nbut fresh it is\n%+v", round, a, b)
		}
		if a, b := s.book.vitals.Get(old).MaxHealth, s.book.vitals.Get(fresh).MaxHealth; a != b {
			t.Fatalf("round %d: %d health, but fresh %d", round, a, b)
		}
	}
}

// The value of some modifiers, one at a time.
func TestWorth(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *stage, e ecs.Entity)
		want   func(p *components.CombatStats, v *components.Vitals) bool
	}{
		{"agility", func(s *stage, e ecs.Entity) { s.put(e, 1+uint32(defs.AuraStat), 4) }, // Misc 29%3-1 = 1: agility
			func(p *components.CombatStats, _ *components.Vitals) bool { return p.Armor == 48 }},
		{"a level", func(s *stage, e ecs.Entity) { s.book.units.Get(e).Level = 2 },
			func(p *components.CombatStats, v *components.Vitals) bool {
				return v.MaxHealth == 100 && p.AttackPower[0] == 30
			}},
		{"attack power", func(s *stage, e ecs.Entity) { s.put(e, 1+uint32(defs.AuraAttackPower), 14) },
			func(p *components.CombatStats, _ *components.Vitals) bool { return p.AttackPower[0] == 37 }},
		{"haste", func(s *stage, e ecs.Entity) { s.put(e, 1+uint32(defs.AuraMeleeHaste), 25) },
			func(p *components.CombatStats, _ *components.Vitals) bool { return p.SwingMs[0] == 1600 }},
		{"weakness beyond measure", func(s *stage, e ecs.Entity) {
			s.put(e, 1+uint32(defs.AuraDamagePercent), -150)
			s.put(e, 1+uint32(defs.AuraDamageTakenPercent), -150)
		}, func(p *components.CombatStats, _ *components.Vitals) bool {
			return p.DamageDone == 0 && p.DamageTaken == 0
		}},
		{"sloth beyond measure", func(s *stage, e ecs.Entity) {
			s.put(e, 1+uint32(defs.AuraMeleeHaste), -99)
			s.put(e, 1+uint32(defs.AuraAttackSpeed), -99)
		}, func(p *components.CombatStats, _ *components.Vitals) bool { return p.SwingMs[0] == maxSwingMs }},
		{"a slow one is fast", func(s *stage, e ecs.Entity) {
			s.put(e, 1+uint32(defs.AuraSlow), -50)
			s.put(e, 1+uint32(defs.AuraSlow), -30)
			s.put(e, 1+uint32(defs.AuraSpeedUp), 40)
		}, func(p *components.CombatStats, _ *components.Vitals) bool { return p.Speed == 0.7 }},
	} {
		s := newStage(wardrobe())
		e := s.addPlayer(1)
		for i := range s.book.defs.Get().Spells { // one effect each
			s.book.defs.Get().Spells[i].Effects[1] = defs.Effect{}
		}
		c.change(s, e)
		s.book.RecomputeStats(e)
		if p, v := s.book.combatStats.Get(e), s.book.vitals.Get(e); !c.want(p, v) {
			t.Errorf("%s: %+v, %+v", c.name, *p, *v)
		}
	}
}

// Expected values follow from the formulas that rageDealt, rageTaken and conversion cite.
func TestRage(t *testing.T) {
	for _, c := range []struct {
		damage, level, swingMs uint32
		offHand, crit          bool
		dealt, taken           int32
	}{
		{0, 1, 2000, false, false, 35, 0},
		{10, 1, 2000, false, false, 84, 33},
		{10, 1, 2000, false, true, 119, 33},
		{10, 1, 2000, true, false, 67, 33},
		{200, 80, 3400, false, false, 76, 11},
		{1 << 30, 1, 2000, false, false, 1000, 1000},
	} {
		dealt, taken := rageDealt(c.damage, c.level, c.swingMs, c.offHand, c.crit), rageTaken(c.damage, c.level)
		if dealt != c.dealt || taken != c.taken {
			t.Errorf("%+v: dealt %d, taken %d", c, dealt, taken)
		}
	}
}

// RecomputeStats allocates nothing.
func TestRecomputeAllocatesNothing(t *testing.T) {
	s := newStage(wardrobe())
	e, b := s.addPlayer(1), s.addBeast(2)
	for i := range uint32(life.MaxAuras) {
		s.put(e, 1+i, 5)
	}
	if n := testing.AllocsPerRun(100, func() { s.book.RecomputeStats(e); s.book.RecomputeStats(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
