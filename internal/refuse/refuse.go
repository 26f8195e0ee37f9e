// Package refuse logs why a client was refused: a line for each packet that was not used and each connection that was
// closed, but a bounded number of lines of one reason in a time, and then how many were left out.
package refuse

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// A Reason is why something was refused. Each package lists its own; docs/REFUSALS.md has them all.
type Reason struct {
	Name  string     // as it is logged, and counted
	Level slog.Level // of its lines
	Why   string     // what the client or the server did
	Does  string     // what becomes of the packet or the connection, and what the client is sent
	Do    string     // what the author of a client, or an operator, can change
}

// Bounds of the lines of one reason.
const (
	Lines  = 20
	Period = 10 * time.Second
)

// Other stands for reasons that no list has, in the count of what was left out.
const Other = "other"

// unlisted is the level of a reason that no list has.
const unlisted = slog.LevelWarn

// A Log writes lines of some reasons. Its methods may be called from any goroutine. All reasons that are on none of its
// lists share one bound.
type Log struct {
	to      *slog.Logger
	tallies map[string]*tally
	other   tally
}

// A tally is what has been written of a reason since its period began.
type tally struct {
	log   *Log
	name  string
	level slog.Level

	mu    sync.Mutex
	began time.Time
	lines int
	left  int // out
	timer *time.Timer
}

// New makes a log that writes to another.
func New(to *slog.Logger, lists ...[]Reason) *Log {
	l := &Log{to: to, tallies: make(map[string]*tally)}
	l.other = tally{log: l, name: Other, level: unlisted}
	for _, list := range lists {
		for _, r := range list {
			l.tallies[r.Name] = &tally{log: l, name: r.Name, level: r.Level}
		}
	}
	return l
}

// A Line is one that may be written.
type Line struct {
	to     *slog.Logger
	level  slog.Level
	reason string
}

// Admit reports whether a line of a reason may be written now, and counts it, or that it is left out. It does not allocate
// for a line that is not to be written.
func (l *Log) Admit(reason string) (line Line, ok bool) {
	t := l.tallies[reason]
	if t == nil {
		t = &l.other
	}
	if !l.to.Enabled(context.Background(), t.level) || !t.admit() {
		return Line{}, false
	}
	return Line{l.to, t.level, reason}, true
}

// Write writes the line.
func (l Line) Write(what string, attrs ...slog.Attr) {
	l.to.LogAttrs(context.Background(), l.level, what, append([]slog.Attr{slog.String("reason", l.reason)}, attrs...)...)
}

// Flush writes how many lines were left out so far, before their periods end.
func (l *Log) Flush() {
	for _, name := range slices.Sorted(maps.Keys(l.tallies)) {
		l.tallies[name].end()
	}
	l.other.end()
}

func (t *tally) admit() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.left == 0 && now.Sub(t.began) >= Period {
		t.began, t.lines = now, 0
	}
	if t.lines < Lines {
		t.lines++
		return true
	}
	if t.left++; t.timer == nil {
		t.timer = time.AfterFunc(Period-now.Sub(t.began), t.end)
	}
	return false
}

// end ends a period.
func (t *tally) end() {
	t.mu.Lock()
	if t.timer != nil {
		t.timer.Stop()
	}
	left := t.left
	t.left, t.lines, t.began, t.timer = 0, 0, time.Now(), nil
	t.mu.Unlock()
	if left > 0 {
		t.log.to.LogAttrs(context.Background(), t.level, "refusals left out", slog.String("reason", t.name), slog.Int("lines", left),
			slog.Duration("within", Period))
	}
}
