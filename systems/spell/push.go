package spell

import (
	"math"

	"muster/components"
	"muster/components/move"
	"muster/sched"
	"muster/systems/rules"
)

// teleport brings a player to its bind point.
//
// Source: Spell::EffectTeleportUnits with TARGET_DEST_HOME, AzerothCore.
func (s *System) teleport(_ sched.Tick, _ *cast, m *castTarget, _ int) {
	if s.records.Has(m.entity) {
		s.jumps.Emit(move.Teleport{Entity: m.entity, To: s.records.Get(m.entity).Bind})
	}
}

// chargeSpeed is the speed of a charge, yards per second.
//
// Source: SPEED_CHARGE, MotionMaster.h, AzerothCore.
const chargeSpeed = 42

// charge moves the caster to its target, regardless of the client's movement.
//
// Source: Spell::EffectCharge, AzerothCore.
func (s *System) charge(_ sched.Tick, c *cast, m *castTarget, _ int) {
	from, to := s.positions.Get(c.by), s.positions.Get(m.entity)
	yards := far(from.Vec(), to.Vec())
	contact := s.units.Get(c.by).CombatReach + s.units.Get(m.entity).CombatReach
	if m.entity == c.by || yards <= contact {
		return
	}
	part := 1 - contact/yards
	at := components.Vec{X: from.X + float32((to.X-from.X)*part), Y: from.Y + float32((to.Y-from.Y)*part)}
	at.Z = s.place.Get().Height(at.X, at.Y)
	s.runs.Emit(move.Run{Entity: c.by, To: at, Speed: chargeSpeed})
}

// knockBack throws a unit away from the caster and interrupts its cast. Rooted and stunned units stay.
//
// Source: Spell::EffectKnockBack, AzerothCore.
func (s *System) knockBack(t sched.Tick, c *cast, m *castTarget, i int) {
	const held = components.StateRooted | components.StateStunned
	s.halt(t, rules.InterruptCast{Entity: m.entity})
	if m.entity == c.by || s.auraStates.Get(m.entity).States&held != 0 {
		return
	}
	from, to := s.positions.Get(c.by), s.positions.Get(m.entity)
	angle, _ := components.Facing(float32(math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))))
	s.throws.Emit(move.KnockBack{
		Entity: m.entity, Angle: angle, Speed: float32(c.spell.Effects[i].Misc) / 10,
		Up: s.value(t, c, i, m.entity) / 10,
	})
}
