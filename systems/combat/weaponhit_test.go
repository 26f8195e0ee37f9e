package combat

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// The damage of a hit of 100 points for each outcome, and the fields of its packet.
//
// Source: Unit::CalculateMeleeDamage, Unit.cpp, AzerothCore (a critical hit is
// worth twice as much; a glancing one loses a tenth for each level that the victim is higher, three tenths at most;
// a crushing one is worth half as much again; a block takes its value away, and all of it makes the victim state
// "blocks"); the bits: docs/protocol.md 4.7, hitinfo bits and victim state.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name            string
		outcome         rules.Outcome
		above           uint32 // levels of the victim above the attacker's
		value           float32
		damage, blocked uint32
		info, state     uint32
	}{
		{"a hit", rules.Hit, 0, 0, 100, 0, 0x2, 1},
		{"a miss", rules.Miss, 0, 0, 0, 0, 0x10, 0},
		{"a dodge", rules.Dodge, 0, 0, 0, 0, 0, 2},
		{"a parry", rules.Parry, 0, 0, 0, 0, 0, 3},
		{"a critical hit", rules.Crit, 0, 0, 200, 0, 0x202, 1},
		{"glancing, one level", rules.Glancing, 1, 0, 90, 0, 0x10002, 1},
		{"glancing, two levels", rules.Glancing, 2, 0, 80, 0, 0x10002, 1},
		{"glancing, three levels", rules.Glancing, 3, 0, 70, 0, 0x10002, 1},
		{"glancing, five levels", rules.Glancing, 5, 0, 70, 0, 0x10002, 1},
		{"crushing", rules.Crushing, 0, 0, 150, 0, 0x20002, 1},
		{"blocked in part", rules.Block, 0, 35, 65, 35, 0x2002, 1},
		{"blocked to a point", rules.Block, 0, 99, 1, 99, 0x2002, 1},
		{"blocked", rules.Block, 0, 100, 0, 100, 0x2002, 5},
		{"blocked by more", rules.Block, 0, 400, 0, 100, 0x2002, 5},
	} {
		r := newRing()
		r.stats.Get(r.by).MinDamage, r.stats.Get(r.by).MaxDamage = [3]float32{100}, [3]float32{100}
		r.units.Get(r.foe).Level = r.units.Get(r.by).Level + c.above
		r.stats.Get(r.foe).BlockValue = c.value
		dice := sched.Tick{Seed: 1}.Dice("test", 1)
		d := rules.Damage{By: r.by, To: r.foe}
		r.hits.rollDamage(&d, components.MainHand, c.outcome, &dice)
		if d.Amount != c.damage || d.Blocked != c.blocked || uint32(d.Weapon.Info) != c.info || uint32(d.Weapon.State) != c.state {
			t.Errorf("%s: damage %d, blocked %d, hit info %#x, victim state %d; want %d, %d, %#x, %d", c.name, d.Amount, d.Blocked,
				uint32(d.Weapon.Info), d.Weapon.State, c.damage, c.blocked, c.info, c.state)
		}
	}
}

// The packet of a hit that a shield stops in part, and the victim's loss of health.
//
// Source: Unit::CalculateMeleeDamage, AzerothCore.
func TestBlockOnTheWire(t *testing.T) {
	r := newRing()
	r.stats.Get(r.by).Hit = 100 // never misses
	*r.stats.Get(r.foe) = components.CombatStats{SwingMs: [3]uint32{2000}, DamageDone: 1, DamageTaken: 1, ThreatDone: 1, Block: 100, BlockValue: 4}
	swings := r.fight(t, 2, nil)
	want := msg.AttackerState{HitInfo: 0x2002, Attacker: 1, Victim: 2, Damage: 6, Count: 1,
		Subs: [2]msg.SubDamage{{School: defs.SchoolPhysical, Damage: 6}}, VictimState: 1, Blocked: 4}
	if len(swings) != 1 || swings[0].state != want {
		t.Errorf("%+v, want %+v", swings, want)
	}
	if health := r.vitals.Get(r.foe).Health; health != 1e6-6 {
		t.Errorf("it has %d health left", health)
	}
}

