package rules

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// A stage is a world with the parts that read units, and no systems.
type stage struct {
	*ecs.World
	defs *defs.World
	slab *ecs.Slab[components.Auras]
	unit *ecs.Archetype

	Reach
	Units
	AuraReader
	Threats

	player    *ecs.Archetype
	objects   ecs.Accessor[components.Object]
	positions ecs.Accessor[components.Position]
	attacks   ecs.Accessor[components.Attack]
	unitAuras ecs.Accessor[components.UnitAuras]

	unitParts    ecs.Accessor[components.Unit]
	vitalsParts  ecs.Accessor[components.Vitals]
	vitalsStates ecs.Accessor[components.VitalsState]
	threatStates ecs.Accessor[components.ThreatState]
}

func newStage(d *defs.World) *stage {
	s := &stage{World: ecs.NewWorld(64), defs: d}
	ecs.Share(s.World, d)
	Share(s.World)
	ecs.Bind(s.World, &s.Reach)
	ecs.Bind(s.World, &s.Units)
	ecs.Bind(s.World, &s.AuraReader)
	ecs.Bind(s.World, &s.Threats)
	s.slab = ecs.Shared[ecs.Slab[components.Auras]](s.World)
	s.objects, s.positions = ecs.NewAccessor[components.Object](s.World), ecs.NewAccessor[components.Position](s.World)
	s.attacks = ecs.NewAccessor[components.Attack](s.World)
	s.unitAuras = ecs.NewAccessor[components.UnitAuras](s.World)
	s.unitParts, s.vitalsParts = ecs.NewAccessor[components.Unit](s.World), ecs.NewAccessor[components.Vitals](s.World)
	s.vitalsStates = ecs.NewAccessor[components.VitalsState](s.World)
	s.threatStates = ecs.NewAccessor[components.ThreatState](s.World)
	parts := slices.Concat(components.CombatParts(), ecs.Of4[components.Object, components.Unit, components.Position, components.Vitals]())
	s.unit = ecs.NewArchetype(s.World, parts...)
	s.player = ecs.NewArchetype(s.World, append(parts, ecs.Of[components.Session]()...)...)
	return s
}

func (s *stage) addPlayer(guid uint64) ecs.Entity {
	e := s.player.Spawn()
	s.objects.Get(e).GUID, s.vitalsParts.Get(e).Health = guid, 100
	return e
}

func (s *stage) addBeast(guid uint64) ecs.Entity {
	e := s.unit.Spawn()
	s.objects.Get(e).GUID, s.vitalsParts.Get(e).Health = guid, 100
	return e
}

// attack has a unit attack a victim.
func (s *stage) attack(e, victim ecs.Entity) { s.attacks.Get(e).Victim = victim }

// wear puts auras on a unit, in place of those that it has.
func (s *stage) wear(e ecs.Entity, auras *components.Auras) {
	block := s.slab.Alloc()
	*s.slab.At(block) = *auras
	s.slab.At(block).Sum, _ = SumOf(s.defs, s.slab.At(block))
	s.unitAuras.Get(e).Block = block
}

// people are a warrior's class and a creature.
func people() *defs.World {
	d := &defs.World{
		Creatures: []defs.Creature{{
			Entry: 7, MinLevel: 1, MaxLevel: 5, Faction: defs.FactionHostile, MinHealth: 50, MaxHealth: 90, AttackTimeMs: 2000,
			MinDamage: 3, MaxDamage: 5, DamagePerLevel: 1, Armor: 10, ArmorPerLevel: 20, CombatReach: 1.5,
		}},
		Players: defs.Players{Faction: defs.FactionFriendly, CombatReach: 1.5, MaxLevel: 3, NextXP: []uint32{0, 400, 900}},
	}
	d.Players.Classes[1] = defs.Class{
		Power: components.PowerRage, Health: defs.Growth{First: 40, PerLevel: 10},
		Stats:  [5]defs.Growth{{First: 20, PerLevel: 2}, {First: 20}, {First: 22, PerLevel: 1}, {First: 10}, {First: 20}},
		Damage: defs.Growth{First: 6}, Spread: 0.5, SwingMs: 2000,
		Melee: defs.AttackPower{PerLevel: 3, PerStrength: 2, Flat: -20}, Crit: 5, Dodge: 5, Parry: 5,
	}
	return d
}

func TestBodies(t *testing.T) {
	d := people()
	s := PlayerStats(d, 1, 1, 1, nil, nil)
	if s.MaxHealth != 80 || s.Power != components.PowerRage || s.MaxPower != 1000 {
		t.Errorf("a player has %d health and %d of power %d", s.MaxHealth, s.MaxPower, s.Power) // 40, 20 points of stamina and two of ten
	}
	w := &s.Combat
	if w.AttackPower[0] != 23 || w.MinDamage[0] < 6.28 || w.MinDamage[0] > 6.29 || w.SwingMs != [3]uint32{2000} {
		t.Errorf("a player strikes with %+v", *w) // 3 + 40 - 20; 3 and 23/14*2
	}
	s = CreatureStats(d, d.Creature(7), 3, nil)
	if w.MinDamage[0] != 5 || w.MaxDamage[0] != 7 || w.Armor != 50 || s.MaxHealth != 70 {
		t.Errorf("a creature of level 3 is %+v", s)
	}
	if s = CreatureStats(d, nil, 3, nil); w.SwingMs[0] != 1 || w.MaxDamage[0] != 0 || s.MaxHealth != 0 {
		t.Errorf("a creature without a template is %+v", s)
	}
}
