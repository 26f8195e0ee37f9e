package page

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/sched"
)

// driven is a page whose clock stands at zero until run is called. The readers of a step are done with it when they are
// sent a value.
func driven(t *testing.T) (f *fixture, h *sched.ClockDriver, readers chan struct{}, run func()) {
	h = sched.NewClockDriver(sched.NewVirtualClock(), 50*time.Millisecond)
	readers = make(chan struct{})
	h.Settled = func(ctx context.Context) {
		select {
		case <-readers:
		case <-ctx.Done():
		}
	}
	f = newFixture(t, h, some)
	return f, h, readers, func() {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { h.Run(ctx); close(done) }()
		t.Cleanup(func() { stop(); <-done })
	}
}

// told sends an order, and delivers the answer.
func (f *fixture) told(t *testing.T, body string) <-chan string {
	c := make(chan string, 1)
	go func() {
		_, text := f.ask(t, "POST", "/api/clock", body)
		c <- text
	}()
	return c
}

// until waits for a state of the driver.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(2 * time.Minute); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// next is the answer to an order.
func next(t *testing.T, c <-chan string) string {
	t.Helper()
	select {
	case text := <-c:
		return text
	case <-time.After(2 * time.Minute):
		t.Fatal("no answer")
		return ""
	}
}

func TestClockIsTold(t *testing.T) {
	f, h, readers, run := driven(t)
	for _, c := range []struct {
		body   string
		status int
		text   string
	}{
		{`{"do":"run","speed":2}`, 200, `{"virtual":true,"speed":2,"now_ms":0}` + "\n"},
		{`{"do":"run","speed":1e9}`, 400, "sched: clock setting out of range: a speed is from 0.001 to 1000, not 1e+09\n"},
		{`{"do":"step","steps":0}`, 400, "sched: clock setting out of range: steps are from 1 to 72000, not 0\n"},
		{`{"do":"step","steps":72001}`, 400, "sched: clock setting out of range: steps are from 1 to 72000, not 72001\n"},
		{`{"do":"until","until_ms":-1}`, 400, "sched: clock setting out of range: -1 ms is over, the clock is at 0\n"},
		{`{"do":"until","until_ms":3600001}`, 400, "sched: clock setting out of range: 3600001 ms is more than 72000 steps after 0\n"},
		{`{"do":"until","until_ms":9223372036854775807}`, 400, "sched: clock setting out of range: 9223372036854 ms is more than 72000 steps after 0\n"},
		{`{"do":"dance"}`, 400, "do is pause, run, step or until\n"},
		{`{"do":"run","sped":2}`, 400, `that is not {"do":…, "speed":…, "steps":…, "until_ms":…}` + "\n"},
		{``, 400, `that is not {"do":…, "speed":…, "steps":…, "until_ms":…}` + "\n"},
		{`{"do":"pause"}`, 200, `{"virtual":true,"speed":0,"now_ms":0}` + "\n"},
		{`{"do":"until"}`, 200, `{"virtual":true,"speed":0,"now_ms":0}` + "\n"},
	} {
		if status, text := f.ask(t, "POST", "/api/clock", c.body); status != c.status || text != c.text {
			t.Errorf("%s: %d %s, want %d %s", c.body, status, text, c.status, c.text)
		}
	}

	// Steps are answered when they are taken, whatever else is pending.
	first := f.told(t, `{"do":"step"}`)
	until(t, "a step is pending", func() bool { return h.Pending() == 1 })
	second := f.told(t, `{"do":"step","steps":2}`)
	until(t, "three steps are pending", func() bool { return h.Pending() == 3 })
	third := f.told(t, `{"do":"until","until_ms":201}`)
	until(t, "five steps are pending", func() bool { return h.Pending() == 5 })
	if _, text := f.ask(t, "GET", "/api/clock", ""); text != `{"virtual":true,"speed":0,"now_ms":0,"steps":5}`+"\n" {
		t.Errorf("five steps are pending: %s", text)
	}
	run()
	for n, c := range map[int]<-chan string{1: first, 3: second, 5: third} {
		if len(c) > 0 {
			t.Errorf("answered before step %d: %s", n, <-c)
		}
	}
	for n := 1; n <= 5; n++ {
		until(t, "the next step", func() bool { return h.Now() == time.Duration(n)*50*time.Millisecond })
		readers <- struct{}{}
		c := map[int]<-chan string{1: first, 3: second, 5: third}[n]
		if c == nil {
			continue
		}
		var d Dial
		text := next(t, c)
		if err := json.Unmarshal([]byte(text), &d); err != nil || d.NowMs < int64(n)*50 || strings.Contains(text, "ended") {
			t.Errorf("after step %d: %s", n, text)
		}
	}
	if h.Now() != 250*time.Millisecond || h.Pending() != 0 {
		t.Errorf("the clock is at %v, with %d steps pending", h.Now(), h.Pending())
	}
}

// A pause answers what is pending, at once; the steps of a client that has gone stay.
func TestPauseAnswersSteps(t *testing.T) {
	f, h, readers, run := driven(t)
	run()
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", f.server.URL+"/api/clock", strings.NewReader(`{"do":"step","steps":10}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer 0123456789abcdef")
	gone := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(r)
		gone <- err
	}()
	until(t, "the first of ten steps", func() bool { return h.Now() == 50*time.Millisecond && h.Pending() == 9 })
	leave()
	if err := <-gone; err == nil {
		t.Error("a client that has gone is answered")
	}
	left := f.told(t, `{"do":"step","steps":20}`)
	until(t, "29 steps are pending", func() bool { return h.Pending() == 29 })
	readers <- struct{}{}
	until(t, "the second step", func() bool { return h.Pending() == 28 })
	if _, text := f.ask(t, "POST", "/api/clock", `{"do":"pause"}`); text != `{"virtual":true,"speed":0,"now_ms":100,"ended_steps":28}`+"\n" {
		t.Errorf("the pause is answered %s", text)
	}
	if text := next(t, left); text != `{"virtual":true,"speed":0,"now_ms":100,"ended_steps":28}`+"\n" {
		t.Errorf("steps that a pause ends are answered %s", text)
	}
	readers <- struct{}{}
	left = f.told(t, `{"do":"step","steps":5}`)
	until(t, "the third step", func() bool { return h.Pending() == 4 })
	if _, text := f.ask(t, "POST", "/api/clock", `{"do":"run","speed":0.001}`); text != `{"virtual":true,"speed":0.001,"now_ms":150,"ended_steps":4}`+"\n" {
		t.Errorf("a speed is answered %s", text)
	}
	if text := next(t, left); text != `{"virtual":true,"speed":0.001,"now_ms":150,"ended_steps":4}`+"\n" {
		t.Errorf("steps that a speed ends are answered %s", text)
	}
}
