package vitals

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// Damage of several schools is stopped by an immunity against all of them, and by none against some.
//
// Source: Unit::IsImmunedToDamageOrSchool, AzerothCore ("we need to be immune
// to all types").
func TestImmuneToSeveralSchools(t *testing.T) {
	for _, c := range []struct {
		immune, schools uint32
		want            bool
	}{
		{defs.SchoolFire, defs.SchoolFire, true},
		{defs.SchoolFire, defs.SchoolFrost, false},
		{defs.SchoolFire, defs.SchoolFire | defs.SchoolFrost, false},
		{defs.SchoolFire | defs.SchoolFrost, defs.SchoolFire | defs.SchoolFrost, true},
		{defs.SchoolFire | defs.SchoolFrost, defs.SchoolFire, true},
		{defs.SchoolMagic, defs.SchoolPhysical | defs.SchoolHoly, false},
		{defs.SchoolAll, defs.SchoolPhysical | defs.SchoolHoly, true},
		{defs.SchoolAll, 0, false}, // a fall is of none
		{0, 0, false},
	} {
		s := newStage()
		e := s.add(2)
		s.wear(e, defs.AuraSchoolImmunity, int32(c.immune), 0)
		ask(s, rules.Damage{To: e, School: c.schools, Amount: 10, Quiet: true})
		lost := uint32(10)
		if c.want {
			lost = 0
		}
		dealt := s.dealt.Next()
		if len(dealt) != 1 || dealt[0].Immune != c.want || dealt[0].Dealt != lost || 100-s.vitals.Get(e).Health != lost {
			t.Errorf("immune to %#x: 10 of %#x cost %d, want %d: %+v", c.immune, c.schools, 100-s.vitals.Get(e).Health, lost, dealt)
		}
	}
}

// What becomes of damage, and what other systems are told.
func TestDamage(t *testing.T) {
	none := rules.DamageResult{}
	for _, c := range []struct {
		name   string
		damage rules.Damage
		begin  func(s *stage, by, to ecs.Entity)
		dealt  bool
		want   rules.DamageResult
		health uint32
	}{
		{"a hit", rules.Damage{Amount: 30}, nil, true, rules.DamageResult{Dealt: 30}, 70},
		{"a miss is a hostile act", rules.Damage{Kind: rules.WeaponDamage}, nil, true, none, 100},
		{"all of its health", rules.Damage{Amount: 100}, nil, true, rules.DamageResult{Dealt: 100, Killed: true}, 0},
		{"more than its health", rules.Damage{Amount: 130}, nil, true, rules.DamageResult{Dealt: 130, Overkill: 30, Killed: true}, 0},
		{"the dead", rules.Damage{Amount: 30}, func(s *stage, _, to ecs.Entity) { s.vitals.Get(to).Health = 0 }, false, none, 0},
		{"an evading creature", rules.Damage{Amount: 30}, func(s *stage, _, to ecs.Entity) { s.evade(to) }, false, none, 100},
		{"a ghost", rules.Damage{Amount: 30}, func(s *stage, _, to ecs.Entity) { s.vitalsStates.Get(to).Ghost = 1 }, false, none, 100},
		{"a game master's god mode", rules.Damage{Amount: 130}, func(s *stage, _, to ecs.Entity) { s.cheats.Get(to).Set = components.CheatGod },
			true, rules.DamageResult{Dealt: 99}, 1},
		{"a unit immune to a spell", rules.Damage{Amount: 30}, immune, true, rules.DamageResult{Immune: true}, 100},
		{"a unit immune to a hit", rules.Damage{Amount: 30, Kind: rules.WeaponDamage}, immune, true, rules.DamageResult{Immune: true}, 100},
		{"a unit immune to an aura", rules.Damage{Amount: 30, Kind: rules.PeriodicDamage}, immune, false, none, 100},
		{"a unit immune to a damage shield", rules.Damage{Amount: 30, Kind: rules.ShieldDamage}, immune, false, none, 100},
	} {
		s := newStage()
		by, to := s.add(1), s.add(2)
		if c.begin != nil {
			c.begin(s, by, to)
		}
		c.damage.By, c.damage.To, c.damage.School, c.damage.Spell = by, to, defs.SchoolFire, 133
		ask(s, c.damage)
		dealt, deaths := s.dealt.Next(), s.deaths.Next()
		if !c.dealt {
			if len(dealt) != 0 || len(deaths) != 0 {
				t.Errorf("%s: %+v, %+v", c.name, dealt, deaths)
			}
		} else if len(dealt) != 1 || dealt[0] != (rules.DamageDealt{Damage: c.damage, DamageResult: c.want}) {
			t.Errorf("%s: %+v, want %+v", c.name, dealt, c.want)
		}
		if health := s.vitals.Get(to).Health; health != c.health {
			t.Errorf("%s: %d health left, want %d", c.name, health, c.health)
		}
		if died := (rules.Death{Entity: to, By: by, Spell: 133}); c.want.Killed != slices.Contains(deaths, died) {
			t.Errorf("%s: %+v", c.name, deaths)
		}
		if hit := c.want.Dealt > 0; hit != (s.lastHitMs(to) == 50) {
			t.Errorf("%s: the last hit was at %d ms", c.name, s.lastHitMs(to))
		}
	}
}

func immune(s *stage, _, to ecs.Entity) {
	s.wear(to, defs.AuraSchoolImmunity, int32(defs.SchoolAll), 0)
}

