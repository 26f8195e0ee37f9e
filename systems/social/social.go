// Package social handles chat and emotes that reach those near. What reaches farther, whispers and channels, is
// handled by the gateway.
package social

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// System handles chat, emotes, and requests for the time played.
type System struct {
	entities    ecs.Entities
	defs        ecs.Res[defs.World]
	space       ecs.Res[space.Space]
	out         change.Out
	emotes      ecs.Emit[rules.SetEmoteState]
	playerFlags ecs.Emit[rules.SetPlayerFlags]

	chats    ecs.Events[change.Sent[msg.ChatMessage]]
	feelings ecs.Events[change.Sent[msg.TextEmote]]
	gestures ecs.Events[change.Sent[msg.Emote]]
	played   ecs.Events[change.Sent[msg.PlayedTime]]
	moves    ecs.Events[change.Sent[msg.Move]]

	objects     ecs.Read[components.Object]
	positions   ecs.Read[components.Position]
	homeCells   ecs.Read[components.HomeCell]
	observers   ecs.Read[components.Observer]
	sessions    ecs.Read[components.Session]
	vitals      ecs.View[components.Vitals]
	names       ecs.View[components.Name] // viewed in place: nameOf points into it
	records     ecs.View[components.Record]
	throttles   ecs.Write[components.ChatThrottle]
	appearances ecs.Read[components.PlayerAppearance]
	dancers     []ecs.Entity // players that dance

	unhandled sched.Counter `name:"chat.unhandled_type"`
	unable    sched.Counter `name:"chat.dead"`
	badText   sched.Counter `name:"chat.bad_text"`
	badLink   sched.Counter `name:"chat.bad_link"`
	badEmote  sched.Counter `name:"chat.bad_emote"`
	flood     sched.Counter `name:"chat.flood"`

	chat   msg.Chat // kept here, since a packet takes its message by reference
	text   msg.TextEmoted
	emoted msg.Emoted
	time   msg.PlayedTimeResponse
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.endDances()
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		if s.entities.Alive(chats[i].By) {
			s.handleChat(t, chats[i].By, &chats[i].Msg)
		}
	}
	for i, feelings := 0, s.feelings.All(); i < len(feelings); i++ {
		if s.entities.Alive(feelings[i].By) {
			s.textEmote(t, feelings[i].By, &feelings[i].Msg)
		}
	}
	for _, sent := range s.gestures.All() {
		if s.entities.Alive(sent.By) {
			s.gesture(t, sent.By, sent.Msg.Emote)
		}
	}
	for _, sent := range s.played.All() {
		if s.entities.Alive(sent.By) {
			s.time.Total, s.time.Level = s.records.Get(sent.By).Played(t.NowMs)
			s.time.Show = sent.Msg.Show
			s.out.SendNow(sent.By, msg.OpPlayedTimeResponse, &s.time)
		}
	}
}

// around sends the packets that were written last to all that are within a distance of a player and could see it. The
// player itself gets them at once, since its client waits for them, the others with their next flush.
func (s *System) around(e ecs.Entity, yards float32) {
	packet := s.out.Cut()
	p, sees := s.positions.Get(e), uint32(1)<<s.homeCells.Get(e).Cell.Layer()
	for layer := range grid.Layers {
		s.space.Get().Order.Within(p.X, p.Y, yards, layer, func(near ecs.Entity) {
			switch {
			case !s.entities.Alive(near) || !s.sessions.Has(near) || s.observers.Get(near).Layers&sees == 0:
			case near == e:
				s.out.SendSpanNow(e, frame.Middle, packet)
			default:
				s.out.SendSpan(near, frame.Middle, packet)
			}
		})
	}
}
