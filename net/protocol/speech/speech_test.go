package speech

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const sword = "|cff9d9d9d|Hitem:7073:0:0:0:0:0:0:0|h[Broken Fang]|h|r"

var cases = []struct {
	language uint32
	text     string
	want     error
}{
	{0, "hello", nil},
	{7, "grüße, 世界", nil},
	{0, strings.Repeat("a", 255), nil},
	{0, "", ErrEmpty},
	{0, "\xff\xfe", ErrText},
	{0, "half a rune \xe4\xb8", ErrText},
	{0, "bell\x07", ErrText},
	{0, "line\nbreak", ErrText},
	{Addon, "addon\tdata", nil},
	{Addon, "addon\x01data", ErrText},
	{Addon, "addon\t|cshort", nil},
	{0, "buy " + sword + " and " + sword, nil},
	{0, "a || b", nil},
	{0, "||cffffffff", nil},
	{0, "|", ErrLink},
	{0, "a|b", ErrLink},
	{0, "|cff9d9d9d", ErrLink},
	{0, "|cff9d9d9dred|r", ErrLink},
	{0, "|cff9d9d9g|Hitem:1|h[x]|h|r", ErrLink},
	{0, "|Hitem:1|h[x]|h", ErrLink},
	{0, "|cff9d9d9d|Hitem1|h[x]|h|r", ErrLink},
	{0, "|cff9d9d9d|Hwindow:1|h[x]|h|r", ErrLink},
	{0, "|cff9d9d9d|Hitem:1|h[]|h|r", ErrLink},
	{0, "|cff9d9d9d|Hitem:1|h[x|h|r", ErrLink},
	{0, "|cff9d9d9d|Hitem:|1|h[x]|h|r", ErrLink},
	{0, "|cff9d9d9d|Hitem:1|h[x]|h", ErrLink},
	{0, sword + "|r", ErrLink},
	{0, strings.Repeat("|", 255), ErrLink},
	{0, strings.Repeat("|", 254), nil},
}

func TestCheck(t *testing.T) {
	for _, c := range cases {
		if err := Check(c.language, c.text); err != c.want {
			t.Errorf("%q in language %d: %v, want %v", c.text, c.language, err, c.want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { Check(0, cases[11].text); Check(0, cases[24].text) }); n != 0 {
		t.Errorf("Check allocates %v times", n)
	}
}

func TestReason(t *testing.T) {
	for err, want := range map[error]string{ErrEmpty: "chat.bad_text", ErrText: "chat.bad_text", ErrLink: "chat.bad_link"} {
		if got := Reason(err); got != want {
			t.Errorf("%v counts as %s, want %s", err, got, want)
		}
	}
}

// What passes is text without anything that cannot be shown, and stays so when something sound is put before it.
func FuzzCheck(f *testing.F) {
	for _, c := range cases {
		f.Add(c.language, c.text)
	}
	f.Fuzz(func(t *testing.T, language uint32, text string) {
		if Check(language, text) != nil {
			return
		}
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\n\r\x7f") {
			t.Errorf("%q passes", text)
		}
		if language == Addon {
			return
		}
		if rest := strings.ReplaceAll(text, "||", ""); strings.Count(rest, "|")%5 != 0 {
			t.Errorf("%q has half a link", text) // a link has five
		}
		if err := Check(language, sword+text); err != nil {
			t.Errorf("%q with a link before it: %v", text, err)
		}
	})
}

func TestAway(t *testing.T) {
	const other = 0x10
	for _, c := range []struct {
		flags, which uint32
		text         string
		want         uint32
	}{
		{other, AFK, "", other | AFK}, {other | AFK, AFK, "", other}, {AFK, AFK, "lunch", AFK}, {0, AFK, "lunch", AFK},
		{AFK, DND, "", DND}, {DND, AFK, "lunch", AFK}, {DND, DND, "", 0},
	} {
		if got := Away(c.flags, c.which, c.text); got != c.want {
			t.Errorf("%#x after %#x %q is %#x, want %#x", c.flags, c.which, c.text, got, c.want)
		}
	}
}
