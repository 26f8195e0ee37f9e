package intake

import (
	"muster/ecs"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// gone answers a command for a player that has left meanwhile.
const gone = "That character is not there any more."

// command puts an operator's command into its queue, with the player that it is for, or none.
func (s *Intake) command(it *frame.Item) {
	var c frame.Command
	if msg.Decode(wire.V12340, it.Body, &c) != nil {
		s.badBody.Count()
		return
	}
	var by ecs.Entity
	if it.Session != frame.NoSession {
		e, ok := s.players.find(it.Session)
		if !ok {
			s.out.Write(append(s.out.Buffer(), command.NotDone+gone...))
			s.out.Reply(c.ID)
			return
		}
		by = e
	}
	s.commands.Emit(change.Sent[frame.Command]{By: by, AtMs: it.AtMs, Op: it.Op, N: s.n, Msg: c})
}
