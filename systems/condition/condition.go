// Package condition answers whether the conditions hold under which an imported world has things happen.
package condition

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// Condition answers queries. It changes nothing else.
//
// Source: Condition::Meets, AzerothCore.
type Condition struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	events   ecs.Res[rules.GameEvents]
	space    ecs.Res[space.Space]
	auras    ecs.Res[ecs.Slab[components.Auras]]
	queries  ecs.Requests[rules.ConditionQuery]
	answers  ecs.Emit[rules.ConditionAnswer]

	bodies      ecs.Read[components.Unit]
	objects     ecs.Read[components.Object]
	positions   ecs.Read[components.Position]
	health      ecs.Read[components.Vitals]
	unitAuras   ecs.Read[components.UnitAuras]
	inventories ecs.ReadRef[components.Inventory]

	asked sched.Counter `name:"condition.asked"`
}

// maxNear is the farthest that creatures are looked for, yards, our own choice.
const maxNear = 250

// React implements sched.Reactor.
func (s *Condition) React(sched.Tick) {
	for _, q := range s.queries.Take() {
		s.asked.Count()
		s.answers.Emit(rules.ConditionAnswer{ConditionQuery: q, Holds: s.holds(&q)})
	}
}

// holds reports whether all conditions of at least one group hold.
func (s *Condition) holds(q *rules.ConditionQuery) bool {
	list := s.defs.Get().Conditions[q.List-1]
	for i := 0; i < len(list); {
		group, all := list[i].Group, true
		for ; i < len(list) && list[i].Group == group; i++ {
			all = all && s.meets(q, &list[i])
		}
		if all {
			return true
		}
	}
	return false
}

// meets reports whether a condition holds. One of an entity that is not there, does not.
func (s *Condition) meets(q *rules.ConditionQuery, c *defs.Condition) bool {
	e := q.First
	if c.Target != 0 {
		e = q.Second
	}
	if c.Kind == defs.ConditionAlways || c.Kind == defs.ConditionEvent || c.Kind == defs.ConditionMap {
		return s.world(c) != c.Not
	}
	if e == (ecs.Entity{}) || !s.entities.Exists(e) || !s.Unit(e) {
		return false
	}
	return s.unit(e, c) != c.Not
}

// world reports whether a condition holds of the world.
func (s *Condition) world(c *defs.Condition) bool {
	switch c.Kind {
	case defs.ConditionEvent:
		at, ok := s.defs.Get().GameEvent(c.Value[0])
		return ok && s.events.Get().All[at].On
	case defs.ConditionMap:
		return s.place.Get().ID == c.Value[0]
	}
	return true
}

// unit reports whether a condition holds of a unit.
func (s *Condition) unit(e ecs.Entity, c *defs.Condition) bool {
	v := &c.Value
	switch c.Kind {
	case defs.ConditionAura:
		return s.hasAura(e, v[0], v[1])
	case defs.ConditionItem:
		return s.items(e, v[0], components.Places) >= max(v[1], 1)
	case defs.ConditionItemEquipped:
		return s.items(e, v[0], components.FirstBag) > 0
	case defs.ConditionClass:
		return mask(s.bodies.Get(e).Bytes0[components.ByteClass])&v[0] != 0
	case defs.ConditionRace:
		return s.Player(e) && mask(s.bodies.Get(e).Bytes0[components.ByteRace])&v[0] != 0
	case defs.ConditionGender:
		return s.Player(e) && uint32(s.bodies.Get(e).Bytes0[components.ByteGender]) == v[0]
	case defs.ConditionCreatureType:
		template := s.defs.Get().Creature(s.objects.Get(e).Entry)
		return !s.Player(e) && template != nil && uint32(template.Type) == v[0]
	case defs.ConditionLevel:
		return compare(s.bodies.Get(e).Level, v[0], v[1])
	case defs.ConditionNearCreature:
		return s.near(e, v[0], float32(v[1]), v[2] != 0)
	case defs.ConditionEntry:
		return s.is(e, v)
	case defs.ConditionTypeMask:
		return v[0]&typeUnit != 0 && (v[0]&typePlayer == 0 || s.Player(e)) || v[0]&typePlayer != 0 && s.Player(e)
	case defs.ConditionAlive:
		return s.Alive(e)
	case defs.ConditionHealth:
		return compare(s.health.Get(e).Health, v[0], v[1])
	case defs.ConditionHealthPct:
		h := s.health.Get(e)
		return h.MaxHealth > 0 && compare(uint32(uint64(h.Health)*100/uint64(h.MaxHealth)), v[0], v[1])
	}
	return false
}

