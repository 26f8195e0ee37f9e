package process

import (
	"syscall"
	"time"
)

// childAttributes are those of a process that the terminal does not interrupt, and that ends with the one that started it.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// timerSlack is how late the timers of children may be, our own choice: far below a step, and several times what the monitor thread of Go's
// runtime sleeps and wakes by default while its process works. In processes that each work a little at a time it takes a tenth of the processor
// otherwise.
const timerSlack = 500 * time.Microsecond

// slackenTimers has processes that this thread starts from now on, and the thread itself, have timerSlack.
//
// Source: PR_SET_TIMERSLACK, prctl(2): children inherit it, and keep it when they run a program. Timers of sched/finetimer are none of those that it makes late.
func slackenTimers() {
	const setTimerSlack = 29
	syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, uintptr(timerSlack), 0) // a kernel that refuses it does without
}
