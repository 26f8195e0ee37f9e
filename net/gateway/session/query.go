package session

import (
	"cmp"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// nameQuery finds players only: some clients query the names of creatures this way, and go on when the
// answer is that there is none.
func (s *Session) nameQuery(t *Turn, m *msg.NameQuery) {
	switch {
	case m.GUID == s.character.GUID:
		sendName(t, &s.character)
	case components.GUIDHigh(m.GUID) == components.HighPlayer && m.GUID != 0:
		s.ask(t, Request{Kind: FindName, GUID: m.GUID})
	default:
		t.send(msg.OpNameQueryResponse, &msg.NameQueryResponse{GUID: m.GUID, Unknown: true})
	}
}

func (s *Session) nameFound(t *Turn, guid uint64, a *Answer) {
	if a.Outcome != Done {
		t.send(msg.OpNameQueryResponse, &msg.NameQueryResponse{GUID: guid, Unknown: true})
		return
	}
	sendName(t, &a.Character)
}

func sendName(t *Turn, c *frame.Character) {
	t.send(msg.OpNameQueryResponse, &msg.NameQueryResponse{
		GUID: c.GUID, Name: c.Name, Race: c.Race, Gender: c.Gender, Class: c.Class,
	})
}

func (s *Session) creatureQuery(t *Turn, m *msg.EntryQuery) {
	answer := msg.CreatureQueryResponse{Entry: m.Entry, Unknown: true}
	if s.config.Templates != nil {
		if c := s.config.Templates.Creature(m.Entry); c != nil {
			answer = msg.CreatureQueryResponse{
				Entry: m.Entry, Name: c.Name, SubName: c.SubName,
				Type: uint32(c.Type), Family: uint32(c.Family), Rank: uint32(c.Rank),
				Display: [4]uint32{c.DisplayID}, HealthMod: 1, ManaMod: 1,
			}
		}
	}
	t.send(msg.OpCreatureQueryResponse, &answer)
}

func (s *Session) gameObjectQuery(t *Turn, m *msg.EntryQuery) {
	answer := msg.GameObjectQueryResponse{Entry: m.Entry, Unknown: true}
	if s.config.Templates != nil {
		if o := s.config.Templates.GameObject(m.Entry); o != nil {
			answer = msg.GameObjectQueryResponse{
				Entry: m.Entry, Type: uint32(o.Type), Display: o.DisplayID, Name: o.Name, Icon: o.Icon, Caption: o.Caption, Extra: o.Extra,
				Data: o.Data, Size: o.Size,
			}
		}
	}
	t.send(msg.OpGameObjectQueryResponse, &answer)
}

// queryTime answers that daily quests begin anew at midnight, UTC.
func (s *Session) queryTime(t *Turn, _ *msg.Empty) {
	day := uint32(24 * time.Hour / time.Second)
	t.send(msg.OpQueryTimeResponse, &msg.QueryTimeResponse{Now: t.unix(), ResetSeconds: day - t.unix()%day})
}

// npcTextQuery answers with what a creature says. One text stands for both genders where there is only one; an unknown one greets.
//
// Source: WorldSession::HandleNpcTextQueryOpcode, AzerothCore.
func (s *Session) npcTextQuery(t *Turn, m *msg.NPCTextQuery) {
	answer := msg.NPCText{Text: m.Text}
	var text *defs.NPCText
	if s.config.Templates != nil {
		text = s.config.Templates.NPCText(m.Text)
	}
	for i := range answer.Choices {
		to := &answer.Choices[i]
		if text == nil {
			to.Male, to.Female = greeting, greeting
			continue
		}
		from := &text.Choices[i]
		to.Probability, to.Language = from.Probability, from.Language
		to.Male, to.Female = cmp.Or(from.Male, from.Female), cmp.Or(from.Female, from.Male)
		for k, e := range from.Emotes {
			to.Emotes[k] = msg.NPCTextEmote{DelayMs: e.DelayMs, Emote: e.Emote}
		}
	}
	t.send(msg.OpNPCText, &answer)
}

// greeting is what creatures say without a text of their own.
//
// Source: WorldSession::HandleNpcTextQueryOpcode, AzerothCore.
const greeting = "Greetings $N"
