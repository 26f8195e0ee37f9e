package movement

import (
	"time"

	"muster/ecs"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
)

// A client is asked for its clock when it enters, once more soon after, and then for ever.
//
// Source: protocol.md 7.7; Player::SendInitialPacketsAfterAddToMap, WorldSession::SendTimeSync, AzerothCore.
const (
	secondAsk = 5 * time.Second
	laterAsks = 10 * time.Second
)

// syncClocks asks clients for their time and learns from the answers.
func (s *system) syncClocks(t sched.Tick) {
	for _, e := range s.log.Joined {
		s.ask(t, e)
		s.asking.Add(t.After(secondAsk), e)
	}
	for _, e := range s.asking.Take(t.N) {
		if s.world.Alive(e) {
			s.ask(t, e)
			s.asking.Add(t.After(laterAsks), e)
		}
	}
	for _, a := range s.times.All() {
		if s.world.Alive(a.By) {
			s.clocks.Get(a.By).Answer(a.Msg.Counter, a.Msg.TimeMs, a.AtMs)
		}
	}
}

func (s *system) ask(t sched.Tick, e ecs.Entity) {
	s.question.Counter = s.clocks.Get(e).Ask(t.NowMs)
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpTimeSyncReq, &s.question)
	s.log.Tell(e, frame.Last)
}
