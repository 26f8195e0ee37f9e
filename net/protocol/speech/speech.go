// Package speech is the rules of chat text that hold for all chat types. It has bytes only.
package speech

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Why chat text is not passed on. The client is not notified: it is ignored, and counted by Reason.
var (
	ErrEmpty = errors.New("speech: nothing is said")
	ErrText  = errors.New("speech: not UTF-8, or with signs that cannot be shown")
	ErrLink  = errors.New("speech: a link that is none")
)

// Addon is the language of messages between clients' add-ons. They are not displayed.
//
// Source: LANG_ADDON, SharedDefines.h, AzerothCore.
const Addon = ^uint32(0)

// Check reports what is wrong with a text in a language, nil if it may be passed on. It does not allocate.
//
// Source: WorldSession::HandleMessagechatOpcode and ValidateMessage, AzerothCore (what add-ons say is not looked at
// for links, and a tab divides it).
func Check(language uint32, text string) error {
	switch {
	case text == "":
		return ErrEmpty
	case language == Addon:
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && control(r) }) {
			return ErrText
		}
		return nil
	case !Shown(text):
		return ErrText
	case !linksAreSound(text):
		return ErrLink
	}
	return nil
}

// Shown reports whether text is one line of UTF-8 without characters that cannot be displayed.
func Shown(text string) bool { return utf8.ValidString(text) && !strings.ContainsFunc(text, control) }

func control(r rune) bool { return r < ' ' || r == 0x7F }

// Reason is the name under which an error of Check is counted.
func Reason(err error) string {
	if errors.Is(err, ErrLink) {
		return "chat.bad_link"
	}
	return "chat.bad_text"
}
