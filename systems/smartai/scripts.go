package smartai

import (
	"slices"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// Scripts decides which rows of scripts happen. It is the only writer of components.Scripted, and of what a script knows but for what the
// systems after it note for themselves: targets that are stored, and lines that were said.
type Scripts struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	states   ecs.ResMut[ecs.Slab[components.ScriptState]]
	load     ecs.ResMut[rules.ScriptLoad]
	triggers ecs.Requests[trigger]
	reloaded ecs.Events[rules.Reloaded]
	gone     ecs.EventReader[rules.Gone]
	nodes    ecs.EventReader[rules.NodeReached]
	acts     ecs.Emit[act]
	queries  ecs.Emit[rules.ConditionQuery]
	senses   ecs.Emit[sense]

	homeCells ecs.Read[components.HomeCell]
	objects   ecs.Read[components.Object]
	threats   ecs.Read[components.ThreatState]
	scripted  ecs.Write[components.Scripted]

	wheel   sched.Wheel[due]
	steps   sched.Wheel[nodeStep]
	waiting int       // steps
	backlog []trigger // that the last ticks had no time for
	rows    int       // that may still be looked at in this tick,
	left    int       // and actions that may still happen
	rounds  int       // times that scripts were triggered in this tick

	happened sched.Counter `name:"smartai.rows"`        // rows that have happened
	over     sched.Counter `name:"smartai.over_budget"` // ticks in which scripts had more to do than they may
	late     sched.Counter `name:"smartai.late"`        // triggers and timers that waited for another tick
	dropped  sched.Counter `name:"smartai.dropped"`     // triggers that were too many to wait
	full     sched.Counter `name:"smartai.full"`        // timed events and counters for which a script has no room

	tick  sched.Tick
	area  components.ScriptState `snapshot:"-"` // of a player that has entered one
	spent bool                   // whether something had to wait in this tick

	used  []int32  `snapshot:"-"` // by script: the rows that were looked at in this tick,
	some  []uint32 `snapshot:"-"` // scripts of which there are some
	most  int32    // the most of them,
	entry uint32   // and whose script that is
}

// A due is the timer of a script; it is stale if the script has another number.
type due struct {
	entity ecs.Entity
	number uint32
}

// askEvery is the longest time after which a timed row is looked at again whose conditions have not held, milliseconds.
//
// Source: SmartScript::ProcessTimedAction, AzerothCore.
const askEvery = 5000

// pollEvery is the time between two looks at what an event in combat needs, milliseconds, our own choice.
const pollEvery = 250

// Run implements sched.Runner.
func (s *Scripts) Run(t sched.Tick) {
	s.tick, s.rows, s.left, s.rounds, s.spent = t, maxRows, maxActs, 0, false
	s.forgive()
	s.restart()
	waiting := s.backlog
	s.backlog = nil
	for _, it := range waiting {
		s.take(it)
	}
	s.React(t)
	s.follow()
	for _, it := range s.wheel.Take(t.N) {
		if s.entities.Exists(it.entity) && s.scripted.Get(it.entity).Number == it.number {
			s.time(it.entity)
		}
	}
}

// restart has all scripts begin anew when they have been replaced. Triggers of the old ones are void.
func (s *Scripts) restart() {
	if s.replaced(defs.PartWays) {
		s.forgetNodes()
	}
	if !s.replaced(defs.PartScripts) {
		return
	}
	s.backlog, s.used, s.some = nil, nil, nil
	for _, it := range s.triggers.Take() {
		if it.kind == begins || it.kind == restarts || it.kind == enters {
			s.take(it)
		}
	}
}

// replaced reports whether a part of the definitions has been replaced in this tick.
func (s *Scripts) replaced(part defs.Part) bool {
	return slices.ContainsFunc(s.reloaded.All(), func(r rules.Reloaded) bool { return r.Part == part })
}

// React implements sched.Reactor: scripts change each other, and end with their creatures. Those that answer each other without end go
// on in the next tick.
func (s *Scripts) React(t sched.Tick) {
	s.tick = t
	triggers := s.triggers.Take()
	if len(triggers) > 0 {
		s.rounds++
	}
	for _, it := range triggers {
		if s.rounds > maxRounds {
			s.again(it)
		} else {
			s.take(it)
		}
	}
	for _, it := range s.nodes.Next() {
		s.reach(it)
	}
	for _, it := range s.gone.Next() {
		if s.entities.Exists(it.Entity) && s.scripted.Has(it.Entity) {
			s.end(it.Entity)
		}
	}
}

