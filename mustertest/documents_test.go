package mustertest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The bots of docs/bots pass, in a process that knows the binary alone.
func TestBotsOfOtherLanguages(t *testing.T) {
	muster, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		want  string // that it prints
	}{
		{[]string{"python3", "-W", "error::ResourceWarning", "../docs/bots/bot.py"}, "\nOK\n"},
		{[]string{"sh", "../docs/bots/bot.sh"}, "three bots walked\n"},
	} {
		t.Run(c.words[0], func(t *testing.T) {
			t.Parallel()
			bot := exec.CommandContext(t.Context(), c.words[0], c.words[1:]...)
			bot.Env = append(os.Environ(), "MUSTER="+muster, "TMPDIR="+t.TempDir())
			text, err := bot.CombinedOutput()
			if err != nil || !strings.HasSuffix(string(text), c.want) {
				t.Errorf("%s: %v\n%s", strings.Join(c.words, " "), err, text)
			}
		})
	}
}

// A bot whose server does not start fails at once, and leaves no folder behind.
func TestBotsWithoutAServer(t *testing.T) {
	for _, words := range [][]string{{"python3", "../docs/bots/bot.py"}, {"sh", "../docs/bots/bot.sh"}} {
		folder := t.TempDir()
		bot := exec.CommandContext(t.Context(), words[0], words[1:]...)
		bot.Env = append(os.Environ(), "MUSTER=false", "TMPDIR="+folder)
		if text, err := bot.CombinedOutput(); err == nil {
			t.Errorf("%s: it passes\n%s", words[1], text)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%s: it leaves %v, %v", words[1], left, err)
		}
	}
}

// docs/bots.md shows the code of tests that run here, and the programs that it names are there.
func TestBotsDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/bots.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("bot_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("it shows no Go")
	}
	for _, block := range blocks {
		if !strings.Contains(string(code), block[1]) {
			t.Errorf("bot_test.go does not have\n%s", block[1])
		}
	}
	program, err := os.ReadFile("../docs/bots/bot.py")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatal("it shows no Python")
	}
	if shown := regexp.MustCompile("(?m)^").ReplaceAllString(strings.TrimSpace(string(block[1])), "        "); !strings.Contains(string(program), shown) {
		t.Errorf("bot.py does not have\n%s", shown)
	}
	for _, name := range []string{"bots/bot.py", "bots/bot.sh"} {
		if !strings.Contains(string(text), "]("+name+")") {
			t.Errorf("it has no link to %s", name)
		}
	}
}
