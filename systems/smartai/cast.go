package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptCasts executes the effects on spells: casts, their interruption, and the removal of auras.
type ScriptCasts struct {
	rules.Living
	entities   ecs.Entities
	defs       ecs.Res[defs.World]
	auras      ecs.Res[ecs.Slab[components.Auras]]
	effects    ecs.EventReader[effect]
	casts      ecs.Emit[rules.Cast]
	interrupts ecs.Emit[rules.InterruptCast]
	removals   ecs.Emit[rules.RemoveAuras]
	applies    ecs.Emit[rules.ApplyAura]

	castings  ecs.ReadRef[components.Casting]
	unitAuras ecs.Read[components.UnitAuras]
	units     ecs.Read[components.Unit]

	busy sched.Counter `name:"smartai.busy"` // casts that have not begun because the creature was casting
}

// React implements sched.Reactor.
func (s *ScriptCasts) React(sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if it.target == (ecs.Entity{}) || !s.entities.Exists(it.entity) || !s.entities.Exists(it.target) || !s.Unit(it.target) || !s.Present(it.target) {
			continue
		}
		switch row := it.at.in(s.defs.Get()); row.Action {
		case defs.ScriptCast:
			s.cast(it.entity, it.target, row)
		case defs.ScriptSelfCast:
			s.cast(it.target, it.target, row)
		case defs.ScriptAddAura:
			s.add(it.target, row.Do[0])
		case defs.ScriptInvokerCast, defs.ScriptCrossCast:
			if s.entities.Exists(it.by) {
				s.cast(it.by, it.target, row)
			}
		case defs.ScriptRemoveAuras:
			s.removals.Emit(rules.RemoveAuras{From: it.target, Spell: row.Do[0]})
		case defs.ScriptInterrupt:
			s.interrupts.Emit(rules.InterruptCast{Entity: it.target})
		}
	}
}

// cast has a unit cast the spell of a row. One that casts already does not, unless the row says that it stops.
//
// Source: SMART_ACTION_CAST, SmartScript::ProcessAction, AzerothCore.
func (s *ScriptCasts) cast(by, target ecs.Entity, row *defs.ScriptRow) {
	flags := row.Do[1]
	if !s.Alive(by) || flags&defs.ScriptCastAuraless != 0 && s.hasAura(target, row.Do[0]) {
		return
	}
	triggered := flags&defs.ScriptCastTriggered != 0
	switch {
	case flags&defs.ScriptCastInterrupts != 0:
		s.interrupts.Emit(rules.InterruptCast{Entity: by})
	case !triggered && s.castings.Get(by).Cast.Spell != 0:
		s.busy.Count()
		return
	}
	s.casts.Emit(rules.Cast{By: by, Target: target, Spell: row.Do[0], Triggered: triggered})
}

// add puts the auras of a spell on a unit, as its own.
//
// Source: SMART_ACTION_ADD_AURA, SmartScript::ProcessAction, AzerothCore.
func (s *ScriptCasts) add(e ecs.Entity, spell uint32) {
	sp := s.defs.Get().Spell(spell)
	if !s.Alive(e) || sp == nil {
		return
	}
	if a, ok := rules.OwnAura(e, sp, s.units.Get(e).Level); ok {
		s.applies.Emit(a)
	}
}

// hasAura reports whether a unit has an aura of a spell.
func (s *ScriptCasts) hasAura(e ecs.Entity, spell uint32) bool {
	block := s.unitAuras.Get(e).Block
	if block == 0 {
		return false
	}
	list := s.auras.Get().At(block)
	for i := range list.List[:list.Count] {
		if list.List[i].Spell == spell {
			return true
		}
	}
	return false
}
