package movement

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// A client is asked for its clock when it enters, once more soon after, and then periodically.
//
// Source: protocol.md 7.7; Player::SendInitialPacketsAfterAddToMap, WorldSession::SendTimeSync, AzerothCore.
const (
	secondAsk = 5 * time.Second
	laterAsks = 10 * time.Second
)

// TimeSync requests clients' times and evaluates the responses.
type TimeSync struct {
	entities ecs.Entities
	out      change.Out

	joined  ecs.Events[change.Joined]
	resumed ecs.Events[change.Resumed]
	times   ecs.Events[change.Sent[msg.TimeSyncResp]]
	clocks  ecs.Write[components.Clock]

	asking   sched.Wheel[ecs.Entity] // when each player is sent the next time request
	question msg.TimeSyncReq         // kept here, since a packet takes its message by reference
}

// Run implements sched.Runner.
func (s *TimeSync) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		s.ask(t, it.Entity)
		s.asking.Add(t.After(secondAsk), it.Entity)
	}
	for _, it := range s.resumed.All() {
		if it.New {
			continue
		}
		*s.clocks.Get(it.Entity) = components.Clock{} // what there is was another client's
		s.ask(t, it.Entity)
	}
	for _, e := range s.asking.Take(t.N) {
		if s.entities.Exists(e) {
			s.ask(t, e)
			s.asking.Add(t.After(laterAsks), e)
		}
	}
	for _, a := range s.times.All() {
		s.clocks.Get(a.By).Answer(a.Msg.Counter, a.Msg.TimeMs, a.AtMs)
	}
}

func (s *TimeSync) ask(t sched.Tick, e ecs.Entity) {
	s.question.Counter = s.clocks.Get(e).Ask(t.NowMs)
	s.out.Send(e, msg.OpTimeSyncReq, &s.question)
}
