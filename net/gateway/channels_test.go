package gateway

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// notified is the next channel notification of a client.
func (c *testClient) notified() (m msg.ChannelNotify) {
	c.t.Helper()
	if err := msg.Decode(wire.V12340, c.expect(msg.OpChannelNotify), &m); err != nil {
		c.t.Fatal(err)
	}
	return m
}

func (c *testClient) joins(name, password string) {
	c.t.Helper()
	c.say(msg.OpJoinChannel, &msg.JoinChannel{Name: name, Password: password})
}

// TestChannels has a channel announced, owned, passed on, and removed with its last member.
func TestChannels(t *testing.T) {
	r := newRig(t, nil)
	a, b := r.dial("ANNA").login().character().enter(), r.dial("BERT").login().character().enter()
	a.ping(1)
	b.ping(1)
	a.joins("Trade", "")
	if m := a.notified(); m != (msg.ChannelNotify{Event: msg.ChannelYouJoined, Name: "Trade", Flags: 1}) {
		t.Errorf("joined: %+v", m)
	}
	if m := a.notified(); m != (msg.ChannelNotify{Event: msg.ChannelModeChange, Name: "Trade", GUID: a.guid, Flags: 3}) {
		t.Errorf("owns: %+v", m)
	}
	b.joins("trade", "")
	if m := b.notified(); m.Event != msg.ChannelYouJoined || m.Name != "Trade" {
		t.Errorf("joined: %+v", m)
	}
	if m := a.notified(); m != (msg.ChannelNotify{Event: msg.ChannelJoined, Name: "Trade", GUID: b.guid}) {
		t.Errorf("announced: %+v", m)
	}
	a.reset() // and with it her place
	for _, want := range []msg.ChannelNotify{
		{Event: msg.ChannelLeft, Name: "Trade", GUID: a.guid},
		{Event: msg.ChannelModeChange, Name: "Trade", GUID: b.guid, Flags: 3},
		{Event: msg.ChannelOwnerChanged, Name: "Trade", GUID: b.guid},
	} {
		if m := b.notified(); m != want {
			t.Errorf("sent %+v, want %+v", m, want)
		}
	}
	b.say(msg.OpLeaveChannel, &msg.LeaveChannel{Name: "TRADE"})
	if m := b.notified(); m != (msg.ChannelNotify{Event: msg.ChannelYouLeft, Name: "Trade"}) {
		t.Errorf("left: %+v", m)
	}
	r.gate.channels.mu.Lock()
	if len(r.gate.channels.byName) != 0 {
		t.Errorf("left over: %v", r.gate.channels.byName)
	}
	r.gate.channels.mu.Unlock()
	for name, want := range map[string]msg.ChannelEvent{
		"": msg.ChannelInvalidName, "7up": msg.ChannelInvalidName, "a|b": msg.ChannelInvalidName,
		"bell\x07": msg.ChannelInvalidName, "\xff\xfe": msg.ChannelInvalidName, "a\nb": msg.ChannelInvalidName,
		strings.Repeat("x", maxChannelName+1): msg.ChannelInvalidName,
	} {
		b.joins(name, "")
		if m := b.notified(); m.Event != want {
			t.Errorf("%q: %+v", name, m)
		}
	}
	b.say(msg.OpLeaveChannel, &msg.LeaveChannel{Name: "nowhere"})
	if m := b.notified(); m.Event != msg.ChannelNotMember {
		t.Errorf("not there: %+v", m)
	}
}

// One client is on ten channels at most; more is counted, and not answered.
func TestChannelsAreBounded(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ANNA").login().character().enter()
	a.ping(1)
	c := r.gate.roster.named("anna").conn
	done := make(chan struct{})
	c.loop.do(func() { // where connections join; over the socket they would wait for their limit of a second
		defer close(done)
		for i := range maxJoined + 3 {
			r.gate.channels.join(c, a.guid, &msg.JoinChannel{Name: fmt.Sprint("c", i)})
		}
		if n := len(r.gate.channels.joined[c]); n != maxJoined || r.metric.Value(ChannelRefused) != 3 {
			t.Errorf("on %d channels, %d refused", n, r.metric.Value(ChannelRefused))
		}
		if answer := r.gate.channels.join(c, a.guid, &msg.JoinChannel{Name: "c1", Password: strings.Repeat("x", 99)}); answer != nil {
			t.Errorf("answered % x", answer)
		}
	})
	<-done
}

// A parrot echoes the line that it is given.
type parrot struct{}

func (parrot) Do(_ context.Context, by Caller, line string) []string {
	return []string{fmt.Sprintf("%s at level %d on map %d: %s", by.Name, by.Level, by.Map, line)}
}

// Commands of the server go to its console, with their caller.
func TestCommandsReachTheConsole(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Console = parrot{} })
	a := r.dial("ANNA").login().character().enter()
	a.ping(1)
	a.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: ".serv info"})
	var m msg.Chat
	if err := msg.Decode(wire.V12340, a.expect(msg.OpChat), &m); err != nil || m.Text != "Anna at level 0 on map 1: serv info" {
		t.Errorf("heard %+v %v", m, err)
	}
	if all := r.gate.OnlinePlayers(); len(all) != 1 || all[0].Name != "Anna" || all[0].GUID != a.guid {
		t.Errorf("here are %+v", all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.gate.Command(ctx, "Anna", command.Console, "gps"); err != ErrSilent {
		t.Errorf("a world that answers nothing: %v", err)
	}
	if _, err := r.gate.Command(ctx, "Bert", command.Console, "gps"); err != ErrNoPlayer {
		t.Errorf("no player: %v", err)
	}
	if !r.gate.Kick("aNna") || r.gate.Kick("Bert") {
		t.Error("the wrong one is kicked")
	}
	r.closed(Kicked, 1)
	if p := r.gate.Stats().Peak; p != 1 {
		t.Errorf("the peak is %d", p)
	}
}
