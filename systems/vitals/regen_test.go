package vitals

import (
	"testing"

	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Regeneration of units that lack something. Stats are set directly: HealthRegen and PowerRegen are 5 a second.
func TestRegenerate(t *testing.T) {
	for _, c := range []struct {
		name    string
		begin   func(*stage, ecs.Entity, *components.Vitals)
		seconds int
		want    components.Vitals
	}{
		{"health comes back out of combat",
			func(_ *stage, _ ecs.Entity, v *components.Vitals) { v.Health = 10 },
			4, components.Vitals{Health: 30, MaxHealth: 100}},
		{"and faster for a sitting unit",
			func(s *stage, e ecs.Entity, v *components.Vitals) {
				v.Health, s.stances.Get(e).Bytes1[components.ByteStand] = 10, components.Sitting
			}, 4, components.Vitals{Health: 36, MaxHealth: 100}},
		{"but not in combat, where rage stays",
			func(s *stage, e ecs.Entity, v *components.Vitals) {
				v.Health, s.units.Get(e).Flags = 10, components.UnitInCombat
				v.Power[components.PowerRage], v.MaxPower[components.PowerRage] = 100, 1000
			}, 4, components.Vitals{Health: 10, MaxHealth: 100, Power: at(components.PowerRage, 100), MaxPower: at(components.PowerRage, 1000)}},
		{"rage decays",
			func(_ *stage, _ ecs.Entity, v *components.Vitals) {
				v.Power[components.PowerRage], v.MaxPower[components.PowerRage] = 50, 1000
			}, 8, components.Vitals{Health: 100, MaxHealth: 100, MaxPower: at(components.PowerRage, 1000)}},
		{"energy comes always",
			func(s *stage, e ecs.Entity, v *components.Vitals) {
				s.units.Get(e).Flags = components.UnitInCombat
				v.MaxPower[components.PowerEnergy] = 100
			}, 4, components.Vitals{Health: 100, MaxHealth: 100, Power: at(components.PowerEnergy, 40), MaxPower: at(components.PowerEnergy, 100)}},
		{"mana waits five seconds",
			func(s *stage, e ecs.Entity, v *components.Vitals) {
				v.MaxPower[components.PowerMana] = 100
				s.spendMana(e, 1000)
			}, 8, components.Vitals{Health: 100, MaxHealth: 100, Power: at(components.PowerMana, 20), MaxPower: at(components.PowerMana, 100)}},
		{"mana comes back from the beginning",
			func(_ *stage, _ ecs.Entity, v *components.Vitals) {
				v.MaxPower[components.PowerMana] = 100
			}, 4, components.Vitals{Health: 100, MaxHealth: 100, Power: at(components.PowerMana, 20), MaxPower: at(components.PowerMana, 100)}},
		{"runic power decays",
			func(_ *stage, _ ecs.Entity, v *components.Vitals) {
				v.Power[components.PowerRunic], v.MaxPower[components.PowerRunic] = 100, 1000
			}, 4, components.Vitals{Health: 100, MaxHealth: 100, Power: at(components.PowerRunic, 40), MaxPower: at(components.PowerRunic, 1000)}},
		{"the dead get nothing",
			func(_ *stage, _ ecs.Entity, v *components.Vitals) { v.Health = 0 },
			8, components.Vitals{MaxHealth: 100}},
	} {
		s := newStage()
		e := s.add(1)
		*s.stats.Get(e) = components.CombatStats{SwingMs: [3]uint32{2000}, HealthRegen: 5, PowerRegen: 5}
		c.begin(s, e, s.vitals.Get(e))
		maxima := rules.MaxVitals{Entity: e, Health: 100} // as of a unit that has joined
		for power, most := range s.vitals.Get(e).MaxPower {
			if most > 0 {
				maxima.Power, maxima.Max = uint8(power), most
			}
		}
		ask(s, maxima)
		for n := uint64(1); n <= uint64(c.seconds*20); n++ {
			for _, system := range s.run {
				system.Run(sched.Tick{N: n, NowMs: uint32(n) * 50, Quantum: 50e6})
			}
		}
		if got := *s.vitals.Get(e); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func at(power int, n uint32) (all [7]uint32) {
	all[power] = n
	return all
}

// A unit regenerates while it lacks health, mana or energy, or has rage or runic power; one that has all of it is on no timer.
func TestLacks(t *testing.T) {
	full := components.Vitals{Health: 100, MaxHealth: 100, MaxPower: [7]uint32{50, 1000, 0, 100, 0, 0, 1000}}
	full.Power[components.PowerMana], full.Power[components.PowerEnergy] = 50, 100
	if lacks(&full) || lacks(new(components.Vitals)) {
		t.Error("a unit that has all of it lacks something")
	}
	for name, change := range map[string]func(v *components.Vitals){
		"health": func(v *components.Vitals) { v.Health-- },
		"mana":   func(v *components.Vitals) { v.Power[components.PowerMana]-- },
		"energy": func(v *components.Vitals) { v.Power[components.PowerEnergy]-- },
		"rage":   func(v *components.Vitals) { v.Power[components.PowerRage]++ },
		"runic":  func(v *components.Vitals) { v.Power[components.PowerRunic]++ },
	} {
		v := full
		if change(&v); !lacks(&v) {
			t.Errorf("%s: it lacks nothing", name)
		}
	}
}
