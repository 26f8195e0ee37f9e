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

// follow begins and ends events as their calendars say.
func (s *GameEvents) follow(date int64) {
	s.next = math.MaxInt64
	events := s.events.Get()
	for i := range events.All {
		c := &events.All[i].Calendar
		if c.EveryMin != 0 {
			s.set(uint32(i), c.On(date))
		}
		if next, ok := c.Next(date); ok {
			s.next = min(s.next, next)
		}
	}
}

// React implements sched.Reactor: it begins and ends events on request. The calendar of one goes on from there: its next beginning is
// counted from this one, and an event that is ended is over for this time. One that is on without a break goes on on request alone.
//
// Source: GameEventMgr::StartEvent and GameEventMgr::StopEvent, AzerothCore.
func (s *GameEvents) React(t sched.Tick) {
	events := s.events.Get()
	date := events.Date(t.NowMs)
	for _, r := range s.requests.Take() {
		c := &events.All[r.Event].Calendar
		length := int64(c.ForMin) * 60
		switch {
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
