package vitals

import (
	"testing"

	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// The packet of a hit of ten points says whether a shield absorbed part of it or all.
//
// Source: docs/protocol.md 4.7, hitinfo bits (0x2 affects victim, 0x20 full absorb, 0x40 partial absorb).
func TestAbsorbedOnTheWire(t *testing.T) {
	for _, c := range []struct {
		shield                 int32
		damage, absorbed, info uint32
	}{{4, 6, 4, 0x42}, {9, 1, 9, 0x42}, {10, 0, 10, 0x22}, {400, 0, 10, 0x22}} {
		s := newStage()
		by, foe := s.add(1), s.add(2)
		auras := s.wear(foe, defs.AuraAbsorb, int32(defs.SchoolAll), c.shield)
		sent := ask(s, rules.Damage{
			By: by, To: foe, School: defs.SchoolPhysical, Amount: 10, Kind: rules.WeaponDamage,
			Weapon: rules.WeaponHit{Info: 2, State: 1},
		})
		var m msg.AttackerState
		read(t, sent, msg.OpAttackerState, &m)
		if uint32(m.HitInfo) != c.info || m.Damage != c.damage || m.Subs[0].Damage != c.damage || m.Subs[0].Absorbed != c.absorbed {
			t.Errorf("a shield of %d: %+v; want hit info %#x, damage %d, absorbed %d", c.shield, m, c.info, c.damage, c.absorbed)
		}
		if lost := 100 - s.vitals.Get(foe).Health; lost != c.damage {
			t.Errorf("a shield of %d: the victim has lost %d, want %d", c.shield, lost, c.damage)
		}
		if left := auras.List[0].Amount[0]; left != c.shield-int32(c.absorbed) {
			t.Errorf("a shield of %d has %d left", c.shield, left)
		}
	}
}

// Of several shields the oldest that absorbs the school is used up first.
func TestOldestShieldFirst(t *testing.T) {
	s := newStage()
	foe := s.add(2)
	for i, misc := range []uint32{defs.SchoolAll, defs.SchoolFrost, defs.SchoolFire, defs.SchoolAll} {
		a := &s.wear(foe, defs.AuraAbsorb, int32(misc), 4).List[i]
		a.MaxMs = 60_000
		a.EndMs = []uint32{59_000, 50_000, 55_000, 58_000}[i] // the second one is the oldest, and the first the youngest
	}
	ask(s, rules.Damage{To: foe, School: defs.SchoolFire, Amount: 6})
	var left [4]int32
	for i := range left {
		left[i] = s.slab.At(s.unitAuras.Get(foe).Block).List[i].Amount[0]
	}
	if want := [4]int32{4, 4, 0, 2}; left != want || s.vitals.Get(foe).Health != 100 {
		t.Errorf("%v are left, want %v; it has %d health", left, want, s.vitals.Get(foe).Health)
	}
	ask(s, rules.Damage{To: foe, School: defs.SchoolFire, Amount: 9})
	if health := s.vitals.Get(foe).Health; health != 97 {
		t.Errorf("it has %d health, want 97", health)
	}
}

// Of shields of one age the first in the list is used up first, also of some that have just been applied. One that has no
// spell any more absorbs nothing.
func TestShieldsOfOneAge(t *testing.T) {
	s := newStage()
	foe := s.add(2)
	for range 3 {
		auras := s.wear(foe, defs.AuraAbsorb, int32(defs.SchoolAll), 4)
		a := &auras.List[auras.Count-1]
		a.MaxMs, a.EndMs = 60_000, s.tick.NowMs+60_000
	}
	list := &s.slab.At(s.unitAuras.Get(foe).Block).List
	list[0].Spell = 1 << 20
	ask(s, rules.Damage{To: foe, School: defs.SchoolFire, Amount: 6})
	if left := [3]int32{list[0].Amount[0], list[1].Amount[0], list[2].Amount[0]}; left != [3]int32{4, 0, 2} {
		t.Errorf("%v are left, want 4, 0 and 2", left)
	}
}

// A shield that has absorbed the swing of an attacker that dies before it is told to system appliedauras, and nothing else: no
// damage is dealt. A swing of one that was dead before costs the shield nothing.
func TestShieldAgainstTheDead(t *testing.T) {
	for _, c := range []struct {
		name     string
		killed   uint32 // the attacker's health before the swing
		kind     rules.DamageKind
		shielded bool
		left     int32
		absorbed int
		dealt    int
	}{
		{"killed in the same round", 100, rules.WeaponDamage, true, 1, 1, 1},
		{"killed in the same round, without a shield", 100, rules.WeaponDamage, false, 0, 0, 1},
		{"killed before", 0, rules.WeaponDamage, true, 5, 0, 0},
		{"killed in the same round, its spell hits", 100, rules.SpellDamage, true, 1, 0, 2},
	} {
		s := newStage()
		by, to := s.add(1), s.add(2)
		absorbed := ecs.QueueOf[rules.DamageAbsorbed](s.World).Reader()
		if c.shielded {
			s.wear(to, defs.AuraAbsorb, int32(defs.SchoolAll), 5)
		}
		s.vitals.Get(by).Health = c.killed
		ask(s, rules.Damage{By: to, To: by, School: defs.SchoolPhysical, Amount: 100},
			rules.Damage{By: by, To: to, School: defs.SchoolPhysical, Amount: 4, Kind: c.kind})
		if got := absorbed.Next(); len(got) != c.absorbed || c.absorbed > 0 && got[0].Entity != to {
			t.Errorf("%s: absorbed %+v, want %d", c.name, got, c.absorbed)
		}
		if got := s.dealt.Next(); len(got) != c.dealt {
			t.Errorf("%s: dealt %+v, want %d", c.name, got, c.dealt)
		}
		if block := s.unitAuras.Get(to).Block; block != 0 && s.slab.At(block).List[0].Amount[0] != c.left {
			t.Errorf("%s: %d of the shield are left, want %d", c.name, s.slab.At(block).List[0].Amount[0], c.left)
		}
		if v := s.vitals.Get(to); v.Health != 100 {
			t.Errorf("%s: the victim has %d health", c.name, v.Health)
		}
	}
}
