package intake

import (
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// gone answers a command about a player who has left on the way.
const gone = "That character is not there any more."

// command puts what an operator asks for into its queue, by the player whom it is about, or by nobody.
func (s *System) command(it *frame.Item) {
	var c frame.Command
	if msg.Decode(wire.V12340, it.Body, &c) != nil {
		s.badBody.Count()
		return
	}
	var by ecs.Entity
	if it.Session != frame.NoSession {
		e, ok := s.players.find(it.Session)
		if !ok {
			s.out.Write(append(s.out.Buffer(), gone...))
			s.out.Reply(c.ID)
			return
		}
		by = e
	}
	s.commands.Emit(change.Sent[frame.Command]{By: by, AtMs: it.AtMs, Op: it.Op, N: s.n, Msg: c})
}
