package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"muster/net/protocol/msg"
)

// chatKinds are the ways to say something.
var chatKinds = []struct {
	word string
	kind msg.ChatType
}{
	{"say", msg.ChatSay}, {"yell", msg.ChatYell}, {"emote", msg.ChatEmote}, {"guild", msg.ChatGuild}, {"afk", msg.ChatAFK},
	{"dnd", msg.ChatDND}, {"system", msg.ChatSystem},
	{"monster say", msg.ChatMonsterSay}, {"monster yell", 14}, {"monster whisper", 15}, {"monster emote", msg.ChatMonsterEmote},
	{"boss emote", msg.ChatRaidBossEmote}, {"boss whisper", msg.ChatRaidBossWhisper},
}

// chatOf reads: yell "Hello!", in whatever language that is.
func chatOf(m *msg.ChatMessage, e *event) (err error) {
	_, rest, _ := strings.Cut(e.text, e.words[1]+" ")
	kind := msg.ChatSay
	for _, k := range chatKinds {
		if text, ok := strings.CutPrefix(rest, k.word+" "); ok {
			kind, rest = k.kind, text
		}
	}
	*m = msg.ChatMessage{Type: uint32(kind)}
	m.Text, err = strconv.Unquote(rest)
	return err
}

// describeChat describes a chat message: its sender, its text, its kind, and the mark beside the name.
func (p *play) describeChat(m *msg.Chat) string {
	text := fmt.Sprintf("%s %q", p.names[m.Sender], m.Text)
	for _, k := range chatKinds {
		if k.kind == m.Type && k.kind != msg.ChatSay {
			text = k.word + " " + strings.TrimSpace(text)
		}
	}
	if m.Type >= msg.ChatMonsterSay && m.Target != 0 {
		text += " to " + p.names[m.Target]
	}
	if m.Tag != 0 {
		text += fmt.Sprintf(" tagged %d", m.Tag)
	}
	return text
}
