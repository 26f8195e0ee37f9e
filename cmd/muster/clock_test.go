package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"muster/bench/swarm"
	"muster/cmd/internal/adminclient"
	"muster/net/ops/admin"
	"muster/net/protocol/msg"
)

// A clockAnswer is what /api/clock answers, as docs/operating.md has it.
type clockAnswer struct {
	Virtual    bool    `json:"virtual"`
	Speed      float64 `json:"speed"`
	NowMs      int64   `json:"now_ms"`
	Steps      int     `json:"steps"`
	EndedSteps int     `json:"ended_steps"`
}

// turn sends an order to the clock.
func (s *served) turn(order string) (status int, text string) {
	client := &http.Client{Timeout: patience}
	r, err := client.Post("http://"+s.admin+"/api/clock", "application/json", strings.NewReader(order))
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close()
	b, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(b)
}

// turned sends an order that is to be obeyed.
func (s *served) turned(order string) (a clockAnswer) {
	s.t.Helper()
	status, text := s.turn(order)
	if status != http.StatusOK {
		s.t.Fatalf("%s is answered %d %s", order, status, text)
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		s.t.Fatalf("%s is answered %s: %v", order, text, err)
	}
	return a
}

// Twenty clients walk while their world goes on by 50 times ten steps at the same time, by an hour at once, and by minutes
// at a thousand times the speed. Each answer has the time that was asked for, and no client is lost or sees a rule broken.
func TestFastForward(t *testing.T) {
	waits(t)
	const clients = 20
	s := serve(t, "--ephemeral", "--clock", "virtual", "--creatures", "2000", "--start", "one")
	if a := s.turned(`{"do":"run","speed":1}`); a != (clockAnswer{Virtual: true, Speed: 1, NowMs: a.NowMs}) {
		t.Errorf("the clock runs as %+v", a)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan swarm.Report, 1)
	go func() {
		r, _ := swarm.Run(ctx, swarm.Config{
			Auth: s.auth, Prefix: "FAST", Password: defaultPassword, Clients: clients, Duration: 2 * patience, Seed: 1, Login: patience,
		})
		ended <- r
	}()
	eventually(t, "all are in the world", func() bool { return s.stats().World == clients })

	began := s.turned(`{"do":"pause"}`)
	if began.Speed != 0 || began.Steps != 0 {
		t.Errorf("the clock stands as %+v", began)
	}
	var orders sync.WaitGroup
	for range 50 {
		orders.Go(func() {
			if status, text := s.turn(`{"do":"step","steps":10}`); status != http.StatusOK || strings.Contains(text, "ended") {
				t.Errorf("ten steps are answered %d %s", status, text)
			}
		})
	}
	orders.Wait()
	at := began.NowMs + 25_000
	if a := s.turned(fmt.Sprintf(`{"do":"until","until_ms":%d}`, at)); a.NowMs != at {
		t.Errorf("50 times ten steps end at %d ms after %d, want 25000", a.NowMs-began.NowMs, began.NowMs)
	}
	if status, text := s.turn(fmt.Sprintf(`{"do":"until","until_ms":%d}`, at-1)); status != http.StatusBadRequest || !strings.Contains(text, "is over") {
		t.Errorf("a time that is over is answered %d %s", status, text)
	}
	at += 3_600_000
	if a := s.turned(fmt.Sprintf(`{"do":"until","until_ms":%d}`, at)); a != (clockAnswer{Virtual: true, NowMs: at}) {
		t.Errorf("an hour later the clock is %+v, want it at %d", a, at)
	}
	if n := s.stats().World; n != clients {
		t.Errorf("%d clients of %d are in the world after an hour", n, clients)
	}
	s.turned(`{"do":"run","speed":1000}`)
	eventually(t, "ten minutes at a thousand times the speed", func() bool {
		var a clockAnswer
		r, err := http.Get("http://" + s.admin + "/api/clock")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		return json.NewDecoder(r.Body).Decode(&a) == nil && a.NowMs > at+600_000
	})
	s.turned(`{"do":"pause"}`)

	var maps []admin.Map
	ask := adminclient.Client{Base: "http://" + s.admin, HTTP: &http.Client{Timeout: patience}}
	if err := ask.Read(t.Context(), "/api/maps", &maps); err != nil {
		t.Fatal(err)
	}
	for _, m := range maps {
		if m.Resting != (m.Players == 0) || m.Players != 0 && m.Players != clients {
			t.Errorf("map %d has %d players, resting: %v", m.ID, m.Players, m.Resting)
		}
	}
	for name, n := range s.condition().Counters {
		if n > 0 && (strings.HasPrefix(name, "closed.") || strings.HasPrefix(name, "anticheat_")) {
			t.Errorf("%s: %d", name, n)
		}
	}
	end()
	r := <-ended
	if r.Logins.OK != clients || r.InWorld.Least != clients || r.Lost.Total != 0 || r.Violations.Total != 0 {
		t.Errorf("logins %+v, in world %+v, lost %+v, violations %+v", r.Logins, r.InWorld, r.Lost, r.Violations)
	}
	s.stop(syscall.SIGTERM, 1)
}

// On a virtual clock movements that cannot be are refused and counted, and close no connection: --strikes does not hold.
func TestVirtualClockClosesNoMover(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--clock", "virtual", "--creatures", "0", "--strikes", "3")
	s.turned(`{"do":"run","speed":1}`)
	v := visit(t, s, "MOVER")
	v.create("Mover")
	v.move(v.enter())
	eventually(t, "the player is in the world", func() bool { return s.stats().World == 1 })
	nan := float32(math.NaN())
	for range 20 {
		v.say(msg.OpMoveHeartbeat, &msg.Move{Mover: v.guid, Movement: msg.Movement{X: nan}})
	}
	eventually(t, "all are refused", func() bool { return s.condition().Counters["anticheat_not_finite"] == 20 })
	s.turned(`{"do":"step","steps":20}`)
	bystander{v}.echo()
	if c := s.condition().Counters; c["anticheat_kicked"] != 0 || s.stats().World != 1 {
		t.Errorf("%d players are in the world, %d were to be closed", s.stats().World, c["anticheat_kicked"])
	}
}
