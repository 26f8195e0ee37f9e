package command

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"muster/internal/corrupt"
)

var update = flag.Bool("update", false, "rewrite docs/VERBS.md")

func TestTableIsInOrder(t *testing.T) {
	if !slices.IsSortedFunc(Table, func(a, b Verb) int {
		return slices.Compare(strings.Fields(a.Path), strings.Fields(b.Path))
	}) {
		t.Error("rows that share a beginning do not stand together")
	}
	for i, v := range Table {
		if i > 0 && Table[i-1].Path == v.Path || v.Path != strings.ToLower(strings.Join(strings.Fields(v.Path), " ")) {
			t.Errorf("%q is not one path of small words", v.Path)
		}
		if v.About == "" || v.Level > Console {
			t.Errorf("%q is for level %d and about %q", v.Path, v.Level, v.About)
		}
	}
}

// Every command is found at every level from its own on, and at no other.
func TestLevels(t *testing.T) {
	for i := range Table {
		v := &Table[i]
		for level := range Console + 1 {
			m := Find(v.Path, level)
			if there := m.Outcome == Found && m.Verb == v && m.Args == ""; there != (level >= v.Level) {
				t.Errorf("%s for level %d: %+v", v.Path, level, m)
			}
		}
	}
}

// However a path is shortened, it matches that command, or is reported as ambiguous: it never matches another
// one, unless what is left is the whole word of that.
func TestShortened(t *testing.T) {
	for i := range Table {
		v := &Table[i]
		words := strings.Fields(v.Path)
		for at := range words {
			for n := 1; n < len(words[at]); n++ {
				short := slices.Clone(words)
				short[at] = strings.ToUpper(short[at][:n])
				switch m := Find(strings.Join(short, " "), Console); {
				case m.Outcome == Found && m.Verb == v:
				case m.Outcome == Ambiguous && slices.ContainsFunc(m.Candidates, func(c string) bool { return strings.HasPrefix(c, strings.Join(words[:at+1], " ")) }):
				case m.Outcome == Found && m.Verb != v && isWord(short, at): // go is a word itself, gobject would be another
				default:
					t.Errorf("%s for %s: %+v", short, v.Path, m)
				}
			}
		}
	}
}

