package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/systems/rules"
)

// happen has those rows happen whose event has happened.
//
// Source: SmartScript::ProcessEventsFor and SmartScript::ProcessEvent, AzerothCore.
func (s *Scripts) happen(st *components.ScriptState, by ecs.Entity, event defs.ScriptEvent, a, b uint32) {
	rows := s.script(st).Rows
	s.rows -= len(rows)
	for i := range rows {
		if row := &rows[i]; row.Event == event && s.meant(st, row, a, b) {
			s.fire(st, i, by)
		}
	}
}

// meant reports whether a row is for what has happened.
func (s *Scripts) meant(st *components.ScriptState, row *defs.ScriptRow, a, b uint32) bool {
	w := &row.When
	switch row.Event {
	case defs.ScriptAreaEntered:
		return w[0] == 0 || w[0] == a
	case defs.ScriptKill:
		return (w[2] == 0 || a != 0) && (w[3] == 0 || w[3] == b)
	case defs.ScriptSpellHit, defs.ScriptSpellHitTarget:
		return (w[0] == 0 || w[0] == a) && (w[1] == 0 || w[1]&b != 0)
	case defs.ScriptRespawn:
		return w[0] == 0 || w[1] == a
	case defs.ScriptSummonedUnit, defs.ScriptSummonedUnitDies, defs.ScriptSummonDespawned, defs.ScriptSummonEvades:
		return w[0] == 0 || w[0] == a
	case defs.ScriptDamaged, defs.ScriptDamagedTarget, defs.ScriptReceiveHeal:
		return a >= w[0] && a <= w[1]
	case defs.ScriptDataSet, defs.ScriptCounterSet, defs.ScriptGossipSelect:
		return w[0] == a && w[1] == b
	case defs.ScriptTextOver:
		return w[0] == a && (w[1] == 0 || w[1] == b)
	case defs.ScriptTimedEvent, defs.ScriptReceiveEmote, defs.ScriptObjectState:
		return w[0] == a
	case defs.ScriptGossipHello:
		return w[0] == 0 || w[0] == 1+a
	case defs.ScriptMovementInform:
		return (w[0] == 0 || w[0] == a) && (w[1] == 0 || w[1] == b)
	case defs.ScriptEscortStarted, defs.ScriptEscortReached, defs.ScriptEscortPaused, defs.ScriptEscortResumed, defs.ScriptEscortStopped,
		defs.ScriptEscortEnded, defs.ScriptWaypointReached, defs.ScriptWaypointEnded:
		return (w[0] == 0 || w[0] == a) && (w[1] == 0 || w[1] == b)
	case defs.ScriptPhaseChange:
		return inPhase(st, uint16(w[0])) && w[0] != 0
	}
	return true
}

// fire has a row happen that is not timed, unless it has happened too lately.
func (s *Scripts) fire(st *components.ScriptState, i int, by ecs.Entity) {
	row, at := &s.script(st).Rows[i], &st.Rows[i]
	if row.Flags&defs.ScriptOnce != 0 && at.Once != 0 || !inPhase(st, row.Phases) {
		return
	}
	if row.Conditions != 0 {
		s.ask(st, i, by, 0)
		return
	}
	s.pass(st, i, by)
}

// ask asks whether the conditions of a row hold, before it happens.
//
// Source: SmartScript::ProcessEventsFor, AzerothCore.
func (s *Scripts) ask(st *components.ScriptState, i int, by ecs.Entity, timed uint32) {
	s.rows--
	if by == (ecs.Entity{}) {
		by = st.Invoker
	}
	q := rules.ConditionQuery{List: s.script(st).Rows[i].Conditions, First: by, Second: st.Owner, For: rules.ForScript, A: uint32(i), B: timed}
	if st == &s.area {
		q.For, q.B = rules.ForArea, st.Script
	}
	s.queries.Emit(q)
}

// met has a row happen whose conditions hold.
func (s *Scripts) met(st *components.ScriptState, it trigger) {
	row, at := &s.script(st).Rows[it.a], &st.Rows[it.a]
	if row.Flags&defs.ScriptOnce != 0 && at.Once != 0 || !inPhase(st, row.Phases) {
		return
	}
	if it.b == 0 {
		s.pass(st, int(it.a), it.by)
		return
	}
	least, most, _ := row.Repeat()
	if at.Ms = max(s.between(st, int(it.a), least, most), 1); at.Runs != 0 {
		at.Ms += s.tick.NowMs
	}
	s.run(st, rowAt{script: st.Script + 1, row: it.a}, it.by)
}

