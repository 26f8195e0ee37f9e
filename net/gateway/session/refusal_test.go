package session

import (
	"errors"
	"fmt"
	"testing"

	"muster/net/protocol/msg"
)

// What was not used is reported as what it was, of which a text is made when it is logged.
func TestDetails(t *testing.T) {
	for _, c := range []struct {
		reason string
		detail any
		want   string
	}{
		{UnhandledChat, chatType(41), "type 41"},
		{ForeignMover, mover(0x1F), "mover 0x1f"},
		{BadAddons, claim{4, 1000}, "4 bytes claim to be 1000"},
		{floods[Use], Kick, "kick"},
		{BadBody, errors.New("too short"), "too short"},
	} {
		var turn Turn
		s := New(&Config{}, [4]byte{})
		s.ignore(&turn, c.reason, c.detail)
		if len(turn.Refused) != 1 || turn.Refused[0].Detail != c.detail || turn.Refused[0].Reason != c.reason || turn.Refused[0].State != msg.Fresh {
			t.Errorf("%s is reported as %+v", c.reason, turn.Refused)
		}
		if got := fmt.Sprint(c.detail); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
	speaker := newClient(t)
	speaker.enter()
	speaker.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatGuild), Language: 7, Text: "hello"})
	if refused := speaker.turn.Refused; len(refused) != 1 || refused[0].Detail != chatType(msg.ChatGuild) {
		t.Errorf("chat of a guild is reported as %+v", refused)
	}
}
