//go:build linux

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// role is an environment variable that makes the test binary the program, or what the program runs.
const role = "HOSTILE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "program":
		os.Setenv(role, "victim")
		main()
	case "victim":
		if strings.HasPrefix(os.Args[1], "-") { // the program has started itself
			main()
		}
		victims[os.Args[1]]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// victims are what is run under conditions, by their first argument. What they find they print.
var victims = map[string]func(){
	"calls": func() { fmt.Println(calls()) },
	"parent": func() { // of one that looks
		cmd := exec.Command(os.Args[0], "calls")
		cmd.Stdout = os.Stdout
		if err := cmd.Run(); err != nil {
			fmt.Println(err)
		}
	},
	"files": func() {
		var l unix.Rlimit
		err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l)
		fmt.Println(l.Max, err)
	},
	"user": func() { fmt.Println(os.Getuid() != 0, os.Geteuid() != 0, os.Getgid() != 0) },
	"held": func() { // until its standard input ends
		fmt.Println(os.Getpid())
		io.Copy(io.Discard, os.Stdin)
	},
	"spinners": func() { // as many processes of the parent's as never sleep
		n := 0
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, name := range lines {
			text, _ := os.ReadFile(name)
			stat, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "stat"))
			_, after, _ := strings.Cut(string(stat), ") ")
			if f := strings.Fields(after); strings.HasSuffix(string(text), "\x00-spinner\x00") && f[1] == fmt.Sprint(os.Getppid()) {
				n++
			}
		}
		fmt.Println(n == runtime.NumCPU(), n > 0)
	},
	"code":   func() { os.Exit(7) },
	"killed": func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} },
}

// calls are the answers to what can be refused: a counter and a ring with nothing said of them, which no kernel gives, and
// sockets of IPv6 and of IPv4.
func calls() string {
	_, _, perf := syscall.Syscall6(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0, 0, 0, 0)
	_, _, ring := syscall.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
	_, six := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM, 0)
	_, four := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	return fmt.Sprint([]any{perf, ring, six, four})
}

// program runs the program with arguments to its end.
func program(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), role+"=program")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), strings.TrimSpace(out.String()), strings.TrimSpace(said.String())
}

func TestConditions(t *testing.T) {
	self := reachable(t)
	const refused = "[no such file or directory operation not permitted address family not supported by protocol <nil>]"
	for _, c := range []struct{ flags, victim, finds, says string }{
		{"-no perf,io_uring,ipv6", "calls", refused, "no perf, io_uring, ipv6"},
		{"-no perf,io_uring,ipv6", "parent", refused, "no perf, io_uring, ipv6"},
		{"-files 64", "calls", calls(), "64 open files"},
		{"-files 64", "files", "64 <nil>", "64 open files"},
		{"-unprivileged", "user", "true true true", "as "},
		{"-unprivileged -no perf,io_uring,ipv6", "calls", refused, "as "},
		{"-spin", "spinners", "true true", "processes that never sleep"},
	} {
		args := append(strings.Fields(c.flags), "--", self, c.victim)
		code, out, said := program(t, args...)
		if code != 0 || out != c.finds || !strings.HasPrefix(said, "hostile: ") || !strings.Contains(said, c.says) {
			t.Errorf("%s: exit code %d, %s finds %q, want %q, and it says %q", c.flags, code, c.victim, out, c.finds, said)
		}
	}
}

// reachable is a copy of this program in a place that every user may run it from.
func reachable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "victim")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(name, self, 0o755)); err != nil {
		t.Fatal(err)
	}
	return name
}

// held starts the program with a command that goes on until it is let go, and returns the process of that.
func held(t *testing.T, flags ...string) (cmd *exec.Cmd, in io.Closer, pid string) {
	t.Helper()
	cmd = exec.Command(os.Args[0], append(flags, "--", reachable(t), "held")...)
	cmd.Env = append(os.Environ(), role+"=program")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	return cmd, in, pid
}

// state is the letter by which the kernel says what a process does: T if it is stopped, Z or none if it has ended.
//
// Source: proc_pid_stat(5).
func state(pid string) string {
	text, _ := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	_, after, _ := strings.Cut(string(text), ") ")
	letter, _, _ := strings.Cut(after, " ")
	return letter
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(2 * time.Minute); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			t.Fatalf("it never came to this: %s", what)
		}
	}
}

