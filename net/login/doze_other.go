//go:build !linux

package login

import "time"

// doze sleeps as exactly as timers can.
func doze(d time.Duration) { time.Sleep(d) }
