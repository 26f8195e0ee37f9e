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

// channels has the channels of a realm. They belong to the gateways, since their members are in any world: each gateway has all
// members, and says which of its own players are. Every method may be called from any goroutine; packets to members are sent while it
// is locked, so that all members of a gateway receive them in the same order.
type channels struct {
	mu      sync.Mutex
	shared  bool   // the factions have the same channels
	others  Others // the other gateways; nil if there are none
	self    uint32 // the number of this one
	changes uint64 // of members of this one
	byName  map[channelKey]*channel
	joined  map[*conn][]*channel
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
	id       uint32   // of the client's built-in channels; 0 custom
	members  []member // by member.before
}

// A member is a player of this gateway, or of another one.
type member struct {
	conn    *conn // nil at another gateway
	guid    uint64
	gateway uint32
	stamp   uint64 // greater than those of members that were there before
}

// owner is the GUID of the owner, the oldest member; 0 of built-in channels, which have none.
func (ch *channel) owner() uint64 {
	if ch.id != 0 {
		return 0
	}
	return ch.members[0].guid
}

func (h *channels) init(shared bool, others Others) {
	h.shared, h.others = shared, others
	if others != nil {
		h.self = others.Number()
	}
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
	mine := member{conn: c, guid: guid, gateway: h.self, stamp: 1}
	if n := len(ch.members); n > 0 {
		mine.stamp = ch.members[n-1].stamp + 1
	}
	ch.members = append(ch.members, mine)
	h.joined[c] = append(h.joined[c], ch)
	h.changed(ch, &mine, true)
	answer := notify(&msg.ChannelNotify{Event: msg.ChannelYouJoined, Name: ch.name, Flags: ch.flags(), ID: ch.id})
	if ch.id == 0 && len(ch.members) == 1 {
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
	h.changed(ch, &ch.members[at], false)
	mine := slices.Index(h.joined[c], ch)
	h.joined[c] = slices.Delete(h.joined[c], mine, mine+1)
	h.remove(ch, at)
}

// remove removes a member, and the channel with the last one.
func (h *channels) remove(ch *channel, at int) {
	guid := ch.members[at].guid
	ch.members = slices.Delete(ch.members, at, at+1)
	if len(ch.members) == 0 {
		delete(h.byName, ch.key)
		return
	}
	if ch.id == 0 {
		ch.broadcast(&msg.ChannelNotify{Event: msg.ChannelLeft, Name: ch.name, GUID: guid})
	}
	if at == 0 {
		ch.owned()
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
	said := packet(chat.Said())
	deliver(ch.members, said)
	if h.others != nil {
		h.others.Said(&ChannelSpeech{uint8(ch.key.faction), ch.name, said})
	}
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
		if m.guid == ch.owner() {
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

// deliver has the members that are players of this gateway sent a packet, with one letter to each loop.
func deliver(members []member, packet []byte) {
	byLoop := make(map[*loop][]*conn)
	for _, m := range members {
		if m.conn == nil {
			continue
		}
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
