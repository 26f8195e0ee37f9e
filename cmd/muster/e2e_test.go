package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"muster/bench/swarm"
)

// binary is the program as it is built for users.
var binary string

// TestMain builds the binary, unless MUSTER in the environment names one that was built of the same tree.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "muster")
	if err != nil {
		panic(err)
	}
	binary = os.Getenv("MUSTER")
	if binary == "" {
		binary = filepath.Join(dir, "muster")
		build := exec.Command("go", append(append([]string{"build", "-buildvcs=false"}, buildFlags...), "-o", binary, ".")...)
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		err = build.Run()
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
	} else {
		begun := goleak.IgnoreCurrent() // what gnet keeps for itself is not ours
		code = m.Run()
		http.DefaultClient.CloseIdleConnections()
		if err := errors.Join(goleak.Find(begun), figures.publish()); err != nil && code == 0 {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// patience is how long the binary may take for anything; the machine may be slow, and busy with other things.
const patience = 4 * time.Minute

// A served is a running server.
type served struct {
	t                  *testing.T
	cmd                *exec.Cmd
	out                bytes.Buffer // to be read when it has ended
	auth, world, admin string
	socket             string // of ctl
	took               time.Duration

	mu    sync.Mutex
	err   bytes.Buffer
	ended chan error // one value when it has ended
}

// stderr is what it has logged so far.
func (s *served) stderr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err.String()
}

var socketLine = regexp.MustCompile(`socket=(\S+)`)

var readyLine = regexp.MustCompile(`msg=ready auth=(\S+) world=(\S+) admin=(\S+) took=(\S+)`)

// serve starts a server on free ports and waits until it is ready.
func serve(t *testing.T, args ...string) *served {
	t.Helper()
	all := append([]string{"serve", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, args...)
	s := &served{t: t, cmd: exec.Command(binary, all...), ended: make(chan error, 1)}
	s.wait(strings.Join(all, " "))
	return s
}

// wait starts a program that serves, and waits until it is ready.
func (s *served) wait(what string) {
	t := s.t
	t.Helper()
	s.cmd.Stdout = &s.out
	s.cmd.Env = slices.Concat(os.Environ(), s.cmd.Env, []string{"XDG_DATA_HOME=" + t.TempDir()})
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan []string, 1)
	go func() {
		begins := true // and the test does not read s.socket yet
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			s.mu.Lock()
			s.err.WriteString(lines.Text() + "\n")
			s.mu.Unlock()
			if m := socketLine.FindStringSubmatch(lines.Text()); m != nil && begins {
				s.socket = m[1]
			}
			if m := readyLine.FindStringSubmatch(lines.Text()); m != nil && !strings.HasPrefix(lines.Text(), "gateway ") { // of a cluster
				begins = false
				ready <- m
			}
		}
		s.ended <- s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		for range s.ended {
		}
		if t.Failed() {
			t.Logf("the server logged\n%s", s.stderr())
		}
	})
	select {
	case m := <-ready:
		s.auth, s.world, s.admin = m[1], m[2], m[3]
		if s.took, err = time.ParseDuration(m[4]); err != nil {
			t.Fatal(err)
		}
	case err := <-s.ended:
		t.Fatalf("%s ended with %v:\n%s", what, err, s.stderr())
	case <-time.After(patience):
		t.Fatalf("%s is not ready", what)
	}
}

// stop sends a signal n times and wants exit code 0.
func (s *served) stop(sig os.Signal, n int) {
	s.t.Helper()
	for range n {
		if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
			s.t.Fatal(err)
		}
	}
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("after %v: %v", sig, err)
		}
	case <-time.After(patience):
		s.t.Fatalf("still there after %v", sig)
	}
}