// Types of objects.
//
// Source: TypeID and TypeMask, ObjectGuid.h, AzerothCore.
const (
	isCreature = 3
	isPlayer   = 4
	typeUnit   = 0x8
	typePlayer = 0x10
)

// is reports whether a unit is a player, or a creature of an entry and a spawn point.
func (s *Condition) is(e ecs.Entity, v *[3]uint32) bool {
	switch v[0] & 0xFF {
	case isPlayer:
		return s.Player(e)
	case isCreature:
		object := s.objects.Get(e)
		if s.Player(e) || v[1] != 0 && object.Entry != v[1] {
			return false
		}
		spawns := s.place.Get().Spawns
		return v[2] == 0 || v[0]>>8 == s.place.Get().ID+1 && int(v[2]) <= len(spawns) && object.GUID == components.CreatureGUID(spawns[v[2]-1].Entry, rules.FirstCreature+v[2]-1)
	}
	return false
}

// mask is the bit of a class or a race; 0 for none.
func mask(n uint8) uint32 {
	if n == 0 || n > 32 {
		return 0
	}
	return 1 << (n - 1)
}

func compare(a, b, how uint32) bool {
	switch how {
	case defs.CompareEqual:
		return a == b
	case defs.CompareHigh:
		return a > b
	case defs.CompareLow:
		return a < b
	case defs.CompareHighOrEqual:
		return a >= b
	}
	return a <= b
}

func (s *Condition) hasAura(e ecs.Entity, spell, effect uint32) bool {
	block := s.unitAuras.Get(e).Block
	if block == 0 {
		return false
	}
	all := s.auras.Get().At(block)
	for i := range all.List[:all.Count] {
		if a := &all.List[i]; a.Spell == spell && a.Effects&(1<<effect) != 0 {
			return true
		}
	}
	return false
}

// items counts the pieces of an item among the first places of a player.
func (s *Condition) items(e ecs.Entity, entry uint32, places int) (n uint32) {
	if !s.inventories.Has(e) {
		return 0
	}
	all := &s.inventories.Get(e).Items
	for i := range all[:places] {
		if it := &all[i]; it.Counter != 0 && it.Entry == entry {
			n += uint32(it.Count)
		}
	}
	return n
}

// near reports whether a creature of an entry is near, alive or dead.
func (s *Condition) near(e ecs.Entity, entry uint32, yards float32, dead bool) (found bool) {
	p := s.positions.Get(e)
	yards = min(yards, maxNear)
	for layer := range grid.Layers {
		s.space.Get().Order.Within(p.X, p.Y, yards, layer, func(other ecs.Entity) {
			if found || other == e || !s.entities.Exists(other) || !s.Unit(other) || !s.Present(other) || s.Player(other) ||
				s.objects.Get(other).Entry != entry || s.Alive(other) == dead {
				return
			}
			q := s.positions.Get(other)
			dx, dy, dz := float64(p.X-q.X), float64(p.Y-q.Y), float64(p.Z-q.Z)
			found = math.Sqrt(float64(dx*dx)+float64(dy*dy)+float64(dz*dz)) <= float64(yards)
		})
	}
	return found
}
