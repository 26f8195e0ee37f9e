package smartai

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

// The distances at which texts of creatures are received, yards.
//
// Source: CONFIG_LISTEN_RANGE_SAY, _TEXTEMOTE and _YELL, World.cpp, AzerothCore.
const (
	sayYards  = 25
	yellYards = 300
)

// The types of texts of creatures that are received otherwise than a monster's say.
//
// Source: CreatureTextMgr.h and ChatMsg, SharedDefines.h, AzerothCore.
const (
	monsterYell    = 14
	monsterWhisper = 15
	bossEmote      = 41
	bossWhisper    = 42
)

// Speeches sends the lines that units say to the players that hear them.
//
// Source: CreatureTextMgr::SendChat, AzerothCore.
type Speeches struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	lines    ecs.EventReader[line]
	out      change.Out

	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	homeCells ecs.Read[components.HomeCell]
	observers ecs.Read[components.Observer]
	names     ecs.ReadRef[components.Name] `inplace:"a packet points into it"`

	said sched.Counter `name:"smartai.texts"`

	chat   msg.Chat // these are kept here, since a packet takes its message by reference
	emoted msg.Emoted
}

// React implements sched.Reactor.
func (s *Speeches) React(sched.Tick) {
	for _, it := range s.lines.Next() {
		if text := s.defs.Get().Texts.Of(it.entry, it.group); text != nil && s.entities.Exists(it.speaker) {
			s.speak(it.speaker, it.listener, &text.Lines[it.index])
		}
	}
}

// speak sends a line to those that receive it.
func (s *Speeches) speak(speaker, listener ecs.Entity, said *defs.TextLine) {
	s.chat = msg.Chat{
		Type: msg.ChatType(said.Type), Language: said.Language, Sender: s.objects.Get(speaker).GUID, SenderName: s.nameOf(speaker), Text: said.Text,
	}
	if s.entities.Exists(listener) && s.Unit(listener) {
		s.chat.Target = s.objects.Get(listener).GUID
		if !s.Player(listener) {
			s.chat.TargetName = s.nameOf(listener)
		}
	}
	if said.Emote != 0 {
		s.emoted = msg.Emoted{Emote: said.Emote, GUID: s.chat.Sender}
		s.out.Broadcast(speaker, msg.OpEmoted, &s.emoted)
	}
	if s.Player(speaker) {
		s.chat.Type, s.chat.SenderName = msg.ChatSay, ""
	}
	op, packet := s.chat.Said()
	s.out.Packet(op, packet)
	s.send(speaker, listener, said)
	s.said.Count()
}

// send sends the line that was written last.
func (s *Speeches) send(speaker, listener ecs.Entity, said *defs.TextLine) {
	packet := s.out.Cut()
	far := float32(sayYards)
	switch said.Type {
	case monsterWhisper, bossWhisper:
		if s.entities.Exists(listener) && s.Player(listener) {
			s.out.SendSpan(listener, frame.Middle, packet)
		}
		return
	case monsterYell, bossEmote:
		far = yellYards
	}
	if said.Reach != 0 {
		far = yellYards // as far as a client sees anything of the speaker
	}
	p, sees := s.positions.Get(speaker), uint32(1)<<s.homeCells.Get(speaker).Cell.Layer()
	for layer := range grid.Layers {
		s.space.Get().Order.Within(p.X, p.Y, far, layer, func(other ecs.Entity) {
			if s.entities.Exists(other) && s.Player(other) && s.observers.Get(other).Layers&sees != 0 {
				s.out.SendSpan(other, frame.Middle, packet)
			}
		})
	}
}

// nameOf is the name of a unit. That of a player is valid until the stage ends.
func (s *Speeches) nameOf(e ecs.Entity) string {
	if s.names.Has(e) {
		return s.names.Get(e).UnsafeString()
	}
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); template != nil {
		return template.Name
	}
	return ""
}
