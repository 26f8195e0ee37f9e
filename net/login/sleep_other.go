//go:build !linux

package login

import "time"

// sleepExactly sleeps as exactly as timers can.
func sleepExactly(d time.Duration) { time.Sleep(d) }
