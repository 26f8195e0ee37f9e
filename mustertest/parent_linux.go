package mustertest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// dieWithParent has a process killed when the thread that starts it ends, as it does when the process of the test is killed.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// lockThread keeps the calling goroutine on its thread, and no other on it, until unlock is called.
func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
