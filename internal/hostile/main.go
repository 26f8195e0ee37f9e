//go:build linux

// Command hostile runs a command on a worse machine than this one: without what the kernel may refuse, with less of the
// processor, beside processes that want all of it, and as a user without rights. docs/testing.md lists what is run so.
//
//	hostile -no perf,io_uring,ipv6 -files 1024 -unprivileged -cpu 50 -spin -- command arguments
//
// It prints first which conditions hold and by which means, and exits as the command does. What the command starts has the
// same conditions.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// exitUsage is the exit code when the conditions cannot be had, and exitMissing that of a command that cannot be run.
const (
	exitUsage   = 2
	exitMissing = 127
)

func main() {
	// A filter of system calls, and the signal on the death of a parent, belong to a thread.
	runtime.LockOSThread()
	var c conditions
	inside := flag.Bool("inside", false, "of this program alone: set what a process sets for itself, and become the command")
	spinner := flag.Bool("spinner", false, "of this program alone: never sleep")
	c.define(flag.CommandLine)
	flag.Parse()
	fail := func(code int, err error) {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(code)
	}
	switch {
	case *spinner:
		for n := 0; ; n++ {
			runtime.KeepAlive(n)
		}
	case flag.NArg() == 0:
		fail(exitUsage, errors.New("there is no command"))
	case c.percent < 0 || c.percent > 99:
		fail(exitUsage, errors.New("-cpu is from 1 to 99"))
	case *inside:
		fail(exitMissing, c.become(flag.Args()))
	}
	code, err := run(c, flag.Args())
	if err != nil {
		fail(exitUsage, err)
	}
	os.Exit(code)
}

// run has a command run under the conditions, and returns its exit code.
func run(c conditions, command []string) (code int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	if c.spin {
		for range runtime.NumCPU() {
			spinner := exec.Command(self, "-spinner")
			spinner.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
			if err := spinner.Start(); err != nil {
				return 0, err
			}
			defer spinner.Wait()
			defer spinner.Process.Kill()
		}
	}
	said := c.describe()
	start := runs
	if c.percent > 0 {
		group, err := newGroup(hierarchies(c.stop), c.percent)
		if err == nil {
			defer group.remove()
			c.join = group.procs()
			said = append(said, fmt.Sprintf("%d %% of %d processors by %s", c.percent, runtime.NumCPU(), group))
		} else {
			start = func(cmd *exec.Cmd) (int, error) { return interrupted(cmd, c.percent) }
			said = append(said, fmt.Sprintf("stopped by signals for %d %% of the time, as %v", 100-c.percent, err))
		}
	}
	fmt.Fprintf(os.Stderr, "hostile: %s\n", strings.Join(said, "; "))
	cmd := exec.Command(self, append(append(append([]string{"-inside"}, c.flags()...), "--"), command...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return start(cmd)
}

// runs runs a command to its end.
func runs(cmd *exec.Cmd) (code int, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	cmd.Wait()
	return exitCode(cmd.ProcessState.Sys().(syscall.WaitStatus)), nil
}

// exitCode is that of a process as a shell returns it: 128 and the signal, if one has ended it.
func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
