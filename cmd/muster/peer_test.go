package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/peer"
	"muster/bench/swarm"
)

// standIn is a server of ours that stands in for another.
func standIn(t *testing.T) *served {
	t.Helper()
	return serve(t, "--ephemeral", "--start", "one", "--creatures", "100", "--tick", "50ms", "--phases", "2")
}

// against are the arguments of bench peer against a server.
func (s *served) against(dir string, flags ...string) []string {
	return append([]string{"bench", "peer", "--auth", s.auth, "--pid", strconv.Itoa(s.cmd.Process.Pid), "--accounts", "peer", "--name", "Stand-in",
		"--repetitions", "1", "--duration", "1s", "--serve-flags", "--creatures 100 --tick 20ms --phases 1", "--out", dir}, flags...)
}

// compared reads the report in a folder, and holds its files to each other and to the exit code.
func compared(t *testing.T, dir string, code int, stdout, stderr string) *peer.Report {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, peer.JSONFile))
	if err != nil {
		t.Fatalf("%v; exit code %d\n%s%s", err, code, stdout, stderr)
	}
	var r peer.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	void, want, says := 0, exitOK, ""
	for _, row := range r.Rows {
		if row.Void != "" {
			void++
		}
	}
	if void > 0 {
		want, says = exitFailure, fmt.Sprintf("muster: error: peer: void: %d of %d rows\n", void, len(r.Rows))
	}
	if code != want || stderr != says {
		t.Errorf("exit code %d, %q, want %d, %q", code, stderr, want, says)
	}
	markdown, err := os.ReadFile(filepath.Join(dir, peer.MarkdownFile))
	if err != nil || !strings.HasPrefix(string(markdown), "# Stand-in beside muster\n") || !strings.Contains(stdout, string(markdown)) ||
		strings.Count(string(markdown), ", **void** |") != 2*void {
		t.Errorf("%v, %d rows are void in\n%s\nprinted:\n%s", err, void, markdown, stdout)
	}
	for _, name := range []string{peer.LatencyFile, peer.ProcessorFile} {
		svg, err := os.ReadFile(filepath.Join(dir, name))
		if good := void < len(r.Rows); good != (err == nil) {
			t.Errorf("%s: %v, %d of %d rows are void", name, err, void, len(r.Rows))
		}
		for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
			if _, err := d.Token(); err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
		}
	}
	return &r
}

