// Package gameevent begins and ends game events: by their calendars, as the date goes on, and as game masters want it.
//
// A world has no clock that knows the date. It is given the date now and then, as a part of its inbox, and counts on from
// there; so events begin and end in the same ticks when a recording of it runs again.
package gameevent

import (
	"math"
	"slices"

	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// GameEvents decides which game events are on. A tick in which none begins or ends costs a comparison.
//
// Source: GameEventMgr::Update, AzerothCore.
type GameEvents struct {
	defs     ecs.Res[defs.World]
	events   ecs.ResMut[rules.GameEvents]
	dates    ecs.Events[frame.Date]
	requests ecs.Requests[rules.SetGameEvent]
	reloaded ecs.Events[rules.Reloaded]
	changes  ecs.Emit[rules.GameEventChanged]
	out      change.Out

	next int64 // the date at which one begins or ends, Unix seconds

	begun sched.Counter `name:"gameevent.begun"`
	ended sched.Counter `name:"gameevent.ended"`
}

// Init implements ecs.Initializer.
func (s *GameEvents) Init() {
	s.events.Get().All = s.begin()
}

// begin is all events before any of them is on.
func (s *GameEvents) begin() []rules.GameEventState {
	all := s.defs.Get().GameEvents
	states := make([]rules.GameEventState, len(all))
	for i := range all {
		states[i] = rules.GameEventState{ID: all[i].ID, Calendar: all[i].Calendar}
	}
	return states
}

// reload takes events over that were replaced. Those that are on stay so, until their calendars or game masters end them, and those that are
// not there any more end.
func (s *GameEvents) reload() {
	events := s.events.Get()
	was := events.All
	events.All, s.next = s.begin(), 0
	s.changes.Emit(rules.GameEventChanged{Replaced: true})
	for i := range was {
		if at, ok := s.defs.Get().GameEvent(was[i].ID); ok && s.world(uint32(at)) {
			events.All[at].Phase, events.All[at].EndsAt = was[i].Phase, was[i].EndsAt
		}
		if !was[i].On {
			continue
		}
		if at, ok := s.defs.Get().GameEvent(was[i].ID); ok {
			events.All[at].On = true
			s.changes.Emit(rules.GameEventChanged{Event: uint32(at), On: true})
		} else {
			s.ended.Count()
			s.out.Happen(change.Happening{Kind: change.HappenedEventEnd, ID: was[i].ID})
		}
	}
}

// Run implements sched.Runner.
func (s *GameEvents) Run(t sched.Tick) {
	if slices.ContainsFunc(s.reloaded.All(), func(r rules.Reloaded) bool { return r.Part == defs.PartEvents }) {
		s.reload()
	}
	events := s.events.Get()
	for _, d := range s.dates.All() {
		s.setDate(t, int64(d.UnixMs))
	}
	if date := events.Date(t.NowMs); events.DateMs != 0 && date >= s.next {
		s.follow(date)
	}
}

// backMs is how far the date may be set back without effect, our own choice: it stands for a correction of the clock
// then, after which no event ends that has just begun.
const backMs = 60_000

// setDate sets the date, and has all calendars looked up.
func (s *GameEvents) setDate(t sched.Tick, ms int64) {
	events := s.events.Get()
	if known := events.DateMs + int64(t.NowMs-events.AtMs); ms < known && known-ms < backMs {
		return
	}
	events.DateMs, events.AtMs, s.next = ms, t.NowMs, 0
}

// follow begins and ends events as their calendars say, and world events as they follow each other.
func (s *GameEvents) follow(date int64) {
	s.next = math.MaxInt64
	events := s.events.Get()
	for i := range events.All {
		c := &events.All[i].Calendar
		if s.world(uint32(i)) {
			continue
		}
		if c.EveryMin != 0 {
			s.set(uint32(i), c.On(date))
		}
		if next, ok := c.Next(date); ok {
			s.next = min(s.next, next)
		}
	}
	for s.advance(date) { // those that end may have others begin
	}
}

func (s *GameEvents) world(event uint32) bool { return s.defs.Get().GameEvents[event].World }

// advance takes world events from phase to phase, and reports whether it has taken one.
//
// Source: GameEventMgr::Update, GameEventMgr::CheckOneGameEvent, GameEventMgr::StartEvent and GameEventMgr::CheckOneGameEventConditions, AzerothCore.
func (s *GameEvents) advance(date int64) (taken bool) {
	events := s.events.Get()
	for i := range events.All {
		def, state := &s.defs.Get().GameEvents[i], &events.All[i]
		switch {
		case !def.World:
			continue
		case state.Phase == rules.EventWaits && len(def.After) > 0 && s.over(def.After, date):
			state.Phase = rules.EventNeeds
			s.set(uint32(i), true)
		case state.Phase == rules.EventNeeds && def.Needs == 0:
			state.Phase, state.EndsAt = rules.EventCounts, date+int64(state.Calendar.ForMin)*60
		case state.Phase == rules.EventCounts && state.EndsAt <= date:
			state.Phase = rules.EventOver
			s.set(uint32(i), false)
		default:
			if state.Phase == rules.EventCounts {
				s.next = min(s.next, state.EndsAt)
			}
			continue
		}
		taken = true
	}
	return taken
}

// over reports whether the times of all of some world events are over.
func (s *GameEvents) over(all []uint32, date int64) bool {
	events := s.events.Get()
	for _, id := range all {
		i, ok := s.defs.Get().GameEvent(id)
		if !ok || events.All[i].Phase < rules.EventCounts || events.All[i].EndsAt > date {
			return false
		}
	}
	return true
}

// React implements sched.Reactor: it begins and ends events on request. The calendar of one goes on from there: its next beginning is
// counted from this one, and an event that is ended is over for this time. One that is on without a break goes on on request alone. A world event
// that is ended waits again.
//
// Source: GameEventMgr::StartEvent and GameEventMgr::StopEvent, AzerothCore.
func (s *GameEvents) React(t sched.Tick) {
	events := s.events.Get()
	date := events.Date(t.NowMs)
	for _, r := range s.requests.Take() {
		state := &events.All[r.Event]
		c := &state.Calendar
		length := int64(c.ForMin) * 60
		switch {
		case s.world(r.Event):
			if state.Phase, state.EndsAt = rules.EventWaits, 0; r.On {
				state.Phase = rules.EventNeeds
			}
		case events.DateMs == 0 || !r.On && c.ForMin >= c.EveryMin:
			c.EveryMin = 0
		case r.On:
			c.Start = date
			if c.End != 0 && c.End <= date {
				c.End = date + length
			}
		default:
			c.Start = date - length
		}
		s.set(r.Event, r.On)
		s.next = 0
	}
}

// set begins or ends an event that is not already so.
func (s *GameEvents) set(event uint32, on bool) {
	state := &s.events.Get().All[event]
	if state.On == on {
		return
	}
	state.On = on
	kind := change.HappenedEventEnd
	if on {
		kind = change.HappenedEventBegin
		s.begun.Count()
	} else {
		s.ended.Count()
	}
	s.changes.Emit(rules.GameEventChanged{Event: event, On: on})
	s.out.Happen(change.Happening{Kind: kind, ID: s.defs.Get().GameEvents[event].ID})
}
