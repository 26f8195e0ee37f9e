package vitals

import (
	"testing"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

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
		d := rules.Damage{Critical: c.crit, Weapon: rules.WeaponHit{SwingMs: c.swingMs}}
		if c.offHand {
			d.Weapon.Info = msg.HitOffHand
		}
		dealt, taken := rageDealt(&d, c.damage, c.level), rageTaken(c.damage, c.level)
		if dealt != c.dealt || taken != c.taken {
			t.Errorf("%+v: dealt %d, taken %d", c, dealt, taken)
		}
	}
}

// Only units whose power is rage get any, for hits that give it, and for damage of others that they survive.
func TestRageOfFights(t *testing.T) {
	for _, c := range []struct {
		name         string
		damage       rules.Damage
		self, immune bool
		by, taken    uint32 // rage after it, in tenths
	}{
		{"a hit", rules.Damage{Amount: 10, Weapon: rules.WeaponHit{Rage: true, SwingMs: 2000}}, false, false, 84, 33},
		{"one that gives none", rules.Damage{Amount: 10, Weapon: rules.WeaponHit{SwingMs: 2000}}, false, false, 0, 33},
		{"its own damage", rules.Damage{Amount: 10}, true, false, 0, 0},
		{"a deadly hit", rules.Damage{Amount: 100, Weapon: rules.WeaponHit{Rage: true, SwingMs: 2100}}, false, false, 536, 0},
		{"one of an immune unit", rules.Damage{Amount: 10, Weapon: rules.WeaponHit{Rage: true, SwingMs: 2000}}, false, true, 0, 0},
	} {
		s := newStage()
		by, to, other := s.add(1), s.add(2), s.add(3)
		for _, e := range []ecs.Entity{by, to} {
			s.vitals.Get(e).MaxPower[components.PowerRage] = 1000
		}
		c.damage.By, c.damage.To, c.damage.School, c.damage.Kind = by, to, 1, rules.WeaponDamage
		if c.self {
			c.damage.By = to
		}
		if c.immune {
			immune(s, by, to)
		}
		ask(s, c.damage)
		got := [2]uint32{s.vitals.Get(by).Power[components.PowerRage], s.vitals.Get(to).Power[components.PowerRage]}
		if got != [2]uint32{c.by, c.taken} {
			t.Errorf("%s: rage %v, want %d and %d", c.name, got, c.by, c.taken)
		}
		c.damage.To = other
		c.damage.By = other
		ask(s, c.damage)
		if v := s.vitals.Get(other); v.Power != [7]uint32{} {
			t.Errorf("%s: a unit without rage has %v", c.name, v.Power)
		}
	}
}

// Healing is cut to the maximum, reported, and told to other systems; the dead get none.
func TestHeal(t *testing.T) {
	for _, c := range []struct {
		name         string
		health       uint32
		heal         rules.Heal
		want, healed uint32
		over         uint32
	}{
		{"part", 10, rules.Heal{Amount: 30}, 40, 30, 0},
		{"too much", 90, rules.Heal{Amount: 30}, 100, 10, 20},
		{"nothing to heal", 100, rules.Heal{Amount: 30}, 100, 0, 30},
		{"without threat", 10, rules.Heal{Amount: 30, Quiet: true}, 40, 30, 0},
	} {
		s := newStage()
		by, to := s.add(1), s.add(2)
		s.vitals.Get(to).Health = c.health
		c.heal.By, c.heal.To, c.heal.Caster, c.heal.Spell = by, to, 1, 2050
		var m msg.SpellHealLog
		read(t, ask(s, c.heal), msg.OpSpellHealLog, &m)
		if m != (msg.SpellHealLog{Target: 2, Caster: 1, Spell: 2050, Heal: 30, Overheal: c.over}) {
			t.Errorf("%s: %+v", c.name, m)
		}
		if v := s.vitals.Get(to); v.Health != c.want {
			t.Errorf("%s: %d health, want %d", c.name, v.Health, c.want)
		}
		if healed := s.healed.Next(); len(healed) != 1 || healed[0] != (rules.Healed{Heal: c.heal, Health: c.healed}) {
			t.Errorf("%s: healed %+v, want %d", c.name, healed, c.healed)
		}
	}
	s := newStage()
	by, dead := s.add(1), s.add(2)
	s.vitals.Get(dead).Health = 0
	if sent := ask(s, rules.Heal{By: by, To: dead, Amount: 30}); len(sent) != 0 || s.vitals.Get(dead).Health != 0 || len(s.healed.Next()) != 0 {
		t.Errorf("a dead unit is healed: %+v", sent)
	}
}

