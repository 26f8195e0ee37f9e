//go:build linux

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// cycle is how long a command that is limited by signals runs and then stands still, together.
const cycle = 50 * time.Millisecond

// interrupted runs a command to its end, and lets its process group run for a share of each cycle only. A process that
// leaves the group, as the server of PostgreSQL does, is not held up.
func interrupted(cmd *exec.Cmd, percent int) (code int, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	group := cmd.Process.Pid
	run := cycle * time.Duration(percent) / 100
	for {
		time.Sleep(run)
		syscall.Kill(-group, syscall.SIGSTOP)
		time.Sleep(cycle - run)
		syscall.Kill(-group, syscall.SIGCONT)
		var status syscall.WaitStatus
		if pid, err := syscall.Wait4(group, &status, syscall.WNOHANG, nil); pid == group && err == nil {
			return exitCode(status), nil
		} else if err != nil && err != syscall.EINTR {
			return 0, err
		}
	}
}