// take executes a trigger, or has it wait.
func (s *Scripts) take(it trigger) {
	switch {
	case !s.entities.Exists(it.entity) || !it.kind.ofArea() && !s.scripted.Has(it.entity):
		return
	case it.kind == begins:
		s.begin(it)
		return
	case it.kind == restarts:
		s.end(it.entity)
		if it.a--; it.a != ^uint32(0) {
			s.begin(it)
		}
		return
	case !it.kind.ofArea() && s.scripted.Get(it.entity).Block == 0:
		return
	case s.rows > 0 && s.left > 0 && it.kind.ofArea():
		s.visit(it)
		return
	case s.rows > 0 && s.left > 0:
		s.execute(it)
		return
	}
	s.breach()
	if len(s.backlog) == maxBacklog {
		s.dropped.Count()
		return
	}
	s.backlog = append(s.backlog, it)
}

// forgive begins to count anew what scripts use.
func (s *Scripts) forgive() {
	for _, script := range s.some {
		s.used[script] = 0
	}
	s.some, s.most, s.entry = s.some[:0], 0, 0
	*s.load.Get() = rules.ScriptLoad{}
}

// charge notes rows that the script of a creature has looked at.
func (s *Scripts) charge(st *components.ScriptState, rows int) {
	if len(s.used) != len(s.defs.Get().Scripts) {
		s.used = make([]int32, len(s.defs.Get().Scripts))
	}
	used := &s.used[st.Script]
	if *used == 0 {
		s.some = append(s.some, st.Script)
	}
	if *used += int32(rows) + 1; *used > s.most {
		s.most, s.entry = *used, s.objects.Get(st.Owner).Entry
	}
}

// breach counts something that waits for the next tick.
func (s *Scripts) breach() {
	load := s.load.Get()
	load.Late, load.Entry = load.Late+1, s.entry
	if s.late.Count(); !s.spent {
		s.spent = true
		s.over.Count()
	}
}

// begin gives a new creature its script.
//
// Source: SmartAI::InitializeAI and SmartAI::JustRespawned, AzerothCore.
func (s *Scripts) begin(it trigger) {
	own := s.scripted.Get(it.entity)
	if own.Block != 0 {
		return
	}
	own.Block = s.states.Get().Alloc()
	st := s.state(it.entity)
	*st = components.ScriptState{Owner: it.entity, Script: it.a, Invoker: it.by}
	s.reset(st, true)
	s.arm(st)
	it.kind = starts
	s.take(it)
}

// start has happen what happens to a new creature or game object on a map.
func (s *Scripts) start(st *components.ScriptState, by ecs.Entity, place uint32) {
	s.happen(st, by, defs.ScriptInit, 0, 0)
	s.happen(st, by, defs.ScriptJustCreated, 0, 0)
	if s.threats.Has(st.Owner) { // a creature
		s.happen(st, by, defs.ScriptReset, 0, 0)
	}
	s.happen(st, by, defs.ScriptRespawn, place, 0)
	if s.entities.Exists(by) {
		s.happen(st, by, defs.ScriptJustSummoned, 0, 0)
	}
}

// end takes the script of a creature that leaves.
func (s *Scripts) end(e ecs.Entity) {
	own := s.scripted.Get(e)
	s.states.Get().Free(own.Block)
	own.Block = 0
	own.Number++
}

// state is what the script of a creature knows. It is valid until another script begins.
func (s *Scripts) state(e ecs.Entity) *components.ScriptState {
	return s.states.Get().At(s.scripted.Get(e).Block)
}

func (s *Scripts) script(st *components.ScriptState) *defs.Script {
	return &s.defs.Get().Scripts[st.Script]
}

// execute executes a trigger.
func (s *Scripts) execute(it trigger) {
	st, before := s.state(it.entity), s.rows
	s.settle(st)
	if it.by != (ecs.Entity{}) && it.kind != senses {
		st.Invoker = it.by
	}
	switch it.kind {
	case happens:
		s.happen(st, it.by, it.event, it.a, it.b)
	case starts:
		s.start(st, it.by, it.b)
	case wakes:
		s.shift(st, it.a)
	case evades:
		s.happen(st, it.by, defs.ScriptEvade, 0, 0)
		if st.List.Ends != 0 {
			st.List = components.ScriptListState{}
		}
	case comesHome:
		s.reset(st, false)
		s.happen(st, it.by, defs.ScriptReset, 0, 0)
		s.happen(st, it.by, defs.ScriptReachedHome, 0, 0)
	case dies:
		s.happen(st, it.by, defs.ScriptDeath, 0, 0)
		st.Dead, st.List, st.Over = 1, components.ScriptListState{}, components.ScriptOver{}
	case callList:
		s.callList(st, it)
	case talks:
		st.Over = components.ScriptOver{Group: it.a + 1, DueMs: s.tick.NowMs + it.b}
	case counts, counterSets:
		s.count(st, it)
	case meets:
		s.met(st, it)
	case senses:
		s.sensed(st, it)
	}
	s.settle(st)
	s.arm(st)
	s.charge(st, before-s.rows)
}

