package regen

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Regeneration of units that lack something. Stats are set directly: HealthRegen and PowerRegen are 5 a second.
func TestRegenerate(t *testing.T) {
	for _, c := range []struct {
		name    string
		begin   func(*components.Vitals, *components.Unit, *components.CombatState, *components.Stance)
		seconds int
		want    components.Vitals
	}{
		{"health comes back out of combat",
			func(v *components.Vitals, _ *components.Unit, _ *components.CombatState, _ *components.Stance) {
				v.Health = 10
			},
			4, components.Vitals{Health: 30, MaxHealth: 100}},
		{"and faster for a sitting unit",
			func(v *components.Vitals, _ *components.Unit, _ *components.CombatState, s *components.Stance) {
				v.Health, s.Bytes1[components.ByteStand] = 10, components.Sitting
			}, 4, components.Vitals{Health: 36, MaxHealth: 100}},
		{"but not in combat, where rage stays",
			func(v *components.Vitals, u *components.Unit, _ *components.CombatState, _ *components.Stance) {
				v.Health, u.Flags = 10, components.UnitInCombat
				v.Power[components.PowerRage], v.MaxPower[components.PowerRage] = 100, 1000
			}, 4, components.Vitals{Health: 10, MaxHealth: 100, Power: at(components.PowerRage, 100), MaxPower: at(components.PowerRage, 1000)}},
		{"rage decays",
			func(v *components.Vitals, _ *components.Unit, _ *components.CombatState, _ *components.Stance) {
				v.Power[components.PowerRage], v.MaxPower[components.PowerRage] = 50, 1000
			}, 8, components.Vitals{Health: 100, MaxHealth: 100, MaxPower: at(components.PowerRage, 1000)}},
		{"energy comes always",
			func(v *components.Vitals, u *components.Unit, _ *components.CombatState, _ *components.Stance) {
				u.Flags = components.UnitInCombat
				v.MaxPower[components.PowerEnergy] = 100
			}, 4, components.Vitals{Health: 100, MaxHealth: 100, Power: at(components.PowerEnergy, 40), MaxPower: at(components.PowerEnergy, 100)}},
		{"mana waits five seconds",
			func(v *components.Vitals, _ *components.Unit, b *components.CombatState, _ *components.Stance) {
				v.MaxPower[components.PowerMana], b.ManaSpentMs = 100, 1000
			}, 8, components.Vitals{Health: 100, MaxHealth: 100, Power: at(components.PowerMana, 20), MaxPower: at(components.PowerMana, 100)}},
		{"the dead get nothing",
			func(v *components.Vitals, _ *components.Unit, _ *components.CombatState, _ *components.Stance) {
				v.Health = 0
			},
			8, components.Vitals{MaxHealth: 100}},
	} {
		w := ecs.NewWorld(4)
		ecs.Share(w, &defs.World{})
		ecs.Share(w, new(metric.Table))
		ecs.Share(w, change.NewLog(w))
		rules.Share(w)
		e := ecs.NewArchetype(w, slices.Concat(components.CreatureParts(),
			ecs.Of4[components.CombatState, components.CombatStats, components.Position, components.Dirty]())...).Spawn()
		v, u := ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Unit](w)
		b, s, p := ecs.NewAccessor[components.CombatState](w), ecs.NewAccessor[components.Stance](w), ecs.NewAccessor[components.CombatStats](w)
		*v.Get(e) = components.Vitals{Health: 100, MaxHealth: 100}
		*p.Get(e) = components.CombatStats{SwingMs: [3]uint32{2000}, HealthRegen: 5, PowerRegen: 5}
		c.begin(v.Get(e), u.Get(e), b.Get(e), s.Get(e))
		system := sched.Bind(w, sched.Act, new(System))
		rules.New(w).ScheduleRegen(e)
		for n := uint64(1); n <= uint64(c.seconds*20); n++ {
			system.Run(sched.Tick{N: n, NowMs: uint32(n) * 50, Step: 50e6})
		}
		if got := *v.Get(e); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func at(power int, n uint32) (all [7]uint32) {
	all[power] = n
	return all
}
