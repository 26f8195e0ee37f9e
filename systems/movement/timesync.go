package movement

import (
	"time"

	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// A client is asked for its clock when it enters, once more soon after, and then periodically.
//
// Source: protocol.md 7.7; Player::SendInitialPacketsAfterAddToMap, WorldSession::SendTimeSync, AzerothCore.
const (
	secondAsk = 5 * time.Second
	laterAsks = 10 * time.Second
)

// syncClocks requests clients' times and evaluates the responses.
func (s *System) syncClocks(t sched.Tick) {
	for _, it := range s.joined.All() {
		s.ask(t, it.Entity)
		s.asking.Add(t.After(secondAsk), it.Entity)
	}
	for _, e := range s.asking.Take(t.N) {
		if s.entities.Alive(e) {
			s.ask(t, e)
			s.asking.Add(t.After(laterAsks), e)
		}
	}
	for _, a := range s.times.All() {
		if s.entities.Alive(a.By) {
			s.clocks.Get(a.By).Answer(a.Msg.Counter, a.Msg.TimeMs, a.AtMs)
		}
	}
}

func (s *System) ask(t sched.Tick, e ecs.Entity) {
	s.question.Counter = s.clocks.Get(e).Ask(t.NowMs)
	s.out.Send(e, msg.OpTimeSyncReq, &s.question)
}
