package social

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// Played answers players that ask how long they have played.
type Played struct {
	out      change.Out
	requests ecs.Events[change.Sent[msg.PlayedTime]]
	records  ecs.ReadRef[components.Record]

	time msg.PlayedTimeResponse // kept here, since a packet takes its message by reference
}

// OnEvents implements sched.Handler.
func (s *Played) OnEvents(t sched.Tick) {
	for _, sent := range s.requests.All() {
		s.time.Total, s.time.Level = s.records.Get(sent.By).Played(t.NowMs)
		s.time.Show = sent.Msg.Show
		s.out.SendNow(sent.By, msg.OpPlayedTimeResponse, &s.time)
	}
}
