package gateway

import (
	"testing"
	"time"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// What Change gives counts at once, for clients that are there too. Which channels there are stays as it was.
func TestChange(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers, c.MaxQueue = 2, 1 })
	human, orc := r.dial("HUMAN").of(1), r.dial("ORC").of(2)
	human.say(msg.OpKeepAlive, &msg.Empty{})
	human.ping(1)
	orc.say(msg.OpKeepAlive, &msg.Empty{})
	orc.ping(1)
	if at := r.dial("FIRST").knock(); at != 1 {
		t.Errorf("the first that waits is at %d", at)
	}
	// silent is why a client in a world is closed that says nothing for so long.
	silent := func(after time.Duration) (reason string) {
		r.onLoops(func(l *loop) {
			for _, c := range l.conns {
				if heard, inside := c.session.Heard(); inside {
					c.checkSilence(heard.Add(after))
					reason, c.reason, l.marked = c.reason, "", nil
				}
			}
		})
		return reason
	}
	for _, step := range []struct {
		settings Settings
		whisper  uint16
		seen     string
		stays    time.Duration // silent
	}{
		{Settings{}, msg.OpChatWrongFaction, "1 Human ", 60 * time.Second},
		{Settings{TwoSides: TwoSides{Chat: true, WhoList: true, Channel: true}, IdleActive: 2 * time.Minute, MaxQueue: 2}, msg.OpChat, "2 Human Orc ", 2 * time.Minute},
		{Settings{KeepIdle: true}, msg.OpChatWrongFaction, "1 Human ", time.Hour},
		{Settings{IdleActive: 45 * time.Second, MaxQueue: 2}, msg.OpChatWrongFaction, "1 Human ", 45 * time.Second},
	} {
		r.gate.Change(step.settings)
		if op := human.whispered("Orc"); op != step.whisper {
			t.Errorf("%+v: a whisper is answered %#x, want %#x", step.settings, op, step.whisper)
		}
		if got := human.seen(); got != step.seen {
			t.Errorf("%+v: sees %q, want %q", step.settings, got, step.seen)
		}
		if reason := silent(step.stays); reason != "" {
			t.Errorf("%+v: closed for %q after %v", step.settings, reason, step.stays)
		}
		want := IdleActive
		if step.settings.KeepIdle {
			want = ""
		}
		if reason := silent(step.stays + 1); reason != want {
			t.Errorf("%+v: closed for %q after more than %v, want %q", step.settings, reason, step.stays, want)
		}
	}
	if at := r.dial("SECOND").knock(); at != 2 {
		t.Errorf("the second that waits is at %d", at)
	}
	r.gate.Change(Settings{MaxQueue: 1})
	third := r.dial("THIRD")
	hello := third.hello(third.expect(msg.OpAuthChallenge))
	third.encrypt()
	third.Write(hello)
	if body := third.expect(msg.OpAuthResponse); len(body) != 1 || body[0] != uint8(msg.AuthReject) {
		t.Errorf("one too many is sent % x", body)
	}
	third.ended()
	r.closed(session.QueueFull, 1)
	for _, c := range []*testClient{human, orc} {
		c.joins("world", "")
	}
	until(t, "each faction has a channel of its own", func() bool {
		r.gate.channels.mu.Lock()
		defer r.gate.channels.mu.Unlock()
		return len(r.gate.channels.byName) == 2
	})
}
