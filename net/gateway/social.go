package gateway

import (
	"cmp"
	"strings"

	"muster/loaders/store"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// ChannelRefused counts joins of a channel that a bound refused.
const ChannelRefused = "chat.channel_refused"

// relay dispatches messages of a player to players in any world, and returns the packets for the sender.
// It runs on the connection's loop.
func (g *Gate) relay(c *conn, m msg.Message) []byte {
	if c.player == nil {
		return nil
	}
	self := &c.player.character
	switch m := m.(type) {
	case *msg.ChatMessage:
		if m.Type == uint32(msg.ChatChannel) {
			return g.channels.say(c, m.To, &msg.Chat{
				Type: msg.ChatChannel, Language: understood(m.Language), Sender: self.GUID, SenderName: self.Name, Target: self.GUID,
				Text: m.Text, Tag: c.tag(),
			})
		}
		return g.whisper(c, self, m)
	case *msg.JoinChannel:
		return g.channels.join(c, self.GUID, m)
	case *msg.LeaveChannel:
		return g.channels.leave(c, m.Name)
	case *msg.ChannelListQuery:
		return g.channels.list(c, m.Name)
	case *msg.Who:
		return g.who(c, self, m)
	}
	panic("gateway: a message without a relay")
}

// understood is the language of a message between worlds: universal, unless it is for addons.
//
// Source: Player::Whisper and Channel::Say, AzerothCore.
func understood(language uint32) uint32 {
	if language == speech.Addon {
		return language
	}
	return msg.Universal
}

// whisper sends a whisper to a player in any world. The answer of one that is AFK or DND is sent back.
//
// Source: WorldSession::HandleMessagechatOpcode, Player::Whisper and WorldSession::SendPlayerNotFoundNotice, AzerothCore.
func (g *Gate) whisper(c *conn, self *frame.Character, m *msg.ChatMessage) []byte {
	w := &Whisper{
		GUID: self.GUID, Name: self.Name, Race: self.Race, SecurityLevel: self.SecurityLevel, Tag: c.tag(), Language: understood(m.Language),
		To: m.To, Text: m.Text,
	}
	to, outcome := g.addressee(w)
	switch {
	case outcome == NoAddressee && g.config.Others != nil:
		g.config.Others.Whisper(w, func(a *WhisperAnswer) { c.loop.do(func() { c.hear(c.whisperDone(w, a)) }) })
		return nil
	case outcome != Heard:
		return c.whisperDone(w, &WhisperAnswer{Outcome: outcome})
	}
	g.deliverWhisper(w, to, func(a *WhisperAnswer) {
		if away := a.excuse(w); away != nil {
			c.loop.do(func() { c.hear(away) })
		}
	})
	return c.inform(w, to.guid, to.character.Name)
}

// excuse is the answer of an addressee that is AFK or DND; nil if it is neither, and for what an addon says.
func (a *WhisperAnswer) excuse(w *Whisper) []byte {
	kind := msg.ChatAFK
	switch {
	case a.Away == 0, w.Language == speech.Addon:
		return nil
	case a.Away == speech.DND:
		kind = msg.ChatDND
	}
	return packet(msg.OpChat, &msg.Chat{
		Type: kind, Language: msg.Universal, Sender: a.GUID, Target: a.GUID, Text: cmp.Or(a.AwayText, excuses[kind]),
	})
}

// excuses are the texts of players that have given none.
var excuses = map[msg.ChatType]string{msg.ChatAFK: "Away", msg.ChatDND: "Busy"}

// tag is the mark beside a speaker's name.
//
// Source: Player::GetChatTag, AzerothCore.
func (c *conn) tag() (tag msg.ChatTag) {
	if c.master {
		tag = msg.TagGM
	}
	switch which, _ := c.session.Away(); which {
	case speech.AFK:
		tag |= msg.TagAFK
	case speech.DND:
		tag |= msg.TagDND
	}
	return tag
}

// hear sends packets, which are not modified, to a player that is in a world or between two.
func (c *conn) hear(packet []byte) {
	if len(packet) == 0 || c.gone() || c.session.State()&(msg.World|msg.Transfer) == 0 {
		return
	}
	defer c.guard()
	c.loop.out = append(c.loop.out[:0], packet...)
	c.write(c.loop.out)
}

// packet is a message with a plain header.
func packet(op uint16, m msg.Message) []byte { return msg.Packet(nil, wire.V12340, op, m) }

// named is the player in a world whose character has a name, nil if there is none. Case does not matter.
func (r *roster) named(name string) *player {
	normal, err := store.NormalName(name)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byName[normal]
}

// note keeps the level and zone of a player, for CMSG_WHO.
func (r *roster) note(p *player, level uint8, zone uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.character.Level, p.character.Zone = level, zone
}

// maxWho is how many players a client is shown.
//
// Source: WorldSession::HandleWhoOpcode, AzerothCore.
const maxWho = 49

// who is the players in worlds that match a query, in the order of their session numbers. There are no guilds. A player
// is shown those of its own faction, unless it may see both. It visits every player.
//
// Source: WorldSession::HandleWhoOpcode, AzerothCore.
func (r *roster) who(m *msg.Who, self *frame.Character, both bool) *msg.WhoResponse {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found msg.WhoResponse
	name := strings.ToLower(m.Name)
	both = both || self.SecurityLevel > command.Player
	for _, p := range r.numbers {
		if p == nil || !both && factionOf(p.character.Race) != factionOf(self.Race) || !fits(m, name, &p.character) {
			continue
		}
		if found.Matches++; len(found.Players) < maxWho {
			c := &p.character
			found.Players = append(found.Players, msg.WhoPlayer{
				Name: c.Name, Level: uint32(c.Level), Class: uint32(c.Class), Race: uint32(c.Race), Gender: c.Gender, Zone: c.Zone,
			})
		}
	}
	return &found
}

func fits(m *msg.Who, name string, c *frame.Character) bool {
	level := uint32(c.Level)
	small := strings.ToLower(c.Name)
	switch {
	case level < m.LevelMin || m.LevelMax > 0 && level > m.LevelMax:
		return false
	case m.Races != 0 && m.Races&(1<<c.Race) == 0 || m.Classes != 0 && m.Classes&(1<<c.Class) == 0:
		return false
	case m.Guild != "" || !strings.Contains(small, name):
		return false
	}
	for i, zone := range m.Zones {
		if zone == c.Zone {
			break
		}
		if i == len(m.Zones)-1 {
			return false
		}
	}
	for i, word := range m.Words {
		if strings.Contains(small, strings.ToLower(word)) {
			break
		}
		if i == len(m.Words)-1 {
			return false
		}
	}
	return true
}
