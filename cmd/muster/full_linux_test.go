package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"muster/internal/pgtest"
	"muster/loaders/store/sqlite"
	"muster/net/login"
	"muster/net/protocol/msg"
)

// maxFile bounds the files that a process may write, as from now on; 0 takes every byte from it, as a full disk does.
//
// Source: prlimit(2); a write beyond RLIMIT_FSIZE is EFBIG, as Go programs do not die of SIGXFSZ.
func maxFile(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	const fileSize = 1 // RLIMIT_FSIZE
	limit := syscall.Rlimit{Cur: bytes, Max: ^uint64(0)}
	_, _, err := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), fileSize, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if err != 0 {
		t.Fatal(err)
	}
}

// TestFullDisk is fault row 24 as far as the disk goes: nothing can be written any more, under a full server. Play
// goes on, a client that wants to log in is refused, the log says so once; and when there is room again all of it
// is on the disk, also if the server is killed then.
func TestFullDisk(t *testing.T) {
	k := keeps(t, pgtest.New(t))["sqlite"]
	k.t = t
	k.flags = append(k.flags, "--open-level", "3")
	s := k.serve()
	v := visit(t, s, "VISITOR")
	v.create("Visitor")
	from := v.enter()
	v.orders(msg.ChatSay, ".modify money 100")
	eventually(t, "all is kept", func() bool { c := s.condition().Journal; return c.Pending == 0 && !c.Degraded })

	maxFile(t, s.cmd.Process.Pid, 0)
	for i := range 3 {
		v.orders(msg.ChatSay, ".modify money 100")
		v.hears(fmt.Sprintf("Visitor has %d copper.", 100*(i+2)))
		v.move(beside(from, float32(i)/4)) // and is answered
		eventually(t, "the alarm", func() bool { return s.condition().Journal.Degraded })
	}
	stood := beside(from, 3)
	v.move(stood)
	late := &visitor{t: t, name: "LATE"}
	late.dial(s.auth)
	late.write(login.AppendChallenge(nil, "LATE"))
	challenge := reply(late, login.ParseChallengeReply)
	late.proves(challenge)
	if r := reply(late, login.ParseProofReply); r.Result != login.Busy {
		t.Errorf("a client that wants to log in is sent %#x, want %#x", r.Result, login.Busy)
	}
	late.socket.Close()
	if n := strings.Count(s.stderr(), "is not safe from a crash"); n != 1 {
		t.Errorf("%d alarms, want one", n)
	}

	maxFile(t, s.cmd.Process.Pid, ^uint64(0))
	eventually(t, "the store has all", func() bool { return s.condition().Journal.Pending == 0 })
	v.orders(msg.ChatSay, ".modify money 100") // which the journal takes again
	v.hears("Visitor has 500 copper.")
	eventually(t, "all is kept again", func() bool { c := s.condition().Journal; return c.Pending == 0 && !c.Degraded })
	if !strings.Contains(s.stderr(), "what players do is safe again") {
		t.Error("the end of the alarm is not logged")
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	c := k.character("VISITOR")
	if placeOf(c) != stood || c.MoneyCopper != 500 {
		t.Errorf("the visitor stood at %+v with 500 copper, and is found at %+v with %d", stood, placeOf(c), c.MoneyCopper)
	}
	if visit(t, k.serve(), "LATE"); t.Failed() {
		t.Error("after it a server is not as before")
	}
}

// TestNothingCanBeWritten has a server begin where nothing can be written: it says so in a line, and ends.
func TestNothingCanBeWritten(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -f 0; exec "$0" serve --auth 127.0.0.1:0 --world 127.0.0.1:0 --admin 127.0.0.1:0 --data "$1"`,
		binary, t.TempDir())
	cmd.Env = os.Environ()
	said, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	last := lines[len(lines)-1]
	if cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(last, "muster: error: ") || !strings.Contains(last, sqlite.File) {
		t.Errorf("%v:\n%s", err, said)
	}
}
