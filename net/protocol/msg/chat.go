package msg

import (
	"muster/components"
	"muster/net/protocol/wire"
)

// A ChatType is the kind of a chat message.
//
// Source: ChatMsg, SharedDefines.h, AzerothCore.
type ChatType uint8

// The chat types of build 12340 that have a layout of their own or a meaning for muster.
const (
	ChatSystem           ChatType = 0x00
	ChatSay              ChatType = 0x01
	ChatParty            ChatType = 0x02
	ChatRaid             ChatType = 0x03
	ChatGuild            ChatType = 0x04
	ChatOfficer          ChatType = 0x05
	ChatYell             ChatType = 0x06
	ChatWhisper          ChatType = 0x07
	ChatWhisperInform    ChatType = 0x09 // to the sender: you have whispered
	ChatEmote            ChatType = 0x0A
	ChatTextEmote        ChatType = 0x0B
	ChatMonsterSay       ChatType = 0x0C
	ChatMonsterEmote     ChatType = 0x10
	ChatChannel          ChatType = 0x11
	ChatAFK              ChatType = 0x17
	ChatDND              ChatType = 0x18
	ChatRaidBossEmote    ChatType = 0x29
	ChatRaidBossWhisper  ChatType = 0x2A
	ChatBattlenet        ChatType = 0x2F
	ChatAchievement      ChatType = 0x30
	ChatGuildAchievement ChatType = 0x31
)

// byMonster reports whether the type carries the name of its sender.
func (t ChatType) byMonster() bool {
	return t >= ChatMonsterSay && t <= ChatMonsterEmote ||
		t == ChatRaidBossEmote || t == ChatRaidBossWhisper || t == ChatBattlenet
}

// TakesVerbs reports whether a type of ChatMessage may contain a command, which is then not relayed.
//
// Source: WorldSession::HandleMessagechatOpcode, AzerothCore.
func TakesVerbs(t uint32) bool {
	switch ChatType(min(t, 0xFF)) {
	case ChatSay, ChatParty, ChatRaid, ChatGuild, ChatOfficer, ChatYell, ChatEmote:
		return true
	}
	return false
}

// Universal is the language that every player understands.
const Universal uint32 = 0

// Limits of a client's chat messages, in bytes.
//
// Source: WorldSession::HandleMessagechatOpcode, AzerothCore (255).
const (
	MaxChat    = 255
	maxChannel = 128
)

// ChatMessage is a chat message from a player.
//
// Source: WorldSession::HandleMessagechatOpcode, AzerothCore.
type ChatMessage struct {
	Type     uint32 // a ChatType, if it is one
	Language uint32
	To       string // with ChatWhisper a player, with ChatChannel a channel
	Text     string
}

// Wire walks the body.
func (m *ChatMessage) Wire(c *wire.Codec) {
	wire.U32(c, &m.Type)
	wire.U32(c, &m.Language)
	if m.Type == uint32(ChatWhisper) || m.Type == uint32(ChatChannel) {
		wire.CString(c, &m.To, maxChannel)
	}
	wire.CString(c, &m.Text, MaxChat)
}

// ChatTag marks the name of a speaker.
type ChatTag uint8

// The tags. Source: ChatTag, Player.h, AzerothCore.
const (
	TagAFK ChatTag = 0x1
	TagDND ChatTag = 0x2
	TagGM  ChatTag = 0x4
)

// Chat is a chat message to a client.
//
// Source: ChatHandler::BuildChatPacket, AzerothCore.
type Chat struct {
	Type        ChatType
	Language    uint32
	Sender      uint64
	Zero        uint32
	SenderName  string // of monsters, and in a GMChat
	Channel     string // with ChatChannel
	Target      uint64 // the addressee; for many types the sender
	TargetName  string // of monsters only, and of targets that are neither players nor pets
	Text        string
	Tag         ChatTag
	Achievement uint32 // with ChatAchievement and ChatGuildAchievement
}

// Wire walks the body.
func (m *Chat) Wire(c *wire.Codec) { m.wire(c, false) }

