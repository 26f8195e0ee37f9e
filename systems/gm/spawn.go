package gm

import (
	"fmt"

	"muster/ecs"
	"muster/net/protocol/command"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// GMSpawns answers operators with the GUIDs of creatures that they have brought, in the tick in which these appear.
type GMSpawns struct {
	out     change.Out
	results ecs.Requests[rules.Summoned]
}

// OnEvents answers the commands whose creatures have come.
func (s *GMSpawns) OnEvents(sched.Tick) {
	for _, r := range s.results.Take() {
		if r.GUID == 0 {
			s.out.Write(append(append(s.out.Buffer(), command.NotDone...), "There is no room for another creature."...))
		} else {
			s.out.Write(fmt.Appendf(s.out.Buffer(), "0x%x", r.GUID))
		}
		s.out.Reply(r.Command)
	}
}