// A unit dies once, of the first damage that is enough, and without damage of a Kill.
func TestDiesOnce(t *testing.T) {
	s := newStage()
	a, b, c := s.add(1), s.add(2), s.add(3)
	ask(s, rules.Damage{By: a, To: c, Amount: 60}, rules.Damage{By: b, To: c, Amount: 60, Spell: 9}, rules.Damage{By: a, To: c, Amount: 60})
	ask(s, rules.Kill{Entity: c, By: a}, rules.Kill{Entity: b, By: a}, rules.Kill{Entity: b, By: c})
	if got, want := s.deaths.Next(), []rules.Death{{Entity: c, By: b, Spell: 9}, {Entity: b, By: a}}; !slices.Equal(got, want) {
		t.Errorf("deaths %+v, want %+v", got, want)
	}
	if dealt := s.dealt.Next(); len(dealt) != 2 || dealt[1].Overkill != 20 {
		t.Errorf("dealt %+v", dealt)
	}
	if s.vitals.Get(b).Health != 0 || s.lastHitMs(b) != 50 {
		t.Errorf("killed at %d ms, with %d health left", s.lastHitMs(b), s.vitals.Get(b).Health)
	}
}

// The packet that reports each kind of damage, dealt and to an immune unit.
//
// Source: docs/protocol.md, appendix A (opcodes).
func TestReports(t *testing.T) {
	for _, c := range []struct {
		kind                 rules.DamageKind
		dealt, immune, evade []uint16
	}{
		{rules.WeaponDamage, []uint16{0x14A}, []uint16{0x14A}, []uint16{0x14A}},
		{rules.SpellDamage, []uint16{0x250}, []uint16{0x24B}, nil},
		{rules.ShieldDamage, []uint16{0x250}, []uint16{0x263}, nil},
		{rules.PeriodicDamage, []uint16{0x24E}, []uint16{0x263}, nil},
		{rules.FallDamage, []uint16{0x1FC}, []uint16{0x1FC}, nil},
		{rules.SilentDamage, nil, nil, nil},
	} {
		for i, want := range [][]uint16{c.dealt, c.immune, c.evade} {
			s := newStage()
			by, to := s.add(1), s.add(2)
			switch i {
			case 1:
				immune(s, by, to)
			case 2:
				s.evade(to)
			}
			var got []uint16
			for _, p := range ask(s, rules.Damage{By: by, To: to, School: defs.SchoolFire, Amount: 3, Kind: c.kind}) {
				got = append(got, p.op)
			}
			if !slices.Equal(got, want) {
				t.Errorf("damage of kind %d, case %d: sent %#x, want %#x", c.kind, i, got, want)
			}
		}
	}
}

// A hit that an immune unit or an evading creature is hit by has no effect, whatever was rolled.
//
// Source: docs/protocol.md 4.7, hitinfo bits (0x4 off hand, 0x10 miss) and victim state (6 evades, 7 immune).
func TestBlowsWithoutEffect(t *testing.T) {
	for _, c := range []struct {
		name        string
		info, state uint32
		begin       func(s *stage, by, to ecs.Entity)
	}{
		{"immune", 0x4, 7, immune},
		{"evades", 0x14, 6, func(s *stage, _, to ecs.Entity) { s.evade(to) }},
	} {
		s := newStage()
		by, to := s.add(1), s.add(2)
		c.begin(s, by, to)
		sent := ask(s, rules.Damage{
			By: by, To: to, School: defs.SchoolPhysical, Amount: 5, Blocked: 3, Kind: rules.WeaponDamage,
			Weapon: rules.WeaponHit{Info: 0x2206, State: 1}, // off hand, critical and blocked
		})
		var m msg.AttackerState
		read(t, sent, msg.OpAttackerState, &m)
		if uint32(m.HitInfo) != c.info || uint32(m.VictimState) != c.state || m.Damage != 0 || m.Blocked != 0 {
			t.Errorf("%s: %+v, want hit info %#x and victim state %d", c.name, m, c.info, c.state)
		}
	}
}

// The fields of the packet of a spell's damage.
func TestSpellDamageOnTheWire(t *testing.T) {
	s := newStage()
	by, to := s.add(1), s.add(2)
	s.wear(to, defs.AuraAbsorb, int32(defs.SchoolAll), 25)
	sent := ask(s, rules.Damage{
		By: by, To: to, Spell: 133, School: defs.SchoolFire, Amount: 150, Resisted: 7, Blocked: 5, Critical: true,
	})
	var m msg.SpellDamageLog
	read(t, sent, msg.OpSpellDamageLog, &m)
	want := msg.SpellDamageLog{
		Target: 2, Attacker: 1, Spell: 133, Damage: 125, Overkill: 25, School: 4, Absorbed: 25, Resisted: 7, Blocked: 5, HitInfo: m.HitInfo,
	}
	if m != want || m.HitInfo&msg.SpellHitCritical == 0 {
		t.Errorf("%+v, want %+v", m, want)
	}
}

// A hit that leeches heals its attacker by what the victim has lost.
func TestLeech(t *testing.T) {
	s := newStage()
	by, to := s.add(1), s.add(2)
	s.vitals.Get(by).Health, s.vitals.Get(to).Health = 10, 30
	ask(s, rules.Damage{By: by, To: to, School: defs.SchoolFire, Spell: 689, Amount: 40, Leech: true})
	if v := s.vitals.Get(by); v.Health != 40 {
		t.Errorf("it has %d health, want 40", v.Health)
	}
	want := rules.Healed{Heal: rules.Heal{By: by, To: by, Caster: 1, Spell: 689, Amount: 30}, Health: 30}
	if got := s.healed.Next(); !slices.Equal(got, []rules.Healed{want}) {
		t.Errorf("healed %+v, want %+v", got, want)
	}
}
