package config

import "strings"

// Prefix begins the name of every environment variable that is a setting.
const Prefix = "MUSTER_"

// Key is how a file spells the setting of a flag: open-accounts is OpenAccounts, and wrong-pass.max-count is
// WrongPass.MaxCount.
func Key(flag string) string {
	var b strings.Builder
	begins := true
	for i := range len(flag) {
		switch c := flag[i]; {
		case c == '-':
			begins = true
			continue
		case begins:
			b.WriteString(strings.ToUpper(string(c)))
		default:
			b.WriteByte(c)
		}
		begins = flag[i] == '.'
	}
	return b.String()
}

// Variable is how the environment spells a key: OpenAccounts is MUSTER_OPEN_ACCOUNTS. A word begins at
// an upper-case letter after anything else, and where a digit meets what is none; a point, a hyphen and
// a space are an underscore.
//
// Source: IniKeyToEnvVarKey, AzerothCore.
func Variable(key string) string {
	var b strings.Builder
	b.WriteString(Prefix)
	for i := range len(key) {
		c := key[i]
		if i > 0 && !separates(c) && !separates(key[i-1]) && begins(key[i-1], c) {
			b.WriteByte('_')
		}
		switch {
		case separates(c):
			c = '_'
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

func separates(c byte) bool { return c == '.' || c == '-' || c == ' ' }

// begins reports whether a word begins at c after prev.
func begins(prev, c byte) bool {
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return upper(c) && !upper(prev) || digit(c) != digit(prev)
}
