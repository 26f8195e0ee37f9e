package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
)

// MoveEffects executes the effects of spells that move units.
type MoveEffects struct {
	lookup

	hits      ecs.Requests[moveHit]
	place     ecs.Res[defs.Map]
	positions ecs.Read[components.Position]
	units     ecs.Read[components.Unit]
	unitAuras ecs.Read[components.UnitAuras]
	records   ecs.ReadRef[components.Record]
	throws    ecs.Emit[move.KnockBack]
	jumps     ecs.Emit[move.Teleport]
	runs      ecs.Emit[move.Run]
	ends      ecs.Emit[castEnd]
}

// React implements sched.Reactor.
func (s *MoveEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(hitEvent(event)); ok {
			s.execute(t, &h)
		}
	}
}

func (s *MoveEffects) execute(t sched.Tick, h *hit) {
	switch h.at().Kind {
	case defs.EffectTeleport:
		s.teleport(h.target.entity)
	case defs.EffectCharge:
		s.charge(h.cast.by, h.target.entity)
	case defs.EffectKnockBack:
		s.knockBack(t, h)
	}
}

// teleport brings a player to its bind point.
//
// Source: Spell::EffectTeleportUnits with TARGET_DEST_HOME, AzerothCore.
func (s *MoveEffects) teleport(e ecs.Entity) {
	if s.records.Has(e) {
		s.jumps.Emit(move.Teleport{Entity: e, To: s.records.Get(e).Bind})
	}
}

// chargeSpeed is the speed of a charge, yards per second.
//
// Source: SPEED_CHARGE, MotionMaster.h, AzerothCore.
const chargeSpeed = 42

// charge moves the caster to its target, regardless of the client's movement.
//
// Source: Spell::EffectCharge, AzerothCore.
func (s *MoveEffects) charge(by, at ecs.Entity) {
	from, to := s.positions.Get(by), s.positions.Get(at)
	yards := far(from.Vec(), to.Vec())
	contact := s.units.Get(by).CombatReach + s.units.Get(at).CombatReach
	if at == by || yards <= contact {
		return
	}
	part := 1 - contact/yards
	end := components.Vec{X: from.X + float32((to.X-from.X)*part), Y: from.Y + float32((to.Y-from.Y)*part)}
	end.Z = s.place.Get().Height(end.X, end.Y)
	s.runs.Emit(move.Run{Entity: by, To: end, Speed: chargeSpeed})
}

// knockBack throws a unit away from the caster. Its cast ends; rooted and stunned
// units stay.
//
// Source: Spell::EffectKnockBack, AzerothCore.
func (s *MoveEffects) knockBack(t sched.Tick, h *hit) {
	const held = components.StateRooted | components.StateStunned
	c, m := &h.cast, &h.target
	s.ends.Emit(castEnd{entity: m.entity, how: endSchools})
	if m.entity == c.by || s.unitAuras.Get(m.entity).States&held != 0 {
		return
	}
	from, to := s.positions.Get(c.by), s.positions.Get(m.entity)
	angle, _ := components.Facing(float32(math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))))
	s.throws.Emit(move.KnockBack{
		Entity: m.entity, Angle: angle, Speed: float32(h.at().Misc) / 10,
		Up: h.value(t) / 10,
	})
}
