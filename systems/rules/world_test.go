package rules

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
)

// A stage is a world with the rules and no systems.
type stage struct {
	*ecs.World
	book    *Book
	log     *change.Log
	player  *ecs.Archetype
	beast   *ecs.Archetype
	tick    sched.Tick
	counter metric.Table
	auras   *ecs.Slab[components.Auras]

	objects     ecs.Accessor[components.Object]
	positions   ecs.Accessor[components.Position]
	sessions    ecs.Accessor[components.Session]
	inventories ecs.Accessor[components.Inventory]
}

func newStage(d *defs.World) *stage {
	s := &stage{World: ecs.NewWorld(64), tick: sched.Tick{N: 1, NowMs: 50, Step: 50e6, Seed: 1}}
	ecs.Share(s.World, d)
	ecs.Share(s.World, &s.counter)
	s.log = change.NewLog(s.World)
	ecs.Share(s.World, s.log)
	Share(s.World)
	s.book = New(s.World)
	s.objects, s.positions = ecs.NewAccessor[components.Object](s.World), ecs.NewAccessor[components.Position](s.World)
	s.sessions, s.inventories = ecs.NewAccessor[components.Session](s.World), ecs.NewAccessor[components.Inventory](s.World)
	s.auras = ecs.Shared[ecs.Slab[components.Auras]](s.World)
	both := ecs.Of4[components.CombatState, components.CombatStats, components.Position, components.Dirty]()
	s.player = ecs.NewArchetype(s.World, slices.Concat(components.PlayerParts(), both,
		ecs.Of2[components.Session, components.Inventory]())...)
	s.beast = ecs.NewArchetype(s.World, slices.Concat(components.CreatureParts(), both)...)
	return s
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
		Melee: defs.Might{PerLevel: 3, PerStrength: 2, Flat: -20}, Crit: 5, Dodge: 5, Parry: 5,
	}
	return d
}

func (s *stage) addPlayer(guid uint64) ecs.Entity {
	e := s.player.Spawn()
	s.objects.Get(e).GUID = guid
	*s.book.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{components.ByteClass: 1}, Level: 1, Faction: defs.FactionFriendly, CombatReach: 1.5,
	}
	s.book.Born(e)
	return e
}

func (s *stage) addBeast(guid uint64) ecs.Entity {
	e := s.beast.Spawn()
	*s.objects.Get(e) = components.Object{GUID: guid, Entry: 7}
	*s.book.units.Get(e) = components.Unit{Level: 1, Faction: defs.FactionHostile, CombatReach: 1.5}
	s.book.Born(e)
	return e
}

// next goes to the next tick.
func (s *stage) next() {
	s.EndStage()
	s.EndTick()
	for _, e := range s.log.Dirty {
		if s.Alive(e) {
			s.log.MarkDirty(e, 0)
		}
	}
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Reset()
	s.tick.N++
	s.tick.NowMs += 50
}

func TestBodies(t *testing.T) {
	s := newStage(people())
	p, b := s.addPlayer(1), s.addBeast(2)
	v := s.book.vitals.Get(p)
	if v.Health != 80 || v.MaxHealth != 80 || v.MaxPower != [7]uint32{components.PowerRage: 1000} || v.Power != [7]uint32{} {
		t.Errorf("a player begins with %+v", *v) // 40, 20 points of stamina and two of ten
	}
	w := s.book.CombatStats(p)
	if w.AttackPower[0] != 23 || w.MinDamage[0] < 6.28 || w.MinDamage[0] > 6.29 || w.SwingMs != [3]uint32{2000} {
		t.Errorf("a player strikes with %+v", *w) // 3 + 40 - 20; 3 and 23/14*2
	}
	if next := s.book.progress.Get(p).NextXP; next != 400 {
		t.Errorf("the next level takes %d", next)
	}
	s.book.units.Get(b).Level = 3
	s.book.RecomputeStats(b)
	if w := s.book.CombatStats(b); w.MinDamage[0] != 5 || w.MaxDamage[0] != 7 || w.Armor != 50 || s.book.vitals.Get(b).MaxHealth != 70 {
		t.Errorf("a creature of level 3 is %+v", *w)
	}
}
