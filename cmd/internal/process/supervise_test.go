package process

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"regexp"
	"testing"
	"time"
)

// Starts of a process that ends again and again are an interval apart, and one that ran for longer than that is started again after the least pause.
func TestPauseAfter(t *testing.T) {
	for _, c := range []struct{ since, interval, want time.Duration }{
		{0, 100 * time.Millisecond, 100 * time.Millisecond},
		{20 * time.Millisecond, 6400 * time.Millisecond, 6380 * time.Millisecond},
		{4 * time.Second, 10 * time.Second, 6 * time.Second},
		{9950 * time.Millisecond, 10 * time.Second, 100 * time.Millisecond},
		{29 * time.Second, 10 * time.Second, 100 * time.Millisecond},
	} {
		if got := pauseAfter(c.since, c.interval); got != c.want {
			t.Errorf("after %v, with starts %v apart, the pause is %v, want %v", c.since, c.interval, got, c.want)
		}
	}
}

// A process that ends at once is started again and again, and what it ran for counts: from the second time on the pause is shorter than the interval between two starts.
func TestSupervise(t *testing.T) {
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	ends := 0
	err := Supervise(ctx, "child", []string{"-no.such.flag"}, slog.New(slog.NewTextHandler(&log, nil)), io.Discard, nil, func(pid int, err error) {
		if pid == 0 || err == nil {
			t.Errorf("process %d ended with %v", pid, err)
		}
		if ends++; ends == 3 {
			cancel()
		}
	})
	if err != nil || ends != 3 {
		t.Errorf("after %d ends: %v", ends, err)
	}
	pauses := regexp.MustCompile(` after=(\S+)\n`).FindAllStringSubmatch(log.String(), -1)
	if len(pauses) != 3 {
		t.Fatalf("it is logged\n%s", &log)
	}
	for i, interval := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond} {
		pause, err := time.ParseDuration(pauses[i][1])
		if err != nil || pause < LeastPause || pause > interval || i > 0 && pause == interval {
			t.Errorf("pause %d is %v, %v; want less than %v", i, pause, err, interval)
		}
	}
}
