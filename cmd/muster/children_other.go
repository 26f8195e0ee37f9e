//go:build !linux

package main

import "syscall"

// childAttributes are those of a process that the terminal does not interrupt.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
