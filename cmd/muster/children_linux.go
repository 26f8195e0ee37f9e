package main

import "syscall"

// childAttributes are those of a process that the terminal does not interrupt, and that ends with the one that started it.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