// GMChat is a Chat with the name of its sender, which is a game master.
//
// Source: ChatHandler::BuildChatPacket, AzerothCore.
type GMChat Chat

// Wire walks the body.
func (m *GMChat) Wire(c *wire.Codec) { (*Chat)(m).wire(c, true) }

// Said is a Chat of a player as it is sent to its receivers: as a GMChat if the tag beside the name is a game master's.
//
// Source: ChatHandler::BuildChatPacket and Player::GetChatTag, AzerothCore, where both follow the same flag.
func (m *Chat) Said() (op uint16, said Message) {
	if m.Tag&TagGM != 0 {
		return OpGMChat, (*GMChat)(m)
	}
	return OpChat, m
}

func (m *Chat) wire(c *wire.Codec, named bool) {
	wire.U8(c, &m.Type)
	wire.U32(c, &m.Language)
	wire.U64(c, &m.Sender)
	wire.U32(c, &m.Zero)
	monster := m.Type.byMonster()
	if named || monster {
		wire.SizedCString(c, &m.SenderName, 255)
	}
	if m.Type == ChatChannel {
		wire.CString(c, &m.Channel, maxChannel)
	}
	wire.U64(c, &m.Target)
	if monster && hasName(m.Target) {
		wire.SizedCString(c, &m.TargetName, 255)
	}
	wire.SizedCString(c, &m.Text, maxText)
	wire.U8(c, &m.Tag)
	if m.Type == ChatAchievement || m.Type == ChatGuildAchievement {
		wire.U32(c, &m.Achievement)
	}
}

// hasName reports whether the message of a monster to guid contains its name too.
func hasName(guid uint64) bool {
	high := components.GUIDHigh(guid)
	return guid != 0 && high != components.HighPlayer && high != components.HighPet
}

// JoinChannel asks to join a channel.
//
// Source: WorldSession::HandleJoinChannel, AzerothCore.
type JoinChannel struct {
	ID       uint32
	Flags    [2]uint8
	Name     string
	Password string // some clients leave it out
}

// Wire walks the body.
func (m *JoinChannel) Wire(c *wire.Codec) {
	wire.U32(c, &m.ID)
	wire.Fixed(c, m.Flags[:])
	wire.CString(c, &m.Name, maxChannel)
	if !c.Reading() || c.Rest() > 0 {
		wire.CString(c, &m.Password, maxChannel)
	}
}

// Notification shows a text in the middle of the screen.
//
// Source: ChatHandler::SendNotification, AzerothCore.
type Notification struct{ Text string }

// Wire walks the body.
func (m *Notification) Wire(c *wire.Codec) { wire.CString(c, &m.Text, maxText) }

// ChatPlayerNotFound reports that no player of a name can be whispered to.
//
// Source: WorldSession::SendPlayerNotFoundNotice, AzerothCore.
type ChatPlayerNotFound struct{ Name string }

// Wire walks the body. The name is what the player has asked for, so it may be any.
func (m *ChatPlayerNotFound) Wire(c *wire.Codec) { wire.CString(c, &m.Name, maxChannel) }

// A ServerMessage is the kind of a ChatServerMessage.
//
// Source: ServerMessageType, World.h, AzerothCore.
type ServerMessage uint32

// The server messages. All but ServerString are texts of the client, with a time in them.
const (
	ServerShutdown          ServerMessage = 1
	ServerRestart           ServerMessage = 2
	ServerString            ServerMessage = 3
	ServerShutdownCancelled ServerMessage = 4
	ServerRestartCancelled  ServerMessage = 5
)

// ChatServerMessage notifies all players of something about the server.
//
// Source: WorldSessionMgr::SendServerMessage, AzerothCore.
type ChatServerMessage struct {
	Kind ServerMessage
	Text string
}

// Wire walks the body.
func (m *ChatServerMessage) Wire(c *wire.Codec) {
	wire.U32(c, &m.Kind)
	wire.CString(c, &m.Text, maxText)
}
