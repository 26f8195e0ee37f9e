//go:build !linux

package process

import "syscall"

// childAttributes are those of a process that the terminal does not interrupt.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// slackenTimers has no effect here: the timers of children are as late as they are.
func slackenTimers() {}
