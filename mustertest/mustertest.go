// Package mustertest gives a test of bots a server of its own.
//
//	func TestGreeting(t *testing.T) {
//		server := mustertest.Start(t)
//		server.CreateAccount("ANNA", "secret")
//		anna := server.Login("ANNA", "secret")
//		…
//	}
//
// A server shares nothing with others: it takes free ports, keeps nothing, and asks for a token that only the test has. It ends
// with the test, which fails if the server has logged an error, such as a panic, if it did not end in good order, or if a client of
// this package was sent what breaks the protocol. docs/bots.md has complete tests.
package mustertest

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// An Option changes how a server starts.
type Option func(*options)

type options struct {
	flags     []string // of muster serve
	tolerated []string // parts of lines of the log
	strict    bool
}

// Flags adds flags of muster serve, as in Flags("--seed", "7", "--creatures", "0").
func Flags(flags ...string) Option {
	return func(o *options) { o.flags = append(o.flags, flags...) }
}

// VirtualClock has the worlds stand still until Server.Step, so that a test decides what time it is.
func VirtualClock() Option { return Flags("--clock", "virtual") }

// Strict fails the test for warnings in the log as well, but those about late ticks, which a busy machine causes, and for each packet that the
// server did not use and each connection that it closed: docs/REFUSALS.md has the reasons.
func Strict() Option { return func(o *options) { o.strict = true } }

// Tolerate lets the log have lines with a text that would fail the test.
func Tolerate(text string) Option {
	return func(o *options) { o.tolerated = append(o.tolerated, text) }
}

// Start starts a server and returns when it accepts connections. The binary is the one that MUSTER in the environment names, or it
// is built from the module of this package: then the go command must find muster/cmd/muster from the folder of the test.
func Start(t testing.TB, o ...Option) *Server {
	t.Helper()
	if os.Getenv("MUSTER") == "" {
		t.Logf("mustertest: muster/cmd/muster is built if it has changed, which takes a minute or more the first time; MUSTER=path names a binary")
	}
	path, err := binary()
	if err != nil {
		t.Fatalf("mustertest: %v", err)
	}
	return StartBinary(t, path, o...)
}

// StartBinary is Start with a binary that is there already.
func StartBinary(t testing.TB, path string, o ...Option) *Server {
	t.Helper()
	var chosen options
	for _, f := range o {
		f(&chosen)
	}
	s := &Server{t: t, options: chosen, binary: path, Token: rand.Text(), ended: make(chan struct{})}
	s.start(filepath.Join(t.TempDir(), "ready.json"))
	return s
}

// binary returns the binary that MUSTER names, or that of the module, in the cache of the go command.
var binary = sync.OnceValues(func() (path string, err error) {
	if path = os.Getenv("MUSTER"); path != "" {
		return path, nil
	}
	for range 2 { // the first run may build it in a folder that is gone with it; the second finds it in the cache
		run := exec.Command("go", "run", "-buildvcs=false", "-exec", "echo", "muster/cmd/muster")
		var stderr strings.Builder
		run.Stderr = &stderr
		text, err := run.Output()
		if err != nil {
			return "", &buildError{err, stderr.String()}
		}
		path = strings.TrimSpace(string(text))
		if _, err = os.Stat(path); err == nil {
			break
		}
	}
	return path, err
})

// A buildError is why there is no binary.
type buildError struct {
	err  error
	said string
}

func (e *buildError) Error() string {
	return "the server cannot be built (go get -tool muster/cmd/muster has its modules found; MUSTER=path names a binary): " +
		e.err.Error() + "\n" + e.said
}
func (e *buildError) Unwrap() error { return e.err }
