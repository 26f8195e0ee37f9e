package mustertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// asked is a client that leaves no connection behind.
var asked = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// Step takes steps of the worlds on a virtual clock, and returns when players have been sent what is due.
func (s *Server) Step(n int) { s.t.Helper(); s.turn(map[string]any{"do": "step", "steps": n}) }

// StepUntil takes as many steps as it takes for the worlds to have been stepped for a time since the start.
func (s *Server) StepUntil(d time.Duration) {
	s.t.Helper()
	s.turn(map[string]any{"do": "until", "until_ms": d.Milliseconds()})
}

// RunClock lets a virtual clock run, so many times as fast as that of the machine.
func (s *Server) RunClock(speed float64) {
	s.t.Helper()
	s.turn(map[string]any{"do": "run", "speed": speed})
}

// StopClock stops a virtual clock.
func (s *Server) StopClock() { s.t.Helper(); s.turn(map[string]any{"do": "pause"}) }

func (s *Server) turn(order map[string]any) {
	s.t.Helper()
	if err := s.Call("POST", "/api/clock", order, nil); err != nil {
		s.t.Fatal(err)
	}
}

// A StatusError is the answer to a request that was refused.
type StatusError struct {
	Method, Path string
	Status       int
	Text         string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("mustertest: %s %s: %d %s", e.Method, e.Path, e.Status, e.Text)
}

// Call sends a request to the admin address, with the token, and reads the answer: JSON into a value, or the bytes of it into a
// *[]byte; nil drops it. The body is sent as JSON unless it is nil. An answer of another status than 2xx is a *StatusError. It waits for
// a minute at most.
func (s *Server) Call(method, path string, body, into any) error {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	return s.call(ctx, method, path, body, into)
}

// call is Call with a context.
func (s *Server) call(ctx context.Context, method, path string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return fmt.Errorf("mustertest: %w", err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.Admin+path, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("mustertest: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := asked.Do(r)
	if err != nil {
		return fmt.Errorf("mustertest: %w", err)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("mustertest: %w", err)
	}
	if response.StatusCode/100 != 2 {
		return &StatusError{method, path, response.StatusCode, strings.TrimSpace(string(all))}
	}
	switch into := into.(type) {
	case nil:
		return nil
	case *[]byte:
		*into = all
		return nil
	}
	if err := json.Unmarshal(all, into); err != nil {
		return fmt.Errorf("mustertest: %s %s: %w", method, path, err)
	}
	return nil
}