// pass has a row happen that is not timed, and whose conditions hold, unless it has happened too lately.
func (s *Scripts) pass(st *components.ScriptState, i int, by ecs.Entity) {
	row, at := &s.script(st).Rows[i], &st.Rows[i]
	if least, most, ok := row.Repeat(); ok {
		if int32(s.tick.NowMs-at.Ms) < 0 {
			return
		}
		at.Ms = s.tick.NowMs + s.between(st, i, least, most)
	}
	s.run(st, rowAt{script: st.Script + 1, row: uint32(i)}, by)
}

// run has a row happen by its chance, and after it those that it links to.
//
// Source: SmartScript::ProcessAction, AzerothCore.
func (s *Scripts) run(st *components.ScriptState, at rowAt, by ecs.Entity) {
	row := at.in(s.defs.Get())
	for range components.MaxScriptRows {
		if at.script != 0 {
			st.Rows[at.row].Once = 1
		}
		if row.Chance != 0 && row.Chance < 100 {
			dice := s.dice("smartai.chance", st, int(at.row)+components.MaxScriptRows*int(at.list))
			if uint32(dice.Intn(100)) >= uint32(row.Chance) {
				return
			}
		}
		s.act(st, at, row, by)
		if row.Next == 0 {
			return
		}
		at.row = uint32(row.Next - 1)
		row = at.in(s.defs.Get())
		if !inPhase(st, row.Phases) || at.script != 0 && row.Flags&defs.ScriptOnce != 0 && st.Rows[at.row].Once != 0 {
			return
		}
	}
}

// act executes what changes the script alone, and has the systems after this one execute all else.
func (s *Scripts) act(st *components.ScriptState, at rowAt, row *defs.ScriptRow, by ecs.Entity) {
	s.happened.Count()
	s.left--
	switch row.Action {
	case defs.ScriptSetPhase:
		s.setPhase(st, row.Do[0])
	case defs.ScriptAddPhase:
		s.setPhase(st, uint32(max(int32(st.Phase+row.Do[0]-row.Do[1]), 0)))
	case defs.ScriptRandomPhase:
		s.setPhase(st, s.pick(st, at, row.Do[:]))
	case defs.ScriptRandomPhaseRange:
		s.setPhase(st, s.inRange(st, at, row.Do[0], row.Do[1]))
	case defs.ScriptCreateTimedEvent:
		s.createEvent(st, row)
	case defs.ScriptTriggerTimedEvent:
		s.again(trigger{entity: st.Owner, by: by, event: defs.ScriptTimedEvent, a: row.Do[0]})
	case defs.ScriptTriggerRandomEvent:
		s.again(trigger{entity: st.Owner, by: by, event: defs.ScriptTimedEvent, a: s.inRange(st, at, row.Do[0], row.Do[1])})
	case defs.ScriptKeepPhase:
		st.Keeps = 1 - uint8(min(row.Do[0], 1))
	case defs.ScriptRemoveTimedEvent:
		s.removeEvent(st, row.Do[0])
	case defs.ScriptCallReset:
		s.reset(st, false)
		s.again(trigger{entity: st.Owner, by: by, event: defs.ScriptReset})
	default:
		if by == (ecs.Entity{}) {
			by = st.Invoker
		}
		s.acts.Emit(act{st.Owner, by, at})
	}
}

// again has something happen to a script after what happens now: in the next tick, so that no script goes on forever.
func (s *Scripts) again(it trigger) {
	if len(s.backlog) == maxBacklog {
		s.dropped.Count()
		return
	}
	s.backlog = append(s.backlog, it)
}

// setPhase changes the phase, and has what is for the new one happen.
//
// Source: SmartScript::SetPhase, AzerothCore.
func (s *Scripts) setPhase(st *components.ScriptState, phase uint32) {
	const last = 12
	if phase = min(phase, last); phase == st.Phase {
		return
	}
	st.Phase = phase
	rows := s.script(st).Rows
	for i := range rows {
		if rows[i].Event == defs.ScriptPhaseChange {
			s.again(trigger{entity: st.Owner, event: defs.ScriptPhaseChange})
			return
		}
	}
}

// pick is one of those numbers that are not 0.
func (s *Scripts) pick(st *components.ScriptState, at rowAt, of []uint32) uint32 {
	var all [6]uint32
	n := 0
	for _, v := range of {
		if v != 0 && n < len(all) {
			all[n] = v
			n++
		}
	}
	if n == 0 {
		return 0
	}
	dice := s.dice("smartai.pick", st, int(at.row))
	return all[dice.Intn(n)]
}