// The damage that a swing of ten points emits, of a player of level 10 at a creature, and with what the numbers are.
//
// Source: Unit::CalculateMeleeDamage, Unit::DealMeleeDamage and Unit::CalcArmorReducedDamage, AzerothCore; docs/protocol.md 4.7,
// hitinfo bits and victim state.
func TestSwungDamage(t *testing.T) {
	for _, c := range []struct {
		name     string
		sets     func(s *stage, p, q *components.CombatStats, foe ecs.Entity)
		amount   uint32
		weapon   rules.WeaponHit
		critical bool
		blocked  uint32
	}{
		{"a hit", nil, 10, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0},
		{"for half", func(_ *stage, p, _ *components.CombatStats, _ ecs.Entity) { p.DamageDone = 0.5 }, 5, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0},
		{"taken for half as much again, and rounded", func(_ *stage, p, q *components.CombatStats, _ ecs.Entity) { p.DamageDone, q.DamageTaken = 0.5, 1.5 },
			8, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0}, // 7.5
		{"against armour", func(_ *stage, _, q *components.CombatStats, _ ecs.Entity) { q.Armor = 1250 }, 5, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0}, // 125 / (85 + 40) is 1
		{"hardly any", func(_ *stage, _, q *components.CombatStats, _ ecs.Entity) { q.DamageTaken = 0.01 }, 1, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0},
		{"with bare hands", func(_ *stage, p, _ *components.CombatStats, _ ecs.Entity) { p.MinDamage[0], p.MaxDamage[0] = 0, 0 }, 0, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0},
		{"critical", func(_ *stage, p, _ *components.CombatStats, _ ecs.Entity) { p.Crit[0] = 100 }, 20, rules.WeaponHit{Info: 0x202, State: 1, SwingMs: 2000, Rage: true}, true, 0},
		{"dodged", func(_ *stage, _, q *components.CombatStats, _ ecs.Entity) { q.Dodge = 100 }, 0, rules.WeaponHit{State: 2, SwingMs: 2000}, false, 0},
		{"parried", func(_ *stage, _, q *components.CombatStats, _ ecs.Entity) { q.Parry = 100 }, 0, rules.WeaponHit{State: 3, SwingMs: 2000}, false, 0},
		{"blocked", func(_ *stage, _, q *components.CombatStats, _ ecs.Entity) { q.Block, q.BlockValue = 100, 4 }, 6, rules.WeaponHit{Info: 0x2002, State: 1, SwingMs: 2000, Rage: true}, false, 4},
		{"at a stunned foe that would dodge", func(s *stage, _, q *components.CombatStats, foe ecs.Entity) {
			q.Dodge = 100
			s.unitAuras.Get(foe).States = components.StateStunned
		}, 10, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0},
		{"from behind a foe that would parry", func(s *stage, _, q *components.CombatStats, foe ecs.Entity) {
			q.Parry = 100
			s.positions.Get(foe).X = 3 // and looks east
		}, 10, rules.WeaponHit{Info: 0x2, State: 1, SwingMs: 2000, Rage: true}, false, 0},
		{"evaded", func(s *stage, _, _ *components.CombatStats, foe ecs.Entity) { s.threatStates.Get(foe).Evading = 1 }, 0, rules.WeaponHit{Info: 0x10, State: 6, SwingMs: 2000}, false, 0},
		{"at an immune foe", func(s *stage, _, _ *components.CombatStats, foe ecs.Entity) {
			s.unitAuras.Get(foe).Block = s.slab.Alloc()
			s.slab.At(s.unitAuras.Get(foe).Block).Sum.Immune = defs.SchoolPhysical
		}, 0, rules.WeaponHit{SwingMs: 2000}, false, 0},
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		if c.sets != nil {
			c.sets(s, s.stats.Get(e), s.stats.Get(foe), foe)
		}
		s.attack(e, foe)
		s.run()
		want := rules.Damage{
			By: e, To: foe, School: defs.SchoolPhysical, Kind: rules.WeaponDamage, Amount: c.amount, Blocked: c.blocked, Critical: c.critical,
			Weapon: c.weapon,
		}
		same(t, c.name, s.run().damages, []rules.Damage{want})
	}
}

