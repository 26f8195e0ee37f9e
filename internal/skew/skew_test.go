//go:build linux && amd64

package skew

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSet sets the clock of a process that runs, forwards, backwards and back: its wall clock jumps by as much, its monotonic clock does not, and it goes on.
func TestSet(t *testing.T) {
	cmd := exec.Command(build(t))
	jumps(t, cmd, func(ahead time.Duration) error { return Set(cmd.Process.Pid, ahead) })
	if err := Set(cmd.Process.Pid, 0); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("a process that has ended: %v", err)
	}
}

// TestSetFamily sets that of a process by the one that has started it.
func TestSetFamily(t *testing.T) {
	cmd := exec.Command("sh", "-c", `"$0"; true`, build(t))
	jumps(t, cmd, func(ahead time.Duration) error { return SetFamily(cmd.Process.Pid, ahead) })
}

// TestFork sets the clock of a program that is not of Go, and reads it by gettimeofday, and of what that forks.
func TestFork(t *testing.T) {
	cmd := exec.Command("bash", "-c", `while read -r line; do echo "$EPOCHREALTIME" "$(echo "$EPOCHREALTIME")"; done`)
	cmd.Env = append(os.Environ(), "LC_ALL=C") // or there may be a comma in a number
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, ahead := range []time.Duration{0, time.Hour, -time.Hour, 0} {
		if err := SetFamily(cmd.Process.Pid, ahead); err != nil {
			t.Fatal(err)
		}
		before := time.Now().Add(ahead)
		fmt.Fprintln(in)
		if !lines.Scan() {
			t.Fatal("the process has ended")
		}
		var own, forked float64
		if _, err := fmt.Sscan(lines.Text(), &own, &forked); err != nil {
			t.Fatal(err)
		}
		late := time.Since(before.Add(-ahead)).Seconds() + 0.01 // what is between two readings, and between the two functions
		if from := float64(before.UnixMicro()) / 1e6; own < from-0.01 || forked < own || forked > from+late {
			t.Errorf("%v ahead: %f, and %f after a fork, want no less than %f, and at most %f s more", ahead, own, forked, from, late)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// jumps runs a command with build's program, whose clock set has jump.
func jumps(t *testing.T, cmd *exec.Cmd, set func(ahead time.Duration) error) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began, lines := time.Now(), bufio.NewScanner(out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// clocks are how much has gone by for the process, by each of its clocks.
	clocks := func() (wall, monotonic float64) {
		fmt.Fprintln(in)
		if !lines.Scan() {
			t.Fatal("the process has ended")
		}
		if _, err := fmt.Sscan(lines.Text(), &wall, &monotonic); err != nil {
			t.Fatal(err)
		}
		return wall, monotonic
	}
	var last float64
	for _, ahead := range []time.Duration{0, 300 * time.Second, -90 * time.Second, 10 * time.Second, 0} {
		if ahead != 0 || last > 0 {
			if err := set(ahead); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			wall, monotonic := clocks()
			// The process reads one clock after the other, and may have been held up in between.
			if math.Abs(wall-monotonic-ahead.Seconds()) > 4 {
				t.Errorf("%v ahead: %f s by the wall clock, and %f s by the monotonic one", ahead, wall, monotonic)
			}
			if monotonic <= last || monotonic > time.Since(began).Seconds() {
				t.Errorf("%v ahead: the monotonic clock went from %f to %f s", ahead, last, monotonic)
			}
			last = monotonic
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// clock is a program that prints, for each line that it reads, how many seconds have gone by since it began, by its wall clock and by its monotonic one. It reads
// both all the time.
const clock = `package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	began := time.Now()
	go func() {
		for {
			time.Now()
		}
	}()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		time.Sleep(time.Millisecond)
		now := time.Now()
		fmt.Println(now.Round(0).Sub(began.Round(0)).Seconds(), now.Sub(began).Seconds())
	}
}
`

// build builds it, without symbols.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clock")
	if err := os.WriteFile(path+".go", []byte(clock), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-s -w", "-o", path, path+".go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}
