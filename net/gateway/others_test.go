package gateway

import (
	"slices"
	"sync"
	"testing"

	"muster/net/protocol/msg"
)

// A pair are the other gateways of one, as the relay has them: there is one, which hears at once. Changes are kept until they are let go.
type pair struct {
	number uint32
	other  *Gate

	mu   sync.Mutex
	kept []ChannelChange
}

func (p *pair) Number() uint32 { return p.number }

func (p *pair) Whisper(w *Whisper, done func(*WhisperAnswer)) { p.other.HearWhisper(w, done) }

func (p *pair) Who(q *WhoQuery, done func([]msg.WhoResponse)) {
	done([]msg.WhoResponse{*p.other.WhoHere(q)})
}

func (p *pair) Changed(_ uint64, change *ChannelChange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept, *change)
}

func (p *pair) Said(s *ChannelSpeech) { p.other.HearChannel(s) }

// letGo has the other gateway hear of what has changed.
func (p *pair) letGo() {
	p.mu.Lock()
	kept := p.kept
	p.kept = nil
	p.mu.Unlock()
	for i := range kept {
		p.other.ChannelChanged(p.number, &kept[i])
	}
}

// newOthers starts two gateways that have each other's players.
func newOthers(t *testing.T) (one, two *rig, ones, twos *pair) {
	ones, twos = &pair{number: 1}, &pair{number: 2}
	one = newRig(t, func(c *Config) { c.Others = ones })
	two = newRig(t, func(c *Config) { c.Others = twos })
	ones.other, twos.other = two.gate, one.gate
	return one, two, ones, twos
}

// Two gateways on which a channel is made at the same moment agree on its owner, name and password once they have heard of each other, and
// the owner that gives way is told. A gateway that is gone has no members.
func TestChannelsAgree(t *testing.T) {
	one, two, ones, twos := newOthers(t)
	a, b := one.dial("ANNA").of(1), two.dial("BERT").of(1)
	b.joins("TRADE", "two")
	b.notified()
	b.notified()
	a.joins("Trade", "one")
	a.notified()
	a.notified()
	ones.letGo()
	for _, want := range []msg.ChannelNotify{
		{Event: msg.ChannelJoined, Name: "TRADE", GUID: a.guid},
		{Event: msg.ChannelModeChange, Name: "Trade", GUID: a.guid, Flags: 3},
		{Event: msg.ChannelOwnerChanged, Name: "Trade", GUID: a.guid},
	} {
		if m := b.notified(); m != want {
			t.Errorf("sent %+v, want %+v", m, want)
		}
	}
	twos.letGo()
	if m := a.notified(); m != (msg.ChannelNotify{Event: msg.ChannelJoined, Name: "Trade", GUID: b.guid}) {
		t.Errorf("sent %+v", m)
	}
	is := func(g *Gate, owner uint64, members ...uint64) {
		t.Helper()
		g.channels.mu.Lock()
		defer g.channels.mu.Unlock()
		ch := g.channels.byName[channelKey{alliance, "trade"}]
		var guids []uint64
		for _, m := range ch.members {
			guids = append(guids, m.guid)
		}
		if !slices.Equal(guids, members) || ch.owner() != owner || ch.name != "Trade" || ch.password != "one" {
			t.Errorf("%s with the password %s has %d and is owned by %d; want Trade, one, %d and %d", ch.name, ch.password, guids, ch.owner(), members, owner)
		}
	}
	is(one.gate, a.guid, a.guid, b.guid)
	is(two.gate, a.guid, a.guid, b.guid)
	one.gate.ChannelState(func(number uint64, members []ChannelChange) {
		if want := []ChannelChange{{Joined: true, Faction: uint8(alliance), Name: "Trade", Password: "one", GUID: a.guid, Stamp: 1}}; number != 1 || !slices.Equal(members, want) {
			t.Errorf("the state up to %d is %+v, want %+v up to 1", number, members, want)
		}
		two.gate.ChannelsAre(1, members) // which is so already
	})
	if n := one.gate.ChannelChanges(); n != 1 {
		t.Errorf("%d members have changed, want 1", n)
	}
	is(two.gate, a.guid, a.guid, b.guid)
	two.gate.ChannelsAre(1, nil)
	if m := b.notified(); m != (msg.ChannelNotify{Event: msg.ChannelLeft, Name: "Trade", GUID: a.guid}) {
		t.Errorf("sent %+v", m)
	}
	is(two.gate, b.guid, b.guid)
	b.reset()
	until(t, "the channel is removed with its last member", func() bool {
		two.gate.channels.mu.Lock()
		defer two.gate.channels.mu.Unlock()
		return len(two.gate.channels.byName) == 0
	})
}

// When a gateway is gone that the two oldest members of a channel were players of, the one that stays is told once that it is the owner.
func TestOwnerChangesOnce(t *testing.T) {
	_, two, _, _ := newOthers(t)
	for guid := range uint64(2) {
		two.gate.ChannelChanged(1, &ChannelChange{Joined: true, Faction: uint8(alliance), Name: "Trade", GUID: 100 + guid, Stamp: 1 + guid})
	}
	b := two.dial("BERT").of(1)
	b.joins("Trade", "")
	if m := b.notified(); m.Event != msg.ChannelYouJoined {
		t.Errorf("sent %+v", m)
	}
	two.gate.ChannelsAre(1, nil)
	for _, want := range []msg.ChannelNotify{
		{Event: msg.ChannelLeft, Name: "Trade", GUID: 101},
		{Event: msg.ChannelLeft, Name: "Trade", GUID: 100},
		{Event: msg.ChannelModeChange, Name: "Trade", GUID: b.guid, Flags: 3},
		{Event: msg.ChannelOwnerChanged, Name: "Trade", GUID: b.guid},
	} {
		if m := b.notified(); m != want {
			t.Errorf("sent %+v, want %+v", m, want)
		}
	}
	b.say(msg.OpLeaveChannel, &msg.LeaveChannel{Name: "Trade"})
	if m := b.notified(); m.Event != msg.ChannelYouLeft {
		t.Errorf("sent %+v, want nothing more before it leaves", m)
	}
}

// A client is shown as many players as it can take, those of its own gateway first, and told of all.
func TestWhoOfOthersIsBounded(t *testing.T) {
	one, two, _, _ := newOthers(t)
	one.dial("ANNA").of(1)
	two.dial("BERT").of(1)
	var many msg.WhoResponse
	for range maxWho {
		many.Players = append(many.Players, msg.WhoPlayer{Name: "Xaver"})
	}
	many.Matches = 70
	q := &WhoQuery{Query: msg.Who{LevelMax: 80}, Race: 1}
	got := merged(one.gate.WhoHere(q), []msg.WhoResponse{*two.gate.WhoHere(q), many})
	if got.Matches != 72 || len(got.Players) != maxWho || got.Players[0].Name != "Anna" || got.Players[1].Name != "Bert" || got.Players[2].Name != "Xaver" {
		t.Errorf("shown %d of %d, the first are %+v", len(got.Players), got.Matches, got.Players[:3])
	}
}
