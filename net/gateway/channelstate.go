package gateway

import (
	"cmp"
	"slices"
	"strings"

	"muster/net/protocol/msg"
)

// A ChannelChange is a member of a channel, which has joined or left it, and the channel as it is where the member is.
type ChannelChange struct {
	Joined   bool
	Faction  uint8 // 0 if the factions have the same channels
	Name     string
	Password string
	ID       uint32 // of the client's built-in channels; 0 custom
	GUID     uint64 // of the member
	Stamp    uint64 // greater than those of all members before; the owner has the least
}

func (s *ChannelChange) key() channelKey {
	return channelKey{faction(s.Faction), strings.ToLower(s.Name)}
}

// A ChannelSpeech is a packet for all members of a channel.
type ChannelSpeech struct {
	Faction uint8
	Name    string
	Packet  []byte // with a plain header
}

// before is the order of members: by stamps, and where several gateways have given the same, by their numbers. All gateways have the same.
func (m *member) before(other *member) int {
	return cmp.Or(cmp.Compare(m.stamp, other.stamp), cmp.Compare(m.gateway, other.gateway), cmp.Compare(m.guid, other.guid))
}

// add puts a member into its place. One that is older than all others owns the channel, which is as it was made for that one.
func (ch *channel) add(m member, s *ChannelChange) {
	at, _ := slices.BinarySearchFunc(ch.members, m, func(a, b member) int { return a.before(&b) })
	ch.members = slices.Insert(ch.members, at, m)
	if at == 0 {
		ch.name, ch.password, ch.id = s.Name, s.Password, s.ID
	}
	if at == 0 && len(ch.members) > 1 {
		ch.owned()
	}
}

// owned has the members told that the channel has another owner.
func (ch *channel) owned() {
	if ch.id != 0 {
		return
	}
	ch.broadcast(&msg.ChannelNotify{
		Event: msg.ChannelModeChange, Name: ch.name, GUID: ch.owner(), Flags: memberOwner | memberModerator,
	})
	ch.broadcast(&msg.ChannelNotify{Event: msg.ChannelOwnerChanged, Name: ch.name, GUID: ch.owner()})
}

// changed tells the other gateways of a member of this one.
func (h *channels) changed(ch *channel, m *member, joined bool) {
	if h.others == nil {
		return
	}
	h.changes++
	h.others.Changed(h.changes, ch.change(m, joined))
}

func (ch *channel) change(m *member, joined bool) *ChannelChange {
	return &ChannelChange{joined, uint8(ch.key.faction), ch.name, ch.password, ch.id, m.guid, m.stamp}
}

// ChannelChanges is the number of the last change of members that are players of this gateway.
func (g *Gate) ChannelChanges() uint64 {
	g.channels.mu.Lock()
	defer g.channels.mu.Unlock()
	return g.channels.changes
}

// ChannelState visits the members of channels that are players of this gateway, and the number of the last change that is in it.
// Nothing changes until visit returns.
func (g *Gate) ChannelState(visit func(number uint64, members []ChannelChange)) {
	h := &g.channels
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []ChannelChange
	for _, ch := range h.byName {
		for i := range ch.members {
			if m := &ch.members[i]; m.conn != nil {
				all = append(all, *ch.change(m, true))
			}
		}
	}
	visit(h.changes, all)
}

// ChannelChanged notes that a player of another gateway has joined or left a channel.
func (g *Gate) ChannelChanged(gateway uint32, s *ChannelChange) {
	g.channels.mu.Lock()
	defer g.channels.mu.Unlock()
	g.channels.take(gateway, s)
}

// ChannelsAre notes all members of channels that are players of another gateway: none if that one is gone.
func (g *Gate) ChannelsAre(gateway uint32, members []ChannelChange) {
	h := &g.channels
	h.mu.Lock()
	defer h.mu.Unlock()
	type place struct {
		key  channelKey
		guid uint64
	}
	there := make(map[place]bool, len(members))
	for i := range members {
		there[place{members[i].key(), members[i].GUID}] = true
	}
	var gone []ChannelChange
	for _, ch := range h.byName {
		for i := range ch.members {
			if m := &ch.members[i]; m.gateway == gateway && m.conn == nil && !there[place{ch.key, m.guid}] {
				gone = append(gone, *ch.change(m, false))
			}
		}
	}
	for _, s := range slices.Backward(gone) { // the oldest of a channel last: it has another owner once
		h.take(gateway, &s)
	}
	for i := range members {
		h.take(gateway, &members[i])
	}
}

// take notes a change of another gateway. What is so already stays.
func (h *channels) take(gateway uint32, s *ChannelChange) {
	key := s.key()
	ch := h.byName[key]
	if ch == nil && (!s.Joined || len(h.byName) >= maxChannels) {
		return
	}
	if ch == nil {
		ch = &channel{key: key}
		h.byName[key] = ch
	}
	at := slices.IndexFunc(ch.members, func(m member) bool { return m.gateway == gateway && m.guid == s.GUID })
	switch {
	case s.Joined && at < 0 && len(ch.members) < maxMembers:
		if ch.id == 0 {
			ch.broadcast(&msg.ChannelNotify{Event: msg.ChannelJoined, Name: ch.name, GUID: s.GUID})
		}
		ch.add(member{guid: s.GUID, gateway: gateway, stamp: s.Stamp}, s)
	case !s.Joined && at >= 0:
		h.remove(ch, at)
	}
}

// HearChannel sends what a member of a channel at another gateway has said to those that are players of this one.
func (g *Gate) HearChannel(s *ChannelSpeech) {
	h := &g.channels
	h.mu.Lock()
	defer h.mu.Unlock()
	if ch := h.byName[channelKey{faction(s.Faction), strings.ToLower(s.Name)}]; ch != nil {
		deliver(ch.members, s.Packet)
	}
}
