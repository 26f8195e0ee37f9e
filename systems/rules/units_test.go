package rules

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// Only a unit that exists, has health, and is neither a ghost nor leaving is alive.
func TestAlive(t *testing.T) {
	for _, c := range []struct {
		name           string
		change         func(s *stage, e ecs.Entity)
		alive, present bool
	}{
		{"as it is", func(*stage, ecs.Entity) {}, true, true},
		{"without health", func(s *stage, e ecs.Entity) { s.vitalsParts.Get(e).Health = 0 }, false, true},
		{"a ghost", func(s *stage, e ecs.Entity) { s.vitalsStates.Get(e).Ghost = 1 }, false, false},
		{"leaving", func(s *stage, e ecs.Entity) { s.vitalsStates.Get(e).Gone = 1 }, false, false},
	} {
		s := newStage(people())
		e := s.addBeast(1)
		c.change(s, e)
		if alive, present := s.Units.Alive(e), s.Present(e); alive != c.alive || present != c.present {
			t.Errorf("%s: alive %v, present %v, want %v, %v", c.name, alive, present, c.alive, c.present)
		}
		s.Despawn(e)
		s.EndStage()
		if s.Units.Alive(e) {
			t.Errorf("%s: alive after it has despawned", c.name)
		}
	}
}

// A unit of the hostile faction and one of another attack each other; players do not attack players.
//
// Source: Unit::GetReactionTo, AzerothCore.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		players  [2]bool
		factions [2]uint32
		want     bool
	}{
		{[2]bool{}, [2]uint32{defs.FactionHostile, defs.FactionFriendly}, true},
		{[2]bool{}, [2]uint32{defs.FactionHostile, 1}, true},
		{[2]bool{}, [2]uint32{defs.FactionHostile, defs.FactionHostile}, false},
		{[2]bool{}, [2]uint32{defs.FactionFriendly, defs.FactionFriendly}, false},
		{[2]bool{}, [2]uint32{defs.FactionFriendly, 1}, false},
		{[2]bool{true, false}, [2]uint32{defs.FactionFriendly, defs.FactionHostile}, true},
		{[2]bool{true, false}, [2]uint32{defs.FactionHostile, defs.FactionHostile}, false},
		{[2]bool{true, true}, [2]uint32{defs.FactionHostile, defs.FactionFriendly}, false},
	} {
		s := newStage(people())
		var all [2]ecs.Entity
		for i := range all {
			add := s.addBeast
			if c.players[i] {
				add = s.addPlayer
			}
			all[i] = add(uint64(i + 1))
			s.unitParts.Get(all[i]).Faction = c.factions[i]
			if s.Player(all[i]) != c.players[i] {
				t.Errorf("%+v: unit %d is a player: %v", c, i, s.Player(all[i]))
			}
		}
		if s.Hostile(all[0], all[1]) != c.want || s.Hostile(all[1], all[0]) != c.want {
			t.Errorf("%+v: hostile %v and %v", c, s.Hostile(all[0], all[1]), s.Hostile(all[1], all[0]))
		}
	}
}

// The flags of a unit decide whether players and creatures may attack it.
//
// Source: Unit::_IsValidAttackTarget, AzerothCore; docs/protocol.md 4.6 (bits of the flags).
func TestAttackable(t *testing.T) {
	for _, c := range []struct {
		flags            uint32
		player, creature bool
	}{
		{0, true, true}, {0x80000, true, true}, // in combat
		{0x2, false, false}, {0x80, false, false}, {0x10000, false, false}, {0x2000000, false, false}, {0x100000, false, false},
		{0x100, false, true}, {0x200, true, false},
	} {
		s := newStage(people())
		p, guard, foe := s.addPlayer(1), s.addBeast(2), s.addBeast(3)
		s.unitParts.Get(foe).Faction, s.unitParts.Get(foe).Flags = defs.FactionHostile, c.flags
		if player, creature := s.Attackable(p, foe), s.Attackable(guard, foe); player != c.player || creature != c.creature {
			t.Errorf("flags %#x: attackable by players %v, by creatures %v", c.flags, player, creature)
		}
		if s.Attackable(p, guard) || s.Attackable(foe, foe) {
			t.Errorf("flags %#x: a friend or the unit itself is attackable", c.flags)
		}
		if s.vitalsParts.Get(foe).Health = 0; s.Attackable(p, foe) {
			t.Errorf("flags %#x: a corpse is attackable", c.flags)
		}
	}
	s := newStage(people()) // a unit is hostile to no other of its faction, nor to itself
	if e := s.addBeast(1); s.Attackable(e, e) {
		t.Error("a unit may attack itself")
	}
}

// Whether a unit has the aura of a spell depends on the caster, and whether a dispel finds one on its type and whether the
// spell is harmful.
//
// Source: Spell::EffectDispel, AzerothCore.
func TestHas(t *testing.T) {
	d := people()
	d.Spells = []defs.Spell{{ID: 1, Dispel: defs.DispelMagic, Flags: defs.SpellHarmful}, {ID: 2, Dispel: defs.DispelMagic}}
	s := newStage(d)
	e, by, other, bare := s.addBeast(1), s.addPlayer(2), s.addPlayer(3), s.addBeast(4)
	s.wear(e, wearing(components.Aura{Spell: 1, CasterGUID: 2}, components.Aura{Spell: 1 << 20, CasterGUID: 2}))
	for _, c := range []struct {
		e, by ecs.Entity
		spell uint32
		want  bool
	}{{e, by, 1, true}, {e, other, 1, false}, {e, by, 2, false}, {bare, by, 1, false}} {
		if got := s.Has(c.e, c.spell, c.by); got != c.want {
			t.Errorf("%v has the aura of spell %d from %v: %v", c.e, c.spell, c.by, got)
		}
	}
	for _, c := range []struct {
		from   ecs.Entity
		dispel uint8
		bad    bool
		want   bool
	}{{e, defs.DispelMagic, true, true}, {e, defs.DispelMagic, false, false}, {e, defs.DispelMagic + 1, true, false}, {bare, defs.DispelMagic, true, false}} {
		if got := s.HasFor(&RemoveAuras{From: c.from, Dispel: c.dispel, Bad: c.bad}); got != c.want {
			t.Errorf("a dispel of type %d, harmful %v, finds one: %v", c.dispel, c.bad, got)
		}
	}
}
