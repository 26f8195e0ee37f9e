package config_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/internal/config"
)

func TestKey(t *testing.T) {
	for flag, want := range map[string]string{
		"tick":                 "Tick",
		"open-accounts":        "OpenAccounts",
		"delay-auth-challenge": "DelayAuthChallenge",
		"a--b":                 "AB",
		"wrong-pass.max-count": "WrongPass.MaxCount",
		"":                     "",
	} {
		if got := config.Key(flag); got != want {
			t.Errorf("Key(%q) = %q, want %q", flag, got, want)
		}
	}
}

// The first three are the examples of AzerothCore's configuration guide, under another prefix.
func TestVariable(t *testing.T) {
	for key, want := range map[string]string{
		"LoginDatabaseInfo":      "MUSTER_LOGIN_DATABASE_INFO",
		"LogDB.Opt.ClearTime":    "MUSTER_LOG_DB_OPT_CLEAR_TIME",
		"myNestedConfig.opt1":    "MUSTER_MY_NESTED_CONFIG_OPT_1",
		"aB":                     "MUSTER_A_B",
		"Opt2Name":               "MUSTER_OPT_2_NAME",
		"opt12":                  "MUSTER_OPT_12",
		"with space":             "MUSTER_WITH_SPACE",
		"with-hyphen":            "MUSTER_WITH_HYPHEN",
		"RealmID":                "MUSTER_REALM_ID",
		"Rate.1.Drop":            "MUSTER_RATE_1_DROP",
		"UPPER":                  "MUSTER_UPPER",
		"already_snake":          "MUSTER_ALREADY_SNAKE",
		config.Key("open-level"): "MUSTER_OPEN_LEVEL",
		"WrongPass.MaxCount":     "MUSTER_WRONG_PASS_MAX_COUNT",
	} {
		if got := config.Variable(key); got != want {
			t.Errorf("Variable(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	const text = "" +
		"# the whole line\n" +
		"OpenLevel = 1\n" +
		"[worldserver]\n" +
		"\n" +
		"RealmName = \"A # realm = ours\" # a comment\r\n" +
		"Tick=50ms\n" +
		"  Seed\t = \t 7 # dice\n" +
		"OpenAccounts = \"\"\n" +
		"RealmAddress =\n" +
		"Creatures = 20000"
	got, err := config.Parse("m.conf", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Setting{
		{Key: "OpenLevel", Value: "1", Source: "m.conf:2"},
		{Key: "RealmName", Value: "A # realm = ours", Source: "m.conf:5", Heading: "worldserver"},
		{Key: "Tick", Value: "50ms", Source: "m.conf:6", Heading: "worldserver"},
		{Key: "Seed", Value: "7", Source: "m.conf:7", Heading: "worldserver"},
		{Key: "OpenAccounts", Value: "", Source: "m.conf:8", Heading: "worldserver"},
		{Key: "RealmAddress", Value: "", Source: "m.conf:9", Heading: "worldserver"},
		{Key: "Creatures", Value: "20000", Source: "m.conf:10", Heading: "worldserver"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	long := strings.Repeat("x", config.MaxLine)
	for _, c := range []struct {
		name, text, want string
		is               error
	}{
		{"no equals", "Tick 50ms", "config: m.conf:1: want Key = value", config.ErrSyntax},
		{"no key", "\n= 50ms", "config: m.conf:2: want Key = value", config.ErrSyntax},
		{"open quote", `Name = "x`, "config: m.conf:1: Name: want one quoted text, or a text without quotes", config.ErrQuote},
		{"text after quotes", `Name = "x" y`, "config: m.conf:1: Name: want one quoted text, or a text without quotes", config.ErrQuote},
		{"quote inside", `Name = x"y"`, "config: m.conf:1: Name: want one quoted text, or a text without quotes", config.ErrQuote},
		{"key of two words", "Na me = x", "config: m.conf:1: a key is letters, digits, points, hyphens and underscores", config.ErrKey},
		{"binary", "Name = \x00", "config: m.conf:1: not text", config.ErrBytes},
		{"line one too long", "\nN=" + long[1:], "config: m.conf:2: a line has at most 1024 bytes", config.ErrTooLong},
		{"line far too long", "\n" + long + long, "config: m.conf:2: a line has at most 1024 bytes", config.ErrTooLong},
		{"file", strings.Repeat("#\n", config.MaxFile/2) + "#\n", "config: m.conf: a file has at most 262144 bytes", config.ErrTooBig},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := config.Parse("m.conf", strings.NewReader(c.text))
			if err == nil || err.Error() != c.want || !errors.Is(err, c.is) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	keys := []string{"Tick", "Seed", "OpenAccounts"}
	file := []config.Setting{{Key: "Tick", Value: "50ms", Source: "m.conf:1"}, {Key: "Seed", Value: "1", Source: "m.conf:2"}}
	environ := []string{"PATH=x", "MUSTER_SEED=2", "MUSTER_OPEN_ACCOUNTS=", "muster_tick=x"}
	got, err := config.Merge(keys, file, environ)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Set{
		"Tick":         {Key: "Tick", Value: "50ms", Source: "m.conf:1"},
		"Seed":         {Key: "Seed", Value: "2", Source: "MUSTER_SEED"},
		"OpenAccounts": {Key: "OpenAccounts", Value: "", Source: "MUSTER_OPEN_ACCOUNTS"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestMergeRefuses(t *testing.T) {
	keys := []string{"Tick"}
	tick := config.Setting{Key: "Tick", Source: "m.conf:1"}
	again := config.Setting{Key: "Tick", Source: "m.conf:3"}
	for _, c := range []struct {
		name    string
		file    []config.Setting
		environ []string
		want    string
		is      error
	}{
		{"unknown key", []config.Setting{{Key: "Tock", Source: "m.conf:2"}}, nil,
			"config: m.conf:2: Tock: no such setting", config.ErrUnknown},
		{"case matters", []config.Setting{{Key: "tick", Source: "m.conf:2"}}, nil,
			"config: m.conf:2: tick: no such setting", config.ErrUnknown},
		{"doubled key", []config.Setting{tick, again}, nil,
			"config: m.conf:3: Tick: set twice in one file, first at m.conf:1", config.ErrTwice},
		{"unknown variable", nil, []string{"MUSTER_TOCK=1"},
			"config: MUSTER_TOCK: no such setting", config.ErrUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := config.Merge(keys, c.file, c.environ)
			if err == nil || err.Error() != c.want || !errors.Is(err, c.is) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// FuzzParse holds that what was read can be written down and read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"Key = value\n", "A=\"b # c\" # d\r\n[x]\n", "A = \"\n", "\n\n# only\n", "=\n", "A=b=c", "A-b.c_1 = \t x\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := config.Parse("f", strings.NewReader(text))
		if err != nil {
			var e *config.Error
			if !errors.As(err, &e) || first != nil {
				t.Fatalf("%q: %v, %q", text, err, first)
			}
			return
		}
		var b strings.Builder
		for _, s := range first {
			line := s.Key + ` = "` + s.Value + "\"\n"
			if len(line) > config.MaxLine {
				return // quotes and spaces made it longer
			}
			b.WriteString(line)
		}
		if b.Len() > config.MaxFile {
			return
		}
		second, err := config.Parse("f", strings.NewReader(b.String()))
		if err != nil {
			t.Fatalf("%q, written again as %q: %v", text, b.String(), err)
		}
		same := func(a, b config.Setting) bool { return a.Key == b.Key && a.Value == b.Value }
		if !slices.EqualFunc(first, second, same) {
			t.Fatalf("%q: read %q, then %q", text, first, second)
		}
	})
}
