// Package rawio reads and writes connections and other descriptors that do not block by system calls that the scheduler of the Go runtime is not told of.
//
// With each system call that it is told of the runtime wakes its monitor thread, sysmon, if that sleeps, as it does once no goroutine runs. Woken so it looks what there is
// to do every 20 µs at first, and more and more seldom after a millisecond, until no goroutine runs again (entersyscall and sysmon of runtime/proc.go, go1.26). In a process that runs for some 0.3 ms every 7 ms that
// was 16 % of its processor time.
//
// While the monitor sleeps nothing ends the turn of a goroutine that computes for more than 10 ms, and where there is one processor nothing looks for events meanwhile: such a goroutine calls WakeMonitor before.
package rawio