// Changes of power are cut to 0 and the maximum, and paying with mana interrupts its recovery.
func TestPower(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     rules.PowerChange
		want  uint32
		spent uint32
	}{
		{"a gain", rules.PowerChange{Delta: 30}, 80, 0},
		{"too much", rules.PowerChange{Delta: 70}, 100, 0},
		{"a cost", rules.PowerChange{Delta: -30, Cost: true}, 20, 50},
		{"a loss", rules.PowerChange{Delta: -70}, 0, 0},
		{"energy", rules.PowerChange{Delta: -30, Cost: true, Power: components.PowerEnergy}, 20, 0},
	} {
		s := newStage()
		e := s.add(1)
		v := s.vitals.Get(e)
		v.Power[c.p.Power], v.MaxPower[c.p.Power] = 50, 100
		c.p.To, c.p.Kind = e, rules.NoReport
		if sent := ask(s, c.p); len(sent) != 0 {
			t.Errorf("%s: sent %+v", c.name, sent)
		}
		if v.Power[c.p.Power] != c.want || s.manaSpentMs(e) != c.spent {
			t.Errorf("%s: %d, want %d; mana was spent at %d ms", c.name, v.Power[c.p.Power], c.want, s.manaSpentMs(e))
		}
	}
}

// New maxima cut what a unit has; a new unit has all of it, but for rage.
func TestMaxima(t *testing.T) {
	for _, c := range []struct {
		name      string
		was, want components.Vitals
		maxima    rules.MaxVitals
	}{
		{"more", components.Vitals{Health: 60, MaxHealth: 100, Power: at(0, 40), MaxPower: at(0, 50)},
			components.Vitals{Health: 60, MaxHealth: 120, Power: at(0, 40), MaxPower: at(0, 70)}, rules.MaxVitals{Health: 120, Max: 70}},
		{"less", components.Vitals{Health: 60, MaxHealth: 100, Power: at(0, 40), MaxPower: at(0, 50)},
			components.Vitals{Health: 50, MaxHealth: 50, Power: at(0, 30), MaxPower: at(0, 30)}, rules.MaxVitals{Health: 50, Max: 30}},
		{"another power", components.Vitals{Health: 60, MaxHealth: 100, Power: at(0, 40), MaxPower: at(0, 50)},
			components.Vitals{Health: 60, MaxHealth: 100, MaxPower: at(components.PowerEnergy, 100)},
			rules.MaxVitals{Health: 100, Max: 100, Power: components.PowerEnergy}},
		{"new, with mana", components.Vitals{}, components.Vitals{Health: 70, MaxHealth: 70, Power: at(0, 50), MaxPower: at(0, 50)},
			rules.MaxVitals{Health: 70, Max: 50, Fill: true}},
		{"new, with rage", components.Vitals{}, components.Vitals{Health: 80, MaxHealth: 80, MaxPower: at(components.PowerRage, 1000)},
			rules.MaxVitals{Health: 80, Max: 1000, Power: components.PowerRage, Fill: true}},
		{"new, with energy", components.Vitals{},
			components.Vitals{Health: 80, MaxHealth: 80, Power: at(components.PowerEnergy, 100), MaxPower: at(components.PowerEnergy, 100)},
			rules.MaxVitals{Health: 80, Max: 100, Power: components.PowerEnergy, Fill: true}},
	} {
		s := newStage()
		e := s.add(1)
		*s.vitals.Get(e), c.maxima.Entity = c.was, e
		ask(s, c.maxima)
		if got := *s.vitals.Get(e); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What game masters, levels, death and resurrection set.
func TestSettings(t *testing.T) {
	s := newStage()
	e := s.add(1)
	v := s.vitals.Get(e)
	*v = components.Vitals{Health: 60, MaxHealth: 100, Power: [7]uint32{10, 300, 0, 20}, MaxPower: [7]uint32{50, 1000, 0, 100}}
	for _, c := range []struct{ to, want uint32 }{{70, 70}, {0, 1}, {400, 100}} {
		if ask(s, rules.SetVitals{Kind: rules.SetHealth, Entity: e, Health: c.to}); v.Health != c.want {
			t.Errorf("set to %d health, it has %d, want %d", c.to, v.Health, c.want)
		}
	}
	v.Health = 60
	want := components.Vitals{Health: 100, MaxHealth: 100, Power: [7]uint32{50, 300, 0, 100}, MaxPower: v.MaxPower}
	if ask(s, rules.SetVitals{Kind: rules.Restore, Entity: e}); *v != want {
		t.Errorf("restored to %+v, want %+v", *v, want)
	}
	ask(s, rules.Kill{Entity: e})
	ask(s, rules.SetVitals{Kind: rules.SetHealth, Entity: e, Health: 50})
	if ask(s, rules.SetVitals{Kind: rules.Restore, Entity: e}); v.Health != 0 {
		t.Errorf("a dead unit has %d health", v.Health)
	}
	if ask(s, rules.SetVitals{Kind: rules.BecomeGhost, Entity: e, Health: 1}); v.Health != 1 || !s.ghost(e) {
		t.Errorf("a ghost has %d health: %v", v.Health, s.ghost(e))
	}
	if ask(s, rules.Damage{To: e, Amount: 1}); v.Health != 1 {
		t.Error("a ghost can be damaged")
	}
	want = components.Vitals{Health: 35, MaxHealth: 100, Power: [7]uint32{30, 0, 0, 50}, MaxPower: v.MaxPower}
	if ask(s, rules.SetVitals{Kind: rules.Resurrected, Entity: e, Health: 35, Mana: 30}); *v != want || s.ghost(e) {
		t.Errorf("resurrected with %+v, want %+v; a ghost: %v", *v, want, s.ghost(e))
	}
	ask(s, rules.Kill{Entity: e})
	if ask(s, rules.SetVitals{Kind: rules.Resurrected, Entity: e}); v.Health != 1 {
		t.Errorf("resurrected with %d health, want 1", v.Health)
	}
}

// A player whose resurrection and whose release come in one round lives, whichever comes first: it is not left a ghost.
func TestResurrectedAndReleased(t *testing.T) {
	for _, order := range [][]rules.VitalsKind{{rules.Resurrected, rules.BecomeGhost}, {rules.BecomeGhost, rules.Resurrected}} {
		s := newStage()
		e := s.add(1)
		ask(s, rules.Kill{Entity: e})
		ask(s, rules.SetVitals{Kind: order[0], Entity: e, Health: 30}, rules.SetVitals{Kind: order[1], Entity: e, Health: 30})
		if v := s.vitals.Get(e); v.Health != 30 || s.ghost(e) {
			t.Errorf("asked for %v: %d health, a ghost: %v", order, v.Health, s.ghost(e))
		}
		if ask(s, rules.Damage{To: e, Amount: 4}); s.vitals.Get(e).Health != 26 {
			t.Errorf("asked for %v: it cannot be damaged", order)
		}
	}
}

// Nothing reaches a unit that is leaving the world.
func TestGone(t *testing.T) {
	s := newStage()
	e := s.add(1)
	s.vitals.Get(e).Health = 50
	ask(s, rules.Gone{Entity: e})
	ask(s, rules.Damage{To: e, Amount: 10})
	ask(s, rules.Heal{To: e, Amount: 20})
	if v := s.vitals.Get(e); v.Health != 50 || len(s.dealt.Next()) != 0 || len(s.healed.Next()) != 0 {
		t.Errorf("it has %d health", v.Health)
	}
}

// What changes is compared with what was sent last, and what does not is not; what is lacking comes back.
func TestChangesAreMarked(t *testing.T) {
	begin := components.Vitals{Health: 60, MaxHealth: 100, Power: [7]uint32{40, 0, 0, 100}, MaxPower: [7]uint32{50, 0, 0, 100}}
	for _, c := range []struct {
		name   string
		dead   bool
		do     func(s *stage, e ecs.Entity)
		marked bool
		regens bool
	}{
		{"damage", false, func(s *stage, e ecs.Entity) { ask(s, rules.Damage{To: e, Amount: 5}) }, true, true},
		{"damage of nothing", false, func(s *stage, e ecs.Entity) { ask(s, rules.Damage{To: e}) }, false, false},
		{"death", false, func(s *stage, e ecs.Entity) { ask(s, rules.Damage{To: e, Amount: 60}) }, true, false},
		{"healing", false, func(s *stage, e ecs.Entity) { ask(s, rules.Heal{To: e, Amount: 5, Kind: rules.NoReport}) }, true, true},
		{"a gain of mana", false, func(s *stage, e ecs.Entity) { ask(s, rules.PowerChange{To: e, Delta: 5, Kind: rules.NoReport}) }, true, true},
		{"a gain of energy beyond its maximum", false,
			func(s *stage, e ecs.Entity) {
				ask(s, rules.PowerChange{To: e, Delta: 5, Power: components.PowerEnergy, Kind: rules.NoReport})
			}, false, false},
		{"the same maxima", false, func(s *stage, e ecs.Entity) {
			v := s.vitals.Get(e)
			*v = components.Vitals{Health: 60, MaxHealth: 100, Power: at(0, 40), MaxPower: at(0, 50)}
			ask(s, rules.MaxVitals{Entity: e, Health: 100, Max: 50})
		}, false, true},
		{"the same maxima of a new unit", false, func(s *stage, e ecs.Entity) {
			*s.vitals.Get(e) = components.Vitals{Health: 100, MaxHealth: 100, Power: at(0, 50), MaxPower: at(0, 50)}
			ask(s, rules.MaxVitals{Entity: e, Health: 100, Max: 50, Fill: true})
		}, false, true},
		{"other maxima", false, func(s *stage, e ecs.Entity) { ask(s, rules.MaxVitals{Entity: e, Health: 90, Max: 50}) }, true, true},
		{"all of it", false, func(s *stage, e ecs.Entity) { ask(s, rules.SetVitals{Kind: rules.Restore, Entity: e}) }, true, true},
		{"all of it, which it has", false, func(s *stage, e ecs.Entity) {
			s.vitals.Get(e).Health, s.vitals.Get(e).Power[components.PowerMana] = 100, 50
			ask(s, rules.SetVitals{Kind: rules.Restore, Entity: e})
		}, false, false},
		{"a gain of power of the dead", true, func(s *stage, e ecs.Entity) { ask(s, rules.PowerChange{To: e, Delta: 5, Kind: rules.NoReport}) }, true, false},
		{"a release", true, func(s *stage, e ecs.Entity) { ask(s, rules.SetVitals{Kind: rules.BecomeGhost, Entity: e, Health: 1}) }, true, false},
		{"a resurrection", true, func(s *stage, e ecs.Entity) { ask(s, rules.SetVitals{Kind: rules.Resurrected, Entity: e, Health: 50}) }, true, true},
	} {
		s := newStage()
		e := s.add(1)
		*s.vitals.Get(e) = begin
		if c.dead {
			s.vitals.Get(e).Health = 0
		}
		c.do(s, e)
		if got := s.dirty.Get(e).Mask == components.DirtyVitals; got != c.marked {
			t.Errorf("%s: marked %#x, want %v", c.name, s.dirty.Get(e).Mask, c.marked)
		}
		if got := s.vitalsStates.Get(e).Regenerating != 0; got != c.regens {
			t.Errorf("%s: it regenerates: %v, want %v", c.name, got, c.regens)
		}
	}
}

// The world gives no rage, and a unit that is gone is not healed by what its aura leeches.
func TestHitGainsOfNoUnit(t *testing.T) {
	s := newStage()
	by, to := s.add(1), s.add(2)
	s.vitals.Get(to).MaxPower[components.PowerRage] = 1000
	if ask(s, rules.Damage{To: to, Amount: 10, Kind: rules.FallDamage}); s.vitals.Get(to).Power[components.PowerRage] != 0 {
		t.Errorf("a fall gives %d rage", s.vitals.Get(to).Power[components.PowerRage])
	}
	s.Despawn(by)
	s.EndStage()
	if ask(s, rules.Damage{By: by, To: to, Amount: 10, Kind: rules.PeriodicDamage, Leech: true}); len(s.healed.Next()) != 0 {
		t.Error("a unit that is gone is healed")
	}
}
