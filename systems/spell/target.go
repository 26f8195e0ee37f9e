package spell

import (
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// maxTargets bounds the targets of one cast. Units that are further away than so many others are left out.
const maxTargets = 64

// coneAngle is the angle of a cone, radians.
//
// Source: Spell::SelectImplicitConeTargets and TARGET_UNIT_CONE_ENEMY_24, AzerothCore.
const coneAngle = math.Pi / 2

// chainYards is how far a chain jumps.
//
// Source: Spell::SearchChainTargets, AzerothCore.
const chainYards = 12.5

// A castTarget is one target of a cast.
type castTarget struct {
	entity  ecs.Entity
	effects uint32 // which effects it is a target of, a bit each
	miss    msg.MissReason
	link    uint8 // its place in a chain, from 0
	crit    bool
	blocked bool // its shield blocks part of the physical damage
}

// A gather collects the targets of a cast.
type gather struct {
	targets []castTarget
	found   []found // by the present search

	s     *System
	c     *cast
	visit func(ecs.Entity)
}

// A found is a unit that a search found.
type found struct {
	entity ecs.Entity
	guid   uint64
	yards  float32
	lost   float32 // fraction of its health that it lacks
}

// selectTargets selects the targets of a cast, effect by effect, and rolls which of them it misses.
//
// Source: Spell::SelectSpellTargets, AzerothCore.
func (s *System) selectTargets(t sched.Tick, c *cast) {
	g := &s.gather
	g.s, g.c, g.targets = s, c, g.targets[:0]
	for i := range c.spell.Effects {
		if c.spell.Effects[i].Kind != defs.EffectNone {
			s.selectFor(c, i)
		}
	}
	for i := range g.targets {
		s.roll(t, c, &g.targets[i])
	}
}

// selectFor adds the targets of one effect.
func (s *System) selectFor(c *cast, i int) {
	e := &c.spell.Effects[i]
	g := &s.gather
	switch e.Target {
	case defs.TargetCaster, defs.TargetHome:
		g.add(c.by, i, 0)
	case defs.TargetEnemy, defs.TargetFriend, defs.TargetAny:
		if c.target == (ecs.Entity{}) {
			return
		}
		g.add(c.target, i, 0)
		if e.Chain > 1 {
			s.chain(c, i, e.Target == defs.TargetFriend)
		}
	case defs.TargetChainFriends:
		if c.target != (ecs.Entity{}) {
			g.add(c.target, i, 0)
			s.chain(c, i, true)
		}
	case defs.TargetAreaEnemies, defs.TargetAreaFriends:
		s.area(c, i, s.positions.Get(c.by).Vec(), e.Radius)
	case defs.TargetConeEnemies:
		s.area(c, i, s.positions.Get(c.by).Vec(), e.Radius)
	case defs.TargetPlaceEnemies, defs.TargetPlaceFriends:
		s.area(c, i, c.to, e.Radius)
	default:
		s.refusedEffect.Count()
	}
}

// add adds a target of an effect.
func (g *gather) add(e ecs.Entity, effect int, link uint8) {
	for i := range g.targets {
		if g.targets[i].entity == e {
			g.targets[i].effects |= 1 << effect
			return
		}
	}
	if len(g.targets) == maxTargets {
		g.s.tooMany.Count()
		return
	}
	g.targets = append(g.targets, castTarget{entity: e, effects: 1 << effect, link: link})
}

// near adds a unit to what a search found.
func (g *gather) near(e ecs.Entity) {
	s, c := g.s, g.c
	if !s.Alive(e) {
		return
	}
	v := s.vitals.Get(e)
	g.found = append(g.found, found{
		entity: e, guid: s.objects.Get(e).GUID,
		yards: far(s.positions.Get(c.by).Vec(), s.positions.Get(e).Vec()),
		lost:  1 - float32(v.Health)/float32(max(v.MaxHealth, 1)),
	})
}

// search finds the living units within some yards of a place, nearest to the caster first; ties by GUID.
func (s *System) search(c *cast, at components.Vec, yards float32) []found {
	g := &s.gather
	g.found = g.found[:0]
	s.space.Get().Order.Within(at.X, at.Y, yards, s.homeCells.Get(c.by).Cell.Layer(), g.visit)
	slices.SortFunc(g.found, func(a, b found) int {
		switch {
		case a.yards != b.yards:
			return int(math.Copysign(1, float64(a.yards-b.yards)))
		case a.guid < b.guid:
			return -1
		case a.guid > b.guid:
			return 1
		}
		return 0
	})
	return g.found
}

// area adds the units within a circle, or within the caster's cone in it.
func (s *System) area(c *cast, i int, at components.Vec, yards float32) {
	e := &c.spell.Effects[i]
	most := maxTargets
	if n := int(c.spell.MaxTargets); n > 0 {
		most = n
	}
	for _, f := range s.search(c, at, yards) {
		if e.Target.Friendly() && s.Hostile(c.by, f.entity) ||
			!e.Target.Friendly() && !s.Attackable(c.by, f.entity) ||
			e.Target == defs.TargetConeEnemies && !s.InArc(c.by, c.target, f.entity, coneAngle) {
			continue
		}
		if most--; most < 0 {
			return
		}
		s.gather.add(f.entity, i, 0)
	}
}

// chain adds the units to which an effect jumps: from one to the nearest that is no target yet, or among friends to
// the one that lacks the largest fraction of health.
//
// Source: Spell::SearchChainTargets, AzerothCore.
func (s *System) chain(c *cast, i int, friends bool) {
	e := &c.spell.Effects[i]
	from := c.target
	for link := uint8(1); link < e.Chain; link++ {
		at := s.positions.Get(from).Vec()
		best := -1
		all := s.search(c, at, chainYards)
		for k := range all {
			f := &all[k]
			f.yards = far(at, s.positions.Get(f.entity).Vec())
			if s.has(f.entity, i) || friends && (s.Hostile(c.by, f.entity) || f.lost == 0) ||
				!friends && !s.Attackable(c.by, f.entity) {
				continue
			}
			if best < 0 || friends && f.lost > all[best].lost || !friends && f.yards < all[best].yards {
				best = k
			}
		}
		if best < 0 {
			return
		}
		from = all[best].entity
		s.gather.add(from, i, link)
	}
}

// hits reports whether the cast hits any target.
func (g *gather) hits() bool {
	return slices.ContainsFunc(g.targets, func(m castTarget) bool { return m.miss == msg.MissNone })
}

// has reports whether a unit is a target of an effect already.
func (s *System) has(e ecs.Entity, effect int) bool {
	for i := range s.gather.targets {
		if m := &s.gather.targets[i]; m.entity == e {
			return m.effects&(1<<effect) != 0
		}
	}
	return false
}
