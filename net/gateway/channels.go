package gateway

import (
	"slices"
	"strings"
	"sync"

	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
)

// Bounds on channels, our own choice but for the first, which is what a client can show.
const (
	maxJoined      = 10
	maxChannels    = 10_000
	maxMembers     = 2000 // of a channel; all fit into one SMSG_CHANNEL_LIST
	maxChannelName = 31
	maxPassword    = 31
)

// Flags of a channel, and of its members.
//
// Source: ChannelFlags and ChannelMemberFlags, Channel.h, AzerothCore.
const (
	channelCustom  = 0x01
	channelGeneral = 0x10

	memberOwner     = 0x01
	memberModerator = 0x02
)

// channels has the channels of a realm. They belong to the gateway, since their members are in any world. Every method
// may be called from any goroutine; packets to members are sent while it is locked, so that all members receive them in
// the same order.
type channels struct {
	mu     sync.Mutex
	shared bool // the factions have the same channels
	byName map[channelKey]*channel
	joined map[*conn][]*channel
}

// A channelKey is how a channel is found. Each faction has channels of its own, unless they are shared.
type channelKey struct {
	faction faction // 0 if they are shared
	name    string  // in small letters
}

// key is that of a channel, for a player in a world.
//
// Source: ChannelMgr::forTeam, AzerothCore.
func (h *channels) key(c *conn, name string) channelKey {
	k := channelKey{name: strings.ToLower(name)}
	if !h.shared && c.player != nil {
		k.faction = factionOf(c.player.character.Race)
	}
	return k
}

// A channel is open to players with its password, and removed with its last member.
type channel struct {
	key      channelKey
	name     string
	password string
	id       uint32 // of the client's built-in channels; 0 custom
	members  []member
	owner    uint64 // GUID; 0 none, as on built-in channels
}

type member struct {
	conn *conn
	guid uint64
}

func (h *channels) init(shared bool) {
	h.shared = shared
	h.byName = make(map[channelKey]*channel)
	h.joined = make(map[*conn][]*channel)
}

// join adds a player to a channel, and returns the packets for that player alone.
//
// Source: WorldSession::HandleJoinChannel and Channel::JoinChannel, AzerothCore.
func (h *channels) join(c *conn, guid uint64, m *msg.JoinChannel) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m.Name == "" || len(m.Name) > maxChannelName || m.Name[0] >= '0' && m.Name[0] <= '9' ||
		strings.Contains(m.Name, "|") || !speech.Shown(m.Name) {
		return notify(&msg.ChannelNotify{Event: msg.ChannelInvalidName, Name: m.Name})
	}
	key := h.key(c, m.Name)
	ch := h.byName[key]
	switch {
	case ch == nil && len(h.byName) >= maxChannels, len(h.joined[c]) >= maxJoined, ch != nil && len(ch.members) >= maxMembers,
		len(m.Password) > maxPassword:
		c.ignore(ChannelRefused, msg.OpJoinChannel, m.Name)
		return nil
	case ch == nil:
		ch = &channel{key: key, name: m.Name, password: m.Password, id: m.ID}
		h.byName[key] = ch
	case ch.on(c):
		if ch.id != 0 {
			return nil
		}
		return notify(&msg.ChannelNotify{Event: msg.ChannelPlayerAlreadyMember, Name: ch.name, GUID: guid})
	case ch.password != "" && ch.password != m.Password:
		return notify(&msg.ChannelNotify{Event: msg.ChannelWrongPassword, Name: ch.name})
	}
	if ch.id == 0 {
		ch.broadcast(&msg.ChannelNotify{Event: msg.ChannelJoined, Name: ch.name, GUID: guid})
	}
	ch.members = append(ch.members, member{c, guid})
	h.joined[c] = append(h.joined[c], ch)
	answer := notify(&msg.ChannelNotify{Event: msg.ChannelYouJoined, Name: ch.name, Flags: ch.flags(), ID: ch.id})
	if ch.id == 0 && ch.owner == 0 {
		ch.owner = guid
		answer = append(answer, notify(&msg.ChannelNotify{
			Event: msg.ChannelModeChange, Name: ch.name, GUID: guid, Flags: memberOwner | memberModerator,
		})...)
	}
	return answer
}