// Without cgroups a command is stopped and let go on, again and again.
func TestStopped(t *testing.T) {
	cmd, in, pid := held(t, "-cpu", "50", "-stop")
	for range 3 {
		eventually(t, "it is stopped", func() bool { return state(pid) == "T" })
		eventually(t, "it goes on", func() bool { return state(pid) == "S" || state(pid) == "R" })
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// Nothing that was started outlives the program.
func TestKilled(t *testing.T) {
	cmd, _, pid := held(t, "-unprivileged", "-no", "perf")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the command has ended", func() bool { return state(pid) == "" || state(pid) == "Z" })
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args string
		want int
		says string
	}{
		{"-no perf -- SELF code", 7, ""},
		{"-cpu 50 -stop -- SELF code", 7, ""},
		{"-no perf -- SELF killed", 128 + 9, ""},
		{"-- muster-is-no-command", exitMissing, "executable file not found"},
		{"-files 64", exitUsage, "there is no command"},
		{"-no disk -- SELF code", exitUsage, "want some of io_uring,ipv6,perf"},
		{"-cpu 0 -no perf -- SELF calls", 0, "no perf"},
		{"-cpu 101 -- SELF code", exitUsage, "from 1 to 99"},
	} {
		code, _, said := program(t, strings.Fields(strings.ReplaceAll(c.args, "SELF", os.Args[0]))...)
		if code != c.want || !strings.Contains(said, c.says) {
			t.Errorf("%s: exit code %d, want %d, and it says %q", c.args, code, c.want, said)
		}
	}
}

// A group is made of files, which a folder can stand for: a half of the processors is so many microseconds of the 100,000.
func TestGroup(t *testing.T) {
	want := fmt.Sprint(50_000 * runtime.NumCPU())
	for _, c := range []struct {
		version           int
		file, wants, says string
	}{
		{1, "cpu.cfs_quota_us", want, "cgroup version 1"},
		{2, "cpu.max", want + " 100000", "cgroup version 2"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := newGroup([]hierarchy{{1, filepath.Join(dir, "is not there")}, {c.version, dir}}, 50)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(g.dir, c.file))
		if err != nil || string(text) != c.wants || g.String() != c.says || filepath.Dir(g.procs()) != g.dir {
			t.Errorf("%s has %q, %v, want %q; it is %s", c.file, text, err, c.wants, g)
		}
	}
	if _, err := newGroup(nil, 50); err == nil {
		t.Error("a group in no hierarchy")
	}
}

// Where this machine has a hierarchy that may be written, a process is in a group with its share, and the group is gone
// after it. Elsewhere it is stopped by signals, and the program says so.
func TestShare(t *testing.T) {
	code, out, said := program(t, "-cpu", "25", "--", "cat", "/proc/self/cgroup")
	if code != 0 || !strings.Contains(said, "by cgroup version") && !strings.Contains(said, "stopped by signals for 75 %") {
		t.Fatalf("exit code %d, it says %q", code, said)
	}
	if in := strings.Contains(out, "/hostile"); in != strings.Contains(said, "by cgroup version") {
		t.Errorf("it says %q, and the process is in %q", said, out)
	}
	_, name, _ := strings.Cut(out, "/hostile")
	name, _, _ = strings.Cut("hostile"+name, "\n")
	for _, h := range hierarchies(false) {
		if _, err := os.Stat(filepath.Join(h.dir, name)); err == nil && name != "hostile" {
			t.Errorf("%s is left in %s", name, h.dir)
		}
	}
}

// What a process needs that becomes the command is in its flags.
func TestFlags(t *testing.T) {
	c := conditions{no: refusals{"perf", "ipv6"}, files: 3, unprivileged: true, percent: 50, stop: true, spin: true, join: "procs"}
	var got conditions
	set := flag.NewFlagSet("", flag.ContinueOnError)
	got.define(set)
	if err := set.Parse(c.flags()); err != nil {
		t.Fatal(err)
	}
	want := conditions{no: c.no, files: 3, unprivileged: true, join: "procs"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q are %+v, want %+v", c.flags(), got, want)
	}
}
