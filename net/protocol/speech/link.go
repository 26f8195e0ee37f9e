package speech

import "strings"

// linkTags are what links can be about, each an interface name of the client.
//
// Source: LinkTags, Hyperlinks.h, AzerothCore.
var linkTags = [...]string{
	"achievement", "area", "areatrigger", "creature", "creature_entry", "enchant", "gameevent", "gameobject",
	"gameobject_entry", "glyph", "item", "itemset", "player", "quest", "skill", "spell", "talent", "taxinode", "tele",
	"title", "trade",
}

// linksAreSound reports whether every | begins a whole link, |cAARRGGBB|Htag:data|h[text]|h|r, or is a doubled one
// and shown as itself. A client that is shown half a link may show nothing from there on, or worse.
//
// Source: Hyperlinks::CheckAllLinks, AzerothCore.
func linksAreSound(text string) bool {
	for {
		at := strings.IndexByte(text, '|')
		if at < 0 {
			return true
		}
		text = text[at:]
		if strings.HasPrefix(text, "||") {
			text = text[2:]
			continue
		}
		n := linkLen(text)
		if n == 0 {
			return false
		}
		text = text[n:]
	}
}

// linkLen is the length of the link with which a text begins, 0 if it does not begin with one.
func linkLen(text string) int {
	rest, ok := strings.CutPrefix(text, "|c")
	if !ok || len(rest) < 8 || !isHex(rest[:8]) {
		return 0
	}
	if rest, ok = strings.CutPrefix(rest[8:], "|H"); !ok {
		return 0
	}
	link, rest, ok := strings.Cut(rest, "|h[")
	tag, data, split := strings.Cut(link, ":")
	if !ok || !split || !isLinkTag(tag) || strings.IndexByte(data, '|') >= 0 {
		return 0
	}
	name, rest, ok := strings.Cut(rest, "]|h|r")
	if !ok || name == "" || strings.IndexByte(name, '|') >= 0 {
		return 0
	}
	return len(text) - len(rest)
}

func isLinkTag(s string) bool {
	for _, tag := range linkTags {
		if s == tag {
			return true
		}
	}
	return false
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