// Both servers are loaded, in turn, by as many clients, all with new characters, and what is reported is of the right
// processes. Whether the rows are void is not asked: runs so short may differ by anything.
func TestBenchPeer(t *testing.T) {
	waits(t)
	s := standIn(t)
	dir := filepath.Join(t.TempDir(), "out")
	user, system, err := swarm.ProcessorTimes(s.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	before := user + system
	code, stdout, stderr := execute(t, nil, s.against(dir, "--clients", "10,5")...)
	if user, system, err = swarm.ProcessorTimes(s.cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	r := compared(t, dir, code, stdout, stderr)
	if len(r.Rows) != 2 || r.Rows[0].Clients != 5 || r.Rows[1].Clients != 10 {
		t.Errorf("rows %+v", r.Rows)
	}
	if want := []peer.Process{{PID: s.cmd.Process.Pid, Name: filepath.Base(binary)}}; !reflect.DeepEqual(r.Processes, want) || r.Auth != s.auth {
		t.Errorf("the peer is %+v at %s", r.Processes, r.Auth)
	}
	var turns []peer.Turn
	var taken time.Duration // by the stand-in
	for _, run := range r.Runs {
		turns = append(turns, run.Turn)
		n := float64(run.Clients)
		// All see each other, and each walks: some packets come to each from each other.
		if run.Packets < n*(n-1) || run.Bytes < 10*run.Packets || run.Violations != 0 || run.Failures != 0 || run.Verified != run.Clients {
			t.Errorf("%+v", run)
		}
		for name, v := range map[string]float64{
			"processor": run.Processor, "memory": run.Memory, "login": run.LoginP50, "movement": run.MovementP50,
		} {
			if !(v > 0) {
				t.Errorf("%d clients, %s: %s is %v", run.Clients, run.Side, name, v)
			}
		}
		if run.LoginP99 < run.LoginP50 || run.MovementP99 < run.MovementP50 || run.PingP99 < run.PingP50 || run.Memory > 2000 {
			t.Errorf("%d clients, %s: %+v", run.Clients, run.Side, run.Figures)
		}
		if run.Side == peer.Peer {
			taken += time.Duration(run.Processor / 100 * float64(time.Second)) // it is measured for a second or more
		}
		if (run.PeerIdle > 0) != (run.Side == peer.Muster) {
			t.Errorf("%d clients, %s: the peer took %v %% without clients", run.Clients, run.Side, run.PeerIdle)
		}
	}
	if want := peer.Turns([]int{5, 10}, 1); !reflect.DeepEqual(turns, want) {
		t.Errorf("runs %v, want %v", turns, want)
	}
	// 20 ms are what is cut from times that were read before.
	if all := user + system - before; taken <= 0 || taken > all+40*time.Millisecond {
		t.Errorf("%v were taken in the measured time, %v in all", taken, all)
	}
	// One client tries, then come five and ten; as many come to the other server.
	for _, opcode := range []string{"CMSG_CHAR_CREATE", "CMSG_PLAYER_LOGIN"} {
		if n := s.received(opcode); n != 1+5+10 {
			t.Errorf("the peer received %d %s, want 16", n, opcode)
		}
	}
	s.stop(syscall.SIGTERM, 1)
}

// received is how many packets of an opcode the server has received.
func (s *served) received(opcode string) int {
	s.t.Helper()
	_, metrics := s.ask("/metrics", "")
	m := regexp.MustCompile(`(?m)^muster_packets_total\{dir="in",opcode="` + opcode + `",realm="muster",role="serve"\} (\d+)$`).FindStringSubmatch(metrics)
	if m == nil {
		s.t.Fatalf("no %s in\n%s", opcode, metrics)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// Where others walk about in the world of the peer its clients receive more, and the row is void.
func TestBenchPeerIsVoid(t *testing.T) {
	waits(t)
	s := standIn(t)
	const others = 10
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := swarm.Run(ctx, swarm.Config{Auth: s.auth, Prefix: "OTHER", Password: "muster", Clients: others, Duration: time.Hour, Login: 2 * patience})
		gone <- err
	}()
	eventually(t, "the others are in the world", func() bool { return s.stats().World >= others })
	dir := t.TempDir()
	code, stdout, stderr := execute(t, nil, s.against(dir, "--clients", "5")...)
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r := compared(t, dir, code, stdout, stderr)
	if len(r.Rows) != 1 || !strings.HasPrefix(r.Rows[0].Void, "packets per second differ by ") || r.Rows[0].Peer.Median.Packets < r.Rows[0].Muster.Median.Packets {
		t.Errorf("rows %+v", r.Rows)
	}
}

// What cannot be compared is refused in seconds, before all clients log in.
func TestBenchPeerRefuses(t *testing.T) {
	waits(t)
	s := standIn(t)
	sleeps := exec.Command("sleep", "1h")
	if err := sleeps.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		sleeps.Process.Kill()
		sleeps.Wait()
	}()
	pid := strconv.Itoa(sleeps.Process.Pid)
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"--clients 5,0", exitUsage, "--clients are numbers from 1"},
		{"--clients 5,5", exitUsage, "each once"},
		{"--repetitions 0", exitUsage, "--repetitions is at least 1"},
		{"--duration 0s", exitUsage, "--duration is more than nothing"},
		{"--behaviour grind", exitUsage, "--behaviour grind depends on the creatures"},
		{"--pid 999999999", exitFailure, "process 999999999 is not there"},
		{"--pid " + fmt.Sprint(s.cmd.Process.Pid), exitFailure, "is given twice"},
		{"--pid " + pid, exitFailure, "process " + pid + " took no processor time while a client was in the world"},
		{"--auth 127.0.0.1:1", exitFailure, "login at 127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused"},
		{"--password other --clients 7,3", exitFailure, "does not know the account PEER7, or it has another password: 7 clients need accounts PEER1 to PEER7 there"},
		{"--accounts abcdefghijklmno --clients 10", exitFailure, "account name ABCDEFGHIJKLMNO10 is longer than 16 bytes"},
		{"--clients 1 --serve-flags --nonsense", exitFailure, "muster: error: unknown flag --nonsense"},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		code, stdout, stderr := execute(t, nil, s.against(dir, strings.Fields(c.flags)...)...)
		if code != c.code || stdout != "" || !strings.Contains(strings.Join(strings.Fields(stderr), " "), c.want) {
			t.Errorf("%s: exit code %d, %q, %q, want %q", c.flags, code, stdout, stderr, c.want)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: there is a report", c.flags)
		}
	}
	// Of accounts that another refuses, none is made; of those that were tried, one each.
	if n := s.received("CMSG_PLAYER_LOGIN"); n != 2 {
		t.Errorf("%d clients came, want 2", n)
	}
}