// A hit at a player that sits is critical.
//
// Source: Unit::RollMeleeOutcomeAgainst, AzerothCore.
func TestSeated(t *testing.T) {
	for stand, want := range map[uint8]uint32{components.Standing: 10, components.Sitting: 20} {
		s := newStage()
		e, foe := s.addBeast(2), s.addPlayer(5)
		s.stances.Get(foe).Bytes1[components.ByteStand] = stand
		s.attack(e, foe)
		s.run()
		if d := s.run().damages; len(d) != 1 || d[0].Amount != want {
			t.Errorf("stand state %d: %+v", stand, d)
		}
	}
}

// Players glance off foes of a higher level and are crushed by them; creatures neither glance nor are crushed by players.
//
// Source: Unit::RollMeleeOutcomeAgainst, AzerothCore: at four levels more, 10 % and 20 % glancing, and 4 · 5 · 2 - 15 = 25 % crushing.
func TestHigherLevels(t *testing.T) {
	s := newStage()
	player, beast := s.addPlayer(2), s.addBeast(5)
	s.positions.Get(player).X, s.positions.Get(beast).X = -1, 1
	s.positions.Get(beast).O = 3.14159
	s.units.Get(beast).Level = 14
	s.attack(player, beast)
	s.attack(beast, player)
	count := map[ecs.Entity]map[msg.HitInfo]int{player: {}, beast: {}}
	swings := 0
	for range 1000 {
		s.tick.N += 40
		s.tick.NowMs += 2000
		for _, d := range s.run().damages {
			swings++
			count[d.By][d.Weapon.Info&(msg.HitGlancing|msg.HitCrushing)]++
		}
	}
	if glancing, crushing := count[player][msg.HitGlancing], count[beast][msg.HitCrushing]; swings < 1900 || glancing < 240 || glancing > 360 ||
		crushing < 190 || crushing > 310 || count[player][msg.HitCrushing] != 0 || count[beast][msg.HitGlancing] != 0 {
		t.Errorf("of %d swings %v", swings, count)
	}
}

// Units that swing in the same tick have dice of their own, also with GUIDs that differ in the last bits, and damage is drawn from the
// whole range of a weapon.
func TestSwingDice(t *testing.T) {
	s := newStage()
	foe := s.addBeast(9)
	s.stats.Get(foe).MaxDamage = [3]float32{}
	var all [4][]uint32
	at := map[ecs.Entity]int{}
	for i := range all {
		e := s.addPlayer(uint64(4 + i))
		at[e] = i
		s.stats.Get(e).MinDamage, s.stats.Get(e).MaxDamage = [3]float32{100, 100}, [3]float32{1100, 1100}
		s.attack(e, foe)
	}
	for s.tick.NowMs < 60_000 {
		for _, d := range s.run().damages {
			all[at[d.By]] = append(all[at[d.By]], d.Amount)
		}
	}
	for i, drawn := range all {
		if len(drawn) != 30 || slices.Min(drawn) < 100 || slices.Min(drawn) > 300 || slices.Max(drawn) > 1100 || slices.Max(drawn) < 900 {
			t.Errorf("%v", drawn)
		}
		for _, other := range all[:i] {
			if slices.Equal(drawn, other) {
				t.Errorf("two units draw %v", drawn)
			}
		}
	}
}

// A spell replaces a swing of the main hand; the other hand swings on.
func TestReplacedSwing(t *testing.T) {
	s := newStage()
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.stats.Get(e).SwingMs = [3]uint32{2000, 2000}
	s.castings.Get(e).NextSwing = 9
	s.attack(e, foe)
	s.run()
	got := s.run() // at 100 ms
	same(t, "replaced", got.replaced, []rules.SwingReplaced{{Entity: e, Victim: foe}})
	same(t, "damages", got.damages, nil)
	s.runUntil(250)
	got = s.run() // at 300 ms
	same(t, "replaced", got.replaced, nil)
	if len(got.damages) != 1 || got.damages[0].Weapon.Info != 0x6 {
		t.Errorf("%+v", got.damages)
	}
}
