package spell

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// A missile is the effects of a cast on one of its targets, in flight.
type missile struct {
	target castTarget
	by     ecs.Entity
	to     components.Vec
	spell  uint32
	level  uint32
	count  uint8
	depth  uint8
	placed bool
}

// leastFlight is the least distance that a missile flies, yards.
//
// Source: Spell::AddUnitTarget, AzerothCore (5).
const leastFlight = 5

// throw launches a missile.
func (s *System) throw(t sched.Tick, c *cast, m *castTarget) {
	yards := max(far(s.positions.Get(c.by).Vec(), s.positions.Get(m.entity).Vec()), leastFlight)
	ms := uint32(float32(yards / c.spell.MissileSpeed * 1000))
	s.missiles.Add(t.After(time.Duration(ms)*time.Millisecond), missile{
		target: *m, by: c.by, to: c.to, spell: c.spell.ID, level: c.level, count: c.count, depth: c.depth,
		placed: c.placed,
	})
}

// land applies the effects of missiles that have arrived. A missile whose caster has left the world does nothing.
func (s *System) land(t sched.Tick) {
	due := s.missiles.Take(t.N)
	for i := range due {
		m := &due[i]
		if !s.entities.Alive(m.by) || !s.entities.Alive(m.target.entity) {
			s.lost.Count()
			continue
		}
		c := s.hand(cast{
			by: m.by, target: m.target.entity, to: m.to, spell: s.spell(m.spell), level: m.level, count: m.count,
			depth: m.depth, placed: m.placed,
		})
		switch { // changes since the missile was launched
		case !c.spell.Has(defs.SpellHarmful):
		case s.threatStates.Get(m.target.entity).Evading != 0:
			m.target.miss = msg.MissEvade
		case s.auras.Immune(m.target.entity, c.spell.School):
			m.target.miss = msg.MissImmune
		}
		s.applyEffects(t, c, &m.target, atOnce)
	}
}