// One server runs at a time, and the swarm beside it watches the processes of that one. An interrupt ends the run, the
// swarm and the muster that was started, and leaves the peer alone.
func TestBenchPeerIsInterrupted(t *testing.T) {
	waits(t)
	s := standIn(t)
	cmd := exec.Command(binary, s.against(t.TempDir(), "--clients", "3", "--duration", "1h")...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer cmd.Process.Kill()
	// What is seen here are the trials: the runs after them have no end.
	var peers, ours swarming
	eventually(t, "a swarm is at the peer", func() bool {
		peers = swarmOf(cmd.Process.Pid)
		return peers.auth == s.auth
	})
	if want := (swarming{s.auth, strconv.Itoa(s.cmd.Process.Pid), true, nil}); !reflect.DeepEqual(peers, want) {
		t.Errorf("at the peer: %+v, want %+v", peers, want)
	}
	eventually(t, "a swarm is at the muster", func() bool {
		ours = swarmOf(cmd.Process.Pid)
		return ours.auth != "" && ours.auth != s.auth
	})
	if len(ours.beside) != 1 || ours.pid != strconv.Itoa(ours.beside[0]) || !ours.fresh {
		t.Errorf("at the muster: %+v", ours)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if code := cmd.ProcessState.ExitCode(); code != exitFailure {
			t.Errorf("exit code %d, %v", code, err)
		}
	case <-time.After(patience):
		t.Fatal("still there after an interrupt")
	}
	for _, pid := range ours.beside {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("the muster %d is still there: %v", pid, err)
		}
	}
	s.stop(syscall.SIGTERM, 1)
}

// A swarming is a swarm that a process has started, by its flags, and the servers that it has started, too.
type swarming struct {
	auth, pid string
	fresh     bool
	beside    []int
}

// swarmOf is the swarm of a process; it has no address if there is none.
func swarmOf(parent int) (s swarming) {
	s.beside = offspring(parent, "serve")
	for _, pid := range offspring(parent, "swarm") {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		words := strings.Split(string(line), "\x00")
		for i, word := range words {
			switch word {
			case "--auth":
				s.auth = words[i+1]
			case "--pid":
				s.pid = words[i+1]
			case "--fresh":
				s.fresh = true
			}
		}
	}
	return s
}

// offspring are the children of a process that run a verb.
//
// Source: proc_pid_stat(5), field 4; proc_pid_cmdline(5).
func offspring(parent int, verb string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		line, err := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if err != nil || len(fields) < 2 || fields[1] != strconv.Itoa(parent) || !strings.Contains(string(line), "\x00"+verb+"\x00") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