// leave removes a player from a channel, and returns the packets for that player alone.
//
// Source: Channel::LeaveChannel, AzerothCore.
func (h *channels) leave(c *conn, name string) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.byName[h.key(c, name)]
	if ch == nil || !ch.on(c) {
		return notify(&msg.ChannelNotify{Event: msg.ChannelNotMember, Name: name})
	}
	h.part(c, ch)
	return notify(&msg.ChannelNotify{Event: msg.ChannelYouLeft, Name: ch.name, ID: ch.id, Constant: ch.id != 0})
}

// leaveAll removes a player that leaves from all its channels.
func (h *channels) leaveAll(c *conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.joined[c]) > 0 {
		h.part(c, h.joined[c][0])
	}
	delete(h.joined, c)
}

// part takes a member off a channel. The next oldest member owns it then.
func (h *channels) part(c *conn, ch *channel) {
	at := slices.IndexFunc(ch.members, func(m member) bool { return m.conn == c })
	guid := ch.members[at].guid
	ch.members = slices.Delete(ch.members, at, at+1)
	mine := slices.Index(h.joined[c], ch)
	h.joined[c] = slices.Delete(h.joined[c], mine, mine+1)
	if len(ch.members) == 0 {
		delete(h.byName, ch.key)
		return
	}
	if ch.id == 0 {
		ch.broadcast(&msg.ChannelNotify{Event: msg.ChannelLeft, Name: ch.name, GUID: guid})
	}
	if ch.owner == guid {
		ch.owner = ch.members[0].guid
		ch.broadcast(&msg.ChannelNotify{
			Event: msg.ChannelModeChange, Name: ch.name, GUID: ch.owner, Flags: memberOwner | memberModerator,
		})
		ch.broadcast(&msg.ChannelNotify{Event: msg.ChannelOwnerChanged, Name: ch.name, GUID: ch.owner})
	}
}

// say sends a message to all members of a channel, including the speaker.
//
// Source: Channel::Say, AzerothCore.
func (h *channels) say(c *conn, name string, chat *msg.Chat) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.byName[h.key(c, name)]
	if ch == nil || !ch.on(c) {
		return notify(&msg.ChannelNotify{Event: msg.ChannelNotMember, Name: name})
	}
	chat.Channel = ch.name
	if chat.Language != speech.Addon {
		c.happen(Happening{Kind: SpokeInChannel, Channel: ch.name, Text: chat.Text})
	}
	deliver(ch.members, packet(chat.Said()))
	return nil
}

// list is the members of a channel.
//
// Source: Channel::List, AzerothCore.
func (h *channels) list(c *conn, name string) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.byName[h.key(c, name)]
	if ch == nil || !ch.on(c) {
		return notify(&msg.ChannelNotify{Event: msg.ChannelNotMember, Name: name})
	}
	list := msg.ChannelList{Show: 1, Name: ch.name, Flags: ch.flags()}
	for _, m := range ch.members {
		member := msg.ChannelMember{GUID: m.guid}
		if m.guid == ch.owner {
			member.Flags = memberOwner | memberModerator
		}
		list.Members = append(list.Members, member)
	}
	return packet(msg.OpChannelList, &list)
}

func (ch *channel) on(c *conn) bool {
	return slices.ContainsFunc(ch.members, func(m member) bool { return m.conn == c })
}

func (ch *channel) flags() uint8 {
	if ch.id != 0 {
		return channelGeneral
	}
	return channelCustom
}

// broadcast sends a notification to all members.
func (ch *channel) broadcast(m *msg.ChannelNotify) { deliver(ch.members, notify(m)) }

func notify(m *msg.ChannelNotify) []byte { return packet(msg.OpChannelNotify, m) }

// deliver has members sent a packet, with one letter to each loop.
func deliver(members []member, packet []byte) {
	byLoop := make(map[*loop][]*conn)
	for _, m := range members {
		byLoop[m.conn.loop] = append(byLoop[m.conn.loop], m.conn)
	}
	for l, conns := range byLoop {
		l.do(func() {
			for _, c := range conns {
				c.hear(packet)
			}
		})
	}
}
