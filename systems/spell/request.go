package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// ask turns requests of clients into casts.
//
// Source: WorldSession::HandleCastSpellOpcode, AzerothCore.
func (s *System) ask(t sched.Tick) {
	requests := s.requests.All()
	for i := range requests {
		s.request(t, &requests[i])
	}
}

func (s *System) request(t sched.Tick, sent *change.Sent[msg.CastSpell]) {
	m := &sent.Msg
	c := rules.Cast{By: sent.By, Spell: m.Spell, Count: m.Count, Asked: true}
	if m.Targets.Mask&(msg.TargetUnit|msg.TargetAllyCorpse|msg.TargetEnemyCorpse) != 0 {
		if c.Target = s.space.Get().Find(m.Targets.Unit); !s.entities.Alive(c.Target) {
			c.Target = ecs.Entity{}
		}
		if c.Target == (ecs.Entity{}) && m.Targets.Unit != 0 {
			s.badTarget.Count()
			s.refuse(t, &c, msg.CastBadTargets)
			return
		}
	}
	if m.Targets.Mask&msg.TargetDest != 0 {
		c.Placed = true
		c.To = components.Vec(m.Targets.Dst.Position)
		if !onMap(c.To) || m.Targets.Dst.Transport != 0 {
			s.badPlace.Count()
			s.refuse(t, &c, msg.CastBadTargets)
			return
		}
	}
	s.triggered.Emit(c)
}

// onMap reports whether a place is on the map.
func onMap(v components.Vec) bool {
	return grid.Inside(v.X, v.Y) && math.Abs(float64(v.Z)) <= components.MaxHeight
}

// interrupt ends casts at the request of clients, of movement and of other systems.
func (s *System) interrupt(t sched.Tick) {
	for _, sent := range s.cancels.All() {
		if c := s.casting.Get(sent.By); c.Cast.Spell == sent.Msg.Spell && c.Cast.Channel == 0 {
			s.fail(t, sent.By, msg.CastInterrupted)
		} else if c.NextSwing == sent.Msg.Spell {
			c.NextSwing = 0
		}
	}
	for _, sent := range s.unchosen.All() {
		if c := &s.casting.Get(sent.By).Cast; c.Spell == sent.Msg.Spell && c.Channel != 0 {
			s.fail(t, sent.By, msg.CastInterrupted)
		}
	}
	for _, sent := range s.wishes.All() {
		if sent.Op == msg.OpCancelAutoRepeat {
			s.casting.Get(sent.By).Repeat = 0
		}
	}
	moves := s.moves.All()
	for i := range moves {
		s.moved(t, moves[i].By)
	}
	for _, h := range s.interrupts.Take() {
		if s.entities.Alive(h.Entity) {
			s.halt(t, h)
		}
	}
}

// moving is each bit of components.Motion.Flags with which a unit moves.
//
// Source: MOVEMENTFLAG_MASK_MOVING, UnitDefines.h, AzerothCore.
const moving = components.MoveForward | components.MoveBackward | components.MoveStrafeLeft | components.MoveStrafeRight |
	components.MoveFalling | components.MoveFallingFar | components.MoveAscending | components.MoveDescending

// moved ends the cast of a player that moves.
//
// Source: Spell::update, AzerothCore.
func (s *System) moved(t sched.Tick, e ecs.Entity) {
	if c := &s.casting.Get(e).Cast; c.Spell != 0 && s.isMoving(e) && s.spell(c.Spell).Has(defs.SpellStill) {
		s.fail(t, e, msg.CastMoving)
	}
}

// isMoving reports whether a unit moves.
func (s *System) isMoving(e ecs.Entity) bool {
	return s.walks.Get(e).Walking() || s.Player(e) && s.motions.Get(e).Flags&moving != 0
}

// halt ends a cast, and locks its schools if that is asked for. It also ends casts that are not interruptible.
//
// Source: AuraEffect::HandleAuraModSilence, AzerothCore.
func (s *System) halt(t sched.Tick, h rules.InterruptCast) {
	c := s.casting.Get(h.Entity)
	switch {
	case !s.Alive(h.Entity):
		s.cancelAll(t, h.Entity)
		return
	case c.Cast.Spell == 0:
		return
	}
	sp := s.spell(c.Cast.Spell)
	if h.Schools != 0 && h.Schools&sp.School == 0 {
		return
	}
	s.fail(t, h.Entity, msg.CastInterrupted)
	if h.LockMs != 0 {
		s.lock(t, h.Entity, sp.School, h.LockMs)
	}
}
