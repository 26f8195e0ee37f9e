package social

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// Emotes handles emotes, with a text and without.
type Emotes struct {
	near

	defs     ecs.Res[defs.World]
	feelings ecs.Events[change.Sent[msg.TextEmote]]
	gestures ecs.Events[change.Sent[msg.Emote]]
	dances   ecs.Emit[Dance]

	badEmote sched.Counter `name:"chat.bad_emote"`
	flood    sched.Counter `name:"chat.flood"`

	text   msg.TextEmoted // these are kept here, since a packet takes its message by reference
	emoted msg.Emoted
}

// OnEvents implements sched.Handler.
func (s *Emotes) OnEvents(t sched.Tick) {
	for i, feelings := 0, s.feelings.All(); i < len(feelings); i++ {
		s.textEmote(t, feelings[i].By, &feelings[i].Msg)
	}
	for _, sent := range s.gestures.All() {
		s.gesture(t, sent.By, sent.Msg.Emote)
	}
}

// textEmote sends a player's text emote, with its target, to those near. Its animation is broadcast before.
//
// Source: WorldSession::HandleTextEmoteOpcode, AzerothCore.
func (s *Emotes) textEmote(t sched.Tick, e ecs.Entity, m *msg.TextEmote) {
	if s.dead(e) {
		s.out.Refuse(e, msg.OpTextEmote, &s.badEmote)
		return
	}
	if !s.throttles.Get(e).Allow(t.NowMs) {
		s.out.Refuse(e, msg.OpTextEmote, &s.flood)
		return
	}
	s.move(e, gestureOf(m.Text))
	s.text = msg.TextEmoted{GUID: s.objects.Get(e).GUID, Text: m.Text, Emote: m.Emote}
	if target := s.space.Get().Find(m.Target); m.Target != 0 && s.entities.Exists(target) && s.vitals.Has(target) {
		s.text.Name = s.nameOf(target)
	}
	s.out.Packet(msg.OpTextEmoted, &s.text)
	s.around(e, emoteYards)
}

// nameOf is the name of a unit. That of a player is valid until the stage ends.
func (s *Emotes) nameOf(e ecs.Entity) string {
	if s.names.Has(e) {
		return s.names.Get(e).UnsafeString()
	}
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); template != nil {
		return template.Name
	}
	return ""
}

// gesture handles an emote that a client requests without a text: a wave, or none. The others come with a text.
//
// Source: WorldSession::HandleEmoteOpcode, AzerothCore; EMOTE_ONESHOT_NONE and EMOTE_ONESHOT_WAVE.
func (s *Emotes) gesture(t sched.Tick, e ecs.Entity, emote uint32) {
	switch {
	case emote != gestureNone && emote != gestureWave || s.dead(e):
		s.out.Refuse(e, msg.OpEmote, &s.badEmote)
		return
	case !s.throttles.Get(e).Allow(t.NowMs):
		s.out.Refuse(e, msg.OpEmote, &s.flood)
		return
	}
	s.show(e, emote)
}
