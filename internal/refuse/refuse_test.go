package refuse

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A buffer is a text that a timer may write to.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *buffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Reset()
}

// untimed is a handler that writes no times.
func untimed(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

var reasons = []Reason{{Name: "wrong_state", Level: slog.LevelInfo}, {Name: "closed.peer", Level: slog.LevelDebug}}

// say refuses n times.
func say(l *Log, reason string, n int) {
	for i := range n {
		if line, ok := l.Admit(reason); ok {
			line.Write("dropped", slog.Int("n", i))
		}
	}
}

// Of each reason 20 lines are written in 10 s; then comes how many were left out, without a further refusal, and lines
// are written again.
func TestLinesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b buffer
		l := New(untimed(&b, slog.LevelInfo), reasons)
		lines := func(reason string, n int) (text string) {
			for i := range n {
				text += fmt.Sprintf("level=INFO msg=dropped reason=%s n=%d\n", reason, i)
			}
			return text
		}
		check := func(what, want string) {
			t.Helper()
			synctest.Wait()
			if got := b.String(); got != want {
				t.Errorf("%s:\n%swant\n%s", what, got, want)
			}
			b.Reset()
		}
		say(l, "wrong_state", 20)
		check("20 at once", lines("wrong_state", 20))
		time.Sleep(4 * time.Second)
		say(l, "wrong_state", 37)
		check("37 after 4 s", "")
		time.Sleep(6*time.Second - time.Nanosecond)
		check("before the end of the period", "")
		time.Sleep(time.Nanosecond)
		check("the end of the period", "level=INFO msg=\"refusals left out\" reason=wrong_state lines=37 within=10s\n")
		say(l, "wrong_state", 1)
		check("a new period", lines("wrong_state", 1))
		time.Sleep(10 * time.Second)
		say(l, "wrong_state", 20)
		check("a period that begins with its first line", lines("wrong_state", 20))
		time.Sleep(time.Minute)
		check("nothing is left out", "")

		say(l, "wrong_state", 21)
		check("21", lines("wrong_state", 20))
		l.Flush()
		check("the end", "level=INFO msg=\"refusals left out\" reason=wrong_state lines=1 within=10s\n")
		time.Sleep(time.Minute)
		check("after the end", "")
	})
}

// One reason's lines take nothing from another's. Reasons that no list has share one bound, and come at a level that is
// seen.
func TestReasonsAreApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b buffer
		l := New(untimed(&b, slog.LevelDebug), reasons)
		say(l, "wrong_state", 100)
		say(l, "closed.peer", 1)
		for i := range 100 {
			say(l, fmt.Sprint("unlisted", i), 1)
		}
		l.Flush()
		for text, want := range map[string]int{
			"reason=wrong_state": 21, "level=DEBUG msg=dropped reason=closed.peer n=0\n": 1,
			"level=WARN msg=dropped reason=unlisted": 20, "level=WARN msg=\"refusals left out\" reason=other lines=80": 1,
		} {
			if got := strings.Count(b.String(), text); got != want {
				t.Errorf("%q came %d times, want %d", text, got, want)
			}
		}
	})
}

// What is below the level of the log is neither written nor counted. What is not written allocates nothing.
func TestLeftOutCostsNothing(t *testing.T) { synctest.Test(t, leftOutCostsNothing) }

func leftOutCostsNothing(t *testing.T) {
	var b buffer
	l := New(untimed(&b, slog.LevelInfo), reasons)
	say(l, "closed.peer", 100)
	if n := testing.AllocsPerRun(100, func() { l.Admit("closed.peer") }); n != 0 {
		t.Errorf("%v allocations below the level", n)
	}
	say(l, "wrong_state", 30)
	if n := testing.AllocsPerRun(100, func() { l.Admit("wrong_state") }); n != 0 {
		t.Errorf("%v allocations for what is left out", n)
	}
	l.Flush()
	if strings.Contains(b.String(), "closed.peer") || strings.Count(b.String(), "\n") != Lines+1 {
		t.Errorf("logged\n%s", b.String())
	}
}