// reset has a script begin anew.
//
// Source: SmartScript::OnReset and SmartScript::InitTimer, AzerothCore.
func (s *Scripts) reset(st *components.ScriptState, first bool) {
	if st.Counters = [components.MaxScriptCounters]components.ScriptCounter{}; st.Keeps == 0 {
		st.Phase = 0
	}
	rows := s.script(st).Rows
	for i := range rows {
		if row := &rows[i]; first || row.Flags&defs.ScriptKeeps == 0 {
			st.Rows[i] = components.ScriptRowState{}
			switch row.Event {
			case defs.ScriptUpdate, defs.ScriptUpdateInCombat, defs.ScriptUpdateOutOfCombat:
				st.Rows[i].Ms = s.between(st, i, row.When[0], row.When[1])
			case defs.ScriptRange:
				st.Rows[i].Ms = s.between(st, i, row.When[4], row.When[5])
			case defs.ScriptBehindTarget:
				st.Rows[i].Ms = s.between(st, i, row.When[0], row.When[1])
			case defs.ScriptNearPlayers, defs.ScriptFewPlayers:
				st.Rows[i].Ms = row.When[2]
			}
			if !row.Event.Timed() {
				st.Rows[i].Ms = s.tick.NowMs
			}
		}
	}
	s.settle(st)
}

// between is a time from least to most, milliseconds.
func (s *Scripts) between(st *components.ScriptState, row int, least, most uint32) uint32 {
	if most <= least {
		return least
	}
	dice := s.dice("smartai.time", st, row)
	return least + uint32(uint64(float64(most-least)*float64(dice.Float32())))
}

func (s *Scripts) dice(purpose string, st *components.ScriptState, row int) sched.Dice {
	return s.tick.Dice(purpose, s.objects.Get(st.Owner).GUID^uint64(row+1)<<32)
}

// fights reports whether a creature is in combat. A game object never is.
func (s *Scripts) fights(st *components.ScriptState) bool {
	return s.threats.Has(st.Owner) && s.threats.Get(st.Owner).List != 0
}

// inPhase reports whether a row may happen in the phase of its script.
func inPhase(st *components.ScriptState, mask uint16) bool {
	return mask == 0 || st.Phase != 0 && mask&(1<<(st.Phase-1)) != 0
}

// settle has the time of each row go on or stand still, as its phase and combat say.
//
// Source: SmartScript::UpdateTimer, AzerothCore.
func (s *Scripts) settle(st *components.ScriptState) {
	rows, fights, now := s.script(st).Rows, s.fights(st), s.tick.NowMs
	for i := range rows {
		row, at := &rows[i], &st.Rows[i]
		if !row.Event.Timed() {
			continue
		}
		runs := st.Dead == 0 && inPhase(st, row.Phases) && !(row.Flags&defs.ScriptOnce != 0 && at.Once != 0)
		switch row.Time() {
		case defs.ScriptInPeace:
			runs = runs && !fights
		case defs.ScriptInCombat:
			runs = runs && fights
		}
		switch {
		case runs && at.Runs == 0:
			at.Runs, at.Ms = 1, now+at.Ms
		case !runs && at.Runs != 0:
			at.Runs, at.Ms = 0, uint32(max(int32(at.Ms-now), 0))
		}
	}
}

// shift has all times of a script that has slept go on where they were.
func (s *Scripts) shift(st *components.ScriptState, ms uint32) {
	rows := s.script(st).Rows
	for i := range rows {
		if st.Rows[i].Runs != 0 {
			st.Rows[i].Ms += ms
		}
	}
	st.List.DueMs += ms
	st.Over.DueMs += ms
	for i := range st.Timers {
		st.Timers[i].DueMs += ms
	}
	st.Armed = 0
}

// listGoesOn reports whether the time of a timed action list goes on.
func (s *Scripts) listGoesOn(st *components.ScriptState) bool {
	if st.List.List == 0 || st.Dead != 0 {
		return false
	}
	return st.List.When > 1 || st.List.When == 1 == s.fights(st)
}

