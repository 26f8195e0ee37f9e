package main

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/cmd/internal/realm"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/systems"
)

// What a process of this test binary runs: see TestProcess.
const (
	processVariable = "MUSTER_TEST_PROCESS"
	natsProcess     = "nats"  // a server of NATS, with the configuration file named by MUSTER_TEST_ARGUMENTS
	worldProcess    = "world" // muster serve with the flags of MUSTER_TEST_ARGUMENTS, which prints a hash of map 0 after each tick
	processArgs     = "MUSTER_TEST_ARGUMENTS"
)

// TestProcess is what a process that startProcess has started runs. In any other process it does nothing.
func TestProcess(t *testing.T) {
	what := os.Getenv(processVariable)
	if what == "" {
		return
	}
	go func() {
		io.Copy(io.Discard, os.Stdin) // which ends with the process that has started this one
		os.Exit(1)
	}()
	switch what {
	case natsProcess:
		runNATS(t, os.Getenv(processArgs))
	case worldProcess:
		runHashed(t, strings.Fields(os.Getenv(processArgs)))
	}
}

// startProcess starts TestProcess in a process of its own, and gives each line that it prints to print, until it has ended. What it logs is in
// the log of the test if that fails.
func startProcess(t *testing.T, what, args string, print func(line string)) *working {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &working{cmd: exec.Command(self, "-test.run", "^TestProcess$"), ended: make(chan error, 1)}
	w.cmd.Env = append(os.Environ(), processVariable+"="+what, processArgs+"="+args, "MUSTER="+binary)
	w.cmd.Stderr = &lockedLog{w: w}
	in, err := w.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			print(lines.Text())
		}
		err := w.cmd.Wait()
		in.Close()
		w.ended <- err
		close(w.ended)
	}()
	t.Cleanup(func() {
		w.cmd.Process.Kill()
		for range w.ended {
		}
	})
	return w
}

// endOf waits, with patience, until a process has ended, and returns how.
func endOf(t *testing.T, what string, ended <-chan error) (err error) {
	t.Helper()
	select {
	case err = <-ended:
	case <-time.After(patience):
		t.Fatalf("not within %v: %s ends", patience, what)
	}
	return err
}

// A lockedLog writes to the log of a process.
type lockedLog struct{ w *working }

func (l *lockedLog) Write(b []byte) (int, error) {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	return l.w.log.Write(b)
}

// runNATS runs a server of NATS until the process is killed.
func runNATS(t *testing.T, file string) {
	o, err := nats.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o.NoSigs = true
	s, err := nats.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.ConfigureLogger()
	s.Start()
	if !s.ReadyForConnections(patience) {
		t.Fatal("NATS is not ready")
	}
	fmt.Println("ready")
	s.WaitForShutdown()
}

// runHashed runs a server with its worlds as users do, and prints "ready AUTH" and, after each tick of map 0 that is published, "tick N HASH".
func runHashed(t *testing.T, flags []string) {
	v, err := parse(t, append([]string{"serve"}, flags...), nil)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	kept, err := v.Serve.Open(t.Context(), new(metric.Table), log)
	if err != nil {
		t.Fatal(err)
	}
	r, err := realm.New(&v.Serve.Config, kept, log)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range r.Worlds {
		if r.AllMaps()[i].ID == 0 {
			live := w.Map.(*systems.Live)
			live.Recorder = hashes{live.World}
		}
	}
	if err := r.Serve(t.Context(), func(at realm.Open) error {
		fmt.Println("ready", at.LoginsText())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// hashes print the hash of a world after each tick.
type hashes struct{ world *systems.World }

// Begin implements systems.Recorder.
func (hashes) Begin(uint64, *frame.Inbox) {}

// Digest implements systems.Recorder.
func (h hashes) Digest(n uint64, _ []byte) { fmt.Printf("tick %d %016x\n", n, h.world.Hash()) }

// processesOf are the children of a process whose command line has all of some words, or words in a row.
func processesOf(t *testing.T, parent int, words ...string) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		args := " " + strings.ReplaceAll(string(line), "\x00", " ")
		if len(fields) < 2 || fields[1] != strconv.Itoa(parent) || fields[0] == "Z" {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(args, " "+w+" ") }) {
			pids = append(pids, pid)
		}
	}
	return pids
}