// execute runs the binary to its end.
func execute(t *testing.T, variables []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append(append(os.Environ(), "XDG_DATA_HOME="+t.TempDir()), variables...)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	failed := cmd.Run()
	if exit := new(exec.ExitError); failed != nil && !errors.As(failed, &exit) {
		t.Fatal(failed)
	}
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

func TestClientsComeWalkAndGo(t *testing.T) {
	waits(t)
	s := serve(t)
	const clients = 50
	// Each walks a step every half second, and all see each other: 50 * 2/s * 5 s * 49 relays, if the machine keeps up;
	// and a step or so of each even if it does not.
	least := int64(clients * (clients - 1))
	var r swarm.Report
	for range 3 { // of which one must not meet a machine that stands still
		code, stdout, stderr := execute(t, nil, "swarm", "--auth", s.auth, "--accounts", "WALKER", "--password", "muster",
			"--clients", fmt.Sprint(clients), "--behaviour", "walk", "--duration", "5s", "--strict", "--json", "-")
		if code != exitOK {
			t.Fatalf("swarm: exit code %d\n%s%s", code, stdout, stderr)
		}
		r = swarm.Report{}
		if err := json.Unmarshal([]byte(stdout), &r); err != nil {
			t.Fatalf("%v in\n%s", err, stdout)
		}
		if r.Movement.Count >= least {
			break
		}
	}
	if r.Logins.OK != clients || r.InWorld.Least != clients || r.InWorld.End != clients || r.Lost.Total != 0 {
		t.Errorf("logins %+v, in world %+v, lost %+v", r.Logins, r.InWorld, r.Lost)
	}
	if r.Violations.Total != 0 {
		t.Errorf("violations: %+v", r.Violations)
	}
	if r.Movement.Count < least {
		t.Errorf("%d relays were seen, want at least %d", r.Movement.Count, least)
	}
	s.stop(syscall.SIGTERM, 1)
	if !strings.Contains(s.stderr(), "msg=stopped") {
		t.Errorf("the end is not logged:\n%s", s.stderr())
	}
	for _, want := range []string{s.auth, s.world, s.admin, `password "muster"`, "64,473 creatures", "bin/muster swarm --auth " + s.auth} {
		if !strings.Contains(s.out.String(), want) {
			t.Errorf("the welcome does not say %q:\n%s", want, &s.out)
		}
	}
}

func TestSignals(t *testing.T) {
	for _, c := range []struct {
		sig   os.Signal
		times int
	}{{syscall.SIGTERM, 1}, {syscall.SIGTERM, 2}, {os.Interrupt, 1}, {os.Interrupt, 2}} {
		t.Run(fmt.Sprint(c.sig, c.times), func(t *testing.T) {
			s := serve(t, "--creatures", "100")
			s.stop(c.sig, c.times)
		})
	}
}

// A login in progress does not hold up the end.
func TestStopsWithClientsConnected(t *testing.T) {
	s := serve(t, "--creatures", "100")
	for _, address := range []string{s.auth, s.world} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	s.stop(syscall.SIGTERM, 1)
}

// A start takes less than a second of the processor, with the end after it: that is what it takes on a machine that has
// nothing else to do.
func TestReadyInUnderASecond(t *testing.T) {
	var took []time.Duration
	for range 5 { // of which one must not meet a busy machine
		s := serve(t)
		s.stop(syscall.SIGTERM, 1)
		cpu := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
		if took = append(took, min(s.took, cpu)); took[len(took)-1] < time.Second {
			return
		}
	}
	t.Errorf("ready after %v", took)
}

func TestLivez(t *testing.T) {
	s := serve(t, "--creatures", "0")
	client := &http.Client{Timeout: patience}
	r, err := client.Get("http://" + s.admin + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if body, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 || string(body) != "ok\n" {
		t.Errorf("%s %q %v", r.Status, body, err)
	}
}

func TestTakenPorts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, flag := range []string{"--auth", "--world", "--admin"} {
		args := []string{"serve", "--creatures", "0"}
		for _, f := range []string{"--auth", "--world", "--admin"} {
			address := "127.0.0.1:0"
			if f == flag {
				address = l.Addr().String()
			}
			args = append(args, f, address)
		}
		code, _, stderr := execute(t, nil, args...)
		if code != exitFailure || !strings.Contains(stderr, "address already in use") || !strings.Contains(stderr, l.Addr().String()) {
			t.Errorf("%s taken: exit code %d\n%s", flag, code, stderr)
		}
	}
}

func TestRefusedCommandLines(t *testing.T) {
	file := write(t, "Tick = 50ms\nTock = 1\n")
	for _, c := range []struct {
		variables []string
		args      string
		want      string
	}{
		{nil, "serve --config " + file, "muster: error: config: " + file + ":2: Tock: no such setting\n"},
		{[]string{"MUSTER_CONFIG=" + file}, "serve", "muster: error: config: " + file + ":2: Tock: no such setting\n"},
		{[]string{"MUSTER_TOCK=1"}, "serve", "muster: error: config: MUSTER_TOCK: no such setting\n"},
		{nil, "serve --tock 1", "muster: error: unknown flag --tock"},
		{nil, "serve --auth 192.0.2.1:0 --open-accounts x", "it needs --open-accounts-anywhere as well\n"},
		{nil, "swarm --behaviour dance", "want idle, walk, crowd, roam, grind or trade\n"},
		{nil, "dance", "muster: error: unexpected argument dance\n"},
	} {
		code, stdout, stderr := execute(t, c.variables, strings.Fields(c.args)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d, %q, want %q", c.args, code, stderr, c.want)
		}
	}
}

func TestSettingsAreLogged(t *testing.T) {
	file := write(t, "Seed = 7\nCreatures = 100\n")
	t.Setenv("MUSTER_REALM_NAME", "from the environment")
	s := serve(t, "--config", file)
	s.stop(syscall.SIGTERM, 1)
	for _, want := range []string{
		"msg=setting key=Seed value=7 from=" + file + ":1\n",
		"msg=setting key=Creatures value=100 from=" + file + ":2\n",
		"msg=setting key=RealmName value=\"from the environment\" from=MUSTER_REALM_NAME\n",
	} {
		if !strings.Contains(s.stderr(), want) {
			t.Errorf("the log lacks %q:\n%s", want, s.stderr())
		}
	}
	if !strings.Contains(s.out.String(), `realm "from the environment"`) {
		t.Errorf("the welcome is\n%s", &s.out)
	}
}

func TestWhoIsLetIn(t *testing.T) {
	waits(t)
	try := func(s *served, password string) int {
		code, _, _ := execute(t, nil, "swarm", "--auth", s.auth, "--accounts", "GUEST", "--password", password,
			"--clients", "2", "--duration", "500ms")
		return code
	}
	s := serve(t, "--creatures", "100")
	if got := try(s, "wrong"); got != exitFailure {
		t.Errorf("a wrong password: exit code %d", got)
	}
	if got := try(s, "muster"); got != exitOK {
		t.Errorf("the default password: exit code %d", got)
	}
	s = serve(t, "--creatures", "100", "--open-accounts", "other")
	if got := try(s, "muster"); got != exitFailure {
		t.Errorf("the default password, where there is another: exit code %d", got)
	}
	if got := try(s, "other"); got != exitOK {
		t.Errorf("another password: exit code %d", got)
	}
	s = serve(t, "--creatures", "100", "--open-accounts", "")
	if got := try(s, "muster"); got != exitFailure {
		t.Errorf("no open accounts: exit code %d", got)
	}
	s.stop(syscall.SIGTERM, 1)
	if !strings.Contains(s.out.String(), "those that muster account create makes") {
		t.Errorf("the welcome is\n%s", &s.out)
	}
}

func TestVersion(t *testing.T) {
	code, stdout, _ := execute(t, nil, "version")
	if !regexp.MustCompile(`^muster \S+.*\ngo1\.\S+ \w+/\w+( GOAMD64=v\d)?\n$`).MatchString(stdout) || code != exitOK {
		t.Errorf("exit code %d, %q", code, stdout)
	}
}