// isWord reports whether the word at an index is one that a path has there.
func isWord(short []string, at int) bool {
	return slices.ContainsFunc(Table, func(v Verb) bool { return strings.EqualFold(wordAt(v.Path, at), short[at]) })
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		line  string
		level uint8
		want  string
	}{
		{"gps", Moderator, "0 gps []"},
		{"GPS", Moderator, "0 gps []"},
		{"gps", Player, "1 - []"},
		{"server info", Player, "0 server info []"},
		{"serv in", Player, "0 server info []"},
		{"server", Player, "3 - [server info]"},
		{"server", Console, "3 - [server debug server info server set rate xp server shutdown server shutdown cancel]"},
		{"server shutdown 5", Administrator, "0 server shutdown [5]"},
		{"server shutdown cancel", Administrator, "0 server shutdown cancel []"},
		{"server reboot", Console, "1 - []"},
		{"tele Windhollow", Moderator, "0 teleport [Windhollow]"},
		{"tele name Anna Windhollow", GameMaster, "0 teleport name [Anna Windhollow]"},
		{"tele name Anna", Moderator, "0 teleport [name Anna]"},
		{"level 80", GameMaster, "0 levelup [80]"},
		{"go xyz 1 2  3 ", Moderator, "0 go xyz [1 2  3]"},
		{"go 1 2 3", Moderator, "0 go [1 2 3]"},
		{"learn 5", GameMaster, "0 learn [5]"},
		{"learn all my class", GameMaster, "0 learn all my class []"},
		{"le all my", GameMaster, "2 - [learn learn all my class levelup]"},
		{"cast self 7", GameMaster, "0 cast self [7]"},
		{"modify h 7", GameMaster, "2 - [modify health modify hp]"},
		{"dance", Console, "1 - []"},
		{"", Console, "1 - []"},
		{"  ", Console, "1 - []"},
		{strings.Repeat("x", MaxLine+1), Console, "1 - []"},
	} {
		m := Find(c.line, c.level)
		got := fmt.Sprintf("%d - %v", m.Outcome, m.Candidates)
		if m.Verb != nil {
			got = fmt.Sprintf("%d %s [%s]", m.Outcome, m.Verb.Path, m.Args)
		}
		if got != c.want {
			t.Errorf("%q for level %d: %s, want %s", c.line, c.level, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		".gps": "gps", "!gps": "gps", ".": "", "!": "", "...": "", ".!": "", ". gps": "", "": "", "gps": "", "..gps": "", ".x": "x",
	} {
		if line, ok := Line(text); line != want || ok != (want != "") {
			t.Errorf("%q is %q %v", text, line, ok)
		}
	}
}

func TestArgs(t *testing.T) {
	a := Split(` 7 "two words" on |cff9d9d9d|Hitem:7073:0|h[Broken Fang]|h|r -1.5 the rest of it`)
	if n, s, on := a.Int(0, 10), a.Word(), a.Switch(false); n != 7 || s != "two words" || !on {
		t.Errorf("%d %q %v", n, s, on)
	}
	if id, f, rest := a.ID(), a.Float(-2, 2), a.Rest(); id != 7073 || f != -1.5 || rest != "the rest of it" || a.End() != nil {
		t.Errorf("%d %v %q %v", id, f, rest, a.End())
	}
	if a := Split("[Hemp Cord] 2 [open"); a.Word() != "[Hemp Cord]" || a.Int(0, 2) != 2 || a.Word() != "[open" || a.End() != nil {
		t.Errorf("brackets do not keep together: %v", a)
	}
	for _, bad := range []func(a *Args){
		func(a *Args) {}, // something is left
		func(a *Args) { a.Int(0, 5) },
		func(a *Args) { a.Float(0, 5) },
		func(a *Args) { a.Switch(true) },
		func(a *Args) { a.Word(); a.Word() },
	} {
		a := Split("NaN")
		if bad(&a); a.End() != ErrSyntax {
			t.Error("bad arguments pass")
		}
	}
	for _, bad := range []string{`"open`, `"a"b`, strings.Repeat("x ", MaxArgs+1)} {
		if a := Split(bad); a.End() != ErrSyntax {
			t.Errorf("%q passes", bad)
		}
	}
	if a := Split(""); !a.Switch(false) || a.End() != nil {
		t.Error("a switch without an argument does not switch")
	}
}

func TestTerm(t *testing.T) {
	for text, want := range map[string]string{
		"30": "30s false true", "-1": "0s true true", "4d20h3s": "116h0m3s false true", "1h30m": "1h30m0s false true",
		"0": "0s false true", "": "0s false false", "5x": "0s false false", "d": "0s false false", "1h3": "1h0m0s false false",
		"99999999999": "0s false false", "99999d": "0s false false", "99999999999999999999999d": "0s false false",
	} {
		d, forever, ok := Term(text)
		if got := fmt.Sprint(d, forever, ok); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestDocument(t *testing.T) {
	const file = "../../../docs/VERBS.md"
	if *update {
		if err := os.WriteFile(file, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != Document() {
		t.Errorf("docs/VERBS.md is not what the table says (%v): run make golden", err)
	}
}

// A line matches at most one command, which its caller may use, and its arguments are the end of the
// line.
func TestCorruptLines(t *testing.T) {
	lines := []string{`.tele "a b`}
	for i := range Table {
		lines = append(lines, Table[i].Path+" 1 two")
	}
	n := 0
	for line := range corrupt.Strings(20_000, lines...) {
		level := uint8(n % 5)
		n++
		m := Find(line, level)
		switch m.Outcome {
		case Found:
			if m.Verb.Level > level || !strings.HasSuffix(strings.TrimSpace(line), m.Args) {
				t.Errorf("%q: %+v", line, m)
			}
			a := Split(m.Args)
			if a.Len() > MaxArgs {
				t.Errorf("%q has %d arguments", line, a.Len())
			}
			a.Int(-5, 5)
			a.Float(-5, 5)
			Term(a.Peek())
		case Ambiguous, Partial:
			if len(m.Candidates) == 0 || !slices.IsSorted(m.Candidates) {
				t.Errorf("%q: %+v", line, m)
			}
		}
	}
}
