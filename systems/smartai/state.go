package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptStates executes the effects on scripts: data, counters and timed action lists of their targets. It has rows happen whose conditions hold.
type ScriptStates struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	answers  ecs.EventReader[rules.ConditionAnswer]
	triggers ecs.Emit[trigger]
	scripted ecs.Read[components.Scripted]
	objects  ecs.Read[components.Object]
}

// React implements sched.Reactor.
func (s *ScriptStates) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.scripted.Has(it.target) && s.entities.Exists(it.entity) {
			s.change(t, it)
		}
	}
	for _, it := range s.answers.Next() {
		if !it.Holds || !s.entities.Exists(it.Second) {
			continue
		}
		switch it.For {
		case rules.ForScript:
			s.triggers.Emit(trigger{entity: it.Second, by: it.First, kind: meets, a: it.A, b: it.B})
		case rules.ForArea:
			s.triggers.Emit(trigger{entity: it.Second, by: it.First, kind: permits, a: it.A, b: it.B})
		}
	}
}

func (s *ScriptStates) change(t sched.Tick, it *effect) {
	row := it.at.in(s.defs.Get())
	to := trigger{entity: it.target, by: it.entity}
	switch row.Action {
	case defs.ScriptSetData:
		to.event, to.a, to.b = defs.ScriptDataSet, row.Do[0], row.Do[1]
	case defs.ScriptSetCounter:
		to.kind, to.a, to.b = counts, row.Do[0], row.Do[1]
		if row.Do[2] != 0 {
			to.kind = counterSets
		}
	case defs.ScriptCallList, defs.ScriptCallRandomList, defs.ScriptCallRandomListRange:
		list, ok := s.defs.Get().ScriptList(s.list(t, it, row))
		if !ok {
			return // none of its rows is executed
		}
		to.kind, to.by, to.a = callList, it.by, uint32(list)
		if to.b = always; row.Action == defs.ScriptCallList {
			if to.b = min(row.Do[2], always); row.Do[1] != 0 {
				to.b |= endsWithCombat
			}
		}
	default:
		return
	}
	s.triggers.Emit(to)
}

// When the time of a timed action list goes on: 0 out of combat, 1 in it.
//
// Source: SmartScript::SetScript9 and SMART_ACTION_CALL_TIMED_ACTIONLIST, AzerothCore.
const (
	always         = 2
	endsWithCombat = 0x100
)

// list is the timed action list that a row calls, or one of several.
func (s *ScriptStates) list(t sched.Tick, it *effect, row *defs.ScriptRow) uint32 {
	dice := t.Dice("smartai.list", s.objects.Get(it.entity).GUID^uint64(it.at.row)<<32)
	switch row.Action {
	case defs.ScriptCallRandomListRange:
		return row.Do[0] + uint32(dice.Intn(int(row.Do[1]-row.Do[0])+1))
	case defs.ScriptCallRandomList:
		n := 0
		var ids [6]uint32
		for _, id := range row.Do {
			if id != 0 {
				ids[n] = id
				n++
			}
		}
		return ids[dice.Intn(n)]
	}
	return row.Do[0]
}
