package mustertest

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"muster/internal/conformance"
)

// A failing is a test whose failures are looked at.
type failing struct {
	testing.TB
	said    []string
	cleanup []func()
}

func (f *failing) Helper()                  {}
func (f *failing) Logf(string, ...any)      {}
func (f *failing) Context() context.Context { return context.Background() }
func (f *failing) Cleanup(do func())        { f.cleanup = append(f.cleanup, do) }
func (f *failing) Failed() bool             { return len(f.said) > 0 }
func (f *failing) Errorf(format string, a ...any) {
	f.said = append(f.said, fmt.Sprintf(format, a...))
}

func (f *failing) Fatalf(format string, a ...any) {
	f.Errorf(format, a...)
	runtime.Goexit()
}

// try runs a test with what it has to clean up, and returns its failures.
func try(t *testing.T, test func(testing.TB)) []string {
	f := &failing{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, do := range slices.Backward(f.cleanup) {
				do()
			}
		}()
		test(f)
	}()
	<-done
	return f.said
}

// server makes a program that is ready like a server, and has logged a line and ends as it is told to.
func server(t *testing.T, line, end string) (path string) {
	script := `#!/bin/sh
while [ "$1" != --ready-file ]; do shift; done
echo '` + line + `' >&2
sleep 600 2>/dev/null &
trap 'kill $!; ` + end + `' TERM
echo '{"version": "v1", "pid": 7, "auth": "127.0.0.1:1"}' >"$2.part" && mv "$2.part" "$2"
wait
`
	path = filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFailures has what fails the test of a bot, and what does not.
func TestFailures(t *testing.T) {
	const refusal, reset = `{"level":"INFO","msg":"ignored","reason":"bad_body"}`, `{"level":"INFO","msg":"closed","reason":"closed.reset"}`
	const info, warning, failure = `{"level":"INFO","msg":"ready"}`, `{"level":"WARN","msg":"ignored"}`, `{"level":"ERROR","msg":"panic: the map is given up"}`
	const stuck = `{"level":"WARN","msg":"flight: Tick 7 of map 0 (Name) has been running for 1s, where 100ms are allowed, and has not ended. It is in movement."}`
	for _, c := range []struct {
		line, end string
		options   []Option
		want      string // "" for no failure
	}{
		{info, "exit 0", nil, ""},
		{info, "exit 3", nil, "the server ended with exit status 3"},
		{warning, "exit 0", nil, ""},
		{warning, "exit 0", []Option{Strict()}, "the server logged " + warning},
		{`{"level":"WARN","msg":"tick took too long","map":0}`, "exit 0", []Option{Strict()}, ""},
		{`{"level":"WARN","msg":"ticks skipped: nothing ran for a while","map":0}`, "exit 0", []Option{Strict()}, ""},
		{`{"level":"WARN","msg":"flight: Tick 7 of map 0 (Name) took 250ms, where 100ms are allowed."}`, "exit 0", []Option{Strict()}, ""},
		{stuck, "exit 0", []Option{Strict()}, "the server logged " + stuck},
		{refusal, "exit 0", nil, ""},
		{refusal, "exit 0", []Option{Strict()}, "the server logged " + refusal},
		{reset, "exit 0", []Option{Strict()}, ""},
		{failure, "exit 0", nil, "the server logged " + failure},
		{failure, "exit 0", []Option{Tolerate("given up")}, ""},
		{failure, "exit 0", []Option{Tolerate("other")}, "the server logged " + failure},
		{"panic: out of order", "exit 0", nil, "the server logged panic: out of order"},
	} {
		path := server(t, c.line, c.end)
		said := try(t, func(tb testing.TB) {
			s := StartBinary(tb, path, c.options...)
			if s.Auth != "127.0.0.1:1" || s.PID != 7 || s.Version != "v1" {
				tb.Errorf("its ready file is read as %+v", s)
			}
		})
		switch {
		case c.want == "" && len(said) > 0, c.want != "" && len(said) != 1:
			t.Errorf("%s, %s: %q, want %q", c.line, c.end, said, c.want)
		case c.want != "" && !strings.Contains(said[0], c.want):
			t.Errorf("%s, %s: %q, want %q", c.line, c.end, said[0], c.want)
		}
	}
	said := try(t, func(tb testing.TB) { StartBinary(tb, "/bin/false") })
	if len(said) == 0 || !strings.Contains(said[0], "ended before it was ready: exit status 1") {
		t.Errorf("a server that does not start: %q", said)
	}
}

// A client that is sent the end of an object that it does not know fails the test, once for each.
func TestViolationFails(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	go there.Write([]byte{0, 2 + 9, 0xAA, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0}) // SMSG_DESTROY_OBJECT, before there is a session
	said := try(t, func(tb testing.TB) {
		c := &Client{t: tb, socket: here, account: "ANNA", checker: conformance.New(conformance.Config{})}
		c.Read()
		c.Close()
	})
	if len(said) != 1 || !strings.Contains(said[0], "ANNA was sent what breaks the protocol: early: SMSG_DESTROY_OBJECT 0x0aa, 9 bytes") {
		t.Errorf("it said %q", said)
	}
}
