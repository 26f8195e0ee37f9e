// Package gameevent begins and ends game events: by their calendars, as the date goes on, and as game masters want it.
//
// A world has no clock that knows the date. It is given the date now and then, as a part of its inbox, and counts on from
// there; so events begin and end in the same ticks when a recording of it runs again.
package gameevent

import (
	"math"

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
	changes  ecs.Emit[rules.GameEventChanged]
	out      change.Out

	next int64 // the date at which one begins or ends, Unix seconds

	begun sched.Counter `name:"gameevent.begun"`
	ended sched.Counter `name:"gameevent.ended"`
}

// Init implements ecs.Initializer.
func (s *GameEvents) Init() {
	all := s.defs.Get().GameEvents
	events := s.events.Get()
	events.All = make([]rules.GameEventState, len(all))
	for i := range all {
		events.All[i].Calendar = all[i].Calendar
	}
}

// Run implements sched.Runner.
func (s *GameEvents) Run(t sched.Tick) {
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
