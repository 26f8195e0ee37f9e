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
	"strings"
	"testing"
	"time"
)

// TestSet sets the clock of a process that runs, forwards, backwards and back: its wall clock jumps by as much, its monotonic clock does not, and it goes on.
func TestSet(t *testing.T) {
	path := build(t, "")
	program, err := Of(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
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
	for _, ahead := range []time.Duration{0, 300 * time.Second, -90 * time.Second, time.Second, 0} {
		if ahead != 0 || last > 0 {
			if err := program.Set(cmd.Process.Pid, ahead); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			wall, monotonic := clocks()
			// The process reads one clock after the other, and may have been held up in between.
			if math.Round(wall-monotonic) != ahead.Seconds() {
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
	if err := program.Set(cmd.Process.Pid, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a process that has ended: %v", err)
	}
}

// clock is a program that prints, for each line that it reads, how many seconds have gone by since it began, by its wall clock and by its monotonic one.
const clock = `package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	began := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		time.Sleep(time.Millisecond)
		now := time.Now()
		fmt.Println(now.Round(0).Sub(began.Round(0)).Seconds(), now.Sub(began).Seconds())
	}
}
`

// build builds it.
func build(t *testing.T, flags string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clock")
	if err := os.WriteFile(path+".go", []byte(clock), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags", flags, "-o", path, path+".go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// TestOf refuses what has no such variable.
func TestOf(t *testing.T) {
	for path, want := range map[string]string{build(t, "-s"): "no symbol section", "skew_test.go": "bad magic number", "none": "no such file"} {
		if _, err := Of(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
