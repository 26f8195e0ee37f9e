package spell

import (
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
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

// SpellTargets selects the targets of casts that are executed.
type SpellTargets struct {
	rules.Units
	rules.Reach

	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	space     ecs.Res[space.Space]
	executed  ecs.Requests[executed]
	selected  ecs.Emit[selected]
	objects   ecs.Read[components.Object]
	vitals    ecs.Read[components.Vitals]
	positions ecs.Read[components.Position]
	homeCells ecs.Read[components.HomeCell]

	tooMany       sched.Counter `name:"spell.too_many_targets"` // targets that a cast had no room for
	refusedEffect sched.Counter `name:"spell.refused_effect"`   // effects that are not implemented

	cast    cast             `snapshot:"-"` // within a cast
	targets []castTarget     `snapshot:"-"`
	found   []found          `snapshot:"-"` // by the present search
	visit   func(ecs.Entity) `snapshot:"-"`
}

// An executed is a cast that is executed, or a pulse of a channel.
type executed struct {
	cast  castEvent
	power uint32 // that the caster has left, of the spell's type
	pulse bool
}

// A selected is an executed with one of its targets, or with none if it has no targets.
type selected struct {
	executed
	target      castTarget
	first, last bool // of those of the cast
}

// A found is a unit that a search found.
type found struct {
	entity ecs.Entity
	guid   uint64
	yards  float32
	lost   float32 // fraction of its health that it lacks
}

// Init implements ecs.Initializer.
func (s *SpellTargets) Init() { s.visit = s.near }

// React selects the targets of casts, effect by effect.
//
// Source: Spell::SelectSpellTargets, AzerothCore.
func (s *SpellTargets) React(sched.Tick) {
	all := s.executed.Take()
	for i := range all {
		x := &all[i]
		if !s.entities.Exists(x.cast.by) {
			continue
		}
		s.cast, s.targets = x.cast.in(s.defs.Get()), s.targets[:0]
		if !s.entities.Exists(s.cast.target) {
			s.cast.target = ecs.Entity{}
		}
		for k := range s.cast.spell.Effects {
			if s.cast.spell.Effects[k].Kind != defs.EffectNone {
				s.selectFor(&s.cast, k)
			}
		}
		for k, m := range s.targets {
			s.selected.Emit(selected{*x, m, k == 0, k == len(s.targets)-1})
		}
		if len(s.targets) == 0 {
			s.selected.Emit(selected{*x, castTarget{}, true, true})
		}
	}
}

// selectFor adds the targets of one effect.
func (s *SpellTargets) selectFor(c *cast, i int) {
	e := &c.spell.Effects[i]
	switch e.Target {
	case defs.TargetCaster, defs.TargetHome:
		s.add(c.by, i, 0)
	case defs.TargetEnemy, defs.TargetFriend, defs.TargetAny:
		if c.target == (ecs.Entity{}) {
			return
		}
		s.add(c.target, i, 0)
		if e.Chain > 1 {
			s.chain(c, i, e.Target == defs.TargetFriend)
		}
	case defs.TargetChainFriends:
		if c.target != (ecs.Entity{}) {
			s.add(c.target, i, 0)
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
func (s *SpellTargets) add(e ecs.Entity, effect int, link uint8) {
	for i := range s.targets {
		if s.targets[i].entity == e {
			s.targets[i].effects |= 1 << effect
			return
		}
	}
	if len(s.targets) == maxTargets {
		s.tooMany.Count()
		return
	}
	s.targets = append(s.targets, castTarget{entity: e, effects: 1 << effect, link: link})
}

// near adds a unit to what a search found.
func (s *SpellTargets) near(e ecs.Entity) {
	if !s.Alive(e) {
		return
	}
	v := s.vitals.Get(e)
	s.found = append(s.found, found{
		entity: e, guid: s.objects.Get(e).GUID,
		yards: far(s.positions.Get(s.cast.by).Vec(), s.positions.Get(e).Vec()),
		lost:  1 - float32(v.Health)/float32(max(v.MaxHealth, 1)),
	})
}

// search finds the living units within some yards of a place, nearest to the caster first; ties by GUID.
func (s *SpellTargets) search(c *cast, at components.Vec, yards float32) []found {
	s.found = s.found[:0]
	s.space.Get().Order.Within(at.X, at.Y, yards, s.homeCells.Get(c.by).Cell.Layer(), s.visit)
	slices.SortFunc(s.found, func(a, b found) int {
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
	return s.found
}

// area adds the units within a circle, or within the caster's cone in it.
func (s *SpellTargets) area(c *cast, i int, at components.Vec, yards float32) {
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
		s.add(f.entity, i, 0)
	}
}

// chain adds the units to which an effect jumps: from one to the nearest that is no target yet, or among friends to
// the one that lacks the largest fraction of health.
//
// Source: Spell::SearchChainTargets, AzerothCore.
func (s *SpellTargets) chain(c *cast, i int, friends bool) {
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
		s.add(from, i, link)
	}
}

// has reports whether a unit is a target of an effect already.
func (s *SpellTargets) has(e ecs.Entity, effect int) bool {
	for i := range s.targets {
		if m := &s.targets[i]; m.entity == e {
			return m.effects&(1<<effect) != 0
		}
	}
	return false
}
