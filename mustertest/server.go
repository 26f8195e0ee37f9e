package mustertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a server, or a packet, may take; the machine may be slow, and busy with other things.
const patience = time.Minute

// maxLog bounds what is kept of the log, in bytes: the last of it.
const maxLog = 1 << 20

// A Server is a running server. Its fields are for reading. Methods that fail end the test.
type Server struct {
	Auth, World, Admin string // addresses for logins, players, and HTTP
	Socket             string // of muster ctl
	Token              string // of the admin address
	Version            string
	PID                int

	t       testing.TB
	options options
	binary  string
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the process has ended and failure is set
	failure error

	mu     sync.Mutex
	log    []byte
	errors []string // lines that fail the test
}

// start starts the process, and has it end with the test.
func (s *Server) start(file string) {
	s.t.Helper()
	args := []string{
		"serve", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--ephemeral",
		"--open-accounts", "", "--log-format", "json", "--ready-file", file,
	}
	s.cmd = exec.Command(s.binary, append(args, s.options.flags...)...)
	s.cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MUSTER_") }),
		"MUSTER_ADMIN_TOKEN="+s.Token) // what is in the arguments of a process, others can see
	dieWithParent(s.cmd)
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.run(stderr)
	}
	if err != nil {
		s.t.Fatalf("mustertest: %v", err)
	}
	s.t.Cleanup(s.end)
	if err := s.ready(file); err != nil {
		s.t.Fatalf("mustertest: %v\n%s", err, s.Log())
	}
}

// run starts the process and follows it, on a thread that lasts as long as the process does: dieWithParent needs that.
func (s *Server) run(stderr io.Reader) error {
	started := make(chan error)
	go func() {
		defer lockThread()()
		err := s.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		for lines := bufio.NewReader(stderr); ; {
			line, err := lines.ReadBytes('\n')
			s.note(line)
			if err != nil {
				break
			}
		}
		s.failure = s.cmd.Wait()
		close(s.ended)
	}()
	return <-started
}

// note keeps a line of the log.
func (s *Server) note(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.log = append(s.log, line...); len(s.log) > maxLog {
		s.log = slices.Delete(s.log, 0, len(s.log)-maxLog/2)
	}
	var entry struct{ Level, Msg, Reason string }
	bad := json.Unmarshal(line, &entry) != nil && len(bytes.TrimSpace(line)) > 0 // as a panic is that ends the process
	bad = bad || entry.Level == "ERROR"
	if s.options.strict { // what was refused has a reason; that of Server.Reset is the test's own
		bad = bad || entry.Level == "WARN" && !isLate(entry.Msg) || entry.Reason != "" && entry.Reason != "closed.reset"
	}
	if !bad || len(s.errors) >= 100 {
		return
	}
	if !slices.ContainsFunc(s.options.tolerated, func(part string) bool { return strings.Contains(string(line), part) }) {
		s.errors = append(s.errors, string(line))
	}
}

// isLate reports whether a warning is about a tick that took too long or came late: on a busy machine any does. One that does not end is no such tick.
func isLate(msg string) bool {
	return msg == "tick took too long" || strings.HasPrefix(msg, "ticks skipped: ") ||
		strings.HasPrefix(msg, "flight: Tick ") && !strings.Contains(msg, "and has not ended")
}

// Log is what the server has logged so far, the last megabyte of it.
func (s *Server) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.log)
}

// ready waits for the ready file, and takes over what it says.
func (s *Server) ready(file string) error {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	for {
		text, err := os.ReadFile(file)
		if err == nil {
			return json.Unmarshal(text, s)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		select {
		case <-poll.C:
		case <-s.ended:
			return fmt.Errorf("the server ended before it was ready: %v", s.failure)
		case <-late:
			return fmt.Errorf("the server is not ready after %v", patience)
		}
	}
}

// Stop ends the server before the test does, in good order. It can be called more than once.
func (s *Server) Stop() {
	s.t.Helper()
	s.cmd.Process.Signal(syscall.SIGTERM) // fails if it has ended
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.t.Errorf("mustertest: the server has not ended %v after SIGTERM", patience)
		s.cmd.Process.Kill()
		<-s.ended
	}
}

// end ends the server, and fails the test for what it has logged.
func (s *Server) end() {
	s.t.Helper()
	s.Stop()
	if s.failure != nil {
		s.t.Errorf("mustertest: the server ended with %v", s.failure)
	}
	for _, line := range s.errors {
		s.t.Errorf("mustertest: the server logged %s", line)
	}
	if s.t.Failed() {
		s.t.Logf("the server logged\n%s", s.Log())
	}
}

// Run runs a verb of the binary to its end, as in Run("swarm", "--auth", server.Auth, "--clients", "5"), and returns what it
// printed. It ends the test if the verb fails.
func (s *Server) Run(words ...string) (stdout string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.binary, words...)
	var failed strings.Builder
	cmd.Stderr = &failed
	text, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("mustertest: muster %s: %v\n%s%s", strings.Join(words, " "), err, text, failed.String())
	}
	return string(text)
}

// Ctl executes a command of operators, as in Ctl("server", "info") or Ctl("#Anna", "levelup", "5"): docs/VERBS.md has them all.
func (s *Server) Ctl(words ...string) (said string) {
	s.t.Helper()
	return s.Run(append([]string{"ctl", "--socket", s.Socket}, words...)...)
}
