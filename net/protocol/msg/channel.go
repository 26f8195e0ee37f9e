package msg

import "muster/net/protocol/wire"

// LeaveChannel asks to leave a channel.
//
// Source: WorldSession::HandleLeaveChannel, AzerothCore.
type LeaveChannel struct {
	ID   uint32
	Name string
}

// Wire walks the body.
func (m *LeaveChannel) Wire(c *wire.Codec) {
	wire.U32(c, &m.ID)
	wire.CString(c, &m.Name, maxChannel)
}

// ChannelListQuery asks for the members of a channel. ChannelList answers it.
//
// Source: WorldSession::HandleChannelList, AzerothCore.
type ChannelListQuery struct{ Name string }

// Wire walks the body.
func (m *ChannelListQuery) Wire(c *wire.Codec) { wire.CString(c, &m.Name, maxChannel) }

// maxMembers bounds a ChannelList, so that it fits into a packet.
const maxMembers = 2048

// ChannelList is the members of a channel.
//
// Source: Channel::List, AzerothCore.
type ChannelList struct {
	Show    uint8 // 1 shows it in the chat
	Name    string
	Flags   uint8
	Members []ChannelMember
}

// A ChannelMember is a player on a channel.
type ChannelMember struct {
	GUID  uint64
	Flags uint8 // 1 owner, 2 moderator, 8 muted
}

// Wire walks the body.
func (m *ChannelList) Wire(c *wire.Codec) {
	wire.U8(c, &m.Show)
	wire.CString(c, &m.Name, maxChannel)
	wire.U8(c, &m.Flags)
	wire.Slice[uint32](c, &m.Members, maxMembers, wireMember)
}

func wireMember(c *wire.Codec, m *ChannelMember) {
	wire.U64(c, &m.GUID)
	wire.U8(c, &m.Flags)
}

// A ChannelEvent is the kind of a ChannelNotify.
//
// Source: ChatNotify, Channel.h, AzerothCore.
type ChannelEvent uint8

// The channel events, with the fields of ChannelNotify that they have.
const (
	ChannelJoined              ChannelEvent = 0x00 // GUID
	ChannelLeft                ChannelEvent = 0x01 // GUID
	ChannelYouJoined           ChannelEvent = 0x02 // Flags, ID, Unused
	ChannelYouLeft             ChannelEvent = 0x03 // ID, Constant
	ChannelWrongPassword       ChannelEvent = 0x04
	ChannelNotMember           ChannelEvent = 0x05
	ChannelNotModerator        ChannelEvent = 0x06
	ChannelPasswordChanged     ChannelEvent = 0x07 // GUID
	ChannelOwnerChanged        ChannelEvent = 0x08 // GUID
	ChannelPlayerNotFound      ChannelEvent = 0x09 // Player
	ChannelNotOwner            ChannelEvent = 0x0A
	ChannelOwner               ChannelEvent = 0x0B // Player
	ChannelModeChange          ChannelEvent = 0x0C // GUID, OldFlags, Flags
	ChannelAnnouncementsOn     ChannelEvent = 0x0D // GUID
	ChannelAnnouncementsOff    ChannelEvent = 0x0E // GUID
	ChannelModerationOn        ChannelEvent = 0x0F // GUID
	ChannelModerationOff       ChannelEvent = 0x10 // GUID
	ChannelMuted               ChannelEvent = 0x11
	ChannelPlayerKicked        ChannelEvent = 0x12 // GUID, By
	ChannelBanned              ChannelEvent = 0x13
	ChannelPlayerBanned        ChannelEvent = 0x14 // GUID, By
	ChannelPlayerUnbanned      ChannelEvent = 0x15 // GUID, By
	ChannelPlayerNotBanned     ChannelEvent = 0x16 // Player
	ChannelPlayerAlreadyMember ChannelEvent = 0x17 // GUID
	ChannelInvite              ChannelEvent = 0x18 // GUID
	ChannelInviteWrongFaction  ChannelEvent = 0x19
	ChannelWrongFaction        ChannelEvent = 0x1A
	ChannelInvalidName         ChannelEvent = 0x1B
	ChannelNotModerated        ChannelEvent = 0x1C
	ChannelPlayerInvited       ChannelEvent = 0x1D // Player
	ChannelPlayerInviteBanned  ChannelEvent = 0x1E // Player
	ChannelThrottled           ChannelEvent = 0x1F
	ChannelNotInArea           ChannelEvent = 0x20
	ChannelNotInLFG            ChannelEvent = 0x21
	ChannelVoiceOn             ChannelEvent = 0x22 // GUID
	ChannelVoiceOff            ChannelEvent = 0x23 // GUID
)

// ChannelNotify reports an event on a channel, or that a request for it has failed.
//
// Source: Channel::MakeNotifyPacket and the functions that call it, Channel.cpp, AzerothCore.
type ChannelNotify struct {
	Event    ChannelEvent
	Name     string // of the channel
	GUID     uint64 // the subject
	By       uint64 // the player that did it
	OldFlags uint8
	Flags    uint8
	ID       uint32 // of a channel that the game itself has, 0 for others
	Unused   uint32
	Constant bool   // the channel is a built-in one
	Player   string // the subject, by name
}

// Wire walks the body.
func (m *ChannelNotify) Wire(c *wire.Codec) {
	wire.U8(c, &m.Event)
	wire.CString(c, &m.Name, maxChannel)
	switch m.Event {
	case ChannelYouJoined:
		wire.U8(c, &m.Flags)
		wire.U32(c, &m.ID)
		wire.U32(c, &m.Unused)
	case ChannelYouLeft:
		wire.U32(c, &m.ID)
		wire.Bool(c, &m.Constant)
	case ChannelModeChange:
		wire.U64(c, &m.GUID)
		wire.U8(c, &m.OldFlags)
		wire.U8(c, &m.Flags)
	case ChannelPlayerKicked, ChannelPlayerBanned, ChannelPlayerUnbanned:
		wire.U64(c, &m.GUID)
		wire.U64(c, &m.By)
	case ChannelPlayerNotFound, ChannelOwner, ChannelPlayerNotBanned, ChannelPlayerInvited, ChannelPlayerInviteBanned:
		wire.CString(c, &m.Player, maxName)
	case ChannelJoined, ChannelLeft, ChannelPasswordChanged, ChannelOwnerChanged,
		ChannelAnnouncementsOn, ChannelAnnouncementsOff, ChannelModerationOn, ChannelModerationOff,
		ChannelPlayerAlreadyMember, ChannelInvite, ChannelVoiceOn, ChannelVoiceOff:
		wire.U64(c, &m.GUID)
	}
}
