package smartai

import (
	"muster/components"
	"muster/components/defs"
)

// ofArea reports whether a trigger is for the script of an area: its entity is a player.
func (k triggerKind) ofArea() bool { return k == enters || k == permits }

// visit has rows of the script of an area happen for a player: those that are for its entry, or one whose conditions hold. Each entry begins with a
// script that knows nothing.
//
// Source: SmartTrigger::OnTrigger, AzerothCore.
func (s *Scripts) visit(it trigger) {
	st, before := &s.area, s.rows
	*st = components.ScriptState{Owner: it.entity, Script: it.a, Invoker: it.entity}
	if it.kind == permits {
		st.Script = it.b
		s.run(st, rowAt{script: it.b + 1, row: it.a}, it.entity)
	} else {
		s.happen(st, it.entity, defs.ScriptAreaEntered, it.b, 0)
	}
	s.charge(st, before-s.rows)
}
