package trace

import (
	"bytes"
	"errors"
	"strings"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Scrub is the body of a packet from a client without passwords: of the text of a command about accounts, which may have
// some, and of the password of a channel, every byte is a star, and bytes left over are left out. Of a body that cannot be
// read and may have one all bytes are stars. Other bodies are returned as they are.
func Scrub(op uint32, body []byte) []byte {
	switch op {
	case msg.OpChatMessage:
		var m msg.ChatMessage
		switch {
		case !decodes(body, &m) && bytes.ContainsAny(body, ".!"):
			return []byte(stars(string(body)))
		case secret(m.Text):
			m.Text = m.Text[:1] + stars(m.Text[1:])
			return msg.Append(nil, wire.V12340, &m)
		}
	case msg.OpJoinChannel:
		var m msg.JoinChannel
		switch {
		case !decodes(body, &m):
			return []byte(stars(string(body)))
		case m.Password != "":
			m.Password = stars(m.Password)
			return msg.Append(nil, wire.V12340, &m)
		}
	case channelPassword:
		if at := bytes.IndexByte(body, 0) + 1; at > 0 {
			return append(bytes.Clone(body[:at]), stars(string(body[at:]))...)
		}
	}
	return body
}

// channelPassword is CMSG_CHANNEL_PASSWORD, which is not supported: the name of a channel, and the password that it is to have.
//
// Source: Opcodes.h, AzerothCore.
const channelPassword = 0x09C

// decodes reports whether a body is a message, as sessions take it: bytes may be left over.
func decodes(body []byte, m msg.Message) bool {
	err := msg.Decode(wire.V12340, body, m)
	return err == nil || errors.Is(err, msg.ErrLong)
}

// secret reports whether a text is a command about accounts, in any spelling that is understood: a verb may be cut short.
func secret(text string) bool {
	if text == "" || text[0] != '.' && text[0] != '!' {
		return false
	}
	verb, rest, _ := strings.Cut(strings.TrimLeft(text[1:], " "), " ")
	return verb != "" && rest != "" && strings.HasPrefix("account", strings.ToLower(verb))
}

func stars(s string) string { return strings.Repeat("*", len(s)) }
