package gm

import (
	"fmt"
	"time"

	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// GMEvents executes the commands about game events.
type GMEvents struct {
	group

	defs    ecs.Res[defs.World]
	events  ecs.Res[rules.GameEvents]
	changes ecs.Emit[rules.SetGameEvent]
}

// OnEvents executes the commands of this group.
func (s *GMEvents) OnEvents(sched.Tick) { execute(&s.group, s, events) }

var events = []verb[GMEvents]{
	{"event activelist", nil, (*GMEvents).active},
	{"event info", nil, (*GMEvents).info},
	{"event list", nil, (*GMEvents).list},
	{"event start", nil, (*GMEvents).start},
	{"event stop", nil, (*GMEvents).stop},
}

// Why a command about an event is refused.
const (
	errEvent    refusal = "There is no such game event."
	errEventOn  refusal = "It is on already."
	errEventOff refusal = "It is not on."
)

// event is the index of the event whose number is the only argument.
func (s *GMEvents) event(c *call) (uint32, error) {
	id := c.args.ID()
	if err := c.args.End(); err != nil {
		return 0, err
	}
	i, ok := s.defs.Get().GameEvent(id)
	if !ok {
		return 0, errEvent
	}
	return uint32(i), nil
}

// active lists the events that are on.
func (s *GMEvents) active(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	n := 0
	for i := range s.events.Get().All {
		if s.events.Get().All[i].On {
			n++
			c.say("%d - %s", s.defs.Get().GameEvents[i].ID, s.defs.Get().GameEvents[i].Name)
		}
	}
	c.say("%d game events are on.", n)
	return nil
}

// list lists the events whose names contain the argument, all without one.
func (s *GMEvents) list(c *call) error {
	part := c.args.Rest()
	n := 0
	for i := range s.defs.Get().GameEvents {
		e := &s.defs.Get().GameEvents[i]
		if part != "" && !contains(e.Name, part) {
			continue
		}
		n++
		if s.events.Get().All[i].On {
			c.say("%d - %s [active]", e.ID, e.Name)
		} else {
			c.say("%d - %s", e.ID, e.Name)
		}
	}
	if n == 0 {
		c.say("There is nothing of that name.")
	}
	return nil
}

// info says what an event is, and when it begins and ends next.
func (s *GMEvents) info(c *call) error {
	i, err := s.event(c)
	if err != nil {
		return err
	}
	e, state := &s.defs.Get().GameEvents[i], &s.events.Get().All[i]
	is := "off"
	if state.On {
		is = "on"
	}
	c.say("%d - %s is %s.", e.ID, e.Name, is)
	if e.World {
		s.tell(c, e, state)
		return nil
	}
	calendar := &state.Calendar
	if calendar.EveryMin == 0 {
		c.say("It begins and ends with event start and event stop.")
		return nil
	}
	ends := "for ever"
	if calendar.End != 0 {
		ends = "until " + date(calendar.End)
	}
	c.say("From %s %s, every %d minutes for %d minutes.", date(calendar.Start), ends, calendar.EveryMin, calendar.ForMin)
	switch next, ok := calendar.Next(s.events.Get().Date(c.t.NowMs)); {
	case !ok:
		c.say("It stays so.")
	case state.On:
		c.say("It ends %s.", date(next))
	default:
		c.say("It begins %s.", date(next))
	}
	return nil
}

// tell says how far a world event has come.
func (s *GMEvents) tell(c *call, e *defs.GameEvent, state *rules.GameEventState) {
	for _, id := range e.After {
		c.say("It begins after event %d.", id)
	}
	switch state.Phase {
	case rules.EventWaits:
		if len(e.After) == 0 {
			c.say("It begins with event start, and lasts %d minutes.", state.Calendar.ForMin)
		}
	case rules.EventNeeds:
		if e.Needs != 0 {
			c.say("It ends with event stop: nothing counts the %d that it needs.", e.Needs)
		}
	case rules.EventCounts:
		c.say("It ends %s.", date(state.EndsAt))
	case rules.EventOver:
		c.say("It has ended %s.", date(state.EndsAt))
	}
}

// date is a date of Unix seconds.
func date(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05") }

func (s *GMEvents) start(c *call) error { return s.change(c, true, errEventOn, "%s begins.") }

func (s *GMEvents) stop(c *call) error { return s.change(c, false, errEventOff, "%s ends.") }

func (s *GMEvents) change(c *call, on bool, already refusal, done string) error {
	i, err := s.event(c)
	switch {
	case err != nil:
		return err
	case s.events.Get().All[i].On == on:
		return already
	}
	s.changes.Emit(rules.SetGameEvent{Event: i, On: on})
	c.say("%s", fmt.Sprintf(done, s.defs.Get().GameEvents[i].Name))
	return nil
}
