// Package social handles chat and emotes that reach those near. What reaches farther, whispers and channels, is
// handled by the gateway.
package social

import (
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Chat handles chat.
type Chat struct {
	near

	playerFlags ecs.Emit[rules.SetPlayerFlags]
	chats       ecs.Events[change.Sent[msg.ChatMessage]]

	unhandled sched.Counter `name:"chat.unhandled_type"`
	unable    sched.Counter `name:"chat.dead"`
	badText   sched.Counter `name:"chat.bad_text"`
	badLink   sched.Counter `name:"chat.bad_link"`
	flood     sched.Counter `name:"chat.flood"`

	chat msg.Chat // kept here, since a packet takes its message by reference
}

// OnEvents implements sched.Handler.
func (s *Chat) OnEvents(t sched.Tick) {
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		s.handleChat(t, chats[i].By, &chats[i].Msg)
	}
}