// inRange is a number from least to most.
func (s *Scripts) inRange(st *components.ScriptState, at rowAt, least, most uint32) uint32 {
	if most <= least {
		return least
	}
	dice := s.dice("smartai.pick", st, int(at.row))
	return least + uint32(dice.Intn(int(most-least)+1))
}

// createEvent creates a timed event, or changes it.
func (s *Scripts) createEvent(st *components.ScriptState, row *defs.ScriptRow) {
	free := -1
	for i := range st.Timers {
		switch st.Timers[i].Number {
		case row.Do[0] + 1:
			free = i
		case 0:
			if free < 0 {
				free = i
			}
		}
	}
	if free < 0 {
		s.full.Count()
		return
	}
	chance := row.Do[5]
	if chance == 0 {
		chance = 100
	}
	st.Timers[free] = components.ScriptTimer{
		Number: row.Do[0] + 1, DueMs: s.tick.NowMs + s.between(st, int(row.ID), row.Do[1], row.Do[2]), Least: row.Do[3], Most: row.Do[4], Chance: chance,
	}
}

func (s *Scripts) removeEvent(st *components.ScriptState, number uint32) {
	for i := range st.Timers {
		if st.Timers[i].Number == number+1 {
			st.Timers[i] = components.ScriptTimer{}
		}
	}
}

// timeEvents has the timed events happen that are due.
func (s *Scripts) timeEvents(st *components.ScriptState) {
	for i := range st.Timers {
		at := &st.Timers[i]
		if at.Number == 0 || int32(s.tick.NowMs-at.DueMs) < 0 {
			continue
		}
		number, chance := at.Number-1, at.Chance
		if at.Most == 0 {
			*at = components.ScriptTimer{}
		} else {
			at.DueMs = s.tick.NowMs + max(s.between(st, i, at.Least, at.Most), 1)
		}
		dice := s.dice("smartai.event", st, i)
		if uint32(dice.Intn(100)) < chance {
			s.happen(st, ecs.Entity{}, defs.ScriptTimedEvent, number, 0)
		}
	}
}

// count changes a counter of a script.
//
// Source: SmartScript::StoreCounter, AzerothCore.
func (s *Scripts) count(st *components.ScriptState, it trigger) {
	var at *components.ScriptCounter
	for i := range st.Counters {
		if c := &st.Counters[i]; c.Number == it.a+1 {
			at = c
			break
		} else if c.Number == 0 && at == nil {
			at = c
		}
	}
	if at == nil {
		s.full.Count()
		return
	}
	if at.Number = it.a + 1; it.kind == counts {
		at.Value += it.b
	} else {
		at.Value = it.b
	}
	s.happen(st, it.by, defs.ScriptCounterSet, it.a, at.Value)
}

// callList begins a timed action list, in place of the one that goes on.
//
// Source: SmartScript::SetScript9 and SmartAI::SetScript9, AzerothCore.
func (s *Scripts) callList(st *components.ScriptState, it trigger) {
	st.List = components.ScriptListState{List: it.a + 1, When: uint16(it.b & 0xFF), Invoker: it.by, DueMs: s.tick.NowMs}
	if it.b&endsWithCombat != 0 {
		st.List.Ends = 1
	}
	s.awaitRow(st)
}

// awaitRow sets when the next row of a timed action list is due, or ends the list. Rows that others link to are not waited for.
func (s *Scripts) awaitRow(st *components.ScriptState) {
	rows := s.defs.Get().ScriptLists[st.List.List-1].Rows
	for int(st.List.Row) < len(rows) && rows[st.List.Row].Event == defs.ScriptLink {
		st.List.Row++
	}
	if int(st.List.Row) >= len(rows) {
		st.List = components.ScriptListState{}
		return
	}
	row := &rows[st.List.Row]
	st.List.DueMs = s.tick.NowMs + s.between(st, int(st.List.Row)+components.MaxScriptRows, row.When[0], row.When[1])
}

// stepList has the row of a timed action list happen that is due.
func (s *Scripts) stepList(st *components.ScriptState) {
	list := st.List
	at := rowAt{list: list.List, row: list.Row}
	s.run(st, at, list.Invoker)
	if st.List == list { // the row has not begun another one
		st.List.Row++
		s.awaitRow(st)
	}
}
