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

// Talks has creatures say lines of their texts. A group is gone through before a line of it is said again.
//
// Source: CreatureTextMgr::SendChat, AzerothCore.
type Talks struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	states   ecs.ResMut[ecs.Slab[components.ScriptState]]
	effects  ecs.EventReader[effect]
	triggers ecs.Emit[trigger]
	out      change.Out

	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	homeCells ecs.Read[components.HomeCell]
	observers ecs.Read[components.Observer]
	scripted  ecs.Read[components.Scripted]
	names     ecs.View[components.Name] // viewed in place: a packet points into it

	said   sched.Counter `name:"smartai.texts"`
	noText sched.Counter `name:"smartai.no_text"` // of groups that a creature does not have

	chat   msg.Chat // these are kept here, since a packet takes its message by reference
	emoted msg.Emoted
}

// React implements sched.Reactor.
func (s *Talks) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		switch row := it.at.in(s.defs.Get()); row.Action {
		case defs.ScriptTalk:
			if it.number == 0 {
				s.talk(t, it, row)
			}
		case defs.ScriptSimpleTalk:
			if it.target != (ecs.Entity{}) && s.entities.Alive(it.target) {
				s.speak(t, it, it.target, it.by, row.Do[0])
			}
		}
	}
}

// talk has the target say a text to the invoker, or the creature itself if the target is a player or its listener.
//
// Source: SMART_ACTION_TALK, SmartScript::ProcessAction, AzerothCore.
func (s *Talks) talk(t sched.Tick, it *effect, row *defs.ScriptRow) {
	speaker, listener := it.entity, it.by
	if it.target != (ecs.Entity{}) {
		switch {
		case !s.entities.Alive(it.target):
			return
		case s.Player(it.target) || row.Do[2] != 0:
			listener = it.target
		default:
			speaker = it.target
		}
	}
	line := s.speak(t, it, speaker, listener, row.Do[0])
	if line == nil {
		return
	}
	ms := row.Do[1]
	if ms == 0 {
		ms = line.TimeMs
	}
	s.triggers.Emit(trigger{entity: it.entity, kind: talks, a: row.Do[0], b: ms})
}

// speak sends a line of a group to those that receive it, and returns it, nil if there is none.
func (s *Talks) speak(t sched.Tick, it *effect, speaker, listener ecs.Entity, group uint32) *defs.TextLine {
	entry := s.objects.Get(speaker).Entry
	if s.Player(speaker) {
		entry = s.objects.Get(it.entity).Entry
	}
	text := s.defs.Get().Texts.Of(entry, group)
	if text == nil || !s.entities.Alive(it.entity) || s.scripted.Get(it.entity).Block == 0 {
		s.noText.Count()
		return nil
	}
	line := &text.Lines[s.choose(t, it, text)]
	s.chat = msg.Chat{
		Type: msg.ChatType(line.Type), Language: line.Language, Sender: s.objects.Get(speaker).GUID, SenderName: s.nameOf(speaker), Text: line.Text,
	}
	if s.entities.Alive(listener) && s.Unit(listener) {
		s.chat.Target = s.objects.Get(listener).GUID
		if !s.Player(listener) {
			s.chat.TargetName = s.nameOf(listener)
		}
	}
	if line.Emote != 0 {
		s.emoted = msg.Emoted{Emote: line.Emote, GUID: s.chat.Sender}
		s.out.Broadcast(speaker, msg.OpEmoted, &s.emoted)
	}
	if s.Player(speaker) {
		s.chat.Type, s.chat.SenderName = msg.ChatSay, ""
	}
	op, said := s.chat.Said()
	s.out.Packet(op, said)
	s.send(speaker, listener, line)
	s.said.Count()
	return line
}

// send sends the line that was written last.
func (s *Talks) send(speaker, listener ecs.Entity, line *defs.TextLine) {
	packet := s.out.Cut()
	far := float32(sayYards)
	switch line.Type {
	case monsterWhisper, bossWhisper:
		if s.entities.Alive(listener) && s.Player(listener) {
			s.out.SendSpan(listener, frame.Middle, packet)
		}
		return
	case monsterYell, bossEmote:
		far = yellYards
	}
	if line.Reach != 0 {
		far = yellYards // as far as a client sees anything of the speaker
	}
	p, sees := s.positions.Get(speaker), uint32(1)<<s.homeCells.Get(speaker).Cell.Layer()
	for layer := range grid.Layers {
		s.space.Get().Order.Within(p.X, p.Y, far, layer, func(other ecs.Entity) {
			if s.entities.Alive(other) && s.Player(other) && s.observers.Get(other).Layers&sees != 0 {
				s.out.SendSpan(other, frame.Middle, packet)
			}
		})
	}
}

// choose is the index of one of the lines of a group that have not been said since all were, by their chances.
//
// Source: CreatureTextMgr::SendChat, AzerothCore.
func (s *Talks) choose(t sched.Tick, it *effect, text *defs.Text) int {
	n := len(text.Lines)
	said := s.saidOf(it.entity, text.Group)
	all := uint32(1)<<n - 1
	if n == 32 {
		all = 0xFFFFFFFF
	}
	if said.Lines&all == all {
		said.Lines = 0
	}
	var weights float32
	free := 0
	for i := range n {
		if said.Lines&(1<<i) == 0 {
			weights += text.Lines[i].Chance
			free++
		}
	}
	dice := t.Dice("smartai.text", s.objects.Get(it.entity).GUID^uint64(text.Group+1)<<40)
	roll := dice.Between(0, weights)
	if weights == 0 {
		roll = float32(dice.Intn(free))
	}
	chosen := -1
	for i := range n {
		if said.Lines&(1<<i) != 0 {
			continue
		}
		weight := text.Lines[i].Chance
		if weights == 0 {
			weight = 1
		}
		if chosen = i; roll < weight {
			break
		}
		roll -= weight
	}
	said.Lines |= 1 << chosen
	return chosen
}

// saidOf is what a script has said of a group. It forgets another group if it knows too many.
func (s *Talks) saidOf(e ecs.Entity, group uint32) *components.ScriptSaid {
	st := s.states.Get().At(s.scripted.Get(e).Block)
	free := &st.Said[group%components.MaxScriptTexts]
	for i := range st.Said {
		switch st.Said[i].Group {
		case group + 1:
			return &st.Said[i]
		case 0:
			if free.Group != 0 {
				free = &st.Said[i]
			}
		}
	}
	*free = components.ScriptSaid{Group: group + 1}
	return free
}

// nameOf is the name of a unit. That of a player is valid until the stage ends.
func (s *Talks) nameOf(e ecs.Entity) string {
	if s.names.Has(e) {
		return s.names.Get(e).View()
	}
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); template != nil {
		return template.Name
	}
	return ""
}
