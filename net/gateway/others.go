package gateway

import (
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
	"muster/net/replication/frame"
)

// Others are the gateways of a realm that have its other players. Its methods do not block, and are called from any goroutine; each
// calls done once, from any goroutine, after a time at most.
type Others interface {
	// Number is that of this gateway, which no other has.
	Number() uint32
	// Whisper has the gateway of the addressee do Gate.HearWhisper.
	Whisper(w *Whisper, done func(*WhisperAnswer))
	// Who has all of them do Gate.WhoHere.
	Who(q *WhoQuery, done func([]msg.WhoResponse))
	// Changed tells them that a player of this gateway has joined or left a channel. The changes have numbers, from 1 on without a
	// gap: what misses one asks for Gate.ChannelState.
	Changed(number uint64, change *ChannelChange)
	// Said has them do Gate.HearChannel.
	Said(s *ChannelSpeech)
}

// A Whisper is what a player says to another one, which may be at another gateway.
type Whisper struct {
	GUID          uint64 // of the speaker
	Name          string
	Race          uint8
	SecurityLevel uint8
	Tag           msg.ChatTag
	Language      uint32
	To            string // as the speaker wrote it
	Text          string
}

// A WhisperOutcome is what became of a whisper.
type WhisperOutcome uint8

// The outcomes.
const (
	NoAddressee WhisperOutcome = iota
	WrongFaction
	Heard
)

// A WhisperAnswer is what became of a whisper, and the addressee that has heard it.
type WhisperAnswer struct {
	Outcome  WhisperOutcome
	GUID     uint64
	Name     string
	Away     uint32 // speech.AFK or speech.DND; 0 neither
	AwayText string
}

// HearWhisper sends a whisper to its addressee, if that is in a world through this gateway.
func (g *Gate) HearWhisper(w *Whisper, done func(*WhisperAnswer)) {
	to, outcome := g.addressee(w)
	if outcome != Heard {
		done(&WhisperAnswer{Outcome: outcome})
		return
	}
	g.deliverWhisper(w, to, done)
}

// addressee is the player of this gateway that is to hear a whisper. The outcome is Heard if it may.
//
// Source: WorldSession::HandleMessagechatOpcode, AzerothCore.
func (g *Gate) addressee(w *Whisper) (to *player, outcome WhisperOutcome) {
	to = g.roster.named(w.To)
	switch {
	case to == nil:
		return nil, NoAddressee
	case !g.settings.Load().TwoSides.Chat && apart(&frame.Character{Race: w.Race, SecurityLevel: w.SecurityLevel}, &to.character):
		return nil, WrongFaction
	}
	return to, Heard
}

// deliverWhisper sends a whisper to its addressee, and says then whether that is AFK or DND.
//
// Source: Player::Whisper, AzerothCore.
func (g *Gate) deliverWhisper(w *Whisper, to *player, done func(*WhisperAnswer)) {
	said := msg.Chat{
		Type: msg.ChatWhisper, Language: w.Language, Sender: w.GUID, SenderName: w.Name, Target: w.GUID, Text: w.Text, Tag: w.Tag,
	}
	whispered := packet(said.Said())
	to.conn.loop.do(func() {
		to.conn.hear(whispered)
		a := WhisperAnswer{Outcome: Heard, GUID: to.guid, Name: to.character.Name}
		a.Away, a.AwayText = to.conn.session.Away()
		done(&a)
	})
}

// whisperDone is what a speaker is sent once its whisper was heard, or was not, at another gateway. It runs on the connection's loop.
func (c *conn) whisperDone(w *Whisper, a *WhisperAnswer) []byte {
	switch a.Outcome {
	case NoAddressee:
		return packet(msg.OpChatPlayerNotFound, &msg.ChatPlayerNotFound{Name: w.To})
	case WrongFaction:
		return wrongFaction()
	}
	return append(c.inform(w, a.GUID, a.Name), a.excuse(w)...)
}

// inform is what a speaker is sent whose whisper is heard: nothing for one of an addon.
func (c *conn) inform(w *Whisper, guid uint64, name string) []byte {
	if w.Language == speech.Addon {
		return nil
	}
	c.happen(Happening{Kind: Whispered, To: name, Text: w.Text})
	return packet(msg.OpChat, &msg.Chat{Type: msg.ChatWhisperInform, Language: w.Language, Sender: guid, Target: guid, Text: w.Text})
}

// A WhoQuery is what a player asks for that may see some others.
type WhoQuery struct {
	Query         msg.Who
	Race          uint8
	SecurityLevel uint8
}

// WhoHere is the players of this gateway in worlds that match a query.
func (g *Gate) WhoHere(q *WhoQuery) *msg.WhoResponse {
	self := frame.Character{Race: q.Race, SecurityLevel: q.SecurityLevel}
	return g.roster.who(&q.Query, &self, g.settings.Load().TwoSides.WhoList)
}

// who answers a query, once the other gateways have answered theirs.
func (g *Gate) who(c *conn, self *frame.Character, m *msg.Who) []byte {
	q := &WhoQuery{Query: *m, Race: self.Race, SecurityLevel: self.SecurityLevel}
	if g.config.Others == nil {
		return packet(msg.OpWhoResponse, g.WhoHere(q))
	}
	g.config.Others.Who(q, func(others []msg.WhoResponse) {
		found := merged(g.WhoHere(q), others)
		c.loop.do(func() { c.hear(packet(msg.OpWhoResponse, found)) })
	})
	return nil
}

// merged is the players of this gateway and of others, as many as a client is shown.
func merged(found *msg.WhoResponse, others []msg.WhoResponse) *msg.WhoResponse {
	for i := range others {
		found.Matches += others[i].Matches
		found.Players = append(found.Players, others[i].Players[:min(len(others[i].Players), maxWho-len(found.Players))]...)
	}
	return found
}

// Find is the player of this gateway in a world that has a name. Case does not matter.
func (g *Gate) Find(name string) (OnlinePlayer, bool) {
	p := g.roster.named(name)
	g.roster.mu.Lock()
	defer g.roster.mu.Unlock()
	return p.online()
}

// FindGUID is the player of this gateway in a world that has a GUID.
func (g *Gate) FindGUID(guid uint64) (OnlinePlayer, bool) {
	g.roster.mu.Lock()
	defer g.roster.mu.Unlock()
	return g.roster.online[guid].online()
}