// arm sets the timer of a script to the first time that is due, unless its creature sleeps.
func (s *Scripts) arm(st *components.ScriptState) {
	var next uint32
	found := false
	note := func(ms uint32) {
		if !found || int32(ms-next) < 0 {
			next, found = ms, true
		}
	}
	rows := s.script(st).Rows
	for i := range rows {
		if st.Rows[i].Runs != 0 {
			note(st.Rows[i].Ms)
		}
	}
	if s.listGoesOn(st) {
		note(st.List.DueMs)
	}
	if st.Over.Group != 0 {
		note(st.Over.DueMs)
	}
	for i := range st.Timers {
		if st.Timers[i].Number != 0 && st.Dead == 0 {
			note(st.Timers[i].DueMs)
		}
	}
	own := s.scripted.Get(st.Owner)
	if !found || !s.space.Get().Awake(s.homeCells.Get(st.Owner).Cell) {
		if st.Armed != 0 {
			st.Armed = 0
			own.Number++
		}
		return
	}
	if st.Armed != 0 && st.DueMs == next {
		return
	}
	st.Armed, st.DueMs = 1, next
	own.Number++
	left := time.Duration(max(int32(next-s.tick.NowMs), 0)) * time.Millisecond
	s.wheel.Add(s.tick.After(left), due{st.Owner, own.Number})
}

// time executes what is due of a script.
func (s *Scripts) time(e ecs.Entity) {
	st := s.state(e)
	if st.Armed = 0; !s.space.Get().Awake(s.homeCells.Get(e).Cell) {
		return // it goes on when it wakes
	}
	if s.rows <= 0 || s.left <= 0 {
		s.breach()
		st.Armed, st.DueMs = 1, s.tick.NowMs
		s.wheel.Add(s.tick.N+1, due{e, s.scripted.Get(e).Number})
		return
	}
	s.settle(st)
	now, before := s.tick.NowMs, s.rows
	rows := s.script(st).Rows
	s.rows -= len(rows)
	for i := range rows {
		if at := &st.Rows[i]; at.Runs != 0 && int32(now-at.Ms) >= 0 {
			s.fireTimed(st, i)
		}
	}
	if st.Over.Group != 0 && int32(now-st.Over.DueMs) >= 0 {
		group := st.Over.Group - 1
		st.Over = components.ScriptOver{}
		s.happen(st, ecs.Entity{}, defs.ScriptTextOver, group, s.objects.Get(e).Entry)
	}
	s.timeEvents(st)
	for n := 0; s.listGoesOn(st) && int32(now-st.List.DueMs) >= 0 && n < components.MaxScriptRows; n++ {
		s.stepList(st)
	}
	s.settle(st)
	s.arm(st)
	s.charge(st, before-s.rows)
}

// fireTimed has a row happen whose time is up, if what it needs is so; else it is looked at again soon.
//
// Source: SmartScript::ProcessTimedAction, AzerothCore.
func (s *Scripts) fireTimed(st *components.ScriptState, i int) {
	row, at, now := &s.script(st).Rows[i], &st.Rows[i], s.tick.NowMs
	least, most, _ := row.Repeat()
	if row.Event.Polled() {
		at.Ms = now + pollEvery
		if lasts(row) {
			at.Ms = now + max(s.between(st, i, least, most), pollEvery)
		}
		s.rows--
		s.senses.Emit(sense{st.Owner, st.Script, uint32(i)})
		return
	}
	if row.Conditions != 0 { // it is asked again soon if they do not hold
		at.Ms = now + max(min(least, askEvery), 1)
		s.ask(st, i, ecs.Entity{}, 1)
		return
	}
	at.Ms = now + max(s.between(st, i, least, most), 1)
	s.run(st, rowAt{script: st.Script + 1, row: uint32(i)}, st.Invoker)
}

// lasts reports whether the time of a row begins anew also if what it needs is not so.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func lasts(row *defs.ScriptRow) bool {
	return row.Event == defs.ScriptNearPlayers || row.Event == defs.ScriptFewPlayers
}

// sensed has a row happen that was asked for: what it needs is so.
func (s *Scripts) sensed(st *components.ScriptState, it trigger) {
	row, at := &s.script(st).Rows[it.a], &st.Rows[it.a]
	if at.Runs == 0 {
		return // its time has stopped meanwhile
	}
	least, most, _ := row.Repeat()
	if row.Conditions != 0 {
		at.Ms = s.tick.NowMs + max(min(least, askEvery), 1)
		s.ask(st, int(it.a), it.by, 1)
		return
	}
	if !lasts(row) {
		at.Ms = s.tick.NowMs + max(s.between(st, int(it.a), least, most), leastRepeat(row))
	}
	by := it.by
	if by == (ecs.Entity{}) {
		by = st.Invoker
	}
	s.run(st, rowAt{script: st.Script + 1, row: it.a}, by)
}

// leastRepeat is the least time after which a row happens again: what a creature sees is looked up no more often than pollEvery.
func leastRepeat(row *defs.ScriptRow) uint32 {
	if row.Event == defs.ScriptSightInPeace || row.Event == defs.ScriptSightInCombat {
		return pollEvery
	}
	return 1
}
