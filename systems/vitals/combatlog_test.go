package vitals

import (
	"reflect"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// The fields of the packets that report damage of spells, auras and falls, healing and power: of a victim with the GUID 2 and a
// shield of four points, an attacker with the GUID 1, and a caster with the GUID 77 that may be gone.
//
// Source: docs/protocol.md 4.7; Unit::SendPeriodicAuraLog and Unit::SendSpellMiss, AzerothCore; AuraType, SpellAuraDefines.h (3
// damage, 8 heal, 24 energize, 89 damage percent); SpellMissInfo (7 immune) and EnviromentalDamage (2 fall), SharedDefines.h.
func TestReportedFields(t *testing.T) {
	hit := func(d rules.Damage) func(s *stage, by, to ecs.Entity) []packet {
		return func(s *stage, by, to ecs.Entity) []packet {
			s.wear(to, defs.AuraAbsorb, int32(defs.SchoolAll), 4)
			d.By, d.To = by, to
			return ask(s, d)
		}
	}
	stopped := func(d rules.Damage) func(s *stage, by, to ecs.Entity) []packet {
		return func(s *stage, by, to ecs.Entity) []packet {
			immune(s, by, to)
			d.By, d.To = by, to
			return ask(s, d)
		}
	}
	heal := func(h rules.Heal) func(s *stage, by, to ecs.Entity) []packet {
		return func(s *stage, by, to ecs.Entity) []packet {
			s.vitals.Get(to).Health = 80
			h.By, h.To = by, to
			return ask(s, h)
		}
	}
	power := func(p rules.PowerChange) func(s *stage, by, to ecs.Entity) []packet {
		return func(s *stage, _, to ecs.Entity) []packet {
			p.To = to
			return ask(s, p)
		}
	}
	pulse := func(tick msg.PeriodicTick) msg.Message {
		return &msg.PeriodicAuraLog{Target: 2, Caster: 77, Spell: 5, Ticks: []msg.PeriodicTick{tick}}
	}
	for _, c := range []struct {
		name string
		do   func(s *stage, by, to ecs.Entity) []packet
		op   uint16
		want msg.Message
	}{
		{"a pulse", hit(rules.Damage{Caster: 77, Spell: 5, School: defs.SchoolFire, Amount: 6, Resisted: 3, Kind: rules.PeriodicDamage}), 0x24E,
			pulse(msg.PeriodicTick{Type: 3, Amount: 2, School: 4, Absorbed: 4, Resisted: 3})},
		{"a deadly pulse of percents", hit(rules.Damage{Caster: 77, Spell: 5, School: defs.SchoolShadow, Amount: 111, Kind: rules.PeriodicDamage, Percent: true}),
			0x24E, pulse(msg.PeriodicTick{Type: 89, Amount: 107, Over: 7, School: 32, Absorbed: 4})},
		{"a physical spell", hit(rules.Damage{Spell: 5, School: defs.SchoolPhysical, Amount: 6, Blocked: 2}), 0x250,
			&msg.SpellDamageLog{Target: 2, Attacker: 1, Spell: 5, Damage: 2, School: 1, Absorbed: 4, Physical: true, Blocked: 2}},
		{"a physical damage shield", hit(rules.Damage{Spell: 5, School: defs.SchoolPhysical, Amount: 6, Kind: rules.ShieldDamage}), 0x250,
			&msg.SpellDamageLog{Target: 2, Attacker: 1, Spell: 5, Damage: 2, School: 1, Absorbed: 4}},
		{"a fall", hit(rules.Damage{School: defs.SchoolFire, Amount: 6, Kind: rules.FallDamage}), 0x1FC,
			&msg.EnvironmentalDamageLog{GUID: 2, Kind: 2, Damage: 2, Absorbed: 4}},
		{"a spell on an immune unit", stopped(rules.Damage{Spell: 5, School: defs.SchoolFire, Amount: 6}), 0x24B,
			&msg.SpellLogMiss{Spell: 5, Caster: 1, Misses: []msg.LogMiss{{Target: 2, Reason: 7}}}},
		{"a pulse on one", stopped(rules.Damage{Caster: 77, Spell: 5, School: defs.SchoolFire, Amount: 6, Kind: rules.PeriodicDamage}), 0x263,
			&msg.SpellOrDamageImmune{Caster: 77, Target: 2, Spell: 5, Periodic: true}},
		{"a damage shield on one", stopped(rules.Damage{Caster: 77, Spell: 5, School: defs.SchoolFire, Amount: 6, Kind: rules.ShieldDamage}), 0x263,
			&msg.SpellOrDamageImmune{Caster: 77, Target: 2, Spell: 5}},
		{"healing by an aura", heal(rules.Heal{Caster: 77, Spell: 5, Amount: 30, Kind: rules.PeriodicReport}), 0x24E,
			pulse(msg.PeriodicTick{Type: 8, Amount: 30, Over: 10})},
		{"critical healing", heal(rules.Heal{Caster: 77, Spell: 5, Amount: 15, Critical: true}), 0x150,
			&msg.SpellHealLog{Target: 2, Caster: 77, Spell: 5, Heal: 15, Critical: true}},
		{"power", power(rules.PowerChange{Caster: 77, Spell: 5, Delta: 12, Power: components.PowerEnergy}), 0x151,
			&msg.SpellEnergizeLog{Target: 2, Caster: 77, Spell: 5, Power: 3, Amount: 12}},
		{"a loss of power", power(rules.PowerChange{Caster: 77, Spell: 5, Delta: -12, Power: components.PowerEnergy}), 0x151,
			&msg.SpellEnergizeLog{Target: 2, Caster: 77, Spell: 5, Power: 3}},
		{"power by an aura", power(rules.PowerChange{Caster: 77, Spell: 5, Delta: 12, Power: components.PowerEnergy, Kind: rules.PeriodicReport}), 0x24E,
			pulse(msg.PeriodicTick{Type: 24, Power: 3, Amount: 12})},
	} {
		s := newStage()
		by, to := s.add(1), s.add(2)
		got := reflect.New(reflect.TypeOf(c.want).Elem()).Interface().(msg.Message)
		read(t, c.do(s, by, to), c.op, got)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A unit that has left the world has no name in what it has caused, and is not reported to have gained power.
func TestReportsOfTheGone(t *testing.T) {
	s := newStage()
	by, to := s.add(1), s.add(2)
	s.Despawn(by)
	s.EndStage()
	var m msg.SpellDamageLog
	read(t, ask(s, rules.Damage{By: by, To: to, Spell: 5, School: defs.SchoolFire, Amount: 6}), 0x250, &m)
	if m.Attacker != 0 || m.Damage != 6 {
		t.Errorf("%+v", m)
	}
	if sent := ask(s, rules.PowerChange{To: by, Delta: 12}); len(sent) != 0 {
		t.Errorf("sent %+v", sent)
	}
}
